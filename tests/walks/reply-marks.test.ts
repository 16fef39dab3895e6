import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import * as onDiscord from "../fakes/discord/world.ts";
import * as onSlack from "../fakes/slack/world.ts";

/** What somebody sees at their reply when the chat fails for a moment. */

let world: onSlack.SlackWorld | onDiscord.DiscordWorld;
afterEach(() => world.close());

async function ask(goal: string): Promise<void> {
  await world.repository();
  await world.command("goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
}

describe("in Slack", () => {
  async function open(): Promise<onSlack.SlackWorld["slack"]> {
    const opened = await onSlack.slackWorld();
    world = opened;
    await ask("Round prices up");
    return opened.slack;
  }

  it("a reply is marked once, also where Slack fails and where its answer is lost", async () => {
    const slack = await open();
    slack.faults.next("reactions.add", { type: "500" }, { type: "lost", by: "500" });

    const { ts } = await slack.people.reply(onSlack.ana, slack.message("Checkpoint"), "I will look at it tomorrow");
    await eventually("the last call", async () => slack.calls.filter(({ method }) => method === "reactions.add")[2]);

    expect(slack.reactions).toEqual([{ ts, name: "eyes" }]);
    const failed = (world as onSlack.SlackWorld).events.filter(({ event }) => event === "slack.reaction-failed");
    expect(failed).toEqual([]);
  });

  it("a reply that was not taken is marked where its writer cannot be told why", async () => {
    const slack = await open();
    slack.faults.next("chat.postEphemeral", { type: "500" });

    const { ts } = await slack.people.reply(onSlack.eve, slack.message("Checkpoint"), "ok");

    await eventually("the mark", async () => slack.reactions.length > 0);
    expect(slack.reactions).toEqual([{ ts, name: "no_entry_sign" }]);
  });
});

it("in Discord a reply is marked, also where Discord fails for a moment", async () => {
  const opened = await onDiscord.discordWorld();
  world = opened;
  const { discord } = opened;
  await ask("Round prices up");
  discord.faults.next("reaction", { type: "error", status: 502, code: 0, message: "Bad Gateway" });

  const card = discord.message("Checkpoint");
  const { id } = await discord.people.reply(onDiscord.ana, card, "I will look at it tomorrow", { inChannel: true });

  await eventually("the mark", async () => discord.reactions.length > 0);
  expect(discord.reactions).toEqual([{ id, emoji: "👀" }]);
});
