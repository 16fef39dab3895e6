import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import * as onDiscord from "../fakes/discord/world.ts";
import * as onSlack from "../fakes/slack/world.ts";

/** What was written while nobody listened is fetched from every thread, also where a platform fails at one of them. */

let world: onSlack.SlackWorld | onDiscord.DiscordWorld;
afterEach(() => world.close());

async function ask(...goals: string[]): Promise<void> {
  await world.repository();
  for (const goal of goals) await world.command("goal", "add", goal, "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
}

describe("a reply that was missed is fetched where", () => {
  it("Slack fails at another thread", async () => {
    const opened = await onSlack.slackWorld();
    world = opened;
    const { slack } = opened;
    await ask("Older", "Newer");
    const newer = slack.message(": Newer");
    slack.faults.always({
      method: "conversations.replies",
      matches: (given) => given["ts"] === newer.ts,
      fault: { type: "error", error: "internal_error" },
    });
    await slack.people.reply(onSlack.ana, slack.message(": Older"), "looks good to Ben", { isMissed: true });
    await slack.people.reply(onSlack.ana, newer, "and to me", { isMissed: true });
    slack.faults.dropSockets("hard");

    await eventually("the mark", async () => slack.reactions.length > 0);
    expect(slack.reactions.map(({ name }) => name)).toEqual(["eyes"]);
    slack.faults.always(null);
    await eventually("what was written there", async () => slack.reactions.length > 1);
    expect(slack.reactions[1]).toMatchObject({ name: "eyes" });
  });

  it("Discord fails at another thread", async () => {
    const opened = await onDiscord.discordWorld();
    world = opened;
    const { discord } = opened;
    await ask("Older", "Newer");
    const newer = discord.message(": Newer");
    discord.faults.always({
      name: "history",
      matches: (_, parts) => parts[0] === newer.id,
      fault: { type: "500" },
    });
    await discord.people.reply(onDiscord.ana, discord.message(": Older"), "looks good to Ben", { isMissed: true });
    await discord.people.reply(onDiscord.ana, newer, "and to me", { isMissed: true });
    discord.people.letIn("channel");

    await eventually("the mark", async () => discord.reactions.length > 0);
    expect(discord.reactions.map(({ emoji }) => emoji)).toEqual(["👀"]);
    discord.faults.always(null);
    await eventually("what was written there", async () => discord.reactions.length > 1);
    expect(discord.reactions[1]).toMatchObject({ emoji: "👀" });
  });
});
