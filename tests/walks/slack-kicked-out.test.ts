import { afterEach, describe, expect, it } from "vitest";
import { unknownButtonWords } from "../../src/core/cards/chat-words.ts";
import { eventually } from "../fakes/bot.ts";
import { ana, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** What people hear who press where the app is not any more, or do not wait for what they opened. */

let world: SlackWorld;
afterEach(() => world.close());

async function ask(goal: string): Promise<void> {
  world = await slackWorld();
  await world.repository();
  await world.command("goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
}

describe("in Slack", () => {
  it("whoever presses on a card of a channel that the app was removed from hears why nothing happened", async () => {
    await ask("Left behind");
    const card = world.slack.message(": Left behind");
    await world.slack.people.invite("out");

    await world.slack.people.click(eve, card, "proceed");

    const [told] = await eventually(
      "the refusal",
      async () => world.slack.ephemerals.length > 0 && world.slack.ephemerals,
    );
    expect(told).toMatchObject({
      userId: eve,
      isPublic: false,
      text: expect.stringContaining("nly approvers") as string,
    });
    expect(world.slack.message(": Left behind").text).toBe(card.text);
  });

  it("a form that is closed before it is filled is no failure", async () => {
    await ask("Closed at once");
    world.slack.faults.next("views.update", { type: "error", error: "not_found" });

    await world.slack.people.click(ana, world.slack.message(": Closed at once"), "modify");
    const updates = () => world.slack.calls.filter(({ method }) => method === "views.update");
    await eventually("the closed form", async () => updates().length === 1);
    await world.slack.people.click(ana, world.slack.message(": Closed at once"), "modify");
    await eventually("the next form", async () => updates().length === 2);

    expect(world.events.filter(({ event }) => event === "slack.listener-failed")).toEqual([]);
  });

  it("an entry of a card's menu that this version does not know says so", async () => {
    await ask("Of another version");
    const card = world.slack.message(": Of another version");
    const elements = card.blocks.flatMap(({ elements: found }) => (Array.isArray(found) ? (found as object[]) : []));
    const menu = elements.find((each) => "options" in each) as { options: { value: string }[] };
    for (const option of menu.options) option.value = "{}";

    await world.slack.people.choose(ana, card, "Why");

    const [told] = await eventually(
      "the line",
      async () => world.slack.ephemerals.length > 0 && world.slack.ephemerals,
    );
    expect(told).toMatchObject({ userId: ana, text: unknownButtonWords });
  });
});
