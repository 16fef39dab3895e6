import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { botScopes } from "../../src/chat/slack/settings.ts";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { weeklyCard } from "../../src/core/cards/weekly-card.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { markReport } from "../../src/turns/reports/post.ts";
import { gatherWeekly } from "../../src/turns/reports/week.ts";
import { type Bot, eventually, startBot } from "../fakes/bot.ts";
import { freshDatabase } from "../fakes/database.ts";
import { testWorld, valueOf } from "../fakes/deps.ts";
import { type Fault, homeChannel, type Message, startSlack, wordsOf } from "../fakes/slack/server.ts";
import { ana, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

const isFull = process.env["COS_TEST_FULL"] === "1";
const channel = { platform: "slack", channel: homeChannel };

let world: SlackWorld;
const worlds: SlackWorld[] = [];
afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

/** A world on Friday evening: a goal was done, and the weekly is wanted. `prepare` is done just before it is. */
async function friday(prepare: () => void = () => undefined): Promise<void> {
  world = await slackWorld();
  worlds.push(world);
  await world.repository();
  await world.tick();
  await world.command("goal", "add", "Round prices up", "--run", "echo x >> x.txt");
  await world.command("autopilot", "start");
  await world.work();
  await world.command("schedule", "set", "standup", "--off");
  world.advance((4 * 24 + 9) * 3_600_000);
  await world.show();
  prepare();
  await world.tick();
}

/** Something that comes after the weekly in its channel. */
async function wantAnother(): Promise<void> {
  const card = plainCard({
    kind: "notice",
    tone: "neutral",
    title: "after",
    summary: "after",
    blocks: [text("after")],
  });
  await putMessages(
    world.deps.database.db,
    [channel],
    [{ subject: "after", threadSubject: null, card, urgent: true }],
    world.deps.now(),
  );
}

/** Delivers while the hand-set clock runs, until the condition holds. */
async function showUntil(what: string, holds: () => boolean): Promise<void> {
  await eventually(what, async () => {
    await world.show();
    if (holds()) return true;
    world.advance(1000);
    return false;
  });
}

/** Everything has been delivered: nothing is wanted any more. */
async function settle(): Promise<void> {
  await eventually("the rest", async () => {
    await world.show();
    world.advance(1000);
    const { rows } = await world.deps.database.pool.query(
      "select 1 from cos.messages where platform = 'slack' and posted_version is distinct from version and undeliverable is null",
    );
    return rows.length === 0;
  });
}

const weekly = (): Message => world.slack.message("Weekly Summary: 2026-01-26 to 2026-02-01");
const charts = (): Message[] => world.slack.messages().filter((message) => message.files.length > 0);
const isThere = (words: string): boolean => world.slack.messages().some((message) => message.text.includes(words));
const callsOf = (method: string): number => world.slack.calls.filter((call) => call.method === method).length;

describe("the weekly's chart in Slack", () => {
  it("is a picture in the weekly's thread, with its words for screen readers", async () => {
    await friday();
    await showUntil("the chart", () => charts().length > 0);
    await settle();

    const [chart] = charts();
    const file = chart?.files[0] ?? {};
    expect(charts().length).toBe(1);
    expect(chart?.threadTs).toBe(weekly().ts);
    expect(file).toMatchObject({
      title: "Chart of the week 2026-01-26 to 2026-02-01",
      name: expect.stringMatching(/^cos-\d+\.png$/) as string,
      alt_txt: expect.stringContaining("Mon 2026-01-26: 1 claimed") as string,
    });
    const png = world.slack.file(String(file["id"]));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(1800);
    expect(wordsOf(weekly().blocks)).toContain("The chart is in the thread.");
  });

  const faults: [string, string, Fault][] = [
    ["the address is not given (cut)", "files.getUploadURLExternal", { type: "lost", by: "cut" }],
    ["the address is not given (500)", "files.getUploadURLExternal", { type: "500" }],
    ["the bytes do not arrive (cut)", "upload", { type: "lost", by: "cut" }],
    ["the bytes are limited", "upload", { type: "limit", seconds: 3 }],
    ["the share's answer is lost (cut)", "files.completeUploadExternal", { type: "lost", by: "cut" }],
    ["the share's answer is lost (500)", "files.completeUploadExternal", { type: "lost", by: "500" }],
    ["the share is not carried out (500)", "files.completeUploadExternal", { type: "500" }],
    ["the share is limited", "files.completeUploadExternal", { type: "limit", seconds: 5 }],
    ["the look into the thread is limited", "conversations.replies", { type: "limit", seconds: 2 }],
    ["the look into the thread is cut", "conversations.replies", { type: "lost", by: "cut" }],
  ];
  it.each(faults)("is there once when %s", async (_name, method, fault) => {
    await friday(() => world.slack.faults.next(method, fault));
    await wantAnother();
    await showUntil("the chart", () => charts().length > 0 && isThere("after"));
    await settle();

    expect(charts().length).toBe(1);
    expect(world.slack.calls.some((call) => call.method === method && call.outcome !== "ok")).toBe(true);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it("is there once when Slack shows it long after its answer", async () => {
    await friday(() => world.slack.faults.shareAfter(3));
    await showUntil("the chart", () => charts().length > 0);
    await settle();

    expect(charts().length).toBe(1);
    expect(callsOf("files.completeUploadExternal")).toBe(1);
  });

  it("gives way to its words when Slack never shows it, and the channel goes on meanwhile [F-124]", async () => {
    await friday(() => world.slack.faults.shareAfter(Number.POSITIVE_INFINITY));
    await wantAnother();
    await showUntil("what comes after", () => isThere("after"));
    expect(isThere("Chart of the week")).toBe(false);
    await showUntil("its words", () => isThere("Chart of the week"));

    expect(charts()).toEqual([]);
    expect(world.slack.message("Chart of the week").text).toContain("Mon 2026-01-26: 1 claimed");
    expect(world.slack.message("Chart of the week").threadTs).toBe(weekly().ts);
  });

  it("gives way to its words where the app may not upload, and the log says so", async () => {
    await friday(() => world.slack.faults.grant(botScopes.filter((scope) => scope !== "files:write")));
    await wantAnother();
    await settle();

    expect(charts()).toEqual([]);
    expect(world.slack.message("Chart of the week")).toMatchObject({ threadTs: weekly().ts });
    expect(world.slack.message("Chart of the week").text).toContain("Mon 2026-01-26: 1 claimed");
    expect(isThere("after")).toBe(true);
    expect(world.platform.status()).toBe("connected");
    expect(world.events.filter(({ event }) => event === "post.rejected")).toMatchObject([
      {
        fields: {
          reason: "files:write missing_scope: update the app with slack-manifest.yaml and install it again",
        },
      },
    ]);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it("is not taken for somebody's reply when threads are read after an absence", async () => {
    await friday();
    await showUntil("the chart", () => charts().length > 0);
    await settle();
    // Written after the chart, so that everything before it has been read by then.
    const reply = await world.slack.people.reply(eve, weekly(), "a good week", { isMissed: true });
    world.slack.faults.dropSockets("hard");
    await eventually(
      "the mark or the line",
      async () => world.slack.reactions.length + world.slack.ephemerals.length > 0,
    );
    await settle();

    expect(world.slack.reactions.filter((reaction) => reaction.ts !== reply.ts)).toEqual([]);
    expect(world.slack.ephemerals.filter((each) => each.userId !== eve)).toEqual([]);
  });
});

describe("/weekly", () => {
  it("answers privately with the chart in words", async () => {
    await friday();

    const seen = await world.slack.people.type(ana, "/weekly", "");

    expect(JSON.stringify(seen.answer)).toContain("Mon 2026-01-26: 1 claimed");
    await world.show();
    expect(world.slack.messages().filter((each) => each.text.includes("Weekly Summary")).length).toBe(1);
  });

  it("--public shares it, and its picture is posted beside it, once however often Slack delivers it", async () => {
    await friday();
    await showUntil("the chart", () => charts().length === 1);

    const seen = await world.slack.people.type(ana, "/weekly", "--public", { times: 3 });
    await showUntil("its chart", () => charts().length === 2);
    await settle();

    expect(seen.answer).toMatchObject({ response_type: "in_channel" });
    expect(charts().map((chart) => chart.threadTs)).toEqual([weekly().ts, null]);
  });

  it("--public in another channel shares nothing, neither there nor its picture here [F-410]", async () => {
    await friday();
    await showUntil("the chart", () => charts().length === 1);

    const seen = await world.slack.people.type(ana, "/weekly", "--public", { in: "C0000AWAY" });
    await settle();

    expect(seen.answer).toMatchObject({ response_type: "ephemeral" });
    expect(seen.answer["text"]).toMatch(/nswers are shared only in the channel where I post/);
    expect(charts()).toHaveLength(1);
  });

  it("--report answers with the long report [S4-CL-07, S4-WK-10]", async () => {
    await friday();
    const seen = await world.slack.people.type(ana, "/weekly", "--report");
    expect(JSON.stringify(seen.answer)).toContain("- Active: None");
    expect(valueOf<{ report: string }>(await world.command("weekly", "--report")).report).toMatch(
      /^# Weekly Summary: /,
    );
  });
});

describe("a bot that is killed while the chart is on its way", () => {
  // What was not carried out is posted again once it would have appeared: half a minute.
  const moments = isFull
    ? ["files.getUploadURLExternal", "files.completeUploadExternal"]
    : ["files.completeUploadExternal"];
  it.each(moments)("at %s: the chart is there once", async (method) => {
    const slack = await startSlack();
    const database = await freshDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), "cos-slack-weekly-"));
    const place = { databaseUrl: database.url, dataDir, environment: slack.settings };
    const bots: Bot[] = [];
    try {
      await wantWeekly(database.url);
      const held = slack.faults.hold(method);
      bots.push(await startBot(place));
      await held.held;
      bots[0]?.kill("SIGKILL");
      await bots[0]?.exited;
      held.release();
      const bot = await startBot(place);
      bots.push(bot);
      const shown = () => slack.messages().filter((message) => message.files.length > 0);
      await eventually("the chart", async () => shown().length > 0);
      const row = openDatabase(database.url, () => undefined);
      await eventually("its address", async () => {
        const { rows } = await row.pool.query(
          "select 1 from cos.messages where platform = 'slack' and subject like '%.chart' and posted_version = version",
        );
        return rows.length === 1;
      });
      await row.close();

      expect(shown().length).toBe(1);
    } finally {
      for (const bot of bots) bot.kill("SIGKILL");
      await Promise.all(bots.map((bot) => bot.exited));
      rmSync(dataDir, { recursive: true, force: true });
      await slack.close();
      await database.drop();
    }
  });
});

/** A weekly that a bot finds wanted when it starts. */
async function wantWeekly(databaseUrl: string): Promise<void> {
  const writer = await testWorld();
  const database = openDatabase(databaseUrl, () => undefined);
  const card = weeklyCard(await gatherWeekly(database.db, writer.deps, "2026-01-26"));
  await database.transaction(async (tx) => markReport(tx, "weekly.2026-01-30", card));
  await database.close();
  await writer.close();
}
