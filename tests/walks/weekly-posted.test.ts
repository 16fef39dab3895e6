import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findMessage } from "../../src/db/messages.ts";
import { appendSpend } from "../../src/db/spend.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** What posted weeklies say of what waits, and of what came after the last one. */

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

describe("what happens after a weekly was posted", () => {
  const posted = async (date: string): Promise<string> => await cardWords(world, `weekly.${date}`);
  const spend = (callId: string, at: string, amountMicroUsd: number) =>
    appendSpend(
      world.deps.database.db,
      { campaignId: null, callId, day: at.slice(0, 10) },
      { kind: "reported", amountMicroUsd, isEstimated: false, at: new Date(at) },
    );
  const until = async (at: string): Promise<void> => {
    world.advance(Date.parse(at) - world.deps.now().getTime());
    await world.tick();
  };

  it("until its week is over is one line of the next one, once, where there is something to say", async () => {
    await until("2026-01-30T15:00:00Z");
    await worked("Before", "echo 1 > 1.txt");
    await until("2026-01-30T16:00:00Z");
    await until("2026-01-30T20:00:00Z");
    await worked("Friday", "echo 2 > 2.txt");
    await spend("c1", "2026-01-30T21:00:00Z", 3_000_000);
    await until("2026-02-01T22:00:00Z");
    await worked("Sunday", "echo 3 > 3.txt");
    const skipped = valueOf<{ goalId: string }>(await world.command("goal", "add", "No", "--run", "true")).goalId;
    await world.command("goal", "skip", skipped);
    await spend("c2", "2026-02-01T22:00:00Z", 100_000);
    await until("2026-02-02T10:00:00Z");
    await worked("Monday", "echo 4 > 4.txt");
    await spend("c3", "2026-02-02T10:00:00Z", 7_000_000);
    await until("2026-02-06T16:00:00Z");
    await until("2026-02-13T16:00:00Z");

    const words = await Promise.all(["2026-01-30", "2026-02-06", "2026-02-13"].map(posted));
    const after = words.map((each) => each.split("\n").filter((line) => line.includes("weekly:")));
    expect(after).toEqual([[], [expect.stringContaining(line)], []]);
    const message = await findMessage(world.deps.database.db, "console", "main", "weekly.2026-02-06");
    expect(JSON.stringify(message?.card.brief)).toContain("After last Friday's weekly: ");
    expect(JSON.stringify(await world.command("weekly"))).not.toContain("After last");
  });

  it("on a Monday, which is of the week before, is said by nothing else", async () => {
    valueOf(await world.command("schedule", "set", "weekly", "--cron", "30 9 * * 1"));
    await until("2026-01-28T10:00:00Z");
    await worked("Wednesday", "echo 1 > 1.txt");
    await until("2026-02-02T09:30:00Z");
    await worked("Monday", "echo 2 > 2.txt");
    await worked("Monday, too", "echo 3 > 3.txt");
    await until("2026-02-09T09:30:00Z");

    const [first = "", second = ""] = await Promise.all(["2026-02-02", "2026-02-09"].map(posted));
    expect(first).toContain("Weekly Summary: 2026-01-26 to 2026-02-01");
    expect(first).toMatch(/Goals completed\W+1\b/);
    expect(second).toContain("Weekly Summary: 2026-02-02 to 2026-02-08");
    expect(second).toMatch(/Goals completed\W+2\b/);
    expect(first + second).not.toContain("After last");
  });

  const line = "After last Friday's weekly: 2 done, 0 failed, 1 skipped, $3.10";
});

describe("the goals of a weekly", () => {
  const shown = async (): Promise<string> => {
    const result = await world.command("weekly");
    return result.type === "done" ? JSON.stringify(result.card.blocks) : result.reason;
  };

  it("name their repository where they are of several, also what waits for a person", async () => {
    await worked("Round up", "echo x > x.txt");
    const alone = await shown();
    const other = await makeRepository(join(world.dataDir, "other"), { "a.txt": "a\n" });
    await world.command("repo", "add", other, "--name", "shop", "--check", "");
    for (const tags of [[], ["--tag", "ui"]])
      await world.command("goal", "add", "Round down", "--run", "echo y > y.txt", "--repo", "shop", ...tags);
    await world.command("autopilot", "start", "--repo", "shop");
    await world.work();
    await world.tick();
    const both = await shown();

    expect(alone).not.toContain(" · person");
    expect(both).toMatch(/Round up","to":"[^"]+"\}," · person/);
    expect(both).toMatch(/Round down","to":"[^"]+"\}," · shop/);
    expect(both).toMatch(/ · shop, for /);
  });
});

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
