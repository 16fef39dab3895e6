import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { plainCard, text } from "../../src/core/cards/card.ts";
import type { Policy } from "../../src/core/policy.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { type Bot, cos, eventually, startBot } from "../fakes/bot.ts";
import { freshDatabase } from "../fakes/database.ts";
import { valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type FakeSlack, homeChannel, startSlack } from "../fakes/slack/server.ts";
import { ana, ben, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";
import { outcomesIn } from "../fakes/private-lines.ts";

const isFull = process.env["COS_TEST_FULL"] === "1";
const channel = { platform: "slack", channel: homeChannel };

let world: SlackWorld;
const worlds: SlackWorld[] = [];
afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

/** For what is about these limits: the product's own. */
const asInTheProduct = (policy: Policy): Policy => ({
  ...policy,
  chat: { ...policy.chat, notYetAfterMs: 2_000, progressAfterMs: 1_000 },
});

async function open(options: Parameters<typeof slackWorld>[0] = {}): Promise<SlackWorld> {
  const opened = await slackWorld(options);
  worlds.push(opened);
  return opened;
}

async function want(subject: string, title: string, threadSubject: string | null = null): Promise<void> {
  const card = plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [text(title)] });
  await putMessages(
    world.deps.database.db,
    [channel],
    [{ subject, threadSubject, card, urgent: true }],
    world.deps.now(),
  );
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

const texts = () => world.slack.messages().map((message) => message.text);

async function ask(goal: string): Promise<string> {
  const words = ["goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  return goalId;
}

async function statusOf(goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

describe("posting when Slack is not at its best", () => {
  it("200 cards in a storm of limits: all posted, in order, none twice", async () => {
    world = await open();
    const titles = Array.from({ length: 200 }, (_, index) => `card ${index}`);
    world.slack.faults.storm(3);
    for (const [index, title] of titles.entries()) await want(`s${index}`, title);

    for (let round = 0; world.slack.messages().length < 200 && round < 1000; round += 1) {
      await world.show();
      world.advance(1000);
    }

    expect(texts()).toEqual(titles);
    const outcomes = world.slack.calls.filter((call) => call.method === "chat.postMessage").map((call) => call.outcome);
    expect(outcomes.filter((outcome) => outcome === "ratelimited").length).toBe(400);
    // A limit is certain not to have posted: nothing is looked for.
    expect(world.slack.calls.some((call) => call.method === "conversations.history")).toBe(false);
  });

  it.each([1e12, Number.NaN])(
    "a limit that names no time that anybody waits (%s s) holds nothing for long",
    async (seconds) => {
      world = await open();
      world.slack.faults.next("chat.postMessage", { type: "limit", seconds });
      await want("a", "first");

      await world.show();
      world.advance(3_600_000);
      await world.show();

      expect(texts()).toEqual(["first"]);
      // A limit is certain not to have posted: nothing is looked for.
      expect(world.slack.calls.some((call) => call.method === "conversations.history")).toBe(false);
    },
  );

  it.each<["cut" | "500"]>([["cut"], ["500"]])(
    "an answer lost (%s) is looked for, and the card is there once",
    async (by) => {
      world = await open();
      world.slack.faults.next("chat.postMessage", { type: "lost", by });
      await want("a", "first");
      await want("b", "second");
      await want("c", "in the thread", "a");

      await showUntil("all cards", () => world.slack.messages().length >= 3);

      expect(texts()).toEqual(["first", "second", "in the thread"]);
      expect(world.slack.messages()[2]?.threadTs).toBe(world.slack.messages()[0]?.ts);
    },
  );

  it.runIf(isFull)("an answer that never comes is waited for 10 s, then looked for", async () => {
    world = await open();
    world.slack.faults.next("chat.postMessage", { type: "lost", by: "silence" });
    await want("a", "first");
    await want("b", "second");

    await showUntil("both", () => world.slack.messages().length >= 2);

    expect(texts()).toEqual(["first", "second"]);
  });

  it("a reply whose answer was lost is found in its thread, behind 250 others", async () => {
    world = await open();
    await want("a", "root");
    await world.show();
    world.slack.faults.next("chat.postMessage", { type: "lost", by: "cut" });
    await want("b", "our reply", "a");
    await world.show();
    for (let index = 0; index < 250; index += 1) {
      await world.slack.people.reply(eve, world.slack.message("root"), `noise ${index}`, { isMissed: true });
    }
    await want("c", "after it");

    await showUntil("the next card", () => texts().includes("after it"));

    expect(texts().filter((each) => each === "our reply").length).toBe(1);
  });

  it("a reply whose answer was lost, in a thread that somebody deleted meanwhile, holds up no other card", async () => {
    world = await open();
    await want("a", "root");
    await world.show();
    world.slack.faults.next("chat.postMessage", { type: "lost", by: "cut" });
    await want("b", "our reply", "a");
    await world.show();
    for (const words of ["our reply", "root"]) await world.slack.people.remove(world.slack.message(words));
    await want("c", "after it");

    await showUntil("the next card", () => texts().includes("after it"));

    const { rows } = await world.deps.database.pool.query(
      "select count(*)::int as n from cos.messages where is_wanting",
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it("a card that Slack refuses goes out as plain words; one that it always refuses is given up; the channel goes on", async () => {
    world = await open();
    world.slack.faults.next("chat.postMessage", { type: "error", error: "invalid_blocks" });
    await want("a", "refused once");
    await world.show();
    const isPoison = (given: Record<string, unknown>) => String(given["text"]).includes("poison");
    world.slack.faults.always({
      method: "chat.postMessage",
      matches: isPoison,
      fault: { type: "error", error: "msg_too_long" },
    });
    await want("b", "poison");
    await want("c", "after it");
    await world.show();

    expect(texts()).toEqual(["refused once", "after it"]);
    expect(await undeliverableMessages(world.deps.database.db)).toMatchObject([
      { subject: "b", undeliverable: "msg_too_long" },
    ]);
    const doctor = valueOf<{ name: string; ok: boolean; says: string }[]>(await world.command("doctor"));
    expect(doctor.find((finding) => finding.name === "cards")).toMatchObject({
      ok: false,
      says: expect.stringContaining("b on slack: msg_too_long") as string,
    });
  });

  it("a card at which Slack itself fails every time does not hold its channel up, and is given up [F-124]", async () => {
    world = await open();
    const isPoison = (given: Record<string, unknown>) => String(given["text"]).includes("poison");
    world.slack.faults.always({ method: "chat.postMessage", matches: isPoison, fault: { type: "500" } });
    await want("a", "poison");
    await want("b", "after it");

    await world.show();
    expect(texts()).toEqual(["after it"]);
    await showUntil("the end", async () => (await undeliverableMessages(world.deps.database.db)).length > 0, 10_000);

    expect((await undeliverableMessages(world.deps.database.db)).map((message) => message.subject)).toEqual(["a"]);
  });

  it("a card that somebody deleted is posted anew when it has something to say", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Round prices up");
    await world.show();
    await world.slack.people.remove(world.slack.message(": Round prices up"));
    await world.command("goal", "edit", goalId, "--tag", "architecture");
    await world.show();

    const card = world.slack.message(": Round prices up");
    await world.slack.people.click(ana, card, "proceed");
    await world.work();

    expect(card.text).toContain("architectural change");
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("not in the channel: says what to do, waits, and loses nothing", async () => {
    world = await open({ environment: { SLACK_CHANNEL: "C0000AWAY" } });
    await putMessages(
      world.deps.database.db,
      world.deps.channels,
      [
        {
          subject: "a",
          threadSubject: null,
          card: plainCard({ kind: "notice", tone: "neutral", title: "t", summary: "t", blocks: [] }),
          urgent: true,
        },
      ],
      world.deps.now(),
    );
    await world.show();

    expect(world.platform.status()).toBe("not_in_channel");
    expect(world.events.filter((each) => each.event === "status").at(-1)?.fields).toEqual({
      status: "not_in_channel: type /invite @Chief of Staff in the channel",
    });
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });
});

describe("Slack away in the middle of a session", () => {
  it(`for ${isFull ? 60 : 3} s of real time: goals go on, cards arrive afterwards`, async () => {
    world = await open();
    await world.repository();
    await world.command("goal", "add", "No question", "--run", "echo one > one.txt");
    const goalId = await ask("One question");
    await world.show();
    world.slack.faults.down(true);
    await world.work();
    await world.show();
    await new Promise((resolve) => setTimeout(resolve, isFull ? 60_000 : 3_000));
    expect(world.platform.status()).not.toBe("connected");

    world.slack.faults.down(false);
    world.advance(60_000);
    await showUntil("the card", () => texts().some((each) => each.includes("Goal complete: No question")));
    await eventually("the connection", async () => world.platform.status() === "connected");
    await world.slack.people.click(ana, world.slack.message(": One question"), "proceed");
    await world.work();

    expect(await statusOf(goalId)).toBe("complete");
    expect(new Set(texts()).size).toBe(texts().length);
  });

  it("for 10 minutes of the clock: reminders and deadlines kept theirs", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Asked while away");
    world.slack.faults.down(true);
    world.advance(23 * 60 * 60_000 + 55 * 60_000);
    await world.tick();
    await world.show();
    world.advance(10 * 60_000);
    await world.tick();

    world.slack.faults.down(false);
    await showUntil("the card", () => texts().some((each) => each.includes("Asked while away. No answer in time")));

    expect(await statusOf(goalId)).toBe("blocked");
    const { rows } = await world.deps.database.pool.query("select status, resolved_at from cos.checkpoints");
    expect(rows).toEqual([{ status: "expired", resolved_at: new Date("2026-01-27T09:05:00Z") }]);
  });

  it("a token revoked later is one line of status, and nothing is lost when it is good again", async () => {
    world = await open();
    await world.repository();
    world.slack.faults.revoke(true);
    await ask("Asked without a token");
    await world.show();
    await eventually("the word", async () => world.platform.status() === "token_revoked");
    const said = world.events.filter(
      (each) => each.event === "status" && String(each.fields["status"]).startsWith("token_revoked"),
    );
    expect(said.length).toBeLessThanOrEqual(2);
    expect(said[0]?.fields["status"]).toContain("SLACK_BOT_TOKEN");

    world.slack.faults.revoke(false);
    world.advance(31_000);
    await showUntil("the card", () => texts().some((each) => each.includes("Asked without a token")));
    await eventually("the connection", async () => world.platform.status() === "connected");
  });

  it("cards that wait at the start go out when Slack has said who we are: their links lead into the workspace", async () => {
    const slack = await startSlack();
    const hold = slack.faults.hold("auth.test");
    world = await open({ slack, isConnected: false });
    await want("goal-0001", "the goal");
    const blocks = [{ type: "text" as const, text: [{ link: "the goal", to: "/goals/goal-0001" }] }];
    const card = plainCard({ kind: "notice", tone: "neutral", title: "about it", summary: "about it", blocks });
    const wanted = [{ subject: "b", threadSubject: null, card, urgent: true }];
    await putMessages(world.deps.database.db, [channel], wanted, world.deps.now());
    await hold.held;
    await world.show();
    expect(texts()).toEqual([]);

    hold.release();
    await showUntil("the cards", () => texts().length === 2, 30_000);

    expect(JSON.stringify(world.slack.message("about it").blocks)).toMatch(
      /<https:\/\/[^|>]+\/archives\/[^|>]+\|the goal>/,
    );
    expect(world.events.filter(({ event }) => event === "post.rejected")).toEqual([]);
  });

  it("a bad token at the start is one line, and everything else works", async () => {
    const slack = await startSlack();
    const environment = { ...slack.settings, SLACK_BOT_TOKEN: "xoxb-wrong" };
    world = await open({ slack: { ...slack, settings: environment }, isConnected: false });
    await world.repository();
    await world.command("goal", "add", "Works anyway", "--run", "echo done > done.txt");
    await world.command("autopilot", "start");
    await world.work();

    await eventually("the word", async () => world.platform.status() === "invalid_auth");
    expect(world.events.filter((each) => each.event === "status").map((each) => each.fields["status"])).toEqual([
      "invalid_auth: install the app again and put its tokens into .env (SLACK_BOT_TOKEN, SLACK_APP_TOKEN)",
    ]);
    expect(valueOf<{ status: string }[]>(await world.command("goals"))).toMatchObject([{ status: "complete" }]);
  });
});

describe("what people do while connections break", () => {
  it("a socket dropped during a click: recorded, or the person sees Slack's own error; the next click works", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Blink");
    await world.show();
    const card = world.slack.message(": Blink");

    const seen = await world.slack.people.click(ana, card, "proceed", { dropsSocket: true });
    const { rows } = await world.deps.database.pool.query<{ n: number }>(
      "select count(*)::int as n from cos.decisions",
    );
    if (seen.acknowledged) expect(rows[0]?.n).toBe(1);
    await eventually("the connection", async () => world.platform.status() === "connected");
    await world.slack.people.click(ana, card, "proceed");
    await world.work();

    expect(await statusOf(goalId)).toBe("complete");
    const after = await world.deps.database.pool.query<{ n: number }>("select count(*)::int as n from cos.decisions");
    expect(after.rows[0]?.n).toBe(1);
  });

  it("an event delivered three times, and again later, is one reply", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Echo");
    await world.show();

    const reply = await world.slack.people.reply(eve, world.slack.message(": Echo"), "nice", { times: 3 });
    await eventually("the mark", async () => world.slack.reactions.length > 0);
    world.slack.faults.dropSockets("refresh");
    await eventually(
      "the fetch",
      async () => world.slack.calls.filter((call) => call.method === "conversations.replies").length > 1,
    );

    expect(world.slack.reactions).toEqual([{ ts: reply.ts, name: "eyes" }]);
    const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(why.timeline.filter((row) => row.event === "reply.said").length).toBe(1);
  });

  it("replies written while nobody listened are fetched at the next connection", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Away");
    await world.show();
    const card = world.slack.message(": Away");
    await world.slack.people.reply(eve, card, "nice", { isMissed: true });
    await world.slack.people.reply(ana, card, "ok", { isMissed: true });

    world.slack.faults.dropSockets("hard");
    await eventually("both marks", async () => world.slack.reactions.length === 2);
    await world.work();

    expect(world.slack.reactions.map((each) => each.name)).toEqual(["eyes", "white_check_mark"]);
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("what takes longer than 2 s to record says so, and says when it is recorded", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    const goalId = await ask("Slow");
    await world.show();
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("select 1 from cos.goals for update");

    const seen = await world.slack.people.click(ana, world.slack.message(": Slow"), "skip");
    expect(seen.acknowledged).toBe(true);
    await eventually("the first line", async () => world.slack.ephemerals.length === 1);
    expect(world.slack.ephemerals[0]?.text).toContain("Not recorded yet, nothing was decided");
    await client.query("commit");
    client.release();
    await eventually("the second line", async () => world.slack.ephemerals.length === 2);

    expect(world.slack.ephemerals[1]?.text).toContain("Recorded now");
    expect(await statusOf(goalId)).toBe("deferred");
  });

  it("Why in the menu of a card says that it is worked on while nothing can be read, and answers when it can", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    await ask("Why so slow");
    await world.show();
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("lock cos.goals in access exclusive mode");

    try {
      const seen = await world.slack.people.choose(ana, world.slack.message(": Why so slow"), "Why");
      expect(seen.acknowledged).toBe(true);
      await eventually("the first line", async () => world.slack.ephemerals.length === 1);
      expect(world.slack.ephemerals[0]?.text).toContain("Working on it");
    } finally {
      await client.query("commit");
      client.release();
    }
    await eventually("the answer", async () => world.slack.ephemerals.length === 2);

    expect(world.slack.ephemerals[1]?.text).toContain("Why so slow");
  });

  it("a command that takes longer than a second says that it is worked on, then answers", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("lock cos.goals in exclusive mode");

    const seen = await world.slack.people.type(ana, "/cos", "goal add 'Slow to add'");
    expect(seen.answer["text"]).toContain("Working on");
    await client.query("commit");
    client.release();
    await eventually("the answer", async () => world.slack.ephemerals.length === 1);

    expect(world.slack.ephemerals[0]?.text).toMatch(/goal-[0-9a-f]{8}/);
  });

  it("a form that Slack does not open for its limit is acknowledged, and says when to press again [F-410]", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Busy form");
    await world.show();
    world.slack.faults.next("views.open", { type: "limit", seconds: 7 });

    const seen = await world.slack.people.click(ana, world.slack.message(": Busy form"), "modify");

    expect(seen.acknowledged).toBe(true);
    await eventually("the words", async () => world.slack.ephemerals.length === 1);
    expect(world.slack.ephemerals[0]?.text).toContain("Press again in 7 s");
    expect(await statusOf(goalId)).toBe("blocked");
  });

  it("a form that Slack does not open for a limit without a time is acknowledged too", async () => {
    world = await open();
    await world.repository();
    await ask("Busy form");
    await world.show();
    world.slack.faults.next("views.open", { type: "limit", seconds: Number.NaN });

    const seen = await world.slack.people.click(ana, world.slack.message(": Busy form"), "modify");

    expect(seen.acknowledged).toBe(true);
    await eventually("the words", async () => world.slack.ephemerals.length === 1);
    expect(world.slack.ephemerals[0]?.text).toContain("Press again");
  });

  it("a question that somebody deleted is asked again, and answered there; what asks nothing stays away [F-410]", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Deleted question");
    await want("news", "only said");
    await world.show();
    const question = world.slack.message(": Deleted question");
    await world.slack.people.remove(question);
    await world.slack.people.remove(world.slack.message("only said"));
    await world.show();

    expect(texts()).not.toContain("only said");
    const again = world.slack.message(": Deleted question");
    expect(again.ts).not.toBe(question.ts);
    await world.slack.people.click(ana, again, "proceed");
    await world.work();
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("a question that people had talked under before somebody deleted it is asked again, too [F-410]", async () => {
    world = await open();
    await world.repository();
    await ask("Talked about");
    await world.show();
    const question = world.slack.message(": Talked about");
    await world.slack.people.reply(ana, question, "let me look at it first");
    await world.slack.people.remove(question);
    await world.show();

    expect(world.slack.message(": Talked about").ts).not.toBe(question.ts);
  });

  it("what goes out as plain words mentions nobody and holds no markup of data [F-410]", async () => {
    world = await open();
    world.slack.people.add("U0XYZ", "xyz");
    world.slack.faults.next("chat.postMessage", { type: "error", error: "invalid_blocks" });
    await want("a", "<!channel> <@U0XYZ> *look* & see");

    await showUntil("plain words", () => texts().length > 0);

    expect(texts()[0]).not.toMatch(/<!channel>|<@|[^\u2060]\*look/);
    expect(world.slack.buzzes).toEqual([]);
  });

  it("a form that is opened too late is Slack's own error, and nothing happens", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    const goalId = await ask("Late form");
    await world.show();
    world.slack.faults.next("views.open", { type: "error", error: "expired_trigger_id" });

    const seen = await world.slack.people.click(ana, world.slack.message(": Late form"), "modify");

    expect(seen.acknowledged).toBe(false);
    expect(await statusOf(goalId)).toBe("blocked");
  });
});

/** Real bots on one database and one Slack; everything ends with `close`. */
function openPlace(slack: FakeSlack, databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), "cos-slack-"));
  const environment = { ...slack.settings, COS_APPROVERS: `slack:${ana},slack:${ben}` };
  const place = { databaseUrl, dataDir, environment };
  const bots: Bot[] = [];
  return {
    place,
    async start(): Promise<Bot> {
      const opened = slack.calls.filter((call) => call.method === "apps.connections.open").length;
      const bot = await startBot(place);
      bots.push(bot);
      await eventually(
        "Slack",
        async () => slack.calls.filter((call) => call.method === "apps.connections.open").length > opened,
      );
      return bot;
    },
    async close() {
      for (const bot of bots) bot.kill("SIGKILL");
      await Promise.all(bots.map((bot) => bot.exited));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

describe("two bot processes", () => {
  it("take two people's clicks of the same millisecond: one wins, the other learns it, the card settles once", async () => {
    const slack = await startSlack();
    slack.people.add(ana, "ana");
    slack.people.add(ben, "ben");
    const database = await freshDatabase();
    const { place, start, close } = openPlace(slack, database.url);
    try {
      await Promise.all([start(), start()]);
      const path = await makeRepository(join(place.dataDir, "person"), { "README.md": "one\n" });
      await cos(place, "repo", "add", path, "--setup", "");
      await cos(place, "goal", "add", "Shared", "--run", "echo done > done.txt", "--tag", "ui");
      await cos(place, "autopilot", "start");
      const card = await eventually("the card", async () =>
        slack.messages().some((each) => each.text.includes(": Shared. Answer by")) ? slack.message(": Shared") : null,
      );

      const seen = await Promise.all([slack.people.click(ana, card, "proceed"), slack.people.click(ben, card, "skip")]);
      await eventually("the loser's line", async () => outcomesIn(slack.ephemerals).length === 1);
      await eventually("the settled card", async () => slack.message(": Shared").text.includes(", after "));

      expect(seen.map((each) => each.acknowledged)).toEqual([true, true]);
      const winner = /Proceed, by @ana/.test(slack.message(": Shared").text) ? ana : ben;
      const [told] = outcomesIn(slack.ephemerals);
      expect(told?.userId).toBe(winner === ana ? ben : ana);
      expect(told?.text).toContain("already answered");
    } finally {
      await close();
      await slack.close();
      await database.drop();
    }
  });
});
