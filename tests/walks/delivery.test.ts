import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Post } from "../../src/chat/platform.ts";
import { webhookPlatform } from "../../src/chat/webhook/platform.ts";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { type Delivery, startDelivery } from "../../src/delivery/delivery.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";
import { type Sink, startSink } from "../fakes/sink.ts";

const channel = { platform: "webhook", channel: "main" };

describe("delivery to a platform that loses answers", () => {
  let world: TestWorld;
  let sink: Sink;
  const deliveries: Delivery[] = [];

  beforeEach(async () => {
    world = await testWorld();
    sink = await startSink();
  });
  afterEach(async () => {
    for (const delivery of deliveries.splice(0)) await delivery.stop();
    await sink.close();
    await world.close();
  });

  function start(url = sink.url): Delivery {
    const delivery = startDelivery({ ...world.deps, channels: [channel] }, [webhookPlatform(url)], world.databaseUrl);
    deliveries.push(delivery);
    return delivery;
  }

  async function want(
    subject: string,
    title: string,
    rest: { threadSubject?: string; urgent?: boolean } = {},
  ): Promise<void> {
    const card = plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [text(title)] });
    const wanted = { subject, threadSubject: rest.threadSubject ?? null, card, urgent: rest.urgent ?? true };
    await putMessages(world.deps.database.db, [channel], [wanted], world.deps.now());
  }

  it("keeps the order of a channel, and hangs replies under their message", async () => {
    await want("a", "first");
    await want("b", "second", { threadSubject: "a" });
    await want("c", "third");

    await start().deliver();

    expect(sink.posts.map((post) => post.title)).toEqual(["first", "second", "third"]);
    expect(sink.shown.get("m2")).toMatchObject({ threadAddress: "m1" });
  });

  it("holds a new reply until the message under which it belongs is stored, and posts it by itself when that never comes", async () => {
    const delivery = start();
    await want("b", "reply", { threadSubject: "a" });
    await want("d", "other");
    await want("e", "lonely", { threadSubject: "nothing" });
    await delivery.deliver();
    expect(sink.posts.map((post) => post.title)).toEqual(["other"]);

    await want("a", "first");
    await delivery.deliver();
    expect(sink.posts.map((post) => post.title)).toEqual(["other", "first", "reply"]);
    expect(sink.shown.get("m3")).toMatchObject({ title: "reply", threadAddress: "m2" });

    world.advance(6_000);
    await delivery.deliver();
    expect(sink.posts.map((post) => post.title)).toEqual(["other", "first", "reply", "lonely"]);
    expect(sink.shown.get("m4")).toMatchObject({ title: "lonely", threadAddress: null });
  });

  it("a reply that a clock far ahead has stored waits for no message that is not there", async () => {
    world.advance(3_600_000);
    await want("b", "reply", { threadSubject: "a" });
    world.advance(-3_600_000);
    await start().deliver();
    expect(sink.posts.map((post) => post.title)).toEqual(["reply"]);
  });

  it("finds a post whose answer was lost, instead of posting again", async () => {
    await want("a", "first");
    const hold = sink.hold();
    const lost = start();
    void lost.deliver();
    await hold.held;
    await world.deps.database.pool.query(
      // Of this database alone: other tests use the same server.
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`,
    );
    await want("a", "first, changed");
    const second = start();
    await eventually("the other owner", async () => {
      await second.deliver();
      return sink.shown.get("m1")?.title === "first, changed";
    });
    hold.release();

    expect(sink.posts.length).toBe(1);
  });

  it("waits as long as it is told, and keeps what comes after waiting too", async () => {
    sink.answerNext({ status: 429, headers: { "retry-after": "30" } });
    await want("a", "first");
    const delivery = start();
    await delivery.deliver();
    expect(sink.posts).toEqual([]);

    world.advance(31_000);
    await delivery.deliver();

    expect(sink.posts.map((post) => post.title)).toEqual(["first"]);
  });

  it("sends plain text after a rejection, then gives up with the reason, and the channel goes on", async () => {
    sink.answerNext({ status: 400 });
    await want("a", "rejected once");
    const delivery = start();
    await eventually("the plain card", async () => {
      await delivery.deliver();
      return sink.posts.length === 1;
    });
    sink.answerNext({ status: 400 }, { status: 400 });
    await want("b", "rejected twice");
    await want("c", "after it");
    await eventually("the next card", async () => {
      await delivery.deliver();
      return sink.posts.length === 2;
    });

    expect(sink.shown.get("m1")).toMatchObject({ plain: true });
    expect(sink.posts[1]?.title).toBe("after it");
    await eventually("the give-up", async () => {
      await delivery.deliver();
      return (await undeliverableMessages(world.deps.database.db)).length === 1;
    });
    expect(await undeliverableMessages(world.deps.database.db)).toMatchObject([
      { subject: "b", undeliverable: "answered 400" },
    ]);
  });

  it("lets what follows go when a client stumbles over one message, which is given up with the reason", async () => {
    const whole = webhookPlatform(sink.url);
    const stumbling = {
      ...whole,
      isWell: async () => true,
      post: (post: Post) =>
        post.card.title === "first" ? Promise.reject(new TypeError("action is not a function")) : whole.post(post),
    };
    await want("a", "first");
    await want("b", "second");
    const delivery = startDelivery({ ...world.deps, channels: [channel] }, [stumbling], world.databaseUrl);
    deliveries.push(delivery);

    for (let round = 0; round < 30; round += 1) {
      await delivery.deliver();
      world.advance(60_000);
      if (round % 5 === 0) await want(`c${round}`, `later ${round}`);
    }

    expect(sink.posts.map((post) => post.title)).toEqual([
      "second",
      ...[0, 5, 10, 15, 20, 25].map((each) => `later ${each}`),
    ]);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([
      expect.objectContaining({ undeliverable: "action is not a function, 9 times" }),
    ]);
  });

  it("shows a change of state at once and progress every 15 s at most", async () => {
    await want("a", "start");
    const delivery = start();
    await delivery.deliver();
    await want("a", "progress 1", { urgent: false });
    await delivery.deliver();
    expect(sink.shown.get("m1")?.title).toBe("start");

    // Wanted before the clock moves: its timer begins a pass by itself, which shows what is wanted then.
    await want("a", "progress 2", { urgent: false });
    world.advance(15_000);
    await delivery.deliver();
    expect(sink.shown.get("m1")?.title).toBe("progress 2");

    await want("a", "done");
    await delivery.deliver();
    expect(sink.shown.get("m1")?.title).toBe("done");
    expect(sink.edits()).toBe(2);
  });
});
