import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** What posted weeklies say of what waits. */

const hour = 3_600_000;

let world: TestWorld;
beforeEach(async () => {
  // Monday, 2026-01-26, 09:00. A ladder of one attempt.
  world = await testWorld({
    policy: (policy) => ({
      ...policy,
      recovery: { ...policy.recovery, rungs: [{ attempts: 1, backoffMs: 0 }], breakerAfter: 9 },
    }),
  });
  await world.repository();
  await world.tick();
});
afterEach(() => world.close());

async function worked(text: string, run: string): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--run", run));
  await world.command("autopilot", "start");
  await world.work();
  await world.tick();
  return goalId;
}

const summaryOf = async (...words: string[]): Promise<string> => {
  const result = await world.command(...words);
  return result.type === "done" ? result.card.summary : result.reason;
};

describe("what waits for a person", () => {
  it("is the same number in the weekly and the standup of a minute", async () => {
    await worked("Fails", "false");
    for (let hours = 0; hours < 30; hours += 3) {
      world.advance(3 * hour);
      await world.tick();
    }
    const parked = await Promise.all([summaryOf("weekly"), summaryOf("standup")]);
    await world.command("goal", "add", "Another", "--run", "true");
    await world.command("autopilot", "start");
    await world.command("autopilot", "pause");
    const paused = await Promise.all([summaryOf("weekly"), summaryOf("standup")]);

    const waiting = (said: string): string | undefined => /, (\d+) waiting for a person/.exec(said)?.[1];
    expect(parked.map(waiting)).toEqual(["1", "1"]);
    expect(paused.map(waiting)).toEqual(["2", "2"]);
  });
});
