import { afterEach, beforeEach, expect, it } from "vitest";
import { openMessages } from "../../src/chat/discord/messages.ts";
import { openRest } from "../../src/chat/discord/rest.ts";
import type { Post } from "../../src/chat/platform.ts";
import { parseConfig } from "../../src/config.ts";
import { plainCard } from "../../src/core/cards/card.ts";
import { type FakeDiscord, homeChannel, startDiscord } from "../fakes/discord/server.ts";

let discord: FakeDiscord;
beforeEach(async () => {
  discord = await startDiscord();
});
afterEach(() => discord.close());

it("a message whose answer was lost is found among ours only, whatever another bot repeats", async () => {
  const parsed = parseConfig(discord.settings);
  if (parsed.type === "invalid" || parsed.config.discord === null) throw new Error("not configured");
  const rest = openRest(parsed.config.discord, { waits: false });
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
