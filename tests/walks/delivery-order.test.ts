import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type CardBlock, type CardTone, plainCard, text } from "../../src/core/cards/card.ts";
import type { Db } from "../../src/db/connection/client.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { messages } from "../../src/db/schema/index.ts";
import { metricsText } from "../../src/console/metrics.ts";
import { startDelivery } from "../../src/delivery/delivery.ts";
import { eventually } from "../fakes/bot.ts";
import { readExposition } from "../fakes/exposition.ts";
import { weekWith } from "../fakes/facts.ts";
import { type Fault, homeChannel } from "../fakes/slack/server.ts";
import { type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** What waits in a channel, and what does not wait for it: the real platform against a server shaped like Slack. */

const channel = { platform: "slack", channel: homeChannel };
const minuteMs = 60_000;

let world: SlackWorld;
const worlds: SlackWorld[] = [];
afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

async function open(options: Parameters<typeof slackWorld>[0] = {}): Promise<void> {
  world = await slackWorld(options);
  worlds.push(world);
}

interface Wanted {
  readonly thread?: string;
  readonly tone?: CardTone;
  readonly urgent?: boolean;
  readonly blocks?: readonly CardBlock[];
}

/** Until every notification that was sent so far has been heard: they come in the order of their commits. */
async function heardAll(): Promise<void> {
  const { database, signals } = world.deps;
  const heard = new Promise<true>((resolve) => {
    signals.on((signal) => signal.type === "answered" && signal.checkpointId === "marker" && resolve(true));
  });
  await eventually("the last notification", async () => {
    await database.db.execute("select pg_notify('cos', 'answered marker')");
    return await Promise.race([heard, sleep(100, false)]);
  });
}

async function want(subject: string, title: string, wanted: Wanted = {}, tx?: Db): Promise<void> {
  const { thread = null, tone = "neutral", urgent = true, blocks = [text(title)] } = wanted;
  const card = plainCard({ kind: "notice", tone, title, summary: title, blocks });
  const message = { subject, threadSubject: thread, card, urgent };
  await putMessages(tx ?? world.deps.database.db, [channel], [message], world.deps.now());
}

/** A picture and nothing else, as the weekly's chart is one. */
async function wantPicture(subject: string, thread?: string): Promise<void> {
  const week = weekWith({ from: "2026-01-19", to: "2026-01-25", zone: "UTC" });
  const block = { type: "picture" as const, picture: { type: "week" as const, week }, words: "nothing was done" };
  await want(subject, subject, { blocks: [block], ...(thread === undefined ? {} : { thread }) });
}

/** Delivers while the hand-set clock runs, until the condition holds. */
async function showUntil(what: string, holds: () => boolean | Promise<boolean>, stepMs = 1000): Promise<void> {
  await eventually(what, async () => {
    await world.show();
    if (await holds()) return true;
    world.advance(stepMs);
    return false;
  });
}

/** Delivers for this long by the hand-set clock. */
async function showFor(ms: number, stepMs = 1000): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    world.advance(stepMs);
    await world.show();
  }
}

async function lag(): Promise<number | undefined> {
  const { samples } = readExposition(await metricsText(world.deps)).get("cos_messages_lag_seconds") ?? {};
  return samples?.get('cos_messages_lag_seconds{platform="slack"}');
}

const texts = (): string[] => world.slack.messages().map((message) => message.text);
const pictures = () => world.slack.messages().filter((message) => message.files.length > 0);
const callsOf = (method: string) => world.slack.calls.filter((call) => call.method === method);
const sharesOf = () => callsOf("files.completeUploadExternal").filter((call) => call.outcome !== "ratelimited");
const numbered = (words: string): string[] => Array.from({ length: 150 }, (_, index) => `${words} ${index}`);
const isAbout =
  (words: string) =>
  (given: Record<string, unknown>): boolean =>
    String(given["text"]).includes(words);

describe("what is held is not in the way of what is not", () => {
  it("[F-124] 150 cards that wait for the end of quiet hours, which then come in their order", async () => {
    await open({ environment: { COS_QUIET_HOURS: "08:00-10:00" } });
    const held = numbered("held");
    for (const title of held) await want(title, title, { tone: "asking" });
    await want("newer", "newer");
    await world.show();
    expect(texts()).toEqual(["newer"]);

    world.advance(60 * minuteMs);
    await world.show();

    expect(texts()).toEqual(["newer", ...held]);
  });

  it("and is not late, to who reads /metrics, before quiet hours end", async () => {
    await open({ environment: { COS_QUIET_HOURS: "08:00-10:00" } });
    await world.stopDelivery();
    await want("asks", "asks", { tone: "asking" });
    await want("asks.why", "why", { thread: "asks" });
    await want("more", "more", { thread: "standing" });
    await want("more.asks", "more asks", { thread: "standing", tone: "bad" });
    await want("more.behind", "behind", { thread: "standing" });
    world.advance(30 * minuteMs);
    expect(await lag()).toBe(30 * 60);
    const next = startDelivery({ ...world.deps, channels: [channel] }, [world.platform], world.databaseUrl);
    try {
      await next.deliver();
      expect(texts()).toEqual(["more"]);
      expect(await lag()).toBe(0);

      world.advance(32 * minuteMs);
      expect(await lag()).toBe(2 * 60);
      await eventually("all of them", async () => {
        await next.deliver();
        world.advance(1000);
        return texts().length === 5;
      });
      expect(await lag()).toBe(0);
    } finally {
      await next.stop();
    }
  });

  it("is late from when it was wanted, however often its platform fails at it", async () => {
    await open();
    world.slack.faults.always({ method: "chat.postMessage", matches: isAbout("poison"), fault: { type: "500" } });
    await want("poison", "poison");
    await showFor(10 * minuteMs, 10_000);

    expect(await lag()).toBe(10 * 60);
  });

  it("[F-124] 150 cards whose progress waits for its interval", async () => {
    await open();
    const cards = numbered("card");
    for (const title of cards) await want(title, title);
    await world.show();
    for (const title of cards) await want(title, `${title} at work`, { urgent: false });
    await want("newer", "newer");
    await world.show();
    expect(texts()).toEqual([...cards, "newer"]);

    world.advance(world.deps.policy.delivery.progressEveryMs);
    await world.show();

    expect(texts()).toEqual([...cards.map((title) => `${title} at work`), "newer"]);
  });

  it("[F-124] 150 replies whose parent is held", async () => {
    await open({ environment: { COS_QUIET_HOURS: "08:00-10:00" } });
    const replies = numbered("reply");
    await want("parent", "parent", { tone: "bad" });
    for (const title of replies) await want(title, title, { thread: "parent" });
    await want("newer", "newer");
    await world.show();
    expect(texts()).toEqual(["newer"]);

    world.advance(60 * minuteMs);
    await world.show();

    expect(texts()).toEqual(["newer", "parent", ...replies]);
    const [parent] = world.slack.messages().filter((message) => message.text === "parent");
    expect(
      new Set(
        world.slack
          .messages()
          .slice(2)
          .map((message) => message.threadTs),
      ),
    ).toEqual(new Set([parent?.ts]));
  });

  it("[F-124] 150 cards that Slack put off", async () => {
    await open();
    // In one transaction: delivery may look at any moment, and sees them only as they were put off.
    await world.deps.database.transaction(async (tx) => {
      for (const title of numbered("put off")) await want(title, title, {}, tx);
      await tx.update(messages).set({ notBefore: new Date(world.deps.now().getTime() + minuteMs) });
    });
    await want("newer", "newer");
    await world.show();

    expect(texts()).toEqual(["newer"]);
  });

  it("an idle pass asks one statement, whatever is held", async () => {
    await open({
      environment: { COS_QUIET_HOURS: "08:00-10:00" },
      policy: (policy) => ({ ...policy, delivery: { ...policy.delivery, fallbackMs: 3_600_000, chatEveryMs: 0 } }),
    });
    for (const title of numbered("held")) await want(title, title, { tone: "asking" });
    // One that comes while a pass is under way causes one more.
    await heardAll();
    await world.show();
    const { pool } = world.deps.database;
    const asked: string[] = [];
    pool.on("acquire", () => asked.push("acquired"));

    await world.show();

    expect(asked.length).toBe(1);
  });
});

describe("what belongs together keeps its order", () => {
  it("[F-124] a thread waits for its first unposted message, and only that thread", async () => {
    await open();
    await want("root", "root");
    await world.show();
    world.slack.faults.always({
      method: "chat.postMessage",
      matches: isAbout("one of the thread"),
      fault: { type: "500" },
    });
    await want("t1", "one of the thread", { thread: "root" });
    await want("t2", "two of the thread", { thread: "root" });
    await want("other", "other");
    await want("root", "root, changed");
    await world.show();
    expect(texts()).toEqual(["root, changed", "other"]);

    world.slack.faults.always(null);
    await showUntil("the thread", () => texts().length === 4);

    expect(texts()).toEqual(["root, changed", "other", "one of the thread", "two of the thread"]);
  });

  it("[F-124] a reply under a card that Slack does not take any more changes of stays in its thread", async () => {
    await open();
    await want("root", "root");
    await world.show();
    world.slack.faults.always({
      method: "chat.update",
      matches: () => true,
      fault: { type: "error", error: "msg_too_long" },
    });
    await want("root", "root, changed");
    await world.show();
    await want("reply", "reply", { thread: "root" });
    await world.show();

    expect(world.slack.message("reply").threadTs).toBe(world.slack.message("root").ts);
  });
});

describe("one card that Slack cannot take now", () => {
  it("[F-124] lets everything behind it go at once, and is given up by itself", async () => {
    await open();
    world.slack.faults.always({ method: "chat.postMessage", matches: isAbout("poison"), fault: { type: "500" } });
    await want("a", "poison");
    for (const title of numbered("behind")) await want(title, title);
    await world.show();
    expect(texts()).toEqual(numbered("behind"));

    await showUntil("the end", async () => (await undeliverableMessages(world.deps.database.db)).length > 0, 10_000);

    expect(await undeliverableMessages(world.deps.database.db)).toMatchObject([{ subject: "a" }]);
    expect(texts()).toEqual(numbered("behind"));
  });

  it("[F-124] is looked for when its answer was lost and the look is limited, while others go", async () => {
    await open();
    world.slack.faults.next("chat.postMessage", { type: "lost", by: "500" });
    world.slack.faults.next("conversations.history", { type: "limit", seconds: 300 });
    await want("a", "first");
    await world.show();
    world.advance(1500);
    await want("b", "second");
    await world.show();
    expect(texts()).toEqual(["first", "second"]);
    await showFor(10 * minuteMs, 30_000);

    expect(texts()).toEqual(["first", "second"]);
    expect(callsOf("conversations.history").length).toBe(2);
    const { rows } = await world.deps.database.pool.query("select 1 from cos.messages where posted_version = version");
    expect(rows.length).toBe(2);
  });

  it("[F-124] is never posted twice because looking for it failed again and again", async () => {
    await open();
    world.slack.faults.next("chat.postMessage", { type: "lost", by: "500" });
    world.slack.faults.next("conversations.history", ...Array.from({ length: 20 }, (): Fault => ({ type: "500" })));
    await want("a", "first");
    await showUntil("the address", async () => {
      const { rows } = await world.deps.database.pool.query("select 1 from cos.messages where posted_version = 1");
      return rows.length === 1;
    });

    expect(texts()).toEqual(["first"]);
  });
});

describe("a whole channel that cannot take anything now", () => {
  it("[F-124] waits as long as a limit says, in the next process too", async () => {
    await open();
    world.slack.faults.next("chat.postMessage", { type: "limit", seconds: 300 });
    await want("a", "first");
    await want("b", "second");
    await world.show();
    expect(callsOf("chat.postMessage").length).toBe(1);
    await world.stopDelivery();
    const next = startDelivery({ ...world.deps, channels: [channel] }, [world.platform], world.databaseUrl);
    try {
      world.advance(299_000);
      await next.deliver();
      expect(callsOf("chat.postMessage").length).toBe(1);
      world.advance(1000);
      await eventually("both", async () => {
        await next.deliver();
        return texts().length === 2;
      });
    } finally {
      await next.stop();
    }

    expect(texts()).toEqual(["first", "second"]);
  });

  it("[F-124] gives no card up while Slack fails at the only one there is", async () => {
    await open();
    world.slack.faults.always({ method: "chat.postMessage", matches: () => true, fault: { type: "500" } });
    await want("a", "first");
    await showFor(60 * minuteMs, 30_000);
    world.slack.faults.always(null);
    await showUntil("the card", () => texts().length > 0);

    expect(texts()).toEqual(["first"]);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it("[F-124] is asked once a round while Slack fails at everything, and no card is given up for it", async () => {
    await open();
    const titles = numbered("card");
    world.slack.faults.always({ method: "chat.postMessage", matches: () => true, fault: { type: "500" } });
    for (const title of titles) await want(title, title);
    await world.show();
    expect(callsOf("chat.postMessage").length).toBe(2);
    await showFor(60 * minuteMs, 30_000);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
    expect(callsOf("chat.postMessage").length).toBeLessThan(130);

    world.slack.faults.always(null);
    await showUntil("all", () => texts().length >= titles.length);

    expect(texts().toSorted()).toEqual(titles.toSorted());
    const { rows } = await world.deps.database.pool.query("select 1 from cos.messages where plain");
    expect(rows).toEqual([]);
  });

  it("[F-124] one failure after a long absence is not taken for the last of many", async () => {
    await open();
    world.slack.faults.next(
      "chat.postMessage",
      ...Array.from({ length: 12 }, (): Fault => ({ type: "limit", seconds: 5 })),
      { type: "500" },
    );
    await want("a", "first");
    await showUntil("the card", () => texts().length > 0);

    expect(texts()).toEqual(["first"]);
    const { rows } = await world.deps.database.pool.query("select plain from cos.messages");
    expect(rows).toEqual([{ plain: false }]);
  });
});

describe("a picture that is put off", () => {
  const again = (fault: Fault, times: number): Fault[] => Array.from({ length: times }, () => fault);
  const faults: [string, string, Fault[]][] = [
    ["no address is given (limit)", "files.getUploadURLExternal", again({ type: "limit", seconds: 20 }, 12)],
    ["no address is given (500)", "files.getUploadURLExternal", again({ type: "500" }, 5)],
    ["no address is given (cut)", "files.getUploadURLExternal", again({ type: "lost", by: "cut" }, 12)],
    ["its bytes are limited", "upload", again({ type: "limit", seconds: 20 }, 5)],
    ["its bytes do not arrive", "upload", again({ type: "lost", by: "cut" }, 5)],
    ["its share is limited", "files.completeUploadExternal", again({ type: "limit", seconds: 20 }, 12)],
    ["its share is not carried out", "files.completeUploadExternal", again({ type: "500" }, 5)],
    [
      "its share fails for now",
      "files.completeUploadExternal",
      again({ type: "error", error: "file_update_failed" }, 5),
    ],
    ["its share's answer is lost (500)", "files.completeUploadExternal", again({ type: "lost", by: "500" }, 1)],
    ["the look for it is limited", "conversations.history", again({ type: "limit", seconds: 20 }, 12)],
    ["the look for it fails", "conversations.history", again({ type: "500" }, 12)],
  ];
  it.each(faults)(
    "[F-124] %s, again and again: cards behind it go at once; it is there once",
    async (_name, method, many) => {
      await open();
      world.slack.faults.next(method, ...many);
      await wantPicture("chart");
      await want("behind", "behind");
      await world.show();
      expect(texts().filter((each) => each === "behind")).toEqual(["behind"]);
      for (let index = 0; pictures().length === 0; index += 1) {
        await want(`card ${index}`, `card ${index}`);
        await world.show();
        expect(texts()).toContain(`card ${index}`);
        world.advance(10_000);
      }
      await showFor(5 * minuteMs, 5000);

      expect(pictures().length).toBe(1);
      expect(texts().filter((each) => each.includes("nothing was done"))).toEqual([]);
      expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
      const { rows } = await world.deps.database.pool.query(
        "select 1 from cos.messages where posted_version is distinct from version",
      );
      expect(rows).toEqual([]);
    },
  );

  it("[F-124] is uploaded once and shared once, however late Slack shows it", async () => {
    await open();
    world.slack.faults.shareAfter(6);
    await wantPicture("chart");
    await want("behind", "behind");
    await world.show();
    expect(texts()).toEqual(["behind"]);
    await showUntil("the picture", () => pictures().length > 0);
    world.slack.faults.shareAfter(0);
    await showFor(5 * minuteMs, 5000);

    expect(pictures().length).toBe(1);
    expect(callsOf("files.getUploadURLExternal").length).toBe(1);
    expect(callsOf("files.completeUploadExternal").length).toBe(1);
  });

  it("[F-124] whose share's answer was lost is there once, however late Slack shows it", async () => {
    await open();
    world.slack.faults.shareAfter(9);
    world.slack.faults.next("files.completeUploadExternal", { type: "lost", by: "500" });
    await wantPicture("chart");
    await showUntil("the picture", () => pictures().length > 0);
    await showFor(5 * minuteMs, 5000);

    expect(pictures().length).toBe(1);
    expect(sharesOf().filter((call) => call.outcome === "ok")).toEqual([]);
  });

  it("[F-124] whose share is put off is not uploaded anew", async () => {
    await open();
    world.slack.faults.next("files.completeUploadExternal", ...again({ type: "limit", seconds: 5 }, 4));
    await wantPicture("chart");
    await showUntil("the picture", () => pictures().length > 0);

    expect(callsOf("files.getUploadURLExternal").length).toBe(1);
    expect(callsOf("upload").length).toBe(1);
  });

  it("[F-124] that gave way to its words is taken back, so that both are never there", async () => {
    await open();
    world.slack.faults.shareAfter(60);
    await wantPicture("chart");
    await showUntil("its words", () => texts().some((each) => each.includes("chart")));
    world.slack.faults.look(70);
    await showFor(minuteMs);

    expect(pictures()).toEqual([]);
    expect(texts()).toEqual(["chart"]);
  });

  it("[F-124] holds its own thread only, whose later messages follow it", async () => {
    await open();
    await want("root", "root");
    world.slack.faults.next("files.getUploadURLExternal", ...again({ type: "limit", seconds: 20 }, 3));
    await wantPicture("chart", "root");
    await want("later", "later in the thread", { thread: "root" });
    await want("behind", "behind");
    await world.show();
    expect(texts()).toEqual(["root", "behind"]);
    await showUntil("the thread", () => texts().includes("later in the thread"));

    const files = world.slack.messages().map((message) => message.files.length);
    expect(files).toEqual([0, 0, 1, 0]);
  });
});
