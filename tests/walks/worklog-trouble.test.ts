import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { earlierWorkCard } from "../../src/core/cards/worklog-cards.ts";
import { noWorklogFlags } from "../../src/core/worklog/flags.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { markNotice } from "../../src/db/connection/marks.ts";
import { getGoal } from "../../src/db/goals.ts";
import { findMessage } from "../../src/db/messages.ts";
import { unfinishedOf } from "../../src/db/worklogs.ts";
import { checkTodos } from "../../src/turns/shared/worklog/check-todos.ts";
import { flush } from "../../src/turns/shared/worklog/flush.ts";
import { openWorklog } from "../../src/turns/shared/worklog/open.ts";
import { beginRecording } from "../../src/turns/shared/worklog/recorder.ts";
import { noteEntry } from "../../src/turns/shared/worklog/recording.ts";
import { readForWorklogs } from "../../src/turns/worklog/read-events.ts";
import { forgetWorklogs } from "../../src/turns/worklog/forget.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { threadOf } from "../fakes/threads.ts";
import { agentRepository } from "../fakes/scripted.ts";
import type { ShownWorklog } from "./worklog.test.ts";

/** A worklog that cannot be kept, checked or found: its goal goes on all the same, and what is missing is said. */

let world: TestWorld;

beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...policy,
      checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 },
      worklog: { ...policy.worklog, verification: { ...policy.worklog.verification, retryAfterMs: 0 } },
    }),
  });
});
afterEach(() => world.close());

const todo = (content: string, status: string) => ({ content, status });
const steps = [
  { plan: [todo("One", "completed"), todo("Two", "pending")] },
  { write: { path: "a.txt", content: "1\n" } },
  { say: "Done." },
];

async function add(...options: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...options)).goalId;
}

async function worked(...options: string[]): Promise<string> {
  const goalId = await add(...options);
  await world.command("autopilot", "start");
  await world.work();
  await world.tick();
  return goalId;
}

const shown = async (id: string) => valueOf<ShownWorklog>(await world.command("worklog", "show", id));
const sql = async (text: string) => (await world.deps.database.pool.query(text)).rows;
const statusOf = async (goalId: string) => (await getGoal(world.deps.database.db, goalId))?.status;

/** Something in the database that does what it must not. */
async function trigger(table: string, when: string, body: string, level = "for each row"): Promise<void> {
  await sql(`create function cos.trouble() returns trigger language plpgsql as $$ begin ${body} end $$`);
  await sql(`create trigger trouble ${when} on cos.${table} ${level} execute function cos.trouble()`);
}

describe("a worklog that cannot be written", () => {
  it("[S0-GD-01] stays with the process; the goal is complete and the gap is said", async () => {
    await agentRepository(world, [{ steps }]);
    await trigger(
      "worklog_entries",
      "before insert",
      "if new.key like 'run-%' then raise exception 'refused'; end if; return new;",
    );

    const goalId = await worked("--tier", "STANDARD");

    expect(await statusOf(goalId)).toBe("complete");
    const log = await shown(goalId);
    expect(log.entries.filter((entry) => entry.action === "TodoWrite")).toEqual([]);
    expect(log.unstored_entries).toBe(2);
    expect(log.gap).toBe("2 entries could not be stored while the goal was worked");
    const told = await threadOf(world, goalId);
    expect(told.filter((title) => title.startsWith("Worklog unavailable"))).toHaveLength(1);
  });

  it("nor say so is said later by the process that knows it, also when another one has finished the worklog", async () => {
    await agentRepository(world, [{ steps }]);
    await trigger(
      "worklog_entries",
      "before insert",
      "if new.key like 'run-%' then raise exception 'refused'; end if; return new;",
    );
    await sql(`create function cos.silence() returns trigger language plpgsql as $$ begin
      if new.gap is distinct from old.gap then raise exception 'refused'; end if; return new; end $$`);
    await sql("create trigger silence before update on cos.worklogs for each row execute function cos.silence()");
    const goalId = await add("--tier", "STANDARD");
    await world.command("autopilot", "start");
    await world.work();
    await sql("drop trigger trouble on cos.worklog_entries");
    await sql("drop trigger silence on cos.worklogs");
    const database = openDatabase(world.databaseUrl, () => undefined, 4);

    while ((await shown(goalId)).outcome === "in_progress") await readForWorklogs({ ...world.deps, database });
    await database.close();
    const byOther = await shown(goalId);
    await world.tick();
    const after = await shown(goalId);

    expect(byOther).toMatchObject({ outcome: "success", unstored_entries: 0, gap: null });
    expect(after.gap).toBe("2 entries could not be stored while the goal was worked");
    expect(await sql("select worklogs, unstored from cos.worklog_days")).toEqual([{ worklogs: 1, unstored: 2 }]);
    await world.tick();
    expect((await shown(goalId)).unstored_entries).toBe(2);
  });

  it("[S0-BF-10] together is written one by one, which is said once", async () => {
    await agentRepository(world, [{ steps }]);
    await sql(
      `create function cos.trouble() returns trigger language plpgsql as $$
       begin if (select count(*) from added) > 1 then raise exception 'refused'; end if; return null; end $$`,
    );
    await sql(
      "create trigger trouble after insert on cos.worklog_entries referencing new table as added for each statement execute function cos.trouble()",
    );

    const goalId = await worked("--tier", "STANDARD");

    const log = await shown(goalId);
    expect(log.entries.map((entry) => entry.action)).toEqual([
      "CheckpointDetection",
      "TodoWrite",
      "Write",
      "Checkpoint",
    ]);
    expect(log.unstored_entries).toBe(0);
    const told = await threadOf(world, goalId);
    expect(told.filter((title) => title.startsWith("Accountability overhead increased"))).toHaveLength(1);
  });

  it("[S0-BF-12] whose write came though nobody heard of it has each of its ten entries once, in their order", async () => {
    await world.repository();
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STANDARD"));
    if (goal === null) throw new Error("the goal is gone");
    const who = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recording = beginRecording(world.deps, who);
    recording.worklog = (await openWorklog(world.deps, { goal, runId: "run-1" }))?.worklog ?? null;
    const common = { timestamp: "2026-01-26T09:00:00.000Z", status: "completed", tokens_consumed: 0 } as const;
    for (let n = 1; n <= 10; n += 1)
      noteEntry(recording, {
        ...common,
        action: "Edit",
        context: `e${n}`,
        details: { files: [`e${n}`], change_summary: "x" },
      });
    const batch = recording.buffer;

    await flush(world.deps, recording, "threshold_flush");
    recording.buffer = batch;
    await flush(world.deps, recording, "threshold_flush");

    const log = await shown(goal.goalId);
    expect(log.entries.filter(({ action }) => action === "Edit").map(({ context }) => context)).toEqual(
      "e1 e2 e3 e4 e5 e6 e7 e8 e9 e10".split(" "),
    );
    expect([recording.mode, recording.unstored, log.unstored_entries]).toEqual(["batched", 0, 0]);
  });

  it("[S0-GD-05] nor opened is told in the thread, but not of LIGHT", async () => {
    await agentRepository(world, [{ steps }]);
    await sql("alter table cos.worklogs rename to away");

    const goalId = await worked("--tier", "STRICT");
    const light = await worked("--tier", "LIGHT");

    expect([await statusOf(goalId), await statusOf(light)]).toEqual(["complete", "complete"]);
    expect((await threadOf(world, goalId)).filter((title) => title.includes("Memory system unavailable"))).toHaveLength(
      1,
    );
    expect((await threadOf(world, light)).filter((title) => title.includes("Memory system"))).toEqual([]);
    await sql("alter table cos.away rename to worklogs");
  });

  it("[S0-WI-01] nor opened by anybody while the goal was worked: it gets one afterwards, which says what is missing", async () => {
    await agentRepository(world, [{ steps }]);
    await trigger("worklogs", "before insert", "raise exception 'refused';");
    const goalId = await worked("--tier", "STRICT");
    const refused = await world.command("worklog", "show", goalId);
    await sql("drop trigger trouble on cos.worklogs");
    world.advance(60_000);

    await world.tick();
    await world.tick();

    expect(await statusOf(goalId)).toBe("complete");
    expect(refused).toMatchObject({ type: "refused", reason: expect.stringContaining("none could be opened for it") });
    const log = await shown(goalId);
    expect(log).toMatchObject({ outcome: "success", tier: "STRICT" });
    // It begins with its run, before everything that is in it.
    expect([log.started_at, log.completed_at]).toEqual(["2026-01-26T09:00:00.000Z", "2026-01-26T09:00:00.000Z"]);
    expect(log.entries.map(({ timestamp }) => timestamp).toSorted()[0]).toBe("2026-01-26T09:00:00.000Z");
    expect(log.gap).toBe(`${log.unstored_entries} entries could not be stored while the goal was worked`);
    expect(log.unstored_entries).toBeGreaterThanOrEqual(2);
    expect(await sql("select worklogs, unstored from cos.worklog_days")).toEqual([
      { worklogs: 1, unstored: log.unstored_entries },
    ]);
  });

  it("[S0-RT-08] whose entries cannot be read is put aside, and another begins", async () => {
    await agentRepository(world, [
      { steps: [{ permission: { title: "May I", command: "rm -rf x" } }, { say: "Done." }] },
    ]);
    const goalId = await worked("--tier", "STANDARD");
    const before = await shown(goalId);
    await sql(`update cos.worklog_entries set entry = '{"action": "Nonsense"}'`);

    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("approve", question?.checkpointId ?? "");
    await world.work();
    await world.tick();

    const after = await shown(goalId);
    expect(after.session_id).not.toBe(before.session_id);
    expect(after.outcome).toBe("success");
    expect(await shown(before.session_id)).toMatchObject({ outcome: "abandoned", entries: [] });
  });
});

describe("a worklog that is opened", () => {
  it("[S0-WI-01] has begun before its first entry, however long it looks back", async () => {
    await world.repository();
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STRICT"));
    if (goal === null) throw new Error("the goal is gone");
    let looks = 0;
    const now = (): Date => new Date(world.deps.now().getTime() + 100 * looks++);

    const opened = await openWorklog({ ...world.deps, now }, { goal, runId: "run-1" });

    const [first] = opened?.entries ?? [];
    expect(opened?.worklog.startedAt.getTime()).toBeLessThanOrEqual(Date.parse(first?.timestamp ?? ""));
    expect(looks).toBeGreaterThan(2);
  });

  it("by eight at once for the same run is one", async () => {
    await world.repository();
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STRICT"));
    if (goal === null) throw new Error("the goal is gone");
    const wanted = { goal, runId: "run-1" };
    const others = Array.from({ length: 4 }, () => openDatabase(world.databaseUrl, () => undefined, 2));

    const opened = await Promise.all(
      [...others, ...others].map((database) => openWorklog({ ...world.deps, database }, wanted)),
    );
    for (const each of others) await each.close();

    expect(new Set(opened.map((each) => each?.worklog.sessionId)).size).toBe(1);
    expect(await sql("select count(*)::int as n from cos.worklogs")).toEqual([{ n: 1 }]);
  });
});

describe("todos that are not stored as they were written", () => {
  async function mismatched(): Promise<{ goalId: string; log: ShownWorklog }> {
    await agentRepository(world, [{ steps }]);
    await trigger(
      "worklog_todos",
      "before insert or update",
      `new.todos := jsonb_set(new.todos, '{0,status}', '"pending"'); return new;`,
    );
    const goalId = await add("--tier", "STRICT");
    await world.command("autopilot", "start");
    await world.work();
    return { goalId, log: await shown(goalId) };
  }
  const checks = (log: ShownWorklog) =>
    log.entries
      .filter((entry) => entry.action === "Verify")
      .map((entry) => `${entry.status} ${String(entry.details["verification_result"])}`);

  it("[S0-VF-08] [S0-VF-11] are read twice, then a person is asked while the goal goes on", async () => {
    const { goalId, log } = await mismatched();

    expect(checks(log)).toEqual(["retried fail", "failed fail"]);
    expect(log.entries.find((entry) => entry.status === "failed")?.context).toBe(
      "status_mismatch: todo-1: expected completed, found pending",
    );
    expect(await statusOf(goalId)).toBe("complete");
    const words = await cardWords(world, `worklog.${log.session_id}.todos`);
    expect(words).toContain("todo-1: expected completed, found pending");
    const asked = await findMessage(world.deps.database.db, "console", "main", `worklog.${log.session_id}.todos`);
    expect(asked?.card.actions.map(({ label }) => label)).toEqual([
      "Retry",
      "Accept current state as correct",
      "Abort task with partial worklog",
      "Continue without verification (log risk)",
    ]);
  });

  it("[S0-VF-09] that are right at the second read pass, and both reads are recorded", async () => {
    await agentRepository(world, [{ steps }]);
    await trigger(
      "worklog_todos",
      "before insert",
      `new.todos := jsonb_set(new.todos, '{0,status}', '"pending"'); return new;`,
    );
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STRICT"));
    if (goal === null) throw new Error("the goal is gone");
    const policy = {
      ...world.deps.policy.worklog,
      verification: { ...world.deps.policy.worklog.verification, retryAfterMs: 100 },
    };
    const deps = { ...world.deps, policy: { ...world.deps.policy, worklog: policy } };
    const opened = await openWorklog(deps, { goal, runId: "run-1" });
    const recording = beginRecording(deps, {
      goal,
      runId: "run-1",
      worktree: "/work",
      writer: "w",
      piece: null,
      told: null,
    });
    recording.worklog = opened?.worklog ?? null;
    recording.todos = [{ id: "todo-1", content: "One", status: "completed" }];

    const checking = checkTodos(deps, recording);
    await eventually("the first read", async () => recording.entries.length === 1);
    await sql(`update cos.worklog_todos set todos = jsonb_set(todos, '{0,status}', '"completed"')`);
    world.timers.advance(100);
    await checking;

    expect(recording.entries.map(({ status, details }) => [status, details])).toMatchObject([
      ["retried", { verification_result: "fail", actual_state: [{ id: "todo-1", status: "pending" }] }],
      ["completed", { verification_result: "pass", actual_state: [{ id: "todo-1", status: "completed" }] }],
    ]);
  });

  it("[S0-VF-10] that were not read within 1000 ms are read again, and pass", async () => {
    await world.repository();
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STRICT"));
    if (goal === null) throw new Error("the goal is gone");
    const { worklog } = world.deps.policy;
    const limits = { flushTimeoutMs: 100, listTimeoutMs: 600_000 };
    const verification = { ...worklog.verification, retryAfterMs: 100 };
    const policy = { ...world.deps.policy, worklog: { ...worklog, ...limits, verification } };
    const deps = { ...world.deps, policy };
    const who = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recording = beginRecording(deps, who);
    recording.worklog = (await openWorklog(deps, { goal, runId: "run-1" }))?.worklog ?? null;
    recording.todos = [{ id: "todo-1", content: "One", status: "completed" }];
    await sql(`insert into cos.worklog_todos (session_id, task_hash, todos, updated_at) values
      ('${recording.worklog?.sessionId}', 'x', '[{"id": "todo-1", "content": "One", "status": "completed"}]', now())`);
    const holder = await world.deps.database.pool.connect();
    await holder.query("begin; lock table cos.worklog_todos in access exclusive mode");
    const results = () => recording.entries.map(({ status, details }) => [status, details]);

    const checking = checkTodos(deps, recording);
    await eventually("the first read to wait", async () => {
      const waiting = await sql(
        "select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return waiting.some(({ query }) => /^select\b.*worklog_todos/i.test(String(query)));
    });
    world.timers.advance(999);
    const before = results();
    world.timers.advance(1);
    await eventually("the first read to be given up", async () => recording.entries.length === 1);
    await holder.query("rollback");
    holder.release();
    world.timers.advance(100);
    await checking;

    expect(before).toEqual([]);
    expect(results()).toMatchObject([
      ["retried", { verification_result: "timeout" }],
      ["completed", { verification_result: "pass", actual_state: [{ id: "todo-1", status: "completed" }] }],
    ]);
  });

  it("[S0-VF-12] [S0-CB-07] Accept is noted with who it was", async () => {
    const { log } = await mismatched();

    await world.command("worklog", "accept", log.session_id);

    const after = await shown(log.session_id);
    expect(checks(after)).toEqual(["retried fail", "failed fail", "completed user_accepted"]);
    expect(after.entries.at(-1)?.details["decided_by"]).toBe("ana");
    expect(await world.command("worklog", "accept", log.session_id)).toMatchObject({ type: "refused" });
    expect(await cardWords(world, `worklog.${log.session_id}.todos`)).toContain(
      "Accept current state as correct: ana.",
    );
  });

  it("[S0-VF-14] Continue is noted as a risk", async () => {
    const { log } = await mismatched();

    await world.command("worklog", "continue", log.session_id);

    const last = (await shown(log.session_id)).entries.at(-1);
    expect(last?.details["verification_result"]).toBe("bypassed");
    expect(last?.context).toBe("ana goes on without verification: a risk");
  });

  it("[S0-CB-02] [S0-CB-03] the third failure opens the breaker: Retry is refused, the others are not", async () => {
    const { log } = await mismatched();

    const third = valueOf<{ options: string[] }>(await world.command("worklog", "retry", log.session_id));
    const refusal = await world.command("worklog", "retry", log.session_id);
    world.advance(300_000);
    await sql("drop trigger trouble on cos.worklog_todos");
    await sql(`update cos.worklog_todos set todos = jsonb_set(todos, '{0,status}', '"completed"')`);
    const later = valueOf<{ verification_result: string }>(await world.command("worklog", "retry", log.session_id));

    expect(third.options).toEqual(["accept", "abort", "continue"]);
    expect(refusal).toMatchObject({ type: "refused", next: `cos worklog accept ${log.session_id}` });
    expect(later.verification_result).toBe("pass");
  });

  it("[S0-CB-02] [S0-CB-03] a goal at work reads nothing after the third failure, whoever made it, for 300 s", async () => {
    await agentRepository(world, [{ steps }]);
    await trigger(
      "worklog_todos",
      "before insert or update",
      `new.todos := jsonb_set(new.todos, '{0,status}', '"pending"'); return new;`,
    );
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STRICT"));
    if (goal === null) throw new Error("the goal is gone");
    const opened = await openWorklog(world.deps, { goal, runId: "run-1" });
    const who = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recording = beginRecording(world.deps, who);
    recording.worklog = opened?.worklog ?? null;
    const id = opened?.worklog.sessionId ?? "";
    recording.todos = [{ id: "todo-1", content: "One", status: "completed" }];
    const read = async (): Promise<string[]> => {
      await checkTodos(world.deps, recording);
      await flush(world.deps, recording, "checkpoint_flush");
      return checks(await shown(id));
    };

    const twice = await read();
    valueOf(await world.command("worklog", "retry", id));
    world.advance(10_000);
    const open = await read();
    world.advance(290_000);
    const later = await read();

    expect(twice).toEqual(["retried fail", "failed fail"]);
    expect(open).toEqual([...twice, "failed fail", "skipped bypassed"]);
    // One may be made, which fails, and no second one.
    expect(later).toEqual([...open, "failed fail"]);
  });

  it("[S0-CB-02] the first read of the next plan is the third failure: no second one follows", async () => {
    await agentRepository(world, [{ steps: [...steps.slice(0, 1), { plan: [todo("One", "completed")] }] }]);
    await trigger(
      "worklog_todos",
      "before insert or update",
      `new.todos := jsonb_set(new.todos, '{0,status}', '"pending"'); return new;`,
    );
    const log = await shown(await worked("--tier", "STRICT"));

    expect(checks(log)).toEqual(["retried fail", "failed fail", "failed fail"]);
    expect(await cardWords(world, `worklog.${log.session_id}.todos`)).not.toContain("cos worklog retry");
  });

  it.each([
    ["", "A later check found them as they were written."],
    ["accept", "Accept current state as correct: ana."],
  ])("are asked about no more once a later check has found them as they were written (%s)", async (decided, said) => {
    await agentRepository(world, [{ steps }]);
    await trigger(
      "worklog_todos",
      "before insert or update",
      `if new.todos::text like '%Three%' then return new; end if;
      new.todos := jsonb_set(new.todos, '{0,status}', '"pending"'); return new;`,
    );
    const goal = await getGoal(world.deps.database.db, await add("--tier", "STRICT"));
    if (goal === null) throw new Error("the goal is gone");
    const opened = await openWorklog(world.deps, { goal, runId: "run-1" });
    const who = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recording = beginRecording(world.deps, who);
    recording.worklog = opened?.worklog ?? null;
    const id = opened?.worklog.sessionId ?? "";
    recording.todos = [{ id: "todo-1", content: "One", status: "completed" }];
    await checkTodos(world.deps, recording);
    await flush(world.deps, recording, "checkpoint_flush");
    await world.tick();
    const asked = await cardWords(world, `worklog.${id}.todos`);
    if (decided !== "") valueOf(await world.command("worklog", decided, id));

    recording.todos = [{ id: "todo-1", content: "Three", status: "completed" }];
    await checkTodos(world.deps, recording);
    await world.tick();

    const words = await cardWords(world, `worklog.${id}.todos`);
    expect(asked).toContain("Accept");
    expect(words).toContain(said);
    expect(words).not.toContain(`cos worklog accept`);
    const message = await findMessage(world.deps.database.db, "console", "main", `worklog.${id}.todos`);
    expect(message?.card.actions).toEqual([]);
  });

  it("that nobody settled before the goal ended are settled by nobody: the card says so, and no button lies", async () => {
    const { log } = await mismatched();
    await world.tick();

    const words = await cardWords(world, `worklog.${log.session_id}.todos`);
    const retried = await world.command("worklog", "retry", log.session_id);

    expect((await shown(log.session_id)).outcome).toBe("success");
    expect(words).toContain("The goal has ended; nobody settled this.");
    expect(retried).toMatchObject({ type: "refused", reason: `nothing waits for an answer in ${log.session_id}` });
  });

  it("[S0-VF-13] Abort skips the goal and ends its worklog as aborted", async () => {
    await agentRepository(world, [
      { steps: [...steps.slice(0, 1), { permission: { title: "May I", command: "rm -rf x" } }] },
    ]);
    await trigger(
      "worklog_todos",
      "before insert or update",
      `new.todos := jsonb_set(new.todos, '{0,status}', '"pending"'); return new;`,
    );
    const goalId = await worked("--tier", "STRICT");

    await world.command("worklog", "abort", goalId);
    await world.tick();

    expect(await statusOf(goalId)).toBe("deferred");
    expect((await shown(goalId)).outcome).toBe("aborted");
  });
});

describe("earlier work", () => {
  const waits = {
    match: ["Waits"],
    steps: [...steps.slice(0, 1), { permission: { title: "May I", command: "rm -rf x" } }],
  };

  async function left(): Promise<{ first: string; log: ShownWorklog }> {
    await agentRepository(world, [waits, { steps }]);
    const { goalId: first } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Waits for a person", "--tier", "STRICT"),
    );
    await world.command("autopilot", "start");
    await world.work();
    await world.tick();
    world.advance(10 * 60_000);
    return { first, log: await shown(first) };
  }

  it("[S0-CD-02] [S0-CD-07] [S0-CD-10] is offered before new work begins, which waits for nobody", async () => {
    const { log } = await left();

    const goalId = await worked("--tier", "STANDARD");

    expect(await statusOf(goalId)).toBe("complete");
    const entries = (await shown(goalId)).entries;
    expect(entries[0]).toMatchObject({ action: "CheckpointDetection", details: { found: log.session_id } });
    const words = await cardWords(world, `worklog.${log.session_id}.earlier`);
    expect(words).toContain("Previous work detected: Waits for a person (in_progress)");
    expect(words).toContain(`cos worklog resume ${log.session_id}`);
    expect(words).not.toMatch(/\d{4}-\d\d-\d\dT/);
  });

  it("[S0-CD-08] is taken up again with what is left to do, once", async () => {
    const { first, log } = await left();
    await world.command("goal", "pause", first);

    const resumed = valueOf<object>(await world.command("worklog", "resume", log.session_id));

    expect(resumed).toMatchObject({ goalId: first, todosLeft: ["Two"] });
    expect(await statusOf(first)).not.toBe("blocked");
    expect(await world.command("worklog", "resume", log.session_id)).toMatchObject({ type: "refused" });
  });

  it("whose goal waits for a session already is offered no more, and nobody is told that it was taken up", async () => {
    const { first, log } = await left();
    await world.command("goal", "pause", first);
    await world.command("goal", "resume", first);
    await world.command("autopilot", "stop", "--now");

    const said = await world.command("worklog", "resume", log.session_id);

    expect(said.type === "done" ? said.card.title : said.reason).toBe(
      `${log.session_id}: ${first} waits for the next session: cos autopilot start --repo person`,
    );
    expect(await world.command("worklog", "resume", log.session_id)).toMatchObject({ type: "refused" });
  });

  it("that two people take up at once is taken up once", async () => {
    const { first, log } = await left();
    await world.command("goal", "pause", first);

    const said = await Promise.all([1, 2, 3, 4].map(() => world.command("worklog", "resume", log.session_id)));

    expect(said.map(({ type }) => type).toSorted()).toEqual(["done", "refused", "refused", "refused"]);
    expect(await statusOf(first)).not.toBe("blocked");
  });

  it("that is worked now is not taken from whoever works it: left again, it is offered again", async () => {
    const { first, log } = await left();
    await sql(`update cos.goals set status = 'in_progress', blocked_on = null, turn = 1, leased_by = 'another',
      leased_until = now() + interval '1 day' where goal_id = '${first}'`);

    const said = await world.command("worklog", "resume", log.session_id);

    expect(said.type === "done" ? said.card.title : said.reason).toBe(
      `${log.session_id}: ${first} is being worked already`,
    );
    expect(await sql("select released_at from cos.worklogs")).toEqual([{ released_at: null }]);
  });

  it("that was taken up is settled no more once it is worked: left again, it can be offered again", async () => {
    const { first, log } = await left();
    await world.command("goal", "pause", first);
    await world.command("worklog", "resume", log.session_id);
    const released = await sql("select released_by from cos.worklogs");
    await worked("--tier", "LIGHT");

    expect(released).toEqual([{ released_by: "ana" }]);
    expect(await sql("select released_by from cos.worklogs where tier = 'STRICT'")).toEqual([{ released_by: null }]);
  });

  it.each([
    ["whose goal has ended", (goalId: string) => world.command("goal", "skip", goalId)],
    [
      "whose goal is worked now",
      (goalId: string) =>
        sql(
          `update cos.goals set turn = 1, leased_by = 'x', leased_until = now() + interval '1 day' where goal_id = '${goalId}'`,
        ),
    ],
    ["whose entries are gone", () => sql("update cos.worklogs set has_raw = false")],
    [
      "whose goal is of another repository",
      async (goalId: string) => {
        await sql(`insert into cos.repositories select (jsonb_populate_record(one,
          '{"repository_id": "other", "name": "other", "path": "/other"}')).* from cos.repositories one`);
        await sql(`update cos.goals set repository_id = 'other' where goal_id = '${goalId}'`);
      },
    ],
  ])("%s is not offered, though its worklog is unfinished", async (_, change) => {
    const { first } = await left();
    await sql("update cos.worklogs set outcome = 'abandoned', settled_at = last_modified");
    const repositoryId = (await getGoal(world.deps.database.db, first))?.repositoryId ?? "";
    const offered = { owner: "ana", repositoryId, goalId: "another", now: world.deps.now(), heartbeatMs: 300_000 };
    expect(await unfinishedOf(world.deps.database.db, offered, 10)).toHaveLength(1);

    await change(first);

    expect(await unfinishedOf(world.deps.database.db, offered, 10)).toEqual([]);
  });

  it("[S0-CD-09] of another person, and what ten others write now, hide nothing; whose clock was ahead is no one at work", async () => {
    const row = (id: string, owner: string, at: string) => `('${id}', 'of-${id}', '${owner}', 'x', 'LIGHT', 1, 'x',
      '${JSON.stringify(noWorklogFlags)}', '[]', '${at}', '${at}', 'in_progress')`;
    const busy = Array.from({ length: 12 }, (_, n) => row(`busy${n}`, "ana", world.deps.now().toISOString()));
    const others = [row("bens", "ben", "2026-01-26T08:30:00Z"), row("old", "ana", "2026-01-26T08:00:00Z")];
    await sql(`insert into cos.worklogs (session_id, goal_id, owner, task_description, tier, confidence, reason, flags, planned,
      started_at, last_modified, outcome) values ${[...busy, ...others].join(", ")}`);
    const wanted = { owner: "ana", repositoryId: "x", goalId: "another", now: world.deps.now(), heartbeatMs: 300_000 };
    const offered = async () =>
      (await unfinishedOf(world.deps.database.db, wanted, 10)).map(({ sessionId }) => sessionId);
    const first = await offered();
    await sql("update cos.worklogs set last_modified = '2028-01-01' where session_id = 'busy3'");

    expect([first, await offered()]).toEqual([["old"], ["busy3", "old"]]);
  });

  it("whose goal was completed meanwhile is not worked again by an old card, which is settled", async () => {
    await agentRepository(world, [{ steps }]);
    const first = await worked("--tier", "STRICT");
    const { session_id: id } = await shown(first);
    // As a version left it that settled nothing: of two days of waiting, before the goal went on.
    await sql("update cos.worklogs set outcome = 'abandoned', settled_at = last_modified, has_raw = false");
    const work = { session_id: id, outcome: "abandoned", task_description: "Do it" } as const;
    const card = earlierWorkCard({ ...work, started_at: null, restore_command: "x" }, first);
    await world.deps.database.transaction(async (tx) => {
      markNotice(tx, `worklog.${id}.earlier`, { card, threadSubject: first });
    });

    const resumed = await world.command("worklog", "resume", id);

    expect(resumed).toMatchObject({ type: "refused", reason: `${first} has ended: complete` });
    expect(await statusOf(first)).toBe("complete");
    const words = await cardWords(world, `worklog.${id}.earlier`);
    expect(words).toContain("It has ended: nothing is left to take up.");
    expect(words).not.toContain("Resume");
  });

  it.each([
    [
      "goes on in another worklog",
      async (first: string) => {
        await world.command("goal", "pause", first);
        await sql("update cos.worklogs set outcome = 'abandoned', settled_at = last_modified where tier = 'STRICT'");
        await world.command("goal", "resume", first);
        await world.command("autopilot", "start");
        await world.work();
      },
      /Its goal goes on: \d+_\d+_\d+\./,
    ],
    ["ends", (first: string) => world.command("goal", "skip", first), /It has ended: nothing is left to take up\./],
    [
      "ends after it was marked as abandoned",
      async (first: string) => {
        await sql("update cos.worklogs set outcome = 'abandoned', settled_at = last_modified where tier = 'STRICT'");
        await world.command("goal", "skip", first);
      },
      /It has ended: nothing is left to take up\./,
    ],
  ])("says so on its card when its goal %s", async (_, change, said) => {
    const { first, log } = await left();
    await worked("--tier", "STANDARD");
    const offered = await cardWords(world, `worklog.${log.session_id}.earlier`);

    await change(first);
    await world.tick();

    const words = await cardWords(world, `worklog.${log.session_id}.earlier`);
    expect(offered).toContain("Resume");
    expect(words).toMatch(said);
    expect(words).not.toContain("Resume");
    expect(await world.command("worklog", "resume", log.session_id)).toMatchObject({ type: "refused" });
  });

  it("is settled also while the table of todos is locked, within the limit", async () => {
    const { first, log } = await left();
    await world.command("goal", "pause", first);
    const holder = await world.deps.database.pool.connect();
    await holder.query("begin; lock table cos.worklog_todos in access exclusive mode");

    const said = await world.command("worklog", "resume", log.session_id);
    await holder.query("rollback");
    holder.release();

    expect(said).toMatchObject({ type: "done", value: { goalId: first, todosLeft: [] } });
  });

  it.each([
    [
      "that is put out of the fifty while its goal waits is abandoned",
      async () => {
        const { policy } = world.deps;
        const retention = { ...policy.worklog.retention, mostActive: 0 };
        await forgetWorklogs({ ...world.deps, policy: { ...policy, worklog: { ...policy.worklog, retention } } });
      },
    ],
    [
      "that an earlier version has summed up while its goal waited is put aside",
      () => sql("update cos.worklogs set has_raw = false, is_counted = true"),
    ],
  ])("%s, and the goal goes on in another one, which is kept and counted", async (_, change) => {
    const { first, log } = await left();
    await change();
    await world.command("goal", "pause", first);
    await world.command("goal", "resume", first);
    await world.command("autopilot", "start");
    await world.work();
    await world.tick();
    await world.command("goal", "skip", first);
    await world.tick();

    const rows = await sql("select session_id, outcome, has_raw, is_counted from cos.worklogs order by started_at");
    expect(rows).toMatchObject([
      { session_id: log.session_id, outcome: "abandoned", has_raw: false, is_counted: true },
      { outcome: "aborted", has_raw: true, is_counted: true },
    ]);
  });

  it("[S0-CD-03] is not offered any more once it was dismissed", async () => {
    const { log } = await left();

    await world.command("worklog", "dismiss", log.session_id);
    const goalId = await worked("--tier", "STANDARD");

    expect((await shown(goalId)).entries[0]?.details["found"]).toBeNull();
  });
});

describe("a goal that ended while no bot read for two days", () => {
  it("has a finished worklog all the same, which nobody is offered", async () => {
    await agentRepository(world, [{ steps }]);
    const goalId = await add("--tier", "STANDARD");
    await world.command("autopilot", "start");
    await world.work();
    const before = (await shown(goalId)).outcome;
    world.advance(48 * 60 * 60_000);

    await world.tick();

    expect([before, (await shown(goalId)).outcome]).toEqual(["in_progress", "success"]);
  });
});

describe("what is kept", () => {
  async function fill(number: number, outcome: string, hours: number): Promise<void> {
    await sql(`insert into cos.worklogs (session_id, owner, task_description, tier, confidence, reason, flags, planned,
        started_at, last_modified, settled_at, completed_at, outcome, is_counted)
      select '${outcome.slice(0, 4)}' || n, 'ana', 'x', 'LIGHT', 1, 'x', '${JSON.stringify(noWorklogFlags)}', '[]',
        '2026-01-26T09:00:00Z'::timestamptz - interval '${hours} hours' + n * interval '1 second',
        '2026-01-26T09:00:00Z'::timestamptz - interval '${hours} hours' + n * interval '1 second',
        case when '${outcome}' = 'in_progress' then null else '2026-01-26T09:00:00Z'::timestamptz - interval '${hours} hours' end,
        null, '${outcome}', true
      from generate_series(1, ${number}) n`);
  }

  it("[S0-RT-03] [S1-RT-04] of 55 finished worklogs and one that is worked now the oldest finished ones lose their entries, on a schedule", async () => {
    await fill(55, "success", 2);
    await fill(1, "in_progress", 30);
    await world.repository();
    const goalId = await add("--tier", "LIGHT");
    await sql(`update cos.worklogs set goal_id = '${goalId}' where outcome = 'in_progress'`);
    await sql(
      `update cos.goals set turn = 1, leased_by = 'another', leased_until = now() + interval '1 day' where goal_id = '${goalId}'`,
    );

    await world.tick();

    const gone = await sql("select session_id from cos.worklogs where not has_raw order by last_modified");
    expect(gone.map((row) => row.session_id)).toEqual(["succ1", "succ2", "succ3", "succ4", "succ5", "succ6"]);
  });

  it("[S0-RT-02] [S1-RT-03] stale work is abandoned, and a day later only its numbers are there", async () => {
    await world.repository();
    const goalId = await add("--tier", "LIGHT");
    await fill(2, "in_progress", 25);
    await sql(`update cos.worklogs set is_counted = false, goal_id = '${goalId}'`);

    await world.tick();
    const first = await sql("select outcome, has_raw from cos.worklogs");
    world.advance(25 * 60 * 60_000);
    world.advance(60 * 60_000 * 24);
    await world.tick();

    expect(first).toEqual([
      { outcome: "abandoned", has_raw: true },
      { outcome: "abandoned", has_raw: true },
    ]);
    expect(await sql("select outcome, has_raw from cos.worklogs")).toEqual([
      { outcome: "abandoned", has_raw: false },
      { outcome: "abandoned", has_raw: false },
    ]);
    expect(await sql("select day, worklogs, outcomes from cos.worklog_days")).toEqual([
      { day: "2026-01-26", worklogs: 2, outcomes: { abandoned: 2 } },
    ]);
  });

  it("[S0-RT-04] forty are near the limit, which the account says", async () => {
    const near = async () => {
      const { active, isNearLimit } = valueOf<{ active: number; isNearLimit: boolean }>(
        await world.command("status", "--accountability"),
      );
      return [active, isNearLimit];
    };

    await fill(39, "success", 2);
    const at39 = await near();
    await fill(1, "failure", 2);

    expect([at39, await near()]).toEqual([
      [39, false],
      [40, true],
    ]);
  });

  it("[S0-RT-05] [S1-RT-06] days are forgotten after thirty days", async () => {
    await sql("insert into cos.worklog_days (day) values ('2025-12-26'), ('2025-12-27')");

    await world.tick();

    expect(await sql("select day from cos.worklog_days")).toEqual([{ day: "2025-12-27" }]);
  });

  it("[S0-ID-06] a thousand ids that eight processes make in one second are a thousand ids", async () => {
    await world.repository();
    const goalId = await add("--tier", "LIGHT");
    const maker = join(projectDir, "tests/fakes/id-maker.ts");
    const clock = world.deps.now().toISOString();

    const made = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const given = [world.databaseUrl, goalId, "125", `run-${index}`, clock];
        const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", maker, ...given], {
          cwd: projectDir,
        });
        return JSON.parse(stdout) as string[];
      }),
    );

    const ids = made.flat().toSorted();
    expect([ids.length, new Set(ids).size]).toEqual([1000, 1000]);
    expect(await sql("select count(*)::int as n from cos.worklogs")).toEqual([{ n: 1000 }]);
    // A second has 999; who finds them taken waits for the next one (C-04).
    expect([ids[0], ids[998], ids[999]]).toEqual(["20260126_090000_001", "20260126_090000_999", "20260126_090001_001"]);
  });
});

describe("cos status --accountability", () => {
  it("counts what a session leaves out as what its goals leave out", async () => {
    await agentRepository(world, [{ steps }]);
    await add("--tier", "LIGHT");
    await world.command("autopilot", "start", "--no-worklog");
    await world.work();
    await add("--tier", "LIGHT");

    const value = valueOf<{ lines: object[] }>(await world.command("status", "--accountability"));

    expect(value.lines).toContainEqual(expect.objectContaining({ name: "skipping", of: [1, 2], isMet: false }));
  });

  it("says what worklogs captured, verified, corrected and left out", async () => {
    await agentRepository(world, [{ steps }]);
    await worked("--tier", "STRICT");
    await worked("--tier", "LIGHT", "--skip-verify");

    const value = valueOf<{ lines: { name: string; of: number[]; isMet: boolean | null }[]; days: object[] }>(
      await world.command("status", "--accountability"),
    );

    expect(value).toMatchObject({ active: 2, mostActive: 50, isNearLimit: false, tokensOfUsualMix: 270 });
    expect(value.lines.map(({ name, of, isMet }) => [name, ...of, isMet])).toEqual([
      ["capture", 3, 3, true],
      ["verification", 1, 1, true],
      ["corrections", 0, 1, false],
      ["skipping", 1, 2, false],
      ["tokens", 0, 2, true],
    ]);
    expect(value.days).toMatchObject([
      { key: "_worklog_summary/2026-01-26", worklogs: 2, skipping: 1, outcomes: { success: 2 } },
    ]);
  });
});
