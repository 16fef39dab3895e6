import { afterEach, describe, expect, it } from "vitest";
import { valueOf } from "../fakes/deps.ts";
import { ana, ben, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Reminders that quiet hours hold: what happens until they are posted. */

const minute = 60_000;

let world: SlackWorld;
afterEach(() => world.close());

/** Questions that are asked at 21:20 and reminded of at 22:06, when nobody is notified any more. */
async function reminded(environment: Readonly<Record<string, string>>, add: () => Promise<void>): Promise<string[]> {
  world = await slackWorld({
    environment: { COS_QUIET_HOURS: "22:00-07:00", COS_TIMEZONE: "UTC", COS_SECOND: `slack:${ben}`, ...environment },
  });
  await world.repository();
  world.advance((12 * 60 + 20) * minute);
  await add();
  await world.command("autopilot", "start");
  for (let pass = 0; pass < 10; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
  await world.show();
  const asked = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  world.advance(46 * minute);
  await world.tick();
  await world.show();
  expect(reminders()).toEqual([]);
  return asked.map(({ checkpointId }) => checkpointId);
}

async function twoQuestions(): Promise<void> {
  await world.command("goal", "add", "Round prices up", "--run", "echo up > up.txt", "--tag", "ui");
  world.advance(1_000);
  await world.command("goal", "add", "Name the button Buy", "--run", "echo buy > buy.txt", "--tag", "ui");
}

const reminders = () => world.slack.messages().filter((each) => each.text.startsWith("Still waiting"));
const question = (name: string) => world.slack.message(`Checkpoint: user-facing change: ${name}`);

async function morning(): Promise<void> {
  world.advance(9 * 60 * minute);
  await world.tick();
  await world.show();
}

describe("a reminder that quiet hours held", () => {
  it("names what is still asked as it was, in its thread, when the oldest was asked anew", async () => {
    const [first] = await reminded({ COS_QUORUM: "ux=2" }, twoQuestions);
    valueOf(await world.command("modify", first ?? "", "--budget", "3"));
    await morning();
    const [held, ...others] = reminders();
    expect(others).toEqual([]);
    expect(held?.text).toContain("Name the button Buy");
    expect(held?.text).not.toContain("Round prices up");
    expect(held?.threadTs).toBe(question("Name the button Buy").ts);
    world.advance(31 * minute);
    await world.tick();
    await world.show();
    expect(reminders().map(({ text }) => text.includes("Round prices up"))).toEqual([false, true]);
  });

  it("does not name what was answered", async () => {
    const [first] = await reminded({}, twoQuestions);
    valueOf(await world.command("answer", first ?? "", "Skip"));
    await morning();
    expect(reminders().map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Still waiting for an answer: Name the button Buy\./),
    ]);
    expect(reminders()[0]?.threadTs).toBe(question("Name the button Buy").ts);
  });

  it("wakes nobody for what somebody takes care of", async () => {
    await reminded({}, async () => {
      await world.command("goal", "add", "Never works", "--run", "exit 3");
    });
    await world.slack.people.click(ana, world.slack.message("Escalation"), "acknowledge");
    const before = world.slack.buzzes.length;
    await morning();
    expect(reminders()).toEqual([]);
    expect(world.slack.buzzes.slice(before)).toEqual([]);
  });
});
