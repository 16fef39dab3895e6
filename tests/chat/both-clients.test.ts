// The first client that is loaded decides who sends what the process asks of the network.
import "@slack/bolt";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openMessages } from "../../src/chat/discord/messages.ts";
import { openDiscordRest } from "../../src/chat/discord/rest.ts";
import { parseConfig } from "../../src/config.ts";
import { pictureBelow } from "../../src/core/cards/picture.ts";
import { type FakeDiscord, homeChannel, startDiscord } from "../fakes/discord/server.ts";
import { everyCard } from "./every-card.ts";

let discord: FakeDiscord;
beforeEach(async () => {
  discord = await startDiscord();
});
afterEach(() => discord.close());

it("a picture reaches Discord from a bot that is in Slack too", async () => {
  const parsed = parseConfig(discord.settings);
  if (parsed.type === "invalid" || parsed.config.discord === null) throw new Error("not configured");
  const rest = openDiscordRest(parsed.config.discord, { waits: false });
  const messages = openMessages({ rest, zone: "UTC", permalink: () => () => null, onCall: () => undefined });
  const whole = everyCard("Round prices up", 1)["weekly"];
  const card = whole === undefined ? null : pictureBelow(whole).below;
  if (card === null) throw new Error("no picture");
  const picture = { draw: async () => Buffer.from("png"), keep: async () => undefined };
  const post = { channel: homeChannel, key: "cos-1", version: 1, threadAddress: null, card, addresses: {}, picture };

  expect(await messages.post({ ...post, plain: false })).toMatchObject({ type: "shown" });

  expect(discord.messages().map((each) => each.attachments.length)).toEqual([1]);
});
