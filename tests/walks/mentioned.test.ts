import { afterEach, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { botId } from "../fakes/discord/guild.ts";
import { ana as anaInDiscord, type DiscordWorld, discordWorld } from "../fakes/discord/world.ts";
import { botUserId } from "../fakes/slack/workspace.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** What people write to the bot where it reads nothing. */

let world: SlackWorld | DiscordWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const isRead = "Nothing was done: in the channel I read commands, and in the threads of my cards replies.";
const general = `${isRead}\nTo add a goal: \`/cos goal add TEXT\`\nAll that I can do: \`/cos help\``;
const us = `<@${botUserId}>`;

it("who speaks to it at the top of a channel of Slack is told privately how a goal is added, once", async () => {
  const there = await slackWorld();
  world = there;
  const told = () => there.slack.ephemerals.map(({ userId, text }) => ({ userId, text }));

  await there.slack.people.write(ana, "nobody is spoken to");
  await there.slack.people.write(ana, `${us} please add a goal: round up`, { times: 2 });
  await eventually("the answer", async () => told().length === 1);
  await there.slack.people.write(ana, `${us} goal add "Round &lt;up&gt;"`);
  await eventually("the line to type", async () => told().length === 2);

  expect(told()).toEqual([
    { userId: ana, text: general },
    { userId: ana, text: `${isRead}\nNext: \`/cos goal add "Round &lt;up&gt;"\`` },
  ]);
});

it("who speaks to it in somebody else's thread is told there, and nobody who does not", async () => {
  const there = await slackWorld();
  world = there;
  const root = await there.slack.people.write(ana, "we talk");
  await there.slack.people.write(ana, "of everything", { below: root });
  await there.slack.people.write(ana, `and ${us} may know`, { below: root });
  await eventually("the answer", async () => there.slack.ephemerals.length > 0);

  expect(there.slack.ephemerals.map(({ text }) => text)).toEqual([general]);
});

it("who speaks to it in a channel of Discord is told in a direct message, once", async () => {
  const there = await discordWorld();
  world = there;
  const told = () => there.discord.messages(anaInDiscord);

  await there.discord.people.write(anaInDiscord, "nobody is spoken to");
  await there.discord.people.write(anaInDiscord, `<@${botId}> make me a goal please`, { times: 2 });
  await eventually("the answer", async () => told().length === 1);
  await there.discord.people.write(anaInDiscord, `<@${botId}> status`);
  await eventually("the line to type", async () => told().length === 2);

  const words = told().map(({ content }) => content);
  expect(words[0]).toBe(general);
  expect(words[1]).toBe(`${isRead}\nNext: \`/cos status\``);
});

it("is marked in Discord where its writer takes no direct messages", async () => {
  const there = await discordWorld();
  world = there;
  const closed = { type: "error", status: 403, code: 50007, message: "Cannot send messages to this user" } as const;
  there.discord.faults.always({ name: "direct", matches: () => true, fault: closed });

  const said = await there.discord.people.write(anaInDiscord, `<@!${botId}> hello`);
  await eventually("the mark", async () => there.discord.reactions.length === 1);

  expect(there.discord.reactions).toEqual([{ id: said.id, emoji: "🚫" }]);
});
