import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { WorklogPolicy } from "../../src/core/policy/worklog.ts";
import { entryBytes, WorklogEntry } from "../../src/core/worklog/entry.ts";
import { noWorklogFlags } from "../../src/core/worklog/flags.ts";
import { getGoal } from "../../src/db/goals.ts";
import { unfinishedOf } from "../../src/db/worklogs.ts";
import { logTo } from "../../src/log.ts";
import { noTokens, withTokens } from "../../src/core/worklog/tokens.ts";
import { countTokens } from "../../src/turns/shared/worklog/count-tokens.ts";
import { openWorklog } from "../../src/turns/shared/worklog/open.ts";
import { beginRecording, openRecorder, type Recorder } from "../../src/turns/shared/worklog/recorder.ts";
import { besideAll } from "../../src/turns/worklog/beside.ts";
import { forgetWorklogs } from "../../src/turns/worklog/forget.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { agentRepository } from "../fakes/scripted.ts";
import { threadOf } from "../fakes/threads.ts";
import type { ShownWorklog } from "./worklog.test.ts";

/** What a worklog may take, of time, room and tokens, and what it does at each limit. */

let world: TestWorld;
let said: { readonly event: string; readonly fields: Record<string, unknown> }[];

afterEach(() => world.close());

/** Tells a plan of three, then one of 10,000 todos, 4 kB each, in one message. */
const loudAgent = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const plan = (length, words) => send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "plan",
  entries: Array.from({ length }, (_, n) => ({ content: n + words, status: "pending", priority: "low" })) } } });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") send({ id, result: { sessionId: "s" } });
  if (method !== "session/prompt") return;
  plan(3, " small");
  plan(10_000, "x".repeat(4_000));
  send({ id, result: { stopReason: "end_turn" } });
});`;

async function open(worklog: Partial<WorklogPolicy> = {}): Promise<void> {
  said = [];
  world = await testWorld({
    log: logTo((level, event, fields) => {
      if (level !== "debug") said.push({ event, fields: fields as Record<string, unknown> });
    }),
    policy: (policy) => ({
      ...policy,
      checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 },
      worklog: { ...policy.worklog, ...worklog },
    }),
  });
}

const todo = (content: string, status: string) => ({ content, status });
const write = (path: string, content = "1\n") => ({ write: { path, content } });
const files = (number: number) => Array.from({ length: number }, (_, index) => write(`f${index}.txt`));
const done = { say: "Done." };
const asks = { permission: { title: "May I", command: "rm -rf x" } };

async function worked(...options: string[]): Promise<{ goalId: string; log: ShownWorklog }> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...options));
  await world.command("autopilot", "start");
  await world.work();
  await world.tick();
  return { goalId, log: await shown(goalId) };
}

const shown = async (id: string) => valueOf<ShownWorklog>(await world.command("worklog", "show", id));
const sql = async (text: string) => (await world.deps.database.pool.query(text)).rows;
const statusOf = async (goalId: string) => (await getGoal(world.deps.database.db, goalId))?.status;
const told = (event: string) => said.filter((each) => each.event === event).map(({ fields }) => fields);
const of = (log: ShownWorklog, action: string) => log.entries.filter((entry) => entry.action === action);

/** Records beside a STANDARD goal that nobody works: what is told is what the test tells. */
async function recorderOf(): Promise<{ goalId: string; recorder: Recorder }> {
  await world.repository();
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STANDARD"));
  const goal = await getGoal(world.deps.database.db, goalId);
  if (goal === null) throw new Error("the goal is gone");
  const recorded = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
  return { goalId, recorder: openRecorder(world.deps, recorded) };
}

async function trigger(table: string, when: string, body: string): Promise<void> {
  await sql(`create function cos.trouble() returns trigger language plpgsql as $$ begin ${body} end $$`);
  await sql(`create trigger trouble ${when} on cos.${table} for each row execute function cos.trouble()`);
}

describe("writes", () => {
  it("[S0-BF-01] [S0-BF-09] [S0-BF-12] thirty operations are three writes, in their order", async () => {
    await open();
    await agentRepository(world, [{ steps: [...files(30), done] }]);

    const { log } = await worked("--tier", "STANDARD");

    const writes = await sql(`select count(*)::int as entries from cos.worklog_entries
      where entry->>'action' = 'Write' group by xmin`);
    expect(writes).toEqual([{ entries: 10 }, { entries: 10 }, { entries: 10 }]);
    expect(of(log, "Write").map((entry) => entry.details["files"])).toEqual(
      Array.from({ length: 30 }, (_, index) => [`f${index}.txt`]),
    );
  });

  it("[S0-BF-03] [S0-BF-04] [S0-BF-05] thirty seconds count from the last write, and of nothing there is none", async () => {
    await open();
    const { recorder } = await recorderOf();
    const edits = (number: number): void => {
      const edit = {
        type: "tool",
        kind: "edit",
        title: "Edit",
        hasFailed: false,
        paths: ["a.ts"],
        isNew: false,
      } as const;
      for (let times = 0; times < number; times += 1)
        recorder.observe({ ...edit, input: {}, exitCode: null, output: null });
    };
    const written = (): unknown[] => told("worklog.flushed").map(({ reason, entries }) => [reason, entries]);
    await eventually("the worklog", async () => (await sql("select 1 from cos.worklogs")).length === 1);

    world.advance(25_000);
    edits(10);
    await eventually("the ten", async () => written().length === 1);
    edits(5);
    world.advance(5_000);
    // Five of the thirty seconds are over: the next look is at 55 s, not at 60 s.
    expect(world.timers.waiting(25_000)).toBe(1);
    world.advance(24_999);
    const before = written();
    world.advance(1);
    await eventually("the five", async () => written().length === 2);
    world.advance(30_000);
    world.advance(60_000);
    await recorder.close(true);

    expect(before).toEqual([["threshold_flush", 10]]);
    expect(written()).toEqual([
      ["threshold_flush", 10],
      ["time_flush", 5],
    ]);
  });

  it("[S0-BF-08] [S0-OL-12] a command that fails is written at once, with the seven entries that were buffered", async () => {
    await open();
    await agentRepository(world, [{ steps: [...files(7), { run: "exit 1" }, write("after.txt"), done] }]);

    const { log } = await worked("--tier", "STANDARD");

    expect(told("worklog.flushed")[0]).toMatchObject({ reason: "error_flush", entries: 8 });
    const writes = await sql(`select count(*)::int as entries, bool_or(entry->>'action' = 'Bash') as failed
      from cos.worklog_entries where entry->>'action' in ('Write', 'Bash') group by xmin order by min(entry_id)`);
    expect(writes).toEqual([
      { entries: 8, failed: true },
      { entries: 1, failed: false },
    ]);
    expect(of(log, "Bash")).toMatchObject([
      { status: "failed", context: "exit 1 (exit code 1)", details: { exit_code: 1 } },
    ]);
  });

  it.each([
    [["--retry-memory"], ["b.txt"]],
    [[], []],
  ])("[S0-GD-06] [S0-GD-07] a store that was away and is back: with %j it keeps %j", async (options, kept) => {
    await open();
    await agentRepository(world, [{ steps: [write("a.txt"), { run: "exit 3" }, write("b.txt"), done] }]);
    await sql("create sequence cos.trouble_calls");
    // Together, together again, and the first of them by itself.
    await trigger(
      "worklog_entries",
      "before insert",
      `if new.entry->>'action' in ('Write', 'Bash') and nextval('cos.trouble_calls') <= 3 then raise exception 'away'; end if;
       return new;`,
    );

    const { log } = await worked("--tier", "STANDARD", ...options);

    const told = of(log, "Write").filter((entry) => !entry.context.startsWith("seen in git"));
    expect(told.flatMap((entry) => entry.details["files"])).toEqual(kept);
    expect(log.unstored_entries).toBe(3 - kept.length);
  });

  it("[S0-GD-07] worklog retry-memory says the same of a goal, by its id or by its worklog's", async () => {
    await open();
    await agentRepository(world, [{ steps: [write("a.txt"), asks] }]);
    const { goalId: goal, log } = await worked("--tier", "STANDARD");
    const flags = async (id: string): Promise<string[]> =>
      valueOf<{ worklogFlags: string[] }>(await world.command("goal", "show", id)).worklogFlags;
    const other = valueOf<{ goalId: string }>(await world.command("goal", "add", "Later")).goalId;
    expect([await flags(goal), await flags(other)]).toEqual([[], []]);

    await world.command("worklog", "retry-memory", log.session_id);
    await world.command("worklog", "retry-memory", other);

    expect([await flags(goal), await flags(other)]).toEqual([["--retry-memory"], ["--retry-memory"]]);
    expect(await world.command("worklog", "retry-memory", "goal-00000000")).toMatchObject({ type: "refused" });
  });

  it("[S0-RT-09] a session keeps at most 50 KB, and counts what it had no room for", async () => {
    await open();
    const loud = { run: `npm test 2>/dev/null; head -c 4000 /dev/zero | tr '\\0' x` };
    await agentRepository(world, [
      { steps: [{ plan: [todo("One", "pending")] }, ...Array.from({ length: 16 }, () => loud), ...files(200), done] },
    ]);

    const { goalId, log } = await worked("--tier", "STANDARD", "--verbose-log");

    expect(await statusOf(goalId)).toBe("complete");
    const bytes = log.entries.map((entry) => entryBytes(WorklogEntry.parse(entry))).reduce((sum, each) => sum + each);
    expect(bytes).toBeLessThanOrEqual(51_200);
    expect(bytes).toBeGreaterThan(30_000);
    expect(log.unstored_entries).toBeGreaterThan(100);
    expect(of(log, "Checkpoint").map((entry) => entry.status)).toEqual(["completed"]);
  });
});

describe("an execution that was cut short", () => {
  it("keeps what was written, and its worklog says that something may be missing", async () => {
    await open();
    await agentRepository(world, [
      { match: ["interrupted"], steps: [write("b.txt"), done] },
      { steps: [write("a.txt"), asks] },
    ]);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STANDARD"));
    await world.command("autopilot", "start");
    await world.work();
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("approve", question?.checkpointId ?? "");
    // As the claim after a killed process leaves it.
    await sql("update cos.goals set interruptions = 1");

    await world.work();
    await world.tick();

    const log = await shown(goalId);
    expect(log.gap).toContain("fewer than ten entries, less than thirty seconds");
    const told = of(log, "Write").filter((entry) => !entry.context.startsWith("seen in git"));
    expect(told.flatMap((entry) => entry.details["files"])).toContain("a.txt");
    expect(log.outcome).toBe("success");
  });
});

describe("summaries", () => {
  it.each([
    ["fails", "raise exception 'no room';"],
    ["takes longer than it may", "perform pg_sleep(60); return new;"],
  ])("[S0-CP-09] one that %s is dropped and noted, and nobody hears of it", async (_, body) => {
    await open({ summaryTimeoutMs: 100, phaseBudgetMs: 600_000 });
    await agentRepository(world, [{ steps: [write("a.txt"), done] }]);
    await trigger("worklog_checkpoints", "before insert", body);

    const { goalId, log } = await worked("--tier", "STANDARD");

    expect(await statusOf(goalId)).toBe("complete");
    expect(of(log, "Checkpoint")).toMatchObject([
      { status: "failed", details: { phase: "execution_complete" }, context: expect.any(String) },
    ]);
    expect((await threadOf(world, goalId)).filter((title) => /End of|Worklog|Memory/.test(title))).toEqual([]);
  });

  it("[S1-AT-08] one that there is no time for is in the worklog as skipped, with why", async () => {
    await open({ phaseBudgetMs: 1_000, summaryTimeoutMs: 2_000 });
    await agentRepository(world, [{ steps: [write("a.txt"), done] }]);

    const { log } = await worked("--tier", "STANDARD");

    expect(of(log, "Checkpoint")).toMatchObject([{ status: "skipped" }]);
    expect(of(log, "Checkpoint")[0]?.context).toMatch(/^execution_complete: \d+ ms are left of this phase$/);
    expect(told("worklog.phase-time")).toMatchObject([{ phase: "execution_complete", trend: null }]);
  });
});

describe("a phase that took more of its time than it may", () => {
  it("[S1-AT-01] [S1-AT-08] leaves the next one without a summary, and the worklog says why", async () => {
    await open({ adaptiveShare: 0 });
    const plan = ["One", "Two", "Three"].map((each) => todo(each, "pending"));
    await agentRepository(world, [{ steps: [{ plan }, write("a.txt"), done] }]);

    const { goalId, log } = await worked("--tier", "STRICT");

    expect(await statusOf(goalId)).toBe("complete");
    const [planning, execution] = of(log, "Checkpoint");
    expect(planning).toMatchObject({ status: "completed", details: { phase: "planning_complete" } });
    expect(execution).toMatchObject({ status: "skipped", details: { phase: "execution_complete" } });
    expect(execution?.context).toMatch(/^execution_complete: planning_complete took \d+ % of its time$/);
  });
});

describe("earlier work", () => {
  const fill = (number: number, startedAt = "'2026-01-26T07:00:00Z'::timestamptz + n * interval '1 minute'") =>
    sql(`insert into cos.worklogs (session_id, goal_id, owner, task_description, tier, confidence, reason, flags, planned,
        started_at, last_modified, outcome)
      select 'left' || lpad(n::text, 2, '0'), 'goal-' || n, 'ana', 'x', 'LIGHT', 1, 'x', '${JSON.stringify(noWorklogFlags)}',
        '[]', ${startedAt}, '2026-01-26T08:00:00Z', 'abandoned'
      from generate_series(1, ${number}) n`);

  it("[S0-CD-04] [S1-CD-07] the newest ten of 25 are read, and the newest is offered", async () => {
    await open();
    await fill(25);
    await agentRepository(world, [{ steps: [done] }]);

    const { most, heartbeatMs } = world.deps.policy.worklog.detection;
    const wanted = { owner: "ana", repositoryId: "x", goalId: "another", now: world.deps.now(), heartbeatMs };
    const read = await unfinishedOf(world.deps.database.db, wanted, most);
    const { log } = await worked("--tier", "STANDARD");

    expect(read.map(({ sessionId }) => sessionId)).toEqual(
      Array.from({ length: 10 }, (_, index) => `left${25 - index}`),
    );
    expect(log.entries[0]).toMatchObject({ action: "CheckpointDetection", details: { found: "left25" } });
  });

  it("[S0-CD-05] is not waited for longer than it may take: that is noted, and the goal goes on", async () => {
    await open({ detection: { timeoutMs: 0, most: 10, heartbeatMs: 300_000, restoreCommand: "x" } });
    await fill(1);
    await agentRepository(world, [{ steps: [done] }]);

    const { goalId, log } = await worked("--tier", "STANDARD");

    expect(await statusOf(goalId)).toBe("complete");
    expect(log.entries[0]).toMatchObject({
      action: "CheckpointDetection",
      status: "timeout",
      details: { found: null },
    });
  });

  it("[S0-CD-06] [S1-CD-06] [S0-CD-01] that cannot be read is logged once and left alone; LIGHT does not look", async () => {
    await open();
    await fill(1, "'infinity'::timestamptz");
    await agentRepository(world, [{ steps: [done] }]);

    await worked("--tier", "LIGHT");
    const beforeIt = told("worklog.not-looked-back").length;
    const { goalId, log } = await worked("--tier", "STANDARD");

    expect(beforeIt).toBe(0);
    expect(told("worklog.not-looked-back")).toHaveLength(1);
    expect(log.entries[0]).toMatchObject({ action: "CheckpointDetection", status: "failed", details: { found: null } });
    expect(await statusOf(goalId)).toBe("complete");
  });
});

describe("what is told to the next agent", () => {
  const plan = [todo("Write the parser", "completed"), todo("Write the printer", "pending")];

  /** A first run that is given up, and a second one whose prompt is kept. */
  async function again(): Promise<string> {
    const heard = ["left this account", "1/2 done", "files changed: parser.txt", "last test run: npm test (exit code"];
    await agentRepository(world, [
      { match: heard, steps: [{ say: "I was told." }, done] },
      { steps: [{ plan }, write("parser.txt"), { run: "npm test" }, asks] },
    ]);
    const { goalId } = await worked("--tier", "STRICT");
    await world.command("goal", "skip", goalId);
    await world.tick();
    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");
    await world.work();
    await world.tick();
    return goalId;
  }

  it("[S1-TM-06] costs at most 75 tokens to open and 30 a line, is counted, and is warned of near its bound", async () => {
    await open({ tokenWarningShare: 0.01 });

    const goalId = await again();

    const [counted] = told("worklog.told") as { byOperation: { open: number; entry: number }; total: number }[];
    expect(await statusOf(goalId)).toBe("complete");
    const log = valueOf<{ tokens: object }>(await world.command("worklog", "show", goalId));
    expect(counted?.byOperation.open).toBeGreaterThan(0);
    expect(counted?.byOperation.open).toBeLessThanOrEqual(75);
    expect(log.tokens).toEqual({ total: counted?.total, bound: 750, is_within: true });
    expect(told("worklog.tokens-near-bound")).toMatchObject([{ goalId, tier: "STRICT", total: counted?.total }]);
  });
});

describe("what a session was told in all", () => {
  it("[S0-TK-01] is within at 750 tokens of STRICT; one more is over, which is said and stops nothing", async () => {
    await open();
    await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STRICT"));
    const goal = await getGoal(world.deps.database.db, goalId);
    if (goal === null) throw new Error("the goal is gone");
    const recorded = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recording = beginRecording(world.deps, recorded);
    recording.worklog = (await openWorklog(world.deps, { goal, runId: "run-1" }))?.worklog ?? null;
    const tell = (tokens: number) => countTokens(world.deps, recording, withTokens(noTokens("STRICT"), "open", tokens));
    const shownTokens = async () => valueOf<{ tokens: object }>(await world.command("worklog", "show", goalId)).tokens;

    await tell(750);
    const within = [await shownTokens(), told("worklog.tokens-over-bound")];
    await tell(1);

    expect(within).toEqual([{ total: 750, bound: 750, is_within: true }, []]);
    expect(await shownTokens()).toEqual({ total: 751, bound: 750, is_within: false });
    expect(told("worklog.tokens-over-bound")).toEqual([{ goalId, tier: "STRICT", total: 751 }]);
  });
});

describe("cleaning up", () => {
  it("[S1-RT-02] says what it did: nothing, where nothing is stale", async () => {
    await open();

    const cleaned = await forgetWorklogs(world.deps);

    expect(cleaned).toEqual({
      abandoned_marked: 0,
      summaries_extracted: 0,
      raw_deleted: 0,
      evicted_lru: 0,
      summaries_deleted: 0,
    });
    expect(told("worklog.forgot")).toEqual([]);
  });

  it("[S1-RT-04] [S1-RT-05] says that the limit of fifty is near from forty on, and how many went above it", async () => {
    await open();
    let kept = 0;
    const cleaned = async (number: number) => {
      await sql(`insert into cos.worklogs (session_id, owner, task_description, tier, confidence, reason, flags, planned,
          started_at, last_modified, settled_at, outcome)
        select 'kept' || n, 'ana', 'x', 'LIGHT', 1, 'x', '${JSON.stringify(noWorklogFlags)}', '[]', t, t, t, 'success'
        from generate_series(${kept + 1}, ${kept + number}) n, (values ('2026-01-26T08:00:00Z'::timestamptz)) as times (t)`);
      kept += number;
      said = [];
      const { evicted_lru } = await forgetWorklogs(world.deps);
      return [told("worklog.many"), evicted_lru];
    };

    expect(await cleaned(39)).toEqual([[], 0]);
    expect(await cleaned(1)).toEqual([[{ active: 40, most: 50 }], 0]);
    expect(await cleaned(10)).toEqual([[{ active: 50, most: 50 }], 0]);
    expect(await cleaned(1)).toEqual([[{ active: 51, most: 50 }], 1]);
    expect(await cleaned(5)).toEqual([[{ active: 55, most: 50 }], 5]);
  });

  it("[S1-RT-08] is done once when a session starts", async () => {
    await open();
    await agentRepository(world, [{ steps: [done] }]);
    // Cleans up; then it is not done again for ten minutes.
    await world.tick();
    await sql(`insert into cos.worklogs (session_id, owner, task_description, tier, confidence, reason, flags, planned,
        started_at, last_modified, outcome) values ('old', 'ana', 'x', 'LIGHT', 1, 'x', '${JSON.stringify(noWorklogFlags)}', '[]',
        '2026-01-25T08:00:00Z', '2026-01-25T08:00:00Z', 'in_progress')`);
    world.advance(60_000);

    await world.tick();
    const before = await sql("select outcome from cos.worklogs");
    await worked("--tier", "LIGHT");

    expect(before).toEqual([{ outcome: "in_progress" }]);
    expect(await sql("select outcome from cos.worklogs where session_id = 'old'")).toEqual([{ outcome: "abandoned" }]);
    expect(told("worklog.forgot")).toEqual([
      { abandoned_marked: 1, summaries_extracted: 0, raw_deleted: 0, evicted_lru: 0, summaries_deleted: 0 },
    ]);
  });
});

describe("cleaning up by itself", () => {
  it("is done once in ten minutes, at whatever second the tick comes", async () => {
    await open();
    const old = (id: string) =>
      sql(`insert into cos.worklogs (session_id, owner, task_description, tier, confidence, reason, flags, planned,
        started_at, last_modified, outcome) values ('${id}', 'ana', 'x', 'LIGHT', 1, 'x', '${JSON.stringify(noWorklogFlags)}', '[]',
        '2026-01-25T08:00:00Z', '2026-01-25T08:00:00Z', 'in_progress')`);
    const outcomes = () => sql("select session_id || ' ' || outcome as is from cos.worklogs order by session_id");
    await old("a");
    world.advance(3 * 60_000 + 17_000);
    await world.tick();
    expect(await outcomes()).toEqual([{ is: "a abandoned" }]);

    await old("b");
    world.advance(60_000);
    await world.tick();
    expect(await outcomes()).toEqual([{ is: "a abandoned" }, { is: "b in_progress" }]);

    world.advance(10 * 60_000);
    await world.tick();
    expect(await outcomes()).toEqual([{ is: "a abandoned" }, { is: "b abandoned" }]);
  });
});

describe("work on worklogs that fails", () => {
  it("after it was waited for is logged too", async () => {
    await open();
    let fail = (_error: Error): void => {};
    const work = new Promise<void>((_done, failed) => {
      fail = failed;
    });
    const waited = besideAll(world.deps, "read", () => work);
    world.advance(world.deps.policy.worklog.listTimeoutMs + 1);
    await waited;
    fail(new Error("too late"));
    await eventually("the log", async () => told("worklog.not-looked-at").length > 0);
    expect(told("worklog.not-looked-at")).toMatchObject([{ what: "read" }]);
    expect(told("worklog.slow-look")).toEqual([{ what: "read" }]);
  });
});

describe("an agent that tells too much", () => {
  const tool = { type: "tool", title: "Edit", hasFailed: false, paths: ["a.ts"], isNew: false } as const;

  it("of five thousand operations in a moment a thousand wait, and the rest is counted and named", async () => {
    await open();
    const { goalId, recorder } = await recorderOf();

    for (let times = 0; times < 5_000; times += 1) {
      recorder.observe({ ...tool, kind: "edit", input: {}, exitCode: null, output: null });
      // Nothing that a worklog knows: it neither waits nor is missing.
      recorder.observe({ ...tool, kind: "read", input: {}, exitCode: null, output: null });
    }
    await recorder.close(true);

    const log = await shown(goalId);
    expect(of(log, "Edit").length + (log.unstored_entries ?? 0)).toBe(5_000);
    expect(log.unstored_entries).toBeGreaterThanOrEqual(4_000);
    expect(log.gap).toContain("left out: 4000 Edit");
  });

  it("of a thousand test runs whose commands are 400 kB each only some MB wait; the rest is counted and named", async () => {
    await open();
    const { goalId, recorder } = await recorderOf();
    const command = ["pytest", ...Array.from({ length: 99 }, () => "x".repeat(4_000))];

    for (let times = 0; times < 1_000; times += 1)
      recorder.observe({ ...tool, kind: "execute", input: { command }, exitCode: 0, output: null });
    for (let times = 0; times < 5; times += 1)
      recorder.observe({ ...tool, kind: "edit", input: {}, exitCode: null, output: null });
    await recorder.close(true);

    const log = await shown(goalId);
    const [, left] = /left out: (\d+) Bash$/.exec(log.gap ?? "") ?? [];
    expect(of(log, "Bash").length + Number(left)).toBe(1_000);
    expect(of(log, "Bash").length).toBeLessThanOrEqual(10);
    expect(of(log, "Edit")).toHaveLength(5);
    expect(log.unstored_entries).toBe(Number(left));
  });
});

describe("an agent that lies and tells what hurts", () => {
  const hurts = [
    "<!channel> <@U123> @everyone [a](https://x.test) *b* `c`",
    "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u0000 \u202egnp.exe",
    `\ud83d ${"漢".repeat(4_000)} \udc00`,
    `line\nbreak\r\n${"👍".repeat(2_000)}`,
  ];
  const hurting = (index: number) => `${index} ${hurts[index % hurts.length]}`;
  const lines = (status: string) =>
    Array.from({ length: 100 }, (_, index) => ({
      content: hurting(index),
      status: index % 3 === 0 ? hurting(2) : status,
    }));

  it("[S0-RT-09] keeps 50 KB in all with its plan and summaries, each an entry that can be read", async () => {
    await open();
    await world.repository();
    const options = ["--tier", "STRICT", "--allow", "src/**"];
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...options));
    const goal = await getGoal(world.deps.database.db, goalId);
    if (goal === null) throw new Error("the goal is gone");
    const recorded = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recorder = openRecorder(world.deps, recorded);
    const tool = {
      type: "tool",
      title: hurting(1),
      hasFailed: false,
      isNew: false,
      exitCode: 1,
      output: null,
    } as const;
    const paths = Array.from({ length: 100 }, (_, index) => `${hurting(index)}/${index}`);

    // Done, then not done, then done: as often as it likes.
    for (let times = 0; times < 12; times += 1) {
      recorder.observe({ type: "plan", lines: lines(times % 2 === 0 ? "completed" : "pending") });
      recorder.observe({ ...tool, kind: "edit", paths, input: {} });
      recorder.observe({ ...tool, kind: "execute", paths: [], input: { command: `npm test ${hurting(times)}` } });
    }
    recorder.observe({ type: "plan", lines: [...lines("pending").slice(0, 50), ...lines("pending").slice(0, 50)] });
    for (let times = 0; times < 300; times += 1)
      recorder.observe({ ...tool, kind: "edit", paths: [hurting(times)], input: {} });
    await recorder.close(true);
    while (
      (await sql("select 1 from pg_stat_activity where state <> 'idle' and datname = current_database()")).length > 1
    );

    const log = await shown(goalId);
    const [{ bytes }] = (await sql(`select (select sum(octet_length(entry::text)) from cos.worklog_entries)
      + (select sum(octet_length(summary::text)) from cos.worklog_checkpoints)
      + (select sum(octet_length(todos::text)) from cos.worklog_todos) as bytes`)) as [{ bytes: string }];
    expect(Number(bytes)).toBeLessThanOrEqual(51_200);
    expect(await sql("select phase from cos.worklog_checkpoints order by n")).toEqual([
      { phase: "planning_complete" },
      { phase: "execution_complete" },
      { phase: "verification_complete" },
    ]);
    for (const entry of log.entries) WorklogEntry.parse(entry);
    expect(JSON.stringify(log)).not.toMatch(/\\u00[01]|\\ud[89a-f]/i);
    expect(log.unstored_entries).toBeGreaterThan(0);
  });
});

describe("an agent that tells very much", () => {
  it("in one message of 40 MB: its attempts fail with why, what was told before is kept, and a person is asked", async () => {
    await open();
    const agent = join(world.dataDir, "loud.cjs");
    await writeFile(agent, loudAgent);
    const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
    await world.command(
      "repo",
      "add",
      path,
      "--setup",
      "",
      "--check",
      "",
      "--agent",
      `acp:"${process.execPath}" "${agent}"`,
    );

    const { goalId, log } = await worked("--tier", "STRICT");
    for (let attempt = 0; attempt < 10 && (await statusOf(goalId)) === "in_progress"; attempt += 1) {
      world.advance(600_000);
      await world.tick();
      await world.work();
    }

    expect(await statusOf(goalId)).toBe("blocked");
    expect((await cardWords(world, goalId)).replaceAll("\n", " ")).toContain("a message of more than 32 MB");
    expect(of(log, "TodoWrite").map((entry) => entry.context)).toContain("0/3 done");
    expect(log.unstored_entries).toBe(0);
  });

  it("[S0-BF-09] fifty plans a second for a minute: in their order, each once, in a fifth of the writes or fewer", async () => {
    await open({ listTimeoutMs: 600_000 });
    await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STANDARD"));
    const goal = await getGoal(world.deps.database.db, goalId);
    if (goal === null) throw new Error("the goal is gone");
    const recorded = { goal, runId: "run-1", worktree: "/work", writer: "w", piece: null, told: null };
    const recorder = openRecorder(world.deps, recorded);
    const perSecond = 50;
    const seconds = 60;
    const written = (): number => told("worklog.flushed").reduce((sum, each) => sum + Number(each["entries"]), 0);

    for (let second = 0; second < seconds; second += 1) {
      for (let n = 0; n < perSecond; n += 1) {
        recorder.observe({ type: "plan", lines: [todo(`Step ${second * perSecond + n}`, "in_progress")] });
        world.advance(1_000 / perSecond);
      }
      // Each second is long enough for what it brought; two thousand are noted of one execution, and ten may be buffered.
      const due = Math.min(2_000, (second + 1) * perSecond) - 10;
      while (written() < due) await sql("select 1");
    }
    await recorder.close(true);

    const rows = await sql(`select entry->>'context' as context, e.xmin::text as write from cos.worklog_entries e
      join cos.worklogs using (session_id) where goal_id = '${goalId}' and entry->>'action' = 'TodoWrite' order by e.entry_id`);
    const steps = rows.map(({ context }) => Number(/Step (\d+)/.exec(context)?.[1]));
    const log = await shown(goalId);
    expect(steps).toEqual([...steps].sort((left, right) => left - right));
    expect(new Set(steps).size).toBe(steps.length);
    expect(steps.length + log.unstored_entries).toBe(perSecond * seconds);
    expect(steps.length).toBeGreaterThan(100);
    expect(written()).toBe(2_000);
    expect(told("worklog.flushed").length).toBeLessThanOrEqual(written() / 5);
    expect(new Set(rows.map(({ write }) => write)).size).toBeLessThanOrEqual(steps.length / 5);
  });
});

describe("a store that is slow, or away", () => {
  it("[S0-WI-05] 700 ms to open are more than 500: the log says so, and the goal does not wait", async () => {
    await open();
    await agentRepository(world, [{ steps: [done] }]);
    await trigger("worklogs", "before insert", "perform pg_sleep(0.7); return new;");

    const { goalId } = await worked("--tier", "LIGHT");

    expect(world.deps.policy.worklog.initTimeoutMs).toBe(500);
    expect(told("worklog.slow")).toMatchObject([{ goalId }]);
    expect(told("worklog.slow")[0]?.["tookMs"]).toBeGreaterThanOrEqual(700);
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("[S0-GD-03] its process keeps and reads the account itself: phases end, and what is missing is counted", async () => {
    await open();
    const plan = ["One", "Two", "Three"].map((content) => todo(content, "pending"));
    await agentRepository(world, [{ steps: [{ plan }, write("a.txt"), { run: "npm test" }, done] }]);
    await sql("alter table cos.worklogs rename to away");
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STRICT"));
    await world.command("autopilot", "start");
    await world.work();
    await sql("alter table cos.away rename to worklogs");
    await world.tick();
    await world.tick();

    expect(world.deps.policy.worklog.listTimeoutMs).toBe(5_000);
    expect(told("worklog.degraded").map(({ notice }) => notice)).toEqual(["fallback", "unverified"]);
    expect(told("worklog.phase-time").map(({ phase }) => phase)).toEqual([
      "planning_complete",
      "execution_complete",
      "verification_complete",
    ]);
    // The plan, its check, the file and the test run.
    expect(await shown(goalId)).toMatchObject({
      unstored_entries: 4,
      gap: "4 entries could not be stored while the goal was worked",
    });
  });
});

describe("a store that is locked", () => {
  const entries = ["worklog_entries", "worklog_todos", "worklog_checkpoints", "worklog_days"];
  const steps = [
    { plan: [todo("One", "completed"), todo("Two", "pending"), todo("Three", "pending")] },
    write("a.txt"),
  ];

  /** While another session holds the table, a STRICT goal is added, worked and shown; what waits in the server afterwards. */
  async function workedWhile(table: string): Promise<{ goalId: string; waiting: readonly object[] }> {
    // Limits as short as no test may trust in otherwise: the server ends each statement.
    await open({
      listTimeoutMs: 100,
      flushTimeoutMs: 100,
      summaryTimeoutMs: 100,
      verification: { timeoutMs: 100, retryAfterMs: 0, attempts: 3, cooldownMs: 300_000 },
      detection: { timeoutMs: 100, most: 10, heartbeatMs: 300_000, restoreCommand: "x" },
    });
    await agentRepository(world, [{ steps: [...steps, done] }]);
    const holder = await world.deps.database.pool.connect();
    await holder.query(`begin; lock table cos.${table} in access exclusive mode`);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STRICT"));
    await world.command("autopilot", "start");
    await world.work();
    // Nor does who reads events for it wait longer than the server lets it: it reads them again later.
    await world.tick();
    expect(await statusOf(goalId)).toBe("complete");
    expect(await world.command("goal", "show", goalId)).toMatchObject({ type: "done" });
    expect(await world.command("why", goalId)).toMatchObject({ type: "done" });
    expect((await world.command("worklog", "show", goalId)).type).toMatch(/^(done|refused)$/);
    expect((await world.command("status", "--accountability")).type).toMatch(/^(done|refused)$/);
    const waiting = await sql(
      "select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    await holder.query("rollback");
    holder.release();
    return { goalId, waiting };
  }

  it("[S0-WI-05] the goal begins and ends, and the log says that it has no worklog", async () => {
    const { goalId, waiting } = await workedWhile("worklogs");

    expect(waiting).toEqual([]);
    expect(told("worklog.not-looked-at").length).toBeGreaterThan(0);
    expect(told("worklog.not-opened")).toHaveLength(1);
    await world.tick();
    expect((await threadOf(world, goalId)).filter((title) => title.includes("Memory system unavailable"))).toHaveLength(
      1,
    );
    expect((await shown(goalId)).gap).toMatch(/could not be stored/);
  });

  it("[S0-GD-02] todos that cannot be read back, twice, are not confirmed, which its thread says", async () => {
    const { goalId } = await workedWhile("worklog_todos");
    await world.tick();
    await world.tick();

    expect(await threadOf(world, goalId)).toContainEqual(
      expect.stringContaining("Verification timed out, proceeding without state confirmation"),
    );
    expect((await shown(goalId)).outcome).toBe("success");
  });

  it.each(entries)(
    "%s: the goal ends all the same, nothing goes on waiting, and its worklog is finished later",
    async (table) => {
      const { goalId, waiting } = await workedWhile(table);

      expect(waiting).toEqual([]);
      await world.tick();
      await world.tick();
      const log = await shown(goalId);
      expect(log.outcome).toBe("success");
      expect(log.unstored_entries === 0).toBe(log.gap === null);
      if (table === "worklog_entries") expect(log.gap).toMatch(/could not be stored/);
    },
  );
});
