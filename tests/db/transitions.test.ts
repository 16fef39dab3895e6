import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transitions } from "../../src/core/goals/transitions.ts";
import type { TransitionName, Transition } from "../../src/core/goals/transition-arguments.ts";
import { type MachineState, machineState, machineStates } from "../../src/core/goals/machine.ts";
import type { Db } from "../../src/db/connection/client.ts";
import { lockGoal, updateGoal } from "../../src/db/goals.ts";
import { claimGoal } from "../fakes/claim.ts";
import { goals } from "../../src/db/schema/index.ts";
import { applyTransition } from "../../src/db/transitions.ts";
import { projectDir } from "../fakes/bot.ts";
import { keptLease, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { examples, standings } from "../fixtures/goal-transitions.ts";

/** The one place that writes a goal's machine, and the rows that the database refuses. */

let world: TestWorld;
let goalId: string;
let asked: string;
beforeAll(async () => {
  world = await testWorld();
  const add = async (...options: string[]) => {
    const path = await world.repository({ "a.txt": String(options.length) });
    const added = await world.command("goal", "add", "Ask", "--repo", path, "--run", "true", ...options);
    return valueOf<{ goalId: string }>(added).goalId;
  };
  asked = await add("--tag", "ui");
  valueOf(await world.command("autopilot", "start"));
  goalId = await add();
});
afterAll(() => world.close());

const undone = new Error("nothing of this is kept");

/** Runs work in a transaction that is not kept. */
async function tried<Result>(work: (tx: Db) => Promise<Result>): Promise<Result | string> {
  const results: Result[] = [];
  const failure = await world.deps.database
    .transaction(async (tx) => {
      results.push(await work(tx));
      throw undone;
    })
    .catch((error: unknown) => error);
  const [result] = results;
  return failure === undone && result !== undefined
    ? result
    : String(failure instanceof Error ? failure.message : failure);
}

describe("a transition", () => {
  // A claim is a statement of its own, which says how long the lease is.
  const names = (Object.keys(transitions) as TransitionName[]).filter((name) => name !== "isClaimed");

  it.each(names)("%s is taken from its states alone, and says which they are", async (name) => {
    const [given] = examples[name];
    const from: readonly MachineState[] = transitions[name].from;
    for (const state of machineStates) {
      const [standing] = standings[state];
      const came = await tried(async (tx) => {
        const row = { ...standing, runId: "run-1", turn: 9 };
        await tx.update(goals).set(row).where(eq(goals.goalId, goalId));
        const goal = await lockGoal(tx, goalId);
        if (goal === null) throw new Error("the goal is gone");
        await applyTransition(tx, goal, { type: name, ...given } as Transition, { updatedAt: world.deps.now() });
        const after = await lockGoal(tx, goalId);
        return after === null ? null : machineState(after);
      });

      if (from.includes(state)) expect([state, came]).toEqual([state, expect.stringMatching(/^\w+$/)]);
      else expect([state, came]).toEqual([state, `${goalId} is ${state}: "${name}" starts from ${from.join(", ")}`]);
    }
  });

  it("is the only way to write the machine's columns", async () => {
    const { db } = world.deps.database;
    const updatedAt = world.deps.now();
    // @ts-expect-error a plain change of a goal has none of them
    const plain = () => updateGoal(db, goalId, { status: "complete", updatedAt });
    const src = join(projectDir, "src");
    const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith(".ts"));
    const writers: string[] = [];
    for (const file of files)
      if (/update\(goals\)|update cos\.goals/.test(await readFile(join(src, file), "utf8"))) writers.push(file);

    expect(plain).toBeTypeOf("function");
    // Leases are claimed, renewed and dropped by statements of their own; a clock that was put back brings due times back.
    expect(writers.toSorted()).toEqual(["db/goals.ts", "db/leases.ts", "db/transitions.ts", "db/waits.ts"]);
  });

  it("that is refused writes nothing", async () => {
    const before = await world.deps.database.pool.query("select * from cos.goals order by 1");
    const refused = world.deps.database.transaction(async (tx) => {
      const goal = await lockGoal(tx, goalId);
      if (goal !== null)
        await applyTransition(tx, goal, { type: "letsGo" }, { content: "Other", updatedAt: world.deps.now() });
    });

    await expect(refused).rejects.toThrow(`${goalId} is pending: "letsGo" starts from worked`);
    expect((await world.deps.database.pool.query("select * from cos.goals order by 1")).rows).toEqual(before.rows);
  });
});

describe("what cannot be is refused by its name", () => {
  const set = (columns: string) => `update cos.goals set ${columns} where goal_id = $1`;
  const phase = "phase = 'implement', run_id = 'run-1'";
  const lease = "leased_by = 'x', leased_until = now()";
  const run = (status: string, end: string) =>
    `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, ended_at) values ('run-1', $1, ${status}, 'x', '[]', now(), ${end})`;

  const rows: readonly [string, readonly string[]][] = [
    ["goals_blocked", [set("status = 'blocked'")]],
    ["goals_blocked", [set("blocked_on = 'person', outcome = 'Parked.'")]],
    ["goals_blocked_sleep", [set("status = 'blocked', blocked_on = 'person', outcome = 'Parked.', wake_at = now()")]],
    ["goals_parked_why", [set("status = 'blocked', blocked_on = 'person', outcome = null")]],
    ["goals_parked_ground", [set("status = 'blocked', blocked_on = 'ground', parked_for = null")]],
    ["goals_pending", [set(phase)]],
    ["goals_begun", [set("status = 'in_progress'")]],
    ["goals_run", [set("status = 'in_progress', phase = 'implement', run_id = null")]],
    ["goals_stop", [set("stop_requested = 'skip'")]],
    ["goals_leased_turn", [set(`turn = 0, ${lease}`)]],
    ["goals_ended", [set(`status = 'failed', turn = 3, ${lease}`)]],
    ["goals_ended", [set("status = 'complete', parked_for = 'goal-x'")]],
    ["goals_ended", [set(`status = 'deferred', ${phase}`)]],
    ["goals_ended_sleep", [set("status = 'failed', wake_at = now()")]],
    ["runs_status", [run("'over'", "null")]],
    ["runs_ended", [run("'open'", "now()")]],
    ["runs_ended", [run("'ended'", "null")]],
    // Across rows, when the transaction commits.
    ["goals_question", [set("status = 'blocked', blocked_on = 'question'")]],
    ["goals_open_run", [set(`status = 'in_progress', ${phase}`)]],
    ["goals_open_run", [run("'ended'", "now()"), set(`status = 'in_progress', ${phase}`)]],
    ["goals_ended_run", [run("'open'", "null"), set("status = 'failed'")]],
    ["goals_ended_run", [set("status = 'failed'"), run("'open'", "null")]],
  ];
  it.each(rows)("%s", async (rule, statements) => {
    expect(await constraintOf(goalId, statements)).toBe(rule);
  });

  it.each<[string, string]>([
    ["goals_question", "update cos.checkpoints set status = 'superseded', resolved_at = now() where goal_id = $1"],
    [
      "goals_ended_question",
      "update cos.goals set status = 'deferred', blocked_on = null, phase = 'start' where goal_id = $1",
    ],
  ])("%s, of a goal that is asked about", async (rule, statement) => {
    expect(await constraintOf(asked, [statement])).toBe(rule);
  });

  it("what can be is taken: the same statements, whole", async () => {
    const begun = [
      run("'open'", "null"),
      set(`status = 'in_progress', ${phase}`),
      set("status = 'pending', phase = 'start', run_id = null"),
    ];
    const over = "update cos.runs set status = 'ended', ended_at = now() where goal_id = $1";
    expect(await constraintOf(goalId, [...begun, over])).toBeNull();
  });

  async function constraintOf(id: string, statements: readonly string[]): Promise<string | null> {
    const client = await world.deps.database.pool.connect();
    try {
      await client.query("begin");
      for (const statement of statements) await client.query(statement, [id]);
      await client.query("set constraints all immediate");
      return null;
    } catch (error) {
      return (error as { constraint?: string }).constraint ?? String(error);
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
});

describe("what a person asks between a claim and the start", () => {
  it.each([
    ["skip", "deferred"],
    ["pause", "blocked"],
  ])("goal %s comes before any question: nothing begins, and nobody is asked", async (command, status) => {
    const other = await testWorld();
    try {
      await other.repository();
      const id = valueOf<{ goalId: string }>(await other.command("goal", "add", "Ask", "--run", "true")).goalId;
      valueOf(await other.command("autopilot", "start"));
      const claim = await claimGoal(other.deps.database.db, {
        leasedBy: "one/1/1",
        forMs: 600_000,
        now: other.deps.now(),
      });
      valueOf(await other.command("goal", "edit", id, "--tag", "ui"));
      valueOf(await other.command("goal", command, id));
      if (claim === null) throw new Error("nothing was claimed");
      await startKept(other.deps, keptLease(other.deps, claim.lease));

      expect(valueOf(await other.command("goal", "show", id))).toMatchObject({ status });
      expect(valueOf(await other.command("checkpoints"))).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
