import { afterEach, beforeEach, expect, it } from "vitest";
import { getGoal } from "../../src/db/goals.ts";
import { getSession } from "../../src/db/sessions.ts";
import { keptLease, oneAttempt, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { claimGoal } from "../fakes/claim.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

/** The hour at which a night ends, and goals that were just being taken then. */

const hour = 3_600_000;

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
});
afterEach(() => world.close());

const add = async (text: string, ...options: string[]) =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;

async function goalOf(goalId: string) {
  const goal = await getGoal(world.deps.database.db, goalId);
  if (goal === null) throw new Error(`no goal ${goalId}`);
  return goal;
}

/** A worker has taken the goal and looks at its repository. */
async function take(goalId: string) {
  const claim = await claimGoal(world.deps.database.db, {
    leasedBy: "here/1/1",
    forMs: 20_000,
    now: world.deps.now(),
  });
  expect(claim?.lease.goalId).toBe(goalId);
  if (claim === null) throw new Error("nothing was claimed");
  return keptLease(world.deps, claim.lease);
}

it("a goal that is just taken does not begin after the night, and is pending again; questions stay open in its session", async () => {
  await world.repository();
  const asks = await add("asks", "--run", "echo x > x.txt", "--tag", "architecture");
  const taken = await add("taken", "--run", "echo y > y.txt");
  valueOf(await world.command("night", "--until", "10:00"));
  const keeper = await take(taken);
  const { sessionId } = await goalOf(asks);
  world.advance(hour);
  await world.tick();

  expect(await startKept(world.deps, keeper)).toEqual({ type: "over" });
  expect(await goalOf(taken)).toMatchObject({ status: "pending", sessionId: null, leasedBy: null, wakeAt: null });
  await world.work();
  expect(await goalOf(taken)).toMatchObject({ status: "pending" });
  const [question] = valueOf<{ checkpointId: string; goalId: string }[]>(await world.command("checkpoints"));
  expect(question?.goalId).toBe(asks);
  // Answers are worked by day.
  expect(await getSession(world.deps.database.db, sessionId ?? "")).toMatchObject({ status: "running" });
  valueOf(await world.command("answer", question?.checkpointId ?? "", "Proceed"));
  await world.work();
  expect(await goalOf(asks)).toMatchObject({ status: "complete" });
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  expect(await goalOf(taken)).toMatchObject({ status: "complete" });
});

it("a goal that waits for its provider is held and asked about also when another one of its session is just taken", async () => {
  await agentRepository(world, [
    { match: ["limited"], steps: [{ write: { path: "a.txt", content: "a\n" } }, { fail: "429 Too Many Requests" }] },
    writes("b.txt", "b\n"),
  ]);
  const taken = await add("taken", "--repo", "person");
  valueOf(await world.command("goal", "pause", taken));
  const limited = await add("limited", "--repo", "person");
  valueOf(await world.command("night", "--until", "10:00"));
  await world.work();
  expect(await goalOf(limited)).toMatchObject({ status: "in_progress", leasedBy: null });
  const { sessionId } = await goalOf(limited);
  expect(valueOf(await world.command("goal", "resume", taken))).toMatchObject({ sessionId });
  const keeper = await take(taken);
  world.advance(hour);
  await world.tick();

  expect(await startKept(world.deps, keeper)).toEqual({ type: "over" });
  await world.work();
  expect(await goalOf(taken)).toMatchObject({ status: "pending", sessionId: null });
  expect(await goalOf(limited)).toMatchObject({ status: "in_progress", leasedBy: null });
  expect(await getSession(world.deps.database.db, sessionId ?? "")).toMatchObject({
    status: "paused",
    pausedBy: "the night contract",
  });
  expect(valueOf(await world.command("checkpoints"))).toMatchObject([{ kind: "breaker" }]);
});

it("nothing begins between the hour of a night and the tick that ends it", async () => {
  await world.repository();
  await add("first", "--run", "echo x > x.txt");
  const second = await add("second", "--run", "echo y > y.txt");
  valueOf(await world.command("night", "--until", "10:00"));
  world.advance(hour);
  await world.work();

  expect(await goalOf(second)).toMatchObject({ status: "pending", runId: null });
  expect(valueOf<{ status: string }[]>(await world.command("goals"))).toMatchObject([
    { status: "pending" },
    { status: "pending" },
  ]);
  await world.tick();
  expect(await goalOf(second)).toMatchObject({ status: "pending", sessionId: null });
  expect(valueOf(await world.command("checkpoints"))).toEqual([]);
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  expect(await goalOf(second)).toMatchObject({ status: "complete" });
});
