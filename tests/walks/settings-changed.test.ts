import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { homeChannel, wordsOf } from "../fakes/slack/server.ts";
import { type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Settings are others when the bot starts again: what is open says what holds now. */

const worlds: SlackWorld[] = [];
afterEach(async () => {
  for (const each of worlds.splice(0).reverse()) await each.close();
});

/** A bot on the same database and the same Slack as the one before, which has ended. */
async function start(needed: number): Promise<SlackWorld> {
  const [first] = worlds;
  const before = worlds.at(-1);
  await before?.stopDelivery();
  await before?.platform.stop();
  const same = first === undefined ? {} : { slack: first.slack, through: async () => first.databaseUrl };
  const environment = {
    COS_APPROVERS: "slack:U0ANA,slack:U0BEN,slack:U0EVE",
    COS_QUORUM: `ux=${needed}`,
  };
  const world = await slackWorld({ ...same, environment });
  worlds.push(world);
  await world.show();
  return world;
}

describe("a question that several people have to agree to", () => {
  it("shows how many have to by the settings of now, after a start with others [F-411]", async () => {
    const first = await start(2);
    await first.repository();
    await first.command("goal", "add", "One", "--run", "true", "--tag", "ui");
    await first.command("autopilot", "start");
    await first.work();
    await first.show();
    expect(wordsOf([...first.slack.message("Checkpoint").blocks])).toContain("0 of 2");

    const next = await start(3);

    await eventually("the new tally", async () => {
      await next.show();
      return wordsOf([...next.slack.message("Checkpoint").blocks]).includes("0 of 3");
    });
    expect(next.slack.messages(homeChannel).filter(({ text }) => text.startsWith("Checkpoint"))).toHaveLength(1);
  });
});
