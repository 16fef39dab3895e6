import { afterEach, describe, expect, it } from "vitest";
import { openClient } from "../../src/chat/slack/clients.ts";
import { sendPrivately } from "../../src/chat/slack/private-messages.ts";
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

  it("nobody is told twice where the answer of Slack is lost", async () => {
    await ask("Told once");
    world.slack.faults.next("chat.postEphemeral", { type: "lost", by: "500" });

    await world.slack.people.click(eve, world.slack.message(": Told once"), "proceed");
    await eventually("the lost answer", async () => world.events.some(({ event }) => event === "slack.private-failed"));

    expect(world.slack.ephemerals.map(({ userId }) => userId)).toEqual([eve]);
  });

  it("the log has both words where neither way was taken", async () => {
    world = await slackWorld();
    await world.slack.people.invite("out");
    const { SLACK_BOT_TOKEN: botToken = "", SLACK_CHANNEL: channel = "" } = world.slack.settings;
    const client = openClient({ botToken, apiUrl: world.slack.apiUrl });
    const nowhere = { threadTs: null, triggerId: null, viewId: null, responseUrl: "http://127.0.0.1:2/" };

    const told = sendPrivately(
      { client, patiently: (work) => work() },
      { userId: eve, channel, ...nowhere },
      { text: "Only approvers may" },
    );

    await expect(told).rejects.toThrow("not_in_channel; and as an answer: ECONNREFUSED");
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
