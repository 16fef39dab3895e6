import { join } from "node:path";
import { parseConfig } from "../src/config.ts";
import type { Goal } from "../src/core/goals/goal.ts";
import { earlierWork } from "../src/core/worklog/earlier.ts";
import { noWorklogFlags } from "../src/core/worklog/flags.ts";
import type { AgentOperation } from "../src/core/worklog/operations.ts";
import { noteOf } from "../src/core/worklog/operations.ts";
import { getGoal } from "../src/db/goals.ts";
import { unfinishedOf } from "../src/db/worklogs.ts";
import type { Deps } from "../src/deps.ts";
import { openLog } from "../src/log.ts";
import { checkTodos } from "../src/turns/shared/worklog/check-todos.ts";
import { flush } from "../src/turns/shared/worklog/flush.ts";
import { openWorklog } from "../src/turns/shared/worklog/open.ts";
import { beginRecording } from "../src/turns/shared/worklog/recorder.ts";
import { noteEntry } from "../src/turns/shared/worklog/recording.ts";
import { summarise } from "../src/turns/shared/worklog/summarise.ts";
import { openWorld } from "../src/world.ts";
import { makeDataDir, removeDataDir } from "./data-dir.ts";
import { call, makeRepository } from "./engine.ts";
import { readOptions } from "./options.ts";

/**
 * What a worklog costs beside its goal: `npm run bench:worklog` prints how long it takes to append an entry, to write ten of them, to
 * check a plan, to keep a summary and to look for earlier work, at 0, 10 k and 1 M stored entries, against the limits of seed 000.
 * Exit 1 when the 99th percentile of one is above its limit.
 */
const { repetitions, entries } = readOptions(
  "npm run bench:worklog",
  {},
  {
    repetitions: { help: "how often each is measured", byDefault: 200, least: 10, most: 10_000, isWhole: true },
    entries: { help: "stored entries at the end", byDefault: 1_000_000, least: 0, most: 10_000_000, isWhole: true },
  },
);

const names = ["append", "flush", "verification", "summary", "detection"] as const;
type Name = (typeof names)[number];
/** Entries that a worklog in the store has. */
const ofEach = 50;

const dataDir = await makeDataDir("cos-bench");
const parsed = parseConfig({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC" });
if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
const opening = { listens: false, serves: false, mayStart: true, onProgress: () => undefined };
const world = await openWorld(parsed.config, openLog("silent"), opening);
try {
  const goal = await aGoal(world.deps);
  const sizes = [...new Set([0, Math.min(10_000, entries), entries])];
  let stored = 0;
  for (const size of sizes) {
    await fill(world.deps, stored, size);
    stored = size;
    const times = await measure(world.deps, goal, `at-${size}`);
    for (const name of names) print(world.deps, size, name, times[name]);
  }
} finally {
  await world.close();
  await removeDataDir(dataDir);
}

async function aGoal(deps: Deps): Promise<Goal> {
  const path = join(dataDir, "repository");
  await makeRepository(path, { "README.md": "x\n" });
  await call(deps, "repo", "add", path, "--setup", "");
  const { goalId } = (await call(deps, "goal", "add", "Measure", "--tier", "STRICT")) as { goalId: string };
  const goal = await getGoal(deps.database.db, goalId);
  if (goal === null) throw new Error("the goal is not there");
  return goal;
}

/** One in twenty worklogs is unfinished and of the same person. */
async function fill(deps: Deps, from: number, to: number): Promise<void> {
  const { pool } = deps.database;
  const [first, last] = [Math.ceil(from / ofEach), Math.ceil(to / ofEach) - 1];
  await pool.query(
    `insert into cos.worklogs (session_id, goal_id, run_id, owner, task_description, tier, confidence, reason, flags, planned,
       started_at, last_modified, outcome, has_raw, is_counted)
     select 'old-' || n, 'goal-' || n, 'run-' || n, 'bench', 'Earlier work', 'STANDARD', 1, 'x', $1, '[]',
       now() - n * interval '1 minute', now() - n * interval '1 minute',
       case when n % 20 = 0 then 'abandoned' else 'success' end, n < 50, true
     from generate_series($2::int, $3::int) n`,
    [JSON.stringify(noWorklogFlags), first, last],
  );
  await pool.query(
    `insert into cos.worklog_entries (session_id, key, entry)
     select 'old-' || n, 'k' || i, jsonb_build_object('timestamp', '2026-01-26T09:00:00.000Z', 'action', 'Edit', 'status', 'completed',
       'context', 'edited: src/part.ts', 'details', '{"files":["src/part.ts"],"change_summary":"edited"}'::jsonb, 'tokens_consumed', 0)
     from generate_series($1::int, $2::int) n, generate_series(1, ${ofEach}) i`,
    [first, last],
  );
  await pool.query("analyze cos.worklogs");
  await pool.query("analyze cos.worklog_entries");
}

async function measure(deps: Deps, goal: Goal, label: string): Promise<Record<Name, number[]>> {
  const times: Record<Name, number[]> = { append: [], flush: [], verification: [], summary: [], detection: [] };
  async function timed(name: Name, work: () => unknown): Promise<void> {
    const startedMs = performance.now();
    await work();
    times[name].push(performance.now() - startedMs);
  }
  const { detection } = deps.policy.worklog;
  const lines = ["One", "Two", "Three"].map((content) => ({ content, status: "pending" }));
  for (let index = 0; index < repetitions; index += 1) {
    const runId = `${label}-${index}`;
    await timed("detection", async () => {
      const rows = await unfinishedOf(
        deps.database.db,
        {
          owner: "bench",
          repositoryId: goal.repositoryId,
          goalId: goal.goalId,
          now: deps.now(),
          heartbeatMs: detection.heartbeatMs,
        },
        detection.most,
      );
      return earlierWork(rows, deps.now(), detection);
    });
    const worklog = (await openWorklog(deps, { goal, runId }))?.worklog ?? null;
    if (worklog === null) throw new Error("nobody wants a worklog");
    const recording = beginRecording(deps, { goal, runId, worktree: "/work", writer: runId, piece: null, told: null });
    recording.worklog = worklog;
    const noting = { worktree: "/work", todos: [], secrets: [], isVerbose: false, at: deps.now() };
    for (let entry = 0; entry < 10; entry += 1)
      await timed("append", () => {
        const noted = noteOf(edit(entry), noting);
        if (noted !== null) noteEntry(recording, noted.entry);
      });
    await timed("flush", () => flush(deps, recording, "threshold_flush"));
    recording.todos = noteOf({ type: "plan", lines }, noting)?.todos ?? [];
    await timed("verification", () => checkTodos(deps, recording));
    await flush(deps, recording, "checkpoint_flush");
    await timed("summary", () => summarise(deps, recording, { phase: "execution_complete", since: recording.entries }));
  }
  return times;
}

function edit(number: number): AgentOperation {
  const title = `Edit src/part-${number}.ts`;
  const paths = [`/work/src/part-${number}.ts`];
  return {
    type: "tool",
    kind: "edit",
    title,
    hasFailed: false,
    paths,
    isNew: false,
    input: {},
    exitCode: null,
    output: null,
  };
}

function print({ policy }: Deps, size: number, name: Name, times: number[]): void {
  const limits: Record<Name, number> = {
    append: policy.worklog.appendTargetMs,
    flush: policy.worklog.flushTimeoutMs,
    verification: policy.worklog.verification.timeoutMs,
    summary: policy.worklog.summaryTimeoutMs,
    detection: policy.worklog.detection.timeoutMs,
  };
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const isWithin = at(0.99) <= limits[name];
  if (!isWithin) process.exitCode = 1;
  const numbers = `p50 ${at(0.5).toFixed(2).padStart(8)} ms   p99 ${at(0.99).toFixed(2).padStart(8)} ms`;
  process.stdout.write(
    `${String(size).padStart(9)} entries  ${name.padEnd(12)} ${numbers}   limit ${limits[name]} ms${isWithin ? "" : "  ABOVE"}\n`,
  );
}
