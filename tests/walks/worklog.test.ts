import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { threadOf } from "../fakes/threads.ts";
import type { Deviation } from "../../src/core/worklog/entry.ts";
import { outcomes } from "../../src/core/worklog/finish.ts";
import { agentRepository } from "../fakes/scripted.ts";

/** What a goal says of what it did, from what its agent told and what the engine recorded. */

export interface ShownWorklog {
  readonly session_id: string;
  readonly tier: string;
  readonly outcome: string;
  readonly version: string;
  readonly key: string;
  readonly task_description: string;
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly entries: readonly {
    readonly action: string;
    readonly status: string;
    readonly context: string;
    readonly timestamp: string;
    readonly details: Record<string, unknown>;
  }[];
  readonly todos: readonly { readonly id: string; readonly status: string }[];
  readonly checkpoints: readonly { readonly key: string; readonly phase: string; readonly deviations: unknown[] }[];
  readonly summary: Record<string, unknown> | null;
  readonly unstored_entries: number;
  readonly gap: string | null;
  readonly progress_key: string | null;
  readonly policy: { readonly version: string; readonly logs: readonly string[] };
}

let world: TestWorld;

beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }),
  });
});
afterEach(() => world.close());

const plan = (...statuses: string[]) => ({
  plan: statuses.map((status, index) => ({ content: `Step ${index + 1}`, status })),
});

/** A plan of three, two changes, a test, done. */
const steps = [
  plan("in_progress", "pending", "pending"),
  { write: { path: "a.txt", content: "1\n" } },
  plan("completed", "in_progress", "pending"),
  { write: { path: "b.txt", content: "2\n" } },
  { run: "true # read only" },
  { run: "npm test --silent || true" },
  plan("completed", "completed", "completed"),
  { say: "Done." },
];

async function worked(...options: string[]): Promise<{ goalId: string; log: ShownWorklog }> {
  const goalId = await start(...options);
  await world.work();
  await world.tick();
  return { goalId, log: await shown(goalId) };
}

async function start(...options: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...options));
  await world.command("autopilot", "start");
  return goalId;
}

async function shown(id: string): Promise<ShownWorklog> {
  return valueOf<ShownWorklog>(await world.command("worklog", "show", id));
}

const actions = (log: ShownWorklog): string[] => log.entries.map((entry) => entry.action);
const times = (log: ShownWorklog, action: string): number => actions(log).filter((each) => each === action).length;

describe("a goal's worklog", () => {
  it("[S0-FL-07] [S0-CP-01] [S0-VF-02] of STRICT has a check after each plan and three summaries", async () => {
    await agentRepository(world, [{ steps }]);

    const { goalId, log } = await worked("--tier", "STRICT");

    expect(log).toMatchObject({
      version: "1.0",
      key: `_worklog/${log.session_id}`,
      task_description: "Do it",
      outcome: "success",
      unstored_entries: 0,
      gap: null,
    });
    expect(actions(log)[0]).toBe("CheckpointDetection");
    expect([times(log, "TodoWrite"), times(log, "Verify"), times(log, "Write"), times(log, "Checkpoint")]).toEqual([
      3, 3, 2, 3,
    ]);
    const others = actions(log).filter((action) => action === "TodoWrite" || action === "Verify");
    expect(others).toEqual(["TodoWrite", "Verify", "TodoWrite", "Verify", "TodoWrite", "Verify"]);
    const phases = log.entries.filter((entry) => entry.action === "Checkpoint").map((entry) => entry.details["phase"]);
    expect(phases).toEqual(["planning_complete", "execution_complete", "verification_complete"]);
    expect(log.summary).toMatchObject({
      files_modified: 2,
      todos_completed: 3,
      verification_results: { passed: 3, failed: 0, skipped: 0, user_accepted: 0 },
      checkpoints_generated: 3,
    });
    expect((await threadOf(world, goalId)).filter((title) => title.startsWith("End of"))).toHaveLength(3);
  });

  it("[S0-FL-08] [S0-CP-02] [S0-BF-06] of STANDARD has one summary and no check, written after what it sums up", async () => {
    await agentRepository(world, [{ steps }]);

    const { log } = await worked("--tier", "STANDARD");
    const { rows: writes } =
      await world.deps.database.pool.query(`select min(entry_id) filter (where entry->>'action' = 'Checkpoint') as summary,
      max(entry_id) as last, array_agg(distinct xmin::text) as writes from cos.worklog_entries where entry_id <= (
        select entry_id from cos.worklog_entries where entry->>'action' = 'Checkpoint')`);
    expect(writes).toMatchObject([{ summary: writes[0].last }]);
    // What looked back, what was buffered, then the summary.
    expect(writes[0].writes).toHaveLength(3);

    expect([times(log, "TodoWrite"), times(log, "Verify"), times(log, "Checkpoint")]).toEqual([3, 0, 1]);
  });

  it.each(["LIGHT", "EXEMPT"])("[S0-CP-03] [S1-CD-02] of %s has plans only, and looks for nothing", async (tier) => {
    await agentRepository(world, [{ steps }]);

    const { log } = await worked("--tier", tier);

    expect(actions(log)).toEqual(["TodoWrite", "TodoWrite", "TodoWrite"]);
    expect(log.outcome).toBe("success");
  });

  it.each([
    ["STRICT", ["CheckpointDetection"]],
    ["LIGHT", []],
  ])("[S0-WI-01] [S0-WI-03] of %s is there before anything is told, and says what it is about", async (tier, first) => {
    await agentRepository(world, [{ steps: [{ permission: { title: "May I", command: "rm -rf x" } }] }]);
    const goalId = await start("--tier", tier);

    await world.work();

    const log = await shown(goalId);
    expect(log).toMatchObject({
      version: "1.0",
      session_id: "20260126_090000_001",
      task_description: "Do it",
      tier,
      started_at: "2026-01-26T09:00:00.000Z",
      completed_at: null,
      outcome: "in_progress",
      summary: null,
    });
    expect(log.entries.map((entry) => entry.action)).toEqual(first);
  });

  it.each([
    ["implement JWT auth", "STRICT", 0.92],
    ["add pagination", "STANDARD", 0.85],
    ["fix typo in README", "LIGHT", 0.88],
    ["explain auth flow", "EXEMPT", 0.95],
  ])("[S0-WI-04] of %j is opened as one of %s", async (text, tier, confidence) => {
    await agentRepository(world, [{ steps: [{ say: "Done." }] }]);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text));
    await world.command("autopilot", "start");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ task_description: text, tier, confidence });
  });

  it("[S0-VF-03] of STRICT says that five todos, each as it was written, have passed", async () => {
    const five = ["completed", "in_progress", "pending", "pending", "pending"];
    await agentRepository(world, [{ steps: [plan(...five), { say: "Done." }] }]);

    const { log } = await worked("--tier", "STRICT");

    const state = five.map((status, index) => ({ id: `todo-${index + 1}`, status }));
    expect(log.entries.filter(({ action }) => action === "Verify")).toMatchObject([
      {
        action: "Verify",
        status: "completed",
        details: {
          verification_result: "pass",
          expected_state: state,
          actual_state: state,
          mismatch_details: null,
        },
      },
    ]);
    expect(log.outcome).toBe("success");
  });

  it("[S0-WI-08] keeps the text as it was typed", async () => {
    await agentRepository(world, [{ steps: [{ say: "Done." }] }]);
    const text = 'fix "quoted" typo – naïve';
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text));
    await world.command("autopilot", "start");

    await world.work();

    expect((await shown(goalId)).task_description).toBe(text);
  });

  const writes = (number: number) =>
    Array.from({ length: number }, (_, index) => ({ write: { path: `f${index}.txt`, content: "1\n" } }));

  it("[S0-FN-02] of a goal that is skipped is aborted, with what it did", async () => {
    await agentRepository(world, [{ steps: [...writes(3), { permission: { title: "May I", command: "rm -rf x" } }] }]);
    const goalId = await start("--tier", "STANDARD");
    await world.work();
    await world.command("goal", "skip", goalId);
    await world.tick();

    const log = await shown(goalId);
    expect(log.outcome).toBe("aborted");
    expect(log.completed_at).not.toBeNull();
    expect(log.summary).toMatchObject({ total_operations: 3, files_modified: 3 });
  });

  it("[S0-FN-02] of a goal that fails is a failure, with what it did", async () => {
    await agentRepository(world, [{ steps: [...writes(8), { costUsd: 6 }, { sleepMs: 30_000 }] }]);

    const { goalId, log } = await worked("--tier", "STRICT");

    expect(valueOf<object>(await world.command("goal", "show", goalId))).toMatchObject({ status: "failed" });
    expect(log).toMatchObject({ outcome: "failure", completed_at: "2026-01-26T09:00:00.000Z" });
    expect(log.summary).toMatchObject({ total_operations: 8, files_modified: 8 });
  });

  it("[S0-CP-04] a summary that does not come is marked with why, so that there are three", async () => {
    await agentRepository(world, [{ steps: [{ write: { path: "a.txt", content: "1\n" } }, { say: "Done." }] }]);

    const { log } = await worked("--tier", "STRICT");

    const summaries = log.entries.filter((entry) => entry.action === "Checkpoint");
    expect(summaries.map((entry) => `${String(entry.details["phase"])} ${entry.status}`).toSorted()).toEqual([
      "execution_complete completed",
      "planning_complete skipped",
      "verification_complete skipped",
    ]);
    expect(summaries.filter((entry) => entry.status === "skipped").map((entry) => entry.context)).toEqual([
      "planning_complete: the agent reported no plan",
      "verification_complete: no test was run",
    ]);
  });

  it("[S0-CP-11] two test runs end the verification once", async () => {
    const test = { run: "npm test" };
    await agentRepository(world, [
      { steps: [{ write: { path: "a.txt", content: "1\n" } }, test, test, { say: "Done." }] },
    ]);

    const { log } = await worked("--tier", "STRICT");

    expect(times(log, "Bash")).toBe(2);
    const phases = log.entries.filter((entry) => entry.action === "Checkpoint").map((entry) => entry.details["phase"]);
    expect(phases.filter((phase) => phase === "verification_complete")).toHaveLength(1);
  });

  it("[S0-CP-10] [S0-RT-06] [S0-WI-02] has its keys, and keeps summaries and plan until the goal has ended", async () => {
    await agentRepository(world, [
      { steps: [plan("in_progress", "pending", "pending"), { permission: { title: "May I", command: "rm -rf x" } }] },
    ]);
    const goalId = await start("--tier", "STRICT");
    await world.work();
    const during = await shown(goalId);
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("approve", question?.checkpointId ?? "");
    await world.work();
    await world.tick();
    const after = await shown(goalId);

    expect(during.key).toBe(`_worklog/${during.session_id}`);
    expect(during.checkpoints.map(({ key }) => key)).toEqual([`_checkpoint/${during.session_id}/1`]);
    expect(during.progress_key).toMatch(/^_progress\/[0-9a-f]{12}$/);
    expect(during.todos).toHaveLength(3);
    expect(after).toMatchObject({ outcome: "success", checkpoints: [], progress_key: null, todos: [] });
  });

  it("[S0-CP-10] keeps its summaries when its goal has not succeeded", async () => {
    await agentRepository(world, [
      { steps: [plan("in_progress", "pending", "pending"), { permission: { title: "May I", command: "rm -rf x" } }] },
    ]);
    const goalId = await start("--tier", "STRICT");
    await world.work();
    await world.command("goal", "skip", goalId);
    await world.tick();

    const log = await shown(goalId);
    expect(log).toMatchObject({ outcome: "aborted", progress_key: null });
    expect(log.checkpoints).toMatchObject([{ key: `_checkpoint/${log.session_id}/1`, phase: "planning_complete" }]);
  });

  it("[S0-OL-15] says what its tier logs, and by which version of the policy", async () => {
    await agentRepository(world, [{ steps }]);
    const { log } = await worked("--tier", "LIGHT");

    expect(log.policy).toEqual({ version: "1.0", logs: ["TodoWrite", "Task"] });
  });

  it("[S0-FN-03] has one of five outcomes: the database refuses every other one", async () => {
    await agentRepository(world, [{ steps }]);
    const { log } = await worked("--tier", "STANDARD");
    const set = (outcome: string) =>
      world.deps.database.pool.query("update cos.worklogs set outcome = $1 where session_id = $2", [
        outcome,
        log.session_id,
      ]);

    for (const outcome of outcomes) expect((await set(outcome)).rowCount).toBe(1);
    await expect(set("done")).rejects.toThrow("worklogs_outcome");
    expect(outcomes).toEqual(["success", "failure", "aborted", "abandoned", "in_progress"]);
  });

  it("[S0-FN-05] that is finished is shown whole under its key", async () => {
    await agentRepository(world, [{ steps }]);
    const { log } = await worked("--tier", "STANDARD");

    const byKey = await shown(`_worklog/${log.session_id}`);

    expect(byKey).toEqual(log);
    expect(byKey.completed_at).toBe("2026-01-26T09:00:00.000Z");
    expect(byKey.entries.length).toBeGreaterThan(3);
  });

  it("[S0-WI-07] begins before the first thing that is told: a plan is its first entry, and reading is none", async () => {
    await agentRepository(world, [
      { match: ["Plans"], steps: [{ run: "cat a.txt # read only" }, plan("pending"), { say: "Done." }] },
      { steps: [{ run: "cat a.txt # read only" }, { write: { path: "b.txt", content: "1\n" } }, { say: "Done." }] },
    ]);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Plans", "--tier", "LIGHT"));

    const { log } = await worked("--tier", "STANDARD");

    expect(actions(await shown(goalId))[0]).toBe("TodoWrite");
    expect(actions(log).slice(0, 2)).toEqual(["CheckpointDetection", "Write"]);
    expect(Date.parse(log.started_at)).toBeLessThanOrEqual(Date.parse(log.entries[0]?.timestamp ?? ""));
  });

  it("[S0-CP-06] [S1-CP-08] [S1-CP-09] [S1-CP-10] deviations that were planted are found, each in its phase", async () => {
    await agentRepository(world, [
      {
        steps: [
          plan("in_progress", "pending", "pending"),
          { write: { path: "a.txt", content: "1\n" } },
          { write: { path: "z.txt", content: "1\n" } },
          { run: "npm test" },
          { say: "Done." },
        ],
      },
    ]);

    const { goalId, log } = await worked("--tier", "STRICT", "--allow", "a.txt");

    const summaries = log.entries
      .filter((entry) => entry.action === "Checkpoint")
      .map(({ details }) => [
        details["phase"],
        details["operations_count"],
        (details["deviations"] as Deviation[]).map(({ type, severity }) => `${type} ${severity}`),
      ]);
    const open = (severity: string) => Array.from({ length: 3 }, () => `todo_incomplete ${severity}`);
    expect(summaries).toEqual([
      ["planning_complete", 3, []],
      ["execution_complete", 2, ["unplanned_file medium", ...open("low")]],
      ["verification_complete", 1, ["test_failure high", ...open("medium")]],
    ]);
    expect(JSON.stringify(log.entries)).toContain("z.txt is not in the plan");
    const { rows } = await world.deps.database.pool.query("select corrections from cos.worklogs");
    expect(rows).toEqual([{ corrections: 1 }]);
    expect((await threadOf(world, goalId)).length).toBeGreaterThan(2);
  });

  it("what comes after the first test run is said at the end: in the thread, on the page and in the terminal", async () => {
    await agentRepository(world, [
      {
        steps: [
          plan("in_progress", "pending", "pending"),
          { write: { path: "a.txt", content: "1\n" } },
          { run: "true # npm test" },
          { run: "npm test || true" },
          { write: { path: "z.txt", content: "1\n" } },
          { say: "Done." },
        ],
      },
    ]);

    const { goalId } = await worked("--tier", "STRICT", "--allow", "a.txt");

    const titles = (await threadOf(world, goalId)).filter((title) => title.startsWith("After the last summary"));
    expect(titles).toEqual(["After the last summary: Do it"]);
    const result = await world.command("worklog", "show", goalId);
    const lines = result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : "";
    expect(lines).toMatch(
      /end of execution: 1 operation, 3 deviations[^]*end of verification: 1 operation, 3 deviations/,
    );
    expect(lines).toContain("↳ todo not finished (low): todo-1 is in progress: Step 1");
    expect(lines).toContain("↳ still not finished (medium): todo-1, todo-2, todo-3");
    expect(lines).toMatch(/TodoWrite 0\/3 done; now: Step 1 · read back/);
    expect(lines).not.toMatch(/Verify|CheckpointDetection/);
    expect(lines).toMatch(
      /After the last summary:\s+\S*\s*file outside of the plan \(medium\): z.txt is not in the plan/,
    );
  });

  it("of a command says what git shows and how it ended", async () => {
    await world.repository();
    const { log } = await worked("--tier", "STANDARD", "--run", "echo x > new.txt && false");

    expect(log.entries.filter((entry) => entry.action === "Bash")[0]).toMatchObject({
      status: "failed",
      details: { exit_code: 1 },
    });
  });

  it("[S0-OL-09] of a command that works says which files it made", async () => {
    await world.repository();
    const { log } = await worked("--tier", "STANDARD", "--run", "echo x > new.txt");

    expect(log.entries.find((entry) => entry.action === "Write")).toEqual({
      timestamp: "2026-01-26T09:00:00.000Z",
      action: "Write",
      status: "completed",
      context: "seen in git: new.txt",
      details: { files: ["new.txt"], change_summary: "1 file, seen in git" },
      tokens_consumed: 0,
    });
    expect(log.outcome).toBe("success");
  });

  it("[S0-FL-01] [S0-FL-05] with --no-worklog there is none", async () => {
    await agentRepository(world, [{ steps }]);
    const goalId = await start("--tier", "STRICT", "--no-worklog", "--skip-verify", "--no-checkpoints");
    await world.work();
    await world.tick();

    const refusal = await world.command("worklog", "show", goalId);
    expect(refusal).toMatchObject({ type: "refused", next: `cos goal show ${goalId}` });
    const { rows } = await world.deps.database.pool.query(
      "select (select count(*)::int from cos.worklogs) as logs, (select count(*)::int from cos.worklog_entries) as entries",
    );
    expect(rows).toEqual([{ logs: 0, entries: 0 }]);
    expect((await threadOf(world, goalId)).filter((title) => title.startsWith("End of"))).toEqual([]);
  });

  it.each([
    [["--skip-verify"], [0, 3, 3]],
    [["--no-checkpoints"], [3, 0, 3]],
    [
      ["--skip-verify", "--no-checkpoints"],
      [0, 0, 3],
    ],
  ])("[S0-FL-02] [S0-FL-03] %j leaves out what it says, and nothing else", async (flags, numbers) => {
    await agentRepository(world, [{ steps }]);

    const { log } = await worked("--tier", "STRICT", ...flags);

    expect([times(log, "Verify"), times(log, "Checkpoint"), times(log, "TodoWrite")]).toEqual(numbers);
  });

  it("[S0-FL-06] changes nothing else: a goal without flags ends as one without a worklog", async () => {
    await agentRepository(world, [{ steps }]);
    const { goalId: plain } = await worked();
    const without = await start("--no-worklog");
    await world.work();
    await world.tick();

    const result = async (goalId: string) => {
      const goal = valueOf<Record<string, unknown>>(await world.command("goal", "show", goalId));
      const changed = valueOf<unknown>(await world.command("diff", goalId));
      const words = JSON.stringify({ status: goal["status"], outcome: goal["outcome"], changed });
      return words.replaceAll(goalId, "GOAL").replaceAll(/[0-9a-f]{40}/g, "COMMIT");
    };
    expect(await result(plain)).toBe(await result(without));
    const { rows } = await world.deps.database.pool.query("select distinct goal_id from cos.worklogs");
    expect(rows).toEqual([{ goal_id: plain }]);
  });

  it("is told on the goal's card and in its JSON", async () => {
    await agentRepository(world, [{ steps }]);

    const { goalId, log } = await worked();

    expect(valueOf<object>(await world.command("goal", "show", goalId))).toMatchObject({
      status: "complete",
      tier: "STANDARD",
      tierConfidence: 0.5,
      tierReason: "nothing says otherwise",
      worklogs: [{ sessionId: log.session_id, outcome: "success", unstored: 0 }],
    });
  });
});

describe("the engine's events", () => {
  it("[S0-BF-12] read twice add nothing twice", async () => {
    await agentRepository(world, [{ steps }]);
    const { goalId, log } = await worked("--tier", "STRICT");

    await world.deps.database.pool.query("delete from cos.readers");
    await world.tick();

    const again = await shown(goalId);
    expect(again.entries).toEqual(log.entries);
    const { rows } = await world.deps.database.pool.query("select worklogs, outcomes from cos.worklog_days");
    expect(rows).toEqual([{ worklogs: 1, outcomes: { success: 1 } }]);
  });
});
