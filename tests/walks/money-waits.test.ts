import { afterEach, expect, it } from "vitest";
import { dollars } from "../../src/core/money.ts";
import { getGoal } from "../../src/db/goals.ts";
import { reservedAtWork } from "../../src/db/reservations.ts";
import { appendSpend } from "../../src/db/spend.ts";
import { claimGoal } from "../fakes/claim.ts";
import { cardWords, keptLease, oneAttempt, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

/** Goals that a ceiling stops for now: what others have reserved comes back, and the next day has money of its own. */

const minute = 60_000;

let world: TestWorld;
afterEach(() => world.close());

async function open(dayUsd = 1000): Promise<void> {
  world = await testWorld({
    environment: { COS_BUDGET_DAY_USD: String(dayUsd), COS_BUDGET_SESSION_USD: "1000", COS_BUDGET_GOAL_USD: "500" },
    policy: oneAttempt,
  });
}

const add = async (text: string, ...options: string[]) =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--repo", "person", ...options)).goalId;
const asked = async () =>
  valueOf<{ kind: string; goalId: string; checkpointId: string }[]>(await world.command("checkpoints"));

async function goalOf(goalId: string) {
  const goal = await getGoal(world.deps.database.db, goalId);
  if (goal === null) throw new Error(`no goal ${goalId}`);
  return goal;
}

/** A goal of one of two repositories, whose agent has just begun: it has reserved all that is left, and spends `usd` of it. */
async function atWork(...start: string[]) {
  const path = await world.repository();
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", "command:true"));
  const name = path.split("/").at(-1) ?? "";
  const one = valueOf<{ goalId: string }>(await world.command("goal", "add", "one", "--repo", name)).goalId;
  await agentRepository(world, [writes("b.txt", "b\n")]);
  const two = await add("two");
  valueOf(await world.command(...start.map((word) => (word === "NAME" ? name : word))));
  if (start[0] === "autopilot") valueOf(await world.command("autopilot", "start", "--repo", "person"));
  const claim = await claimGoal(world.deps.database.db, {
    leasedBy: "here/1/1",
    forMs: 600_000,
    now: world.deps.now(),
  });
  if (claim === null) throw new Error("nothing was claimed");
  // Which of the two repositories is first does not matter.
  const first = claim.lease.goalId;
  const second = first === one ? two : one;
  expect(await startKept(world.deps, keptLease(world.deps, claim.lease))).toMatchObject({ type: "next" });
  const { runId, sessionId } = await goalOf(first);
  const call = {
    callId: `${runId}.${claim.lease.turn}`,
    goalId: first,
    runId: runId ?? "",
    sessionId,
    day: "2026-01-26",
  };
  const spends = (usd: number) =>
    appendSpend(world.deps.database.db, call, {
      kind: "settled",
      amountMicroUsd: dollars(usd),
      isEstimated: false,
      at: world.deps.now(),
    });
  return { first, second, spends };
}

const atNight = ["night", "--budget", "15", "--until", "07:00"];

it.each([
  ["a night's contract", "night", atNight],
  ["the day's ceiling", "day", ["autopilot", "start", "--repo", "NAME"]],
])("%s: a goal waits for what another one at work has reserved, and says so", async (_what, ceiling, words) => {
  await open(ceiling === "day" ? 15 : 1000);

  const { second, spends } = await atWork(...words);
  await world.work();

  expect(await asked()).toEqual([]);
  expect(await goalOf(second)).toMatchObject({ status: "pending", leasedBy: null });
  await world.tick();
  expect(await cardWords(world, second)).toContain(
    `Waits for money: $0.00 left of the ${ceiling}'s ceiling, $0.50 needed; goals at work have reserved the rest`,
  );
  // Still at work: it waits on, and nobody is asked.
  world.advance(minute);
  await world.work();
  expect(await goalOf(second)).toMatchObject({ status: "pending" });
  await spends(2);
  world.advance(minute);
  await world.work();
  expect(await goalOf(second)).toMatchObject({ status: "complete" });
});

it("what was spent of it is refused as ever, and so is what a turn left that was cut", async () => {
  await open();
  const { first, second, spends } = await atWork(...atNight);
  const reserved = () => reservedAtWork(world.deps.database.db, { but: second });
  expect(await reserved()).toMatchObject([{ day: "2026-01-26", campaignId: null, microUsd: dollars(15) }]);
  expect(await reservedAtWork(world.deps.database.db, { but: first })).toEqual([]);
  await world.deps.database.pool.query(
    "update cos.goals set leased_until = now() - interval '1 second' where goal_id = $1",
    [first],
  );
  expect(await reserved()).toEqual([]);
  await world.deps.database.pool.query(
    "update cos.goals set leased_until = now() + interval '1 hour' where goal_id = $1",
    [first],
  );
  await spends(14.8);
  await world.work();

  expect(await asked()).toMatchObject([{ kind: "ceiling", goalId: second }]);
});

it("the day's ceiling that is met in a night is no question: no answer moves it, and at midnight work goes on", async () => {
  await open(3);
  await agentRepository(world, [writes("b.txt", "b\n")]);
  const dear = await add("dear", "--cost", "3.5");
  const goal = await add("other", "--cost", "1");
  valueOf(await world.command("night", "--budget", "40", "--until", "07:00", "--allow", "cost"));
  await appendSpend(
    world.deps.database.db,
    { callId: "plan.1", campaignId: null, day: "2026-01-26" },
    { kind: "settled", amountMicroUsd: dollars(2.5), isEstimated: false, at: world.deps.now() },
  );
  await world.work();

  expect(await asked()).toEqual([]);
  // More than any day allows: nothing that it could wait for.
  expect(await goalOf(dear)).toMatchObject({
    status: "failed",
    outcome: expect.stringContaining("$0.50 left of the day's ceiling, $3.50 needed") as string,
  });
  expect(await goalOf(goal)).toMatchObject({ status: "pending", wakeAt: new Date("2026-01-27T00:00:00Z") });
  await world.tick();
  expect(await cardWords(world, goal)).toContain(
    "Waits for money: $0.50 left of the day's ceiling, $1.00 needed; the next day has money of its own. Goes on by itself.",
  );
  world.advance(16 * 60 * minute);
  await world.tick();
  await world.work();
  expect(await goalOf(goal)).toMatchObject({ status: "complete" });
});
