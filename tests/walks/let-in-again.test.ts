import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import * as onDiscord from "../fakes/discord/world.ts";
import * as onSlack from "../fakes/slack/world.ts";

/** A bot that was out of its channel for some time, and a platform that takes no more calls for some seconds. */

let world: onSlack.SlackWorld | onDiscord.DiscordWorld;
afterEach(() => world.close());

/** A question that is shown; its goal's id. */
async function ask(goal: string): Promise<string> {
  await world.repository();
  const words = ["goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.show();
  return goalId;
}

async function statusOf(goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

describe("what people write while the bot is out of its channel is fetched when it is let in again", () => {
  it("in Slack, where it is invited", async () => {
    const slackWorld = await onSlack.slackWorld();
    world = slackWorld;
    const { slack } = slackWorld;
    const goalId = await ask("Written meanwhile");

    await slack.people.invite("out");
    await slack.people.reply(onSlack.ana, slack.message(": Written meanwhile"), "ok");
    expect(slack.reactions).toEqual([]);
    await slack.people.invite("in");
    await eventually("the mark", async () => slack.reactions.length > 0);
    await world.work();

    expect(slack.reactions.map(({ name }) => name)).toEqual(["white_check_mark"]);
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("in Slack, where an app of an older manifest hears of no invitation, and posts again", async () => {
    const slackWorld = await onSlack.slackWorld();
    world = slackWorld;
    const { slack } = slackWorld;
    await ask("Heard by nobody");
    const card = slack.message(": Heard by nobody");
    await slack.people.reply(onSlack.ana, card, "looks good to Ben", { isMissed: true });
    slack.faults.next("chat.postMessage", { type: "error", error: "not_in_channel" });
    await world.command("goal", "add", "Another question", "--run", "true", "--tag", "ui");
    await world.work();
    await world.show();

    world.advance(60_000);
    await world.show();
    await eventually("the mark", async () => slack.reactions.length > 0);

    expect(slack.reactions.map(({ name }) => name)).toEqual(["eyes"]);
  });

  it.each(["channel", "server"] as const)("in Discord, into the %s", async (where) => {
    const discordWorld = await onDiscord.discordWorld();
    world = discordWorld;
    const { discord } = discordWorld;
    const goalId = await ask("Written meanwhile");

    await discord.people.reply(onDiscord.ana, discord.message(": Written meanwhile"), "ok", { isMissed: true });
    discord.people.letIn(where);
    await eventually("the mark", async () => discord.reactions.length > 0);
    await world.work();

    expect(discord.reactions.map(({ emoji }) => emoji)).toEqual(["✅"]);
    expect(await statusOf(goalId)).toBe("complete");
  });
});

describe("while Slack takes no more calls for some seconds", () => {
  it("who is refused, and who has replied, hears it afterwards; a form that was opened is filled", async () => {
    const slackWorld = await onSlack.slackWorld();
    world = slackWorld;
    const { slack } = slackWorld;
    await ask("Round prices up");
    const card = slack.message(": Round prices up");
    for (const method of ["chat.postEphemeral", "reactions.add", "views.update"])
      slack.faults.next(method, { type: "limit", seconds: 1 });

    await slack.people.click(onSlack.eve, card, "proceed");
    await slack.people.reply(onSlack.ana, card, "thanks");
    await slack.people.click(onSlack.ana, card, "modify");

    await eventually("the refusal", async () => slack.ephemerals.some(({ text }) => text.includes("Only approvers")));
    await eventually("the mark", async () => slack.reactions.length > 0);
    await eventually("the form", async () =>
      JSON.stringify(slack.people.openView(onSlack.ana)?.view).includes('"input"'),
    );
    expect(slack.ephemerals.length).toBe(1);
    expect(slack.reactions.map(({ name }) => name)).toEqual(["eyes"]);
  });
});
