import { afterEach, describe, expect, it } from "vitest";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { eventually } from "../fakes/bot.ts";
import { homeChannel as ofDiscord } from "../fakes/discord/server.ts";
import { discordWorld } from "../fakes/discord/world.ts";
import { homeChannel as ofSlack } from "../fakes/slack/server.ts";
import { slackWorld } from "../fakes/slack/world.ts";

/** A proxy or a firewall answers in a platform's place, with a page of its own. */

type World = Awaited<ReturnType<typeof slackWorld | typeof discordWorld>>;

let world: World;
afterEach(() => world.close());

const reasons = () =>
  world.events.filter(({ event }) => event === "post.put-off").map(({ fields }) => String(fields["reason"]));

async function want(platform: "slack" | "discord", subject: string): Promise<void> {
  const card = plainCard({
    kind: "notice",
    tone: "neutral",
    title: subject,
    summary: subject,
    blocks: [text(subject)],
  });
  const channel = { platform, channel: platform === "slack" ? ofSlack : ofDiscord };
  const wanted = [{ subject, threadSubject: null, card, urgent: true }];
  await putMessages(world.deps.database.db, [channel], wanted, world.deps.now());
}

/** Delivers while the hand-set clock runs. */
async function show(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await world.show();
    world.advance(60_000);
  }
}

describe("a page of something else is no answer of", () => {
  it.each([200, 403])("Slack (HTTP %d): no card is given up, nor taken to be posted", async (status) => {
    const opened = await slackWorld();
    world = opened;
    opened.slack.faults.always({
      method: "chat.postMessage",
      matches: () => true,
      fault: { type: "page", status },
    });
    await want("slack", "first");
    await show(3);
    opened.slack.faults.always(null);
    await show(2);

    expect(opened.slack.messages().map((message) => message.text)).toEqual(["first"]);
    expect(reasons()[0]).toBe(`something on the way answered, with HTTP ${status}`);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it.each([200, 403])("Discord (HTTP %d): no card is given up, nor taken to be posted", async (status) => {
    const opened = await discordWorld();
    world = opened;
    opened.discord.faults.always({ name: "post", matches: () => true, fault: { type: "page", status } });
    await want("discord", "first");
    await show(3);
    opened.discord.faults.always(null);
    await show(2);

    expect(opened.discord.messages().map((message) => message.content)).toEqual(["**first**"]);
    expect(reasons()[0]).toBe(`something on the way answered, with HTTP ${status}`);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it("and one card that it never lets through holds no other", async () => {
    const opened = await slackWorld();
    world = opened;
    opened.slack.faults.always({
      method: "chat.postMessage",
      matches: (given) => String(given["text"]).includes("poison"),
      fault: { type: "page", status: 403 },
    });
    await want("slack", "poison");
    await want("slack", "after it");
    await world.show();
    expect(opened.slack.messages().map((message) => message.text)).toEqual(["after it"]);
    await eventually("the end", async () => {
      await show(1);
      return (await undeliverableMessages(world.deps.database.db)).length > 0;
    });

    expect((await undeliverableMessages(world.deps.database.db)).map(({ subject }) => subject)).toEqual(["poison"]);
  });
});

describe("a limit that names no time", () => {
  it("in Slack and in Discord holds for a second", async () => {
    const slack = await slackWorld();
    world = slack;
    slack.slack.faults.next("chat.postMessage", { type: "limit", seconds: 0 });
    await want("slack", "first");
    await world.show();
    const pauses = world.events.filter(({ event }) => event === "post.put-off").map(({ fields }) => fields["pauseMs"]);
    await slack.close();
    const discord = await discordWorld();
    world = discord;
    discord.discord.faults.next("post", { type: "page", status: 429 });
    await want("discord", "first");
    await world.show();
    pauses.push(...world.events.filter(({ event }) => event === "post.put-off").map(({ fields }) => fields["pauseMs"]));

    expect(pauses).toEqual([1_000, 1_000]);
  });
});

describe("whether Discord is well", () => {
  it("is not waited for where it limits the question", async () => {
    const opened = await discordWorld();
    world = opened;
    opened.discord.faults.next("me", { type: "limit", seconds: 3_600 });

    expect(await world.platform.isWell()).toBe(false);
  });
});
