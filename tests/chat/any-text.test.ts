import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webApi } from "@slack/bolt";
import { REST } from "discord.js";
import { describe, expect, it } from "vitest";
import { drawPlain, drawPosted as drawInDiscord } from "../../src/chat/discord/draw.ts";
import { openMessages as openInDiscord } from "../../src/chat/discord/messages.ts";
import type { Post } from "../../src/chat/platform.ts";
import { drawPosted as drawInSlack } from "../../src/chat/slack/draw.ts";
import { openMessages as openInSlack } from "../../src/chat/slack/messages.ts";
import { webhookPlatform } from "../../src/chat/webhook/platform.ts";
import { drawCard as drawInConsole } from "../../src/console/draw.ts";
import { type Card, plainCard } from "../../src/core/cards/card.ts";
import { isoSentence, momentText, plainSentence } from "../../src/core/cards/times-in.ts";
import { cleanText } from "../../src/core/text.ts";
import { everyCard } from "./every-card.ts";

/** No text of a goal, an agent or a person makes any drawing of any card throw. */

const texts: readonly string[] = [
  "Accept the leap second 2016-12-31T23:59:60Z in the parser",
  "0000-00-00T00:00:00Z",
  "2026-13-45T25:61:61Z and 2026-02-30T12:00:00.000Z",
  "x2026-01-01T24:00:00Z-2026-01-01T99:99:99.999Z",
  "\uD83D half a character \uDC00 \u0000 \uFFFF",
  "{} ${x} %s %d __proto__ constructor toString",
  "NaN null undefined -1 1e999 $Infinity",
  "%E0%A4%A ../../.. http://[::1 goal-00000000 cp-00000000.1",
  "(((((((((( [[[[[[[[[[ \\\\\\\\ ****",
];

const zone = "Europe/Berlin";
const words = { zone, permalink: () => null };
const drawing = { zone, csrf: "csrf", back: "/" };
const onPage = { elementId: "a", changed: 0, at: new Date(0), isReply: false, isBrief: true };

const drawings: Readonly<Record<string, (card: Card) => unknown>> = {
  Slack: (card) => drawInSlack(card, "cos-1", words),
  "Slack, in plain words": (card) => plainSentence(card.summary, zone),
  Discord: (card) => drawInDiscord(card, () => null, "cos-1"),
  "Discord, in plain words": (card) => drawPlain(card, zone, "cos-1"),
  "The console": (card) => drawInConsole({ ...onPage, card }, drawing),
};

function troubleOf(draw: () => unknown): string | null {
  try {
    draw();
    return null;
  } catch (error) {
    return String(error);
  }
}

describe.each(Object.entries(drawings))("%s", (_where, draw) => {
  it.each(texts)("draws every card of the text %j", (text) => {
    const wrong = Object.entries(everyCard(text, 2)).flatMap(([kind, card]) => {
      const trouble = troubleOf(() => draw(card));
      return trouble === null ? [] : [`${kind}: ${trouble}`];
    });

    expect(wrong).toEqual([]);
  });
});

const said = "2026-03-29T01:30:00.000Z, 2026-03-29T01:30:00Z, not 2016-12-31T23:59:60Z";

it("a moment of ours is drawn for each reader, and one that somebody wrote stays as it was written", () => {
  const sentence = `Read ${said} by ${momentText(new Date("2026-01-27T09:00:00Z"))}, or not`;

  expect(plainSentence(sentence, zone)).toBe(`Read ${said} by 2026-01-27 10:00 Europe/Berlin, or not`);
  expect(isoSentence(sentence)).toBe(`Read ${said} by 2026-01-27T09:00:00.000Z, or not`);
});

it("what others write holds no mark of ours, so that no time of theirs passes for one", () => {
  expect(cleanText(`Read it by ${momentText(new Date("2026-01-27T09:00:00Z"))}`)).toBe(
    "Read it by 2026-01-27T09:00:00.000Z",
  );
});

it("a program that cards are posted to reads its moments as ISO 8601, with nothing around them", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (part) => bodies.push(String(part)));
    request.on("end", () => response.end('{"address":"1"}'));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const summary = `Answer by ${momentText(new Date("2026-01-27T09:00:00Z"))}.`;
  const card = plainCard({ kind: "notice", tone: "neutral", title: "Night", summary, blocks: [] });
  await webhookPlatform(`http://127.0.0.1:${port}`).post({
    channel: "1",
    key: "cos-1",
    version: 1,
    threadAddress: null,
    card,
    plain: false,
    addresses: {},
  });
  server.close();

  expect(JSON.parse(bodies.join("")).card.summary).toBe("Answer by 2026-01-27T09:00:00.000Z.");
});

it.each(["Slack", "Discord"])("no card in %s rewrites a time that somebody wrote", (where) => {
  const wrong = Object.entries(everyCard(said, 2)).flatMap(([kind, card]) => {
    const drawn = JSON.stringify(drawings[where]?.(card));
    return /<!date\^1774747800|<t:1774747800/.test(drawn) ? [kind] : [];
  });

  expect(wrong).toEqual([]);
});

describe("a card that cannot be drawn is refused alone, and the connection is not called", () => {
  const blocks = [{ type: "text" as const, text: [{ at: "no moment" }] }];
  const card = plainCard({ kind: "notice", tone: "neutral", title: "Night", summary: "It begins.", blocks });
  const post: Post = { channel: "1", key: "cos-1", version: 1, threadAddress: null, card, plain: false, addresses: {} };
  const never = (): never => {
    throw new Error("called");
  };
  const refused = { type: "rejected", reason: expect.stringContaining("cannot be drawn") };

  it("in Slack", async () => {
    const client = new webApi.WebClient("xoxb-none", { slackApiUrl: "http://127.0.0.1:9/" });
    const messages = openInSlack({ client, channelId: async () => "C1", words: () => words, onCall: never });

    expect(await messages.post(post)).toEqual(refused);
    expect(await messages.update("C1/1.2", post)).toEqual(refused);
  });

  it("in Discord", async () => {
    // A time that there is not is no trouble there; where links lead may be.
    const messages = openInDiscord({ rest: new REST(), zone, permalink: () => never(), onCall: () => never() });

    expect(await messages.post(post)).toEqual(refused);
    expect(await messages.update("1/2", post)).toEqual(refused);
  });
});
