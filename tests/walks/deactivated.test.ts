import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import * as onDiscord from "../fakes/discord/world.ts";
import * as onSlack from "../fakes/slack/world.ts";
import { wordsOf } from "../fakes/slack/workspace.ts";

/** Who is asked when an account has gone: a mention of it notifies nobody. */

let world: onSlack.SlackWorld | onDiscord.DiscordWorld;
afterEach(() => world.close());

async function ask(goal: string): Promise<void> {
  await world.repository();
  await world.command("goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
}

describe("who is told who can do it instead", () => {
  it("hears of nobody who has gone, in Slack", async () => {
    const nobody = "U0NOBODY";
    const approvers = [onSlack.ana, onSlack.dora, nobody].map((id) => `slack:${id}`).join(",");
    const slackWorld = await onSlack.slackWorld({ environment: { COS_APPROVERS: approvers } });
    world = slackWorld;
    const { slack } = slackWorld;
    await ask("Round prices up");
    const card = slack.message("Checkpoint");
    const told = (count: number) =>
      eventually("the refusal", async () => slack.ephemerals.length === count && slack.ephemerals.at(-1)?.text);

    await slack.people.click(onSlack.eve, card, "proceed");
    expect(await told(1)).toBe(`Only approvers may do that; nothing was changed\nWho can: <@${onSlack.ana}>`);
    await slack.people.reply(onSlack.eve, card, "ok");
    expect(await told(2)).toBe(`Only approvers may do that; nothing was changed\nWho can: <@${onSlack.ana}>`);
    const { answer } = await slack.people.type(onSlack.eve, "/cos", "goal add Round prices down");
    expect(answer["text"]).toContain(`Who can: <@${onSlack.ana}>`);
    expect(answer["text"]).not.toMatch(/U0DORA|U0NOBODY/);
    await slack.people.click(onSlack.eve, card, "modify");
    await eventually("the window", async () =>
      JSON.stringify(slack.people.openView(onSlack.eve)?.view).includes(`Who can: <@${onSlack.ana}>"`),
    );
  });

  it("hears of everybody where Slack does not say how their accounts are", async () => {
    const slackWorld = await onSlack.slackWorld();
    world = slackWorld;
    slackWorld.slack.faults.always({ method: "users.info", matches: () => true, fault: { type: "500" } });

    const { answer } = await slackWorld.slack.people.type(onSlack.eve, "/cos", "goal add Round prices down");

    expect(answer["text"]).toContain(`<@${onSlack.ana}>, <@${onSlack.ben}>, <@${onSlack.dora}>`);
  });

  it("hears of nobody who has gone, in Discord", async () => {
    const left = "800000000000000099";
    const approvers = [left, onDiscord.ana].map((id) => `discord:${id}`).join(",");
    const discordWorld = await onDiscord.discordWorld({ environment: { COS_APPROVERS: approvers } });
    world = discordWorld;
    await ask("Round prices up");

    await discordWorld.discord.people.click(onDiscord.eve, discordWorld.discord.message("Checkpoint"), "Proceed");

    const [told] = discordWorld.discord.ephemerals;
    expect(told?.text).toBe(`Only approvers may do that; nothing was changed\nWho can: <@${onDiscord.ana}>`);
  });
});

describe("a question whose only person on duty has gone", () => {
  it("mentions the approvers who are there, in Slack, and the log says who is not", async () => {
    const slackWorld = await onSlack.slackWorld({ environment: { COS_ON_DUTY: `slack:${onSlack.dora}` } });
    world = slackWorld;
    const { slack } = slackWorld;
    await ask("Round prices up");

    const asked = wordsOf(slack.message("Checkpoint").blocks);
    expect(asked).toContain(`<@${onSlack.ana}> <@${onSlack.ben}>`);
    expect(asked).not.toContain(onSlack.dora);
    expect(slack.buzzes.map(({ userId }) => userId)).toEqual([onSlack.ana, onSlack.ben]);
    const told = slackWorld.events.filter(({ event }) => event === "slack.account-inactive");
    expect(told.map(({ fields }) => fields["account"])).toEqual([`slack:${onSlack.dora}`]);
  });

  it("mentions who is on duty where Slack does not say how their account is", async () => {
    const slackWorld = await onSlack.slackWorld({ environment: { COS_ON_DUTY: `slack:${onSlack.dora}` } });
    world = slackWorld;
    const { slack } = slackWorld;
    slack.faults.always({ method: "users.info", matches: () => true, fault: { type: "limit", seconds: 60 } });
    await ask("Round prices up");

    expect(wordsOf(slack.message("Checkpoint").blocks)).toContain(`<@${onSlack.dora}>`);
  });

  it("mentions the approvers who are there, in Discord", async () => {
    const left = "800000000000000099";
    const discordWorld = await onDiscord.discordWorld({
      environment: {
        COS_APPROVERS: [onDiscord.ana, left, onDiscord.ben].map((id) => `discord:${id}`).join(","),
        COS_ON_DUTY: `discord:${left}`,
      },
    });
    world = discordWorld;
    await ask("Round prices up");

    const { content, mentions } = discordWorld.discord.message("Checkpoint");
    expect(content).toContain(`<@${onDiscord.ana}> <@${onDiscord.ben}>`);
    expect(content).not.toContain(left);
    expect(mentions).toMatchObject({ users: [onDiscord.ana, onDiscord.ben] });
  });
});
