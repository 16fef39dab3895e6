import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Lease } from "../../src/db/leases.ts";
import type { Deps } from "../../src/deps.ts";
import { recordAnswer } from "../../src/turns/answers/answer.ts";
import { expireQuestions } from "../../src/turns/answers/deadlines.ts";
import { failToStart } from "../../src/turns/goal/failed-phase.ts";
import { behindEachOther, heldBeside, itsEnd, withoutRowLocks } from "../fakes/beside.ts";
import { claimGoal } from "../fakes/claim.ts";
import { keptLease, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/**
 * Two at once, each of which would be right alone. Each race is made twice: as it is, and between processes whose statements lock no
 * rows, where it ends wrong. So it is real here, and the locks are what holds it.
 */

let world: TestWorld;
let opened: Opened;
afterEach(() => world.close());

const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
const firstRow = async (text: string) => (await query(text)).rows[0];

interface Opened {
  readonly sessionId: string;
  readonly goalIds: readonly string[];
  /** The first question that is open. */
  readonly asked: { readonly goalId: string; readonly checkpointId: string };
}

/** A world with an open session of such goals: one asks before it starts, one has nobody to work it. */
async function open(goals: readonly ("asks" | "manual" | "runs")[], environment: Record<string, string> = {}) {
  world = await testWorld({ environment });
  await world.repository();
  const goalIds: string[] = [];
  for (const kind of goals) {
    const more = { asks: ["--run", "true", "--tag", "ui"], manual: [], runs: ["--run", "true"] }[kind];
    goalIds.push(valueOf<{ goalId: string }>(await world.command("goal", "add", kind, ...more)).goalId);
  }
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  const [asked = { goalId: "", checkpointId: "" }] = valueOf<Opened["asked"][]>(await world.command("checkpoints"));
  opened = { sessionId, goalIds, asked };
}

const usual = { version: null, notes: null, instructions: null, criteria: null, budgetMicroUsd: null };

async function answer(deps: Deps, checkpointId: string, choice: string, actorId: string | null = null) {
  const answerer = { actor: actorId ?? "ana", actorId, via: "terminal", groups: [] };
  const answered = await recordAnswer(deps, checkpointId, { ...usual, choice }, answerer);
  return answered?.decision.type;
}

async function claimed(): Promise<Lease> {
  const claim = await claimGoal(world.deps.database.db, { leasedBy: "one/1/1", forMs: 600_000, now: world.deps.now() });
  if (claim === null) throw new Error("nothing was claimed");
  return claim.lease;
}

/** The last guard, which the database keeps: a settled question is not settled again. */
const withoutGuard = () => query("alter table cos.checkpoints disable trigger keep_settled");

/** Does the first, which stands before its end until the second one is through; neither locks rows. */
async function withoutLocks<One, Other>(
  one: (deps: Deps) => Promise<One>,
  other: (deps: Deps) => Promise<Other>,
): Promise<[One, Other]> {
  const slow = heldBeside(world, itsEnd, withoutRowLocks);
  const quick = heldBeside(world, /^never$/, withoutRowLocks);
  const first = one(slow.deps);
  await slow.stands;
  const second = await other(quick.deps);
  slow.go();
  return [await first, second];
}

describe("two votes of one moment on a question that two have to agree to", () => {
  beforeEach(() => open(["asks"], { COS_QUORUM: "ux=2", COS_PEOPLE: "ana=console:ana;ben=console:ben" }));

  const one = (deps: Deps) => answer(deps, opened.asked.checkpointId, "Proceed", "console:ana");
  const other = (deps: Deps) => answer(deps, opened.asked.checkpointId, "Proceed", "console:ben");
  const settled = async () => {
    const votes = (await query("select 1 from cos.votes")).rowCount;
    return { votes, ...(await firstRow("select status from cos.checkpoints")) };
  };

  it("settle it [R3]", async () => {
    const told = await behindEachOther(world, opened.sessionId, [() => one(world.deps), () => other(world.deps)]);

    expect(told).toEqual(["voted", "recorded"]);
    expect(await settled()).toEqual({ votes: 2, status: "approved" });
  });

  it("would leave it open: without locks neither sees the other's [R3]", async () => {
    const told = await withoutLocks(one, other);

    expect(told).toEqual(["voted", "voted"]);
    expect(await settled()).toEqual({ votes: 2, status: "pending" });
  });
});

describe("the last two goals of a session that end at once: one is handed to a person, one is skipped", () => {
  beforeEach(() => open(["asks", "manual"]));

  const skip = (deps: Deps) => answer(deps, opened.asked.checkpointId, "Skip");
  const ended = async () => {
    const goals = (await query("select status from cos.goals order by position")).rows.map((row) => row.status);
    const ends = (await query("select 1 from cos.timeline where event = 'session.ended'")).rowCount;
    return { goals, ends, ...(await firstRow("select status from cos.sessions")) };
  };
  const both = ["deferred", "manual_followup"];

  it.each(["the turn", "the answer"])("end the session, once, when %s comes first [R5]", async (first) => {
    const keeper = keptLease(world.deps, await claimed());
    const turn = () => startKept(world.deps, keeper);
    const answers = () => skip(world.deps);

    if (first === "the turn") await behindEachOther(world, opened.sessionId, [turn, answers]);
    else await behindEachOther(world, opened.sessionId, [answers, turn]);

    expect(await ended()).toEqual({ goals: both, ends: 1, status: "ended" });
  });

  it("would leave it open with nothing to do: without locks each sees the other's goal open [R5]", async () => {
    const keeper = keptLease(world.deps, await claimed());

    await withoutLocks((deps) => startKept(deps, keeper), skip);

    expect(await ended()).toEqual({ goals: both, ends: 0, status: "running" });
  });
});

describe("two goals of a session that fail at once", () => {
  let fails: readonly [(deps: Deps) => Promise<unknown>, (deps: Deps) => Promise<unknown>];
  beforeEach(async () => {
    await open(["runs", "runs"]);
    const one = keptLease(world.deps, await claimed());
    // One at a time is worked; what a count is worth does not hang on that.
    const goalId = opened.goalIds[1] ?? "";
    const lease = { goalId, turn: 1, leasedBy: "two/1/1", forMs: 600_000 };
    const taken = "turn = 1, wake_at = $2, leased_by = 'two/1/1', leased_until = now() + interval '1 hour'";
    await query(`update cos.goals set ${taken} where goal_id = $1`, [goalId, world.deps.now()]);
    const other = keptLease(world.deps, lease);
    fails = [(deps) => failToStart(deps, one, "gone"), (deps) => failToStart(deps, other, "gone")];
  });

  const counted = async () => {
    const failed = (await query("select 1 from cos.goals where status = 'failed'")).rowCount;
    return {
      failed,
      ...(await firstRow("select jsonb_array_length(failed_in_row) as failure_streak from cos.sessions")),
    };
  };

  it("count two [R6]", async () => {
    await behindEachOther(world, opened.sessionId, [() => fails[0](world.deps), () => fails[1](world.deps)]);

    expect(await counted()).toEqual({ failed: 2, failure_streak: 2 });
  });

  it("would count one without locks [R6]", async () => {
    await withoutLocks(fails[0], fails[1]);

    expect(await counted()).toEqual({ failed: 2, failure_streak: 1 });
  });
});

describe("an answer to a question of a goal that is deferred meanwhile", () => {
  beforeEach(() => open(["asks", "runs"]));

  const proceed = (deps: Deps) => answer(deps, opened.asked.checkpointId, "Proceed");
  const skip = async () => valueOf(await world.command("goal", "skip", opened.asked.goalId));
  const goal = async () =>
    await firstRow(`select status, wake_at from cos.goals where goal_id = '${opened.asked.goalId}'`);

  it("does not wake it [R7]", async () => {
    const [, told] = await behindEachOther(world, opened.sessionId, [skip, () => proceed(world.deps)]);

    expect(told).toBe("already-answered");
    expect(await goal()).toEqual({ status: "deferred", wake_at: null });
  });

  it("is told that it was recorded when it was first, and the goal is deferred then [R7]", async () => {
    const [told] = await behindEachOther(world, opened.sessionId, [() => proceed(world.deps), skip]);

    expect(told).toBe("recorded");
    expect(await goal()).toEqual({ status: "deferred", wake_at: null });
  });

  it("is refused by the database where no lock holds it, and would wake it without that [R7]", async () => {
    await expect(withoutLocks(proceed, skip)).rejects.toThrow("is already superseded");
    expect(await goal()).toEqual({ status: "deferred", wake_at: null });
    await world.close();
    await open(["asks", "runs"]);
    await withoutGuard();

    const [told] = await withoutLocks(proceed, skip);

    expect(told).toBe("recorded");
    expect(await goal()).toEqual({ status: "pending", wake_at: expect.any(Date) });
  });
});

describe("an answer in the moment in which its question expires", () => {
  beforeEach(() => open(["asks"]));

  const proceed = (deps: Deps) => answer(deps, opened.asked.checkpointId, "Proceed");
  /** Its clock is past the question's end. */
  const expire = (deps: Deps) => expireQuestions({ ...deps, now: () => new Date("2026-03-01T09:00:00Z") });
  const became = async () => {
    const answers = (await query("select 1 from cos.decisions where settles")).rowCount;
    const expiries = (await query("select 1 from cos.timeline where event = 'checkpoint.expired'")).rowCount;
    return { answers, expiries, ...(await firstRow("select status from cos.checkpoints")) };
  };

  it("counts when it was first, and nothing expires [R8]", async () => {
    const [told] = await behindEachOther(world, opened.sessionId, [
      () => proceed(world.deps),
      () => expire(world.deps),
    ]);

    expect(told).toBe("recorded");
    expect(await became()).toEqual({ answers: 1, expiries: 0, status: "approved" });
  });

  it("is told that it came too late when it was second [R8]", async () => {
    const [, told] = await behindEachOther(world, opened.sessionId, [
      () => expire(world.deps),
      () => proceed(world.deps),
    ]);

    expect(told).toBe("expired");
    expect(await became()).toEqual({ answers: 0, expiries: 1, status: "expired" });
  });

  it("is refused by the database where no lock holds it, and both would count without that [R8]", async () => {
    await expect(withoutLocks(proceed, expire)).rejects.toThrow("is already expired");
    expect(await became()).toEqual({ answers: 0, expiries: 1, status: "expired" });
    await world.close();
    await open(["asks"]);
    await withoutGuard();

    const [told] = await withoutLocks(proceed, expire);

    expect(told).toBe("recorded");
    expect(await became()).toMatchObject({ answers: 1, expiries: 1 });
  });
});
