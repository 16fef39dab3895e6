import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getGoal } from "../../src/db/goals.ts";
import { claimGoal } from "../fakes/claim.ts";
import type { Lease } from "../../src/db/leases.ts";
import { openRunOf } from "../../src/db/runs.ts";
import { chooseApproachTurn } from "../../src/turns/goal/choose-approach.ts";
import { endWithoutGround } from "../../src/turns/goal/no-ground.ts";
import { askAboutInterruptions, failToStart } from "../../src/turns/goal/failed-phase.ts";
import { waitForStore } from "../../src/turns/goal/recorded-work.ts";
import type { StepResult } from "../../src/turns/shared/in-turn.ts";
import type { LeaseKeeper } from "../../src/turns/shared/lease-keeper.ts";
import { tellExhausted, tellPermission, tellSetupFailure } from "../../src/turns/task-loop/stops.ts";
import type { LoopTurn } from "../../src/turns/task-loop/stored.ts";
import { keptLease, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, fails } from "../fakes/scripted.ts";

/** What a person asks of a goal at work comes before whatever its turn would ask or end with in the same moment. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

interface AtWork {
  readonly goalId: string;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
}

async function claimed(): Promise<AtWork> {
  const claim = await claimGoal(world.deps.database.db, {
    leasedBy: "here/1/1",
    forMs: 3_600_000,
    now: world.deps.now(),
  });
  if (claim === null) throw new Error("nothing was ready");
  return { goalId: claim.lease.goalId, lease: claim.lease, keeper: keptLease(world.deps, claim.lease) };
}

/** A goal whose turn has begun, by a worker that has not looked at what is asked since. */
async function begun(): Promise<AtWork> {
  await world.repository();
  await world.command("goal", "add", "First", "--run", "true");
  await world.command("autopilot", "start");
  const atWork = await claimed();
  expect(await startKept(world.deps, atWork.keeper)).toEqual({ type: "next" });
  return atWork;
}

async function loopTurn({ goalId, lease, keeper }: AtWork): Promise<LoopTurn> {
  const { db } = world.deps.database;
  const [goal, run] = [await getGoal(db, goalId), await openRunOf(db, goalId)];
  if (goal === null || run === null) throw new Error("no run");
  const state = { phase: "implement_task", iteration: 1, wave: null } as unknown as LoopTurn["state"];
  return { goal, run, lease, keeper, state };
}

/** Runs a statement when the turn has looked and waits to record what it found. */
async function betweenLookAndRecord<Result>(turn: () => Promise<Result>, statement: string): Promise<Result> {
  const { pool } = world.deps.database;
  const client = await pool.connect();
  await client.query("begin");
  await client.query("select 1 from cos.sessions for update");
  const running = turn();
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await pool.query(waiting)).rowCount === 0);
  await client.query(statement);
  await client.query("commit");
  client.release();
  return await running;
}

const ends: Readonly<Record<string, (atWork: AtWork) => Promise<StepResult>>> = {
  "it was interrupted too often": ({ keeper }) => askAboutInterruptions(world.deps, keeper),
  "its repository cannot be worked": ({ keeper }) => failToStart(world.deps, keeper, "not a repository"),
  "its work is in a store that is away": ({ keeper }) => waitForStore(world.deps, keeper, "it does not answer"),
  "its ground waits": ({ keeper }) => endWithoutGround(world.deps, keeper, { type: "waits" }),
  "its ground cannot be laid": ({ keeper }) =>
    endWithoutGround(world.deps, keeper, { type: "stuck", outcome: "No common ground." }),
  "its ground conflicts": ({ keeper }) =>
    endWithoutGround(world.deps, keeper, {
      type: "conflict",
      start: { baseCommit: "0".repeat(40) },
      goals: ["goal-1"],
      files: ["a.txt"],
    }),
  "a worker asks for a permission": async (atWork) =>
    tellPermission(world.deps, await loopTurn(atWork), {
      fingerprint: "f",
      kind: "execute",
      title: "rm -rf build",
      command: "rm -rf build",
      locations: [],
      given: [],
    }),
  "the place of its tasks cannot be made": async (atWork) =>
    tellSetupFailure(world.deps, await loopTurn(atWork), { statuses: {}, summary: "npm ci failed" }),
  "its tasks failed too often": async (atWork) => tellExhausted(world.deps, await loopTurn(atWork), []),
};

describe.each(Object.entries(ends))("%s", (_what, end) => {
  it.each([
    ["skip", "deferred", "Skipped by ana."],
    ["pause", "blocked", expect.stringContaining("Parked by ana.") as string],
  ])("and %s was asked before it is told", async (verb, status, outcome) => {
    const atWork = await begun();
    valueOf(await world.command("goal", verb, atWork.goalId));

    expect(await end(atWork)).toMatchObject({ type: "over" });

    const goal = valueOf(await world.command("goal", "show", atWork.goalId));
    expect(goal).toMatchObject({ status, outcome, checkpointId: null, errorCount: 0 });
    expect(valueOf(await world.command("checkpoints"))).toEqual([]);
  });
});

it("what rung 3 would ask is not asked of a goal that was skipped meanwhile", async () => {
  await agentRepository(world, [fails("Config MISSING")]);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
  await world.command("autopilot", "start");
  await world.work();
  world.advance(20_000);
  await world.deps.database.pool.query("update cos.runs set rung = 3");
  const { keeper } = await claimed();
  const turn = await betweenLookAndRecord(
    () => chooseApproachTurn(world.deps, keeper),
    `update cos.goals set stop_requested = 'skip' where goal_id = '${goalId}'`,
  );

  expect(turn).toMatchObject({ type: "over" });

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "deferred" });
  expect(valueOf(await world.command("checkpoints"))).toEqual([]);
});

it("holding the session does not take back that its goal at work is skipped", async () => {
  const { goalId, keeper } = await begun();
  valueOf(await world.command("goal", "skip", goalId));
  valueOf(await world.command("autopilot", "pause"));

  await failToStart(world.deps, keeper, "not a repository");

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "deferred" });
});

it("a goal that was claimed and is skipped before its turn begins is skipped, although its session was paused, too", async () => {
  await world.repository();
  await world.command("goal", "add", "First", "--run", "true");
  await world.command("autopilot", "start");
  const { goalId, keeper } = await claimed();
  valueOf(await world.command("goal", "skip", goalId));
  valueOf(await world.command("autopilot", "pause"));

  expect(await startKept(world.deps, keeper)).toEqual({ type: "over" });

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "deferred" });
});
