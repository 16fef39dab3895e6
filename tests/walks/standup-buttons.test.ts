import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";
import { type Message, wordsOf } from "../fakes/slack/server.ts";
import { ana, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** What a posted standup asks for is done from it (F-412). */

let world: SlackWorld;
beforeEach(async () => {
  world = await slackWorld();
});
afterEach(() => world.close());

/** A verified goal, a question, a paused session; then the standup of the next morning. */
async function morning(): Promise<{ path: string; merged: string; asked: string; standup: Message }> {
  world.advance(2 * 3_600_000);
  await world.tick();
  const path = await world.repository({ "a.txt": "a\n" });
  const add = async (...words: string[]): Promise<string> =>
    valueOf<{ goalId: string }>(await world.command("goal", "add", ...words)).goalId;
  const merged = await add("Write b", "--run", "echo b > b.txt", "--done-when", "test -f b.txt");
  const asked = await add("Move the logo", "--run", "echo c > c.txt", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.work();
  await world.command("autopilot", "pause");
  world.advance(22 * 3_600_000);
  await world.tick();
  await world.show();
  return { path, merged, asked, standup: world.slack.message("Standup ") };
}

/** What one person alone was told last. */
async function toldTo(person: string): Promise<string> {
  const told = await eventually("a word", async () =>
    world.slack.ephemerals.findLast(({ userId }) => userId === person),
  );
  return JSON.stringify(told);
}

it("[F-412] a standup's buttons answer, resume and merge, and a person without the right is refused", async () => {
  const { path, merged, standup } = await morning();
  const buttons = standup.blocks.flatMap(({ elements = [] }) => elements as { text: { text: string } }[]);
  const labels = buttons.map(({ text }) => text.text);
  expect(labels).toEqual(expect.arrayContaining(["Answer 1 question", "Merge Write b"]));
  expect(labels.some((label) => label.startsWith("Resume "))).toBe(true);

  await world.slack.people.click(eve, standup, "merge-1");
  expect(await toldTo(eve)).toContain("may");
  await world.slack.people.click(ana, standup, "answer");
  expect(await toldTo(ana)).toContain("Move the logo");

  await world.slack.people.click(ana, standup, "resume-session");
  await world.slack.people.click(ana, standup, "merge-1");
  world.advance(60_000);
  await world.tick();
  await world.work();

  expect(await gitIn(path, "show", "main:b.txt")).toBe("b");
  const status = valueOf<{ sessions?: readonly { status: string }[] }>(await world.command("autopilot", "status"));
  expect(JSON.stringify(status)).not.toContain('"paused"');
  expect(valueOf(await world.command("goal", "show", merged))).toMatchObject({ status: "complete" });
  expect(wordsOf(standup.blocks)).toContain("Standup");
});
