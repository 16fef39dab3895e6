import { afterEach, describe, expect, it } from "vitest";
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
