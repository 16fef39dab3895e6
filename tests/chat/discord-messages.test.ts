import { MessageReferenceType } from "discord.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openMessages } from "../../src/chat/discord/messages.ts";
import { usedPermissions } from "../../src/chat/discord/permissions.ts";
import { codeOf, openDiscordRest } from "../../src/chat/discord/rest.ts";
import { openRoots } from "../../src/chat/discord/roots.ts";
import type { Post } from "../../src/chat/platform.ts";
import { parseConfig } from "../../src/config.ts";
import { plainCard } from "../../src/core/cards/card.ts";
import { pictureBelow } from "../../src/core/cards/picture.ts";
import { everyPermission } from "../fakes/discord/routes.ts";
import { type FakeDiscord, homeChannel, startDiscord } from "../fakes/discord/server.ts";
import { everyCard } from "./every-card.ts";

let discord: FakeDiscord;
beforeEach(async () => {
  discord = await startDiscord();
});
afterEach(() => discord.close());

it("a reply in a thread of a channel that was left, or to a message there, is under that message [F-403]", async () => {
  const parsed = parseConfig(discord.settings);
  if (parsed.type === "invalid" || parsed.config.discord === null) throw new Error("not configured");
  const settings = { ...parsed.config.discord, channelId: "900000000000000009" };
  const rest = openDiscordRest(parsed.config.discord, { waits: false });
  const messages = openMessages({ rest, zone: "UTC", permalink: () => () => null, onCall: () => undefined });
  const card = plainCard({ kind: "notice", tone: "neutral", title: "Night", summary: "It begins.", blocks: [] });
  const post = { channel: homeChannel, version: 1, card, plain: false, addresses: {} };
  const root = await messages.post({ ...post, key: "cos-1", threadAddress: null });
  if (root.type !== "shown") throw new Error("not posted");
  await messages.post({ ...post, key: "cos-2", threadAddress: root.address });
  const id = root.address.slice(homeChannel.length + 1);
  const roots = openRoots({ rest, settings, log: () => undefined });
  const message_reference = { type: MessageReferenceType.Default, channel_id: homeChannel, message_id: id };

  expect(await roots.rootOf({ channel_id: id })).toBe(root.address);
  expect(await roots.rootOf({ channel_id: homeChannel, message_reference })).toBe(root.address);
  expect(await roots.rootOf({ channel_id: homeChannel })).toBeNull();
  const forwarded = { ...message_reference, type: MessageReferenceType.Forward };
  expect(await roots.rootOf({ channel_id: homeChannel, message_reference: forwarded })).toBeNull();
  expect(await roots.rootOf({ channel_id: settings.channelId, message_reference })).toBe(`${settings.channelId}/${id}`);
});

it("a picture that the channel does not let in is refused, so that its words are shown, and the connection is well", async () => {
  const parsed = parseConfig(discord.settings);
  if (parsed.type === "invalid" || parsed.config.discord === null) throw new Error("not configured");
  const rest = openDiscordRest(parsed.config.discord, { waits: false });
  const told: unknown[] = [];
  const onCall = (error: unknown) => void told.push(codeOf(error));
  const messages = openMessages({ rest, zone: "UTC", permalink: () => () => null, onCall });
  const whole = everyCard("Round prices up", 1)["weekly"];
  const card = whole === undefined ? null : pictureBelow(whole).below;
  if (card === null) throw new Error("no picture");
  discord.faults.permissions(everyPermission & ~usedPermissions["Attach Files"]);
  const picture = { draw: async () => Buffer.from("png"), keep: async () => undefined };
  const post = { channel: homeChannel, key: "cos-1", version: 1, threadAddress: null, card, addresses: {}, picture };

  const refused = await messages.post({ ...post, plain: false });

  expect(refused).toMatchObject({ type: "rejected", reason: expect.stringContaining("attach files") });
  expect(told).toEqual([null]);
  expect(await messages.post({ ...post, plain: true })).toMatchObject({ type: "shown" });
});

it("a message whose answer was lost is found among ours only, whatever another bot repeats", async () => {
  const parsed = parseConfig(discord.settings);
  if (parsed.type === "invalid" || parsed.config.discord === null) throw new Error("not configured");
  const rest = openDiscordRest(parsed.config.discord, { waits: false });
  const messages = openMessages({ rest, zone: "UTC", permalink: () => () => null, onCall: () => undefined });
  const card = plainCard({ kind: "notice", tone: "neutral", title: "Night", summary: "It begins.", blocks: [] });
  const post: Post = {
    channel: homeChannel,
    key: "cos-1",
    version: 1,
    threadAddress: null,
    card,
    plain: false,
    addresses: {},
  };
  const since = new Date();

  const posted = await messages.post(post);
  const [ours] = discord.messages();
  if (ours === undefined) throw new Error("nothing was posted");
  discord.people.repeat(ours);
  expect(await messages.find(post, since)).toEqual({
    type: "found",
    address: posted.type === "shown" ? posted.address : "",
    isPicture: false,
  });
  await discord.people.remove(ours);

  expect(await messages.find(post, since)).toEqual({ type: "absent" });
  expect(discord.calls.filter(({ name }) => name === "me").length).toBe(1);
});
