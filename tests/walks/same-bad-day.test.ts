import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { type Bot, cos, eventually, startBot } from "../fakes/bot.ts";
import { freshDatabase } from "../fakes/database.ts";
import { valueOf } from "../fakes/deps.ts";
import {
  type Alone,
  type Chat,
  discordAlone,
  personInDiscord,
  personInSlack,
  slackAlone,
  type Who,
} from "../fakes/person.ts";
import { type Proxy, proxyBefore } from "../fakes/proxy.ts";
import { makeRepository } from "../fakes/repository.ts";

/** One list of faults, each walked by the same person in Slack and in Discord: the same comes of it, in the same words. */

/** What came of it, in words that hold on every platform. */
type Story = Readonly<Record<string, unknown>>;

interface Fault {
  readonly name: string;
  readonly walk: (chat: Chat) => Promise<Story>;
  readonly story: Story;
}

async function add(chat: Chat, text: string): Promise<string> {
  const words = ["goal", "add", text, "--run", "echo 1 >> 1.txt", "--tag", "ui"];
  return valueOf<{ goalId: string }>(await chat.world.command(...words)).goalId;
}

/** A goal that asks, its question shown. */
async function ask(chat: Chat, text: string): Promise<string> {
  const goalId = await add(chat, text);
  await chat.world.command("autopilot", "start");
  await chat.show();
  return goalId;
}

const openOnes = async (chat: Chat) =>
  valueOf<{ checkpointId: string; goalId: string }[]>(await chat.world.command("checkpoints"));

async function statusOf({ world }: Chat, goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

async function decided({ world }: Chat, goalId: string): Promise<string[]> {
  const sql = `select choice || ' by ' || actor as said from cos.decisions join cos.checkpoints using (checkpoint_id) where goal_id = $1 and settles order by decision_id`;
  return (await world.deps.database.pool.query<{ said: string }>(sql, [goalId])).rows.map(({ said }) => said);
}

/** Delivers while the hand-set clock runs, until the condition holds. */
async function showUntil(chat: Chat, what: string, holds: () => boolean): Promise<void> {
  await eventually(what, async () => {
    await chat.show();
    if (holds()) return true;
    chat.world.advance(1_000);
    return false;
  });
}

const asked = (chat: Chat) => chat.titles().filter((each) => each.includes("Answer by"));
const isAsked = (chat: Chat, goal: string) => asked(chat).some((each) => each.includes(`: ${goal}.`));
const about = (chat: Chat, goal: string) => chat.titles().filter((each) => each.includes(`change: ${goal}`)).length;
const isSettled = (chat: Chat, goal: string) => / by @?\w+ in /.test(chat.question(goal).words);
const settledWords = (chat: Chat, goal: string) =>
  /\w+, by @?\w+ in [^,]+/.exec(chat.question(goal).words)?.[0] ?? "not settled";

async function toldOf(chat: Chat, who: Who, words: string): Promise<string> {
  return await eventually(`${who} is told ${words}`, async () =>
    chat.told(who).findLast((each) => each.includes(words)),
  );
}

/** How it ended: goal, decisions, what the one card says. */
async function ending(chat: Chat, goal: string, goalId: string): Promise<readonly unknown[]> {
  await eventually("the decision", async () => (await decided(chat, goalId)).length > 0);
  await chat.world.work();
  await showUntil(chat, `the settled card of ${goal}`, () => isSettled(chat, goal));
  return [await statusOf(chat, goalId), await decided(chat, goalId), settledWords(chat, goal), about(chat, goal)];
}

const proceeded = ["complete", ["Proceed by @ana"], "Proceed, by @ana in CHAT", 1];

const faults: readonly Fault[] = [
  {
    name: "a storm of limits: every card once, in its order",
    async walk(chat) {
      const goals = ["Red", "Green", "Blue", "Grey"];
      chat.storm(3);
      const ids = new Map<string, string>();
      for (const goal of goals) ids.set(goal, await add(chat, goal));
      await chat.world.command("autopilot", "start");
      await showUntil(chat, "every question", () => goals.every((goal) => isAsked(chat, goal)));
      const order = asked(chat).map((each) => goals.find((goal) => each.includes(`: ${goal}.`)));
      for (const goal of goals) await chat.question(goal).press("ana", "Proceed");
      const ends = [];
      for (const goal of goals) ends.push(await ending(chat, goal, ids.get(goal) ?? ""));
      chat.storm(1);
      return { order, ends };
    },
    story: { order: ["Red", "Green", "Blue", "Grey"], ends: [proceeded, proceeded, proceeded, proceeded] },
  },
  {
    name: "a post whose answer is lost: the card is there once, and works",
    async walk(chat) {
      chat.lose();
      const goalId = await ask(chat, "Lost and found");
      await showUntil(chat, "the question", () => isAsked(chat, "Lost and found"));
      await chat.connected();
      await chat.question("Lost and found").press("ana", "Proceed");
      return { end: await ending(chat, "Lost and found", goalId) };
    },
    story: { end: proceeded },
  },
  {
    name: "an outage: what was answered and asked meanwhile is right, once, when it is over",
    async walk(chat) {
      const before = await ask(chat, "Before");
      chat.down(true);
      await chat.world.command("answer", (await openOnes(chat))[0]?.checkpointId ?? "", "Skip");
      const meanwhile = await add(chat, "Meanwhile");
      await chat.world.command("autopilot", "start");
      await chat.show();
      const during = [about(chat, "Before"), isSettled(chat, "Before"), about(chat, "Meanwhile")];
      chat.down(false);
      await chat.connected();
      await showUntil(chat, "what was missed", () => isAsked(chat, "Meanwhile") && isSettled(chat, "Before"));
      await chat.question("Meanwhile").press("ana", "Proceed");
      const ends = [await ending(chat, "Before", before), await ending(chat, "Meanwhile", meanwhile)];
      return { during, ends };
    },
    story: {
      during: [1, false, 0],
      ends: [["deferred", ["Skip by ana"], "Skip, by ana in the terminal", 1], proceeded],
    },
  },
  {
    name: "a connection that breaks during a press: pressed again, it is one decision",
    async walk(chat) {
      const goalId = await ask(chat, "Blink");
      const card = chat.question("Blink");
      await card.press("ana", "Proceed", { dropsSocket: true });
      await chat.connected();
      await card.press("ana", "Proceed");
      return { end: await ending(chat, "Blink", goalId) };
    },
    story: { end: proceeded },
  },
  {
    name: "a press delivered three times: one decision",
    async walk(chat) {
      const goalId = await ask(chat, "Thrice");
      const acknowledged = await chat.question("Thrice").press("ana", "Proceed", { times: 3 });
      return { acknowledged, end: await ending(chat, "Thrice", goalId) };
    },
    story: { acknowledged: true, end: proceeded },
  },
  {
    name: "a reply delivered three times, and one that nobody was told of: each is one reply",
    async walk(chat) {
      const goalId = await ask(chat, "Echo");
      const before = chat.marks().length;
      const card = chat.question("Echo");
      await card.reply("eve", "nice", { times: 3 });
      await eventually("the first mark", async () => chat.marks().length > before);
      await card.reply("ana", "ok", { isMissed: true });
      chat.forget();
      await eventually("the second mark", async () => chat.marks().length > before + 1);
      await chat.connected();
      const why = valueOf<{ timeline: { event: string }[] }>(await chat.world.command("why", goalId));
      const said = why.timeline.filter(({ event }) => event === "reply.said").length;
      return { marks: chat.marks().slice(before), said, end: await ending(chat, "Echo", goalId) };
    },
    story: { marks: ["seen", "taken"], said: 1, end: proceeded },
  },
  {
    name: "acknowledged after 3 s: it is recorded, and the next press learns it",
    async walk(chat) {
      const goalId = await ask(chat, "Late");
      const card = chat.question("Late");
      const acknowledged = await card.press("ana", "Proceed", { isLate: true });
      await eventually("the decision", async () => (await decided(chat, goalId)).length > 0);
      await card.press("ben", "Skip");
      const told = (await toldOf(chat, "ben", "already answered")).includes("already answered: Proceed by @ana");
      return { acknowledged, told, end: await ending(chat, "Late", goalId) };
    },
    story: { acknowledged: false, told: true, end: proceeded },
  },
  {
    name: "a token that has expired when the form comes: nothing is decided, and the next press opens it",
    async walk(chat) {
      const goalId = await ask(chat, "Form");
      const card = chat.question("Form");
      const acknowledged = await card.press("ana", "Modify…", { isLate: true });
      const decisions = await decided(chat, goalId);
      const wrong = await card.modify("ana", { budget: "lots" }, { budget: "$7.50" });
      await eventually("the decision", async () => (await decided(chat, goalId)).length > 0);
      return { acknowledged, decisions, wrong: wrong.includes("lots"), end: await ending(chat, "Form", goalId) };
    },
    story: {
      acknowledged: false,
      decisions: [],
      wrong: true,
      end: ["complete", ["Modify by @ana"], "Modify, by @ana in CHAT", 1],
    },
  },
  {
    name: "a card that somebody deleted: answered elsewhere, it is there again as it was settled",
    async walk(chat) {
      const goalId = await ask(chat, "Gone");
      await chat.question("Gone").remove();
      await chat.world.command("answer", (await openOnes(chat))[0]?.checkpointId ?? "", "Skip");
      await showUntil(chat, "the new card", () => about(chat, "Gone") > 0);
      return { end: await ending(chat, "Gone", goalId) };
    },
    story: { end: ["deferred", ["Skip by ana"], "Skip, by ana in the terminal", 1] },
  },
];

describe("the same bad day in Slack and in Discord", () => {
  let slack: Chat;
  let discord: Chat;
  beforeAll(async () => {
    slack = await personInSlack();
    discord = await personInDiscord();
    for (const { world } of [slack, discord]) await world.repository();
  });
  afterAll(async () => {
    await slack.close();
    await discord.close();
  });

  it.each(faults.map((fault) => [fault.name, fault] as const))("%s", async (_, { walk, story }) => {
    expect(await walk(slack)).toEqual(story);
    expect(await walk(discord)).toEqual(story);
  });
});

/** For what is about these limits: the product's own. */
const asInTheProduct = (policy: Policy): Policy => ({ ...policy, chat: { ...policy.chat, notYetAfterMs: 2_000 } });

it.each([
  ["Slack", personInSlack],
  ["Discord", personInDiscord],
])("%s: what takes longer than 2 s to record says so within 3 s, and says when it is recorded", async (_, open) => {
  const chat = await open({ policy: asInTheProduct });
  try {
    await chat.world.repository();
    const goalId = await ask(chat, "Slow");
    const client = await chat.world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("select 1 from cos.goals for update");

    const acknowledged = await chat.question("Slow").press("ana", "Skip");
    const first = await toldOf(chat, "ana", "Not recorded yet");
    await client.query("commit");
    client.release();
    const second = await toldOf(chat, "ana", "Recorded now");

    expect([acknowledged, first.includes("nothing was decided"), second.length > 0]).toEqual([true, true, true]);
    expect(await ending(chat, "Slow", goalId)).toEqual(["deferred", ["Skip by @ana"], "Skip, by @ana in CHAT", 1]);
  } finally {
    await chat.close();
  }
});

it.each([
  ["Slack", personInSlack],
  ["Discord", personInDiscord],
])(
  "%s: a question that somebody deleted while the connection to the database broke is asked again [F-410]",
  async (_, open) => {
    const proxies: Proxy[] = [];
    const chat = await open({
      async through(databaseUrl) {
        const before = await proxyBefore(databaseUrl);
        proxies.push(before.proxy);
        return before.url;
      },
    });
    try {
      await chat.world.repository();
      await ask(chat, "Away");
      const question = chat.question("Away");

      const [proxy] = proxies;
      if (proxy === undefined) throw new Error("nothing lies before the database");
      const cut = proxy.cutAt('"messages"."is_asking"', "before");
      await question.remove();
      await cut;

      await showUntil(chat, "the question", () => about(chat, "Away") > 0);
      expect(await chat.question("Away").press("ana", "Skip")).toBe(true);
    } finally {
      await chat.close();
      for (const proxy of proxies) await proxy.close();
    }
  },
);

/** Real bots, one after the other, on one database; everything ends with `close`. */
async function openBots(alone: Alone) {
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "cos-bad-day-"));
  const place = { databaseUrl: database.url, dataDir, environment: alone.environment };
  const bots: Bot[] = [];
  return {
    place,
    async start(): Promise<void> {
      const before = alone.connections();
      bots.push(await startBot(place));
      await eventually("the connection", async () => alone.connections() > before);
    },
    async kill(): Promise<void> {
      bots.at(-1)?.kill("SIGKILL");
      await bots.at(-1)?.exited;
    },
    async close() {
      for (const bot of bots) bot.kill("SIGKILL");
      await Promise.all(bots.map((bot) => bot.exited));
      await alone.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

it.each([
  ["Slack", slackAlone],
  ["Discord", discordAlone],
])(
  "%s: a bot killed between post and address, and between commit and edit: each card once, and right",
  async (_, open) => {
    const alone = await open();
    const { place, start, kill, close } = await openBots(alone);
    try {
      const path = await makeRepository(join(place.dataDir, "person"), { "README.md": "one\n" });
      await cos(place, "repo", "add", path, "--setup", "");
      const words = ["goal", "add", "Killed", "--run", "echo done > done.txt", "--tag", "ui"];
      const { goalId } = (await cos(place, ...words)).json<{ goalId: string }>();

      // Posted, and killed before the address was recorded.
      await start();
      const post = alone.hold("post");
      await cos(place, "autopilot", "start");
      await post.held;
      await kill();
      post.release();
      await start();
      const isShown = (line: string) => alone.titles().some((each) => each.includes(line));
      await eventually("the question", async () => isShown(": Killed. Answer by"));

      // Answered, and killed before the card was edited.
      const edit = alone.hold("edit");
      await eventually("a click", () => alone.question("Killed").press("ana", "Proceed"));
      await edit.held;
      await kill();
      edit.release();
      await start();
      await eventually("the settled card", async () => alone.question("Killed").words.includes("Proceed, by @ana"));
      const statusNow = async () => (await cos(place, "goal", "show", goalId)).json<{ status: string }>().status;
      await eventually("the end", async () => (await statusNow()) === "complete");

      expect(new Set(alone.titles()).size).toBe(alone.titles().length);
      expect(alone.titles().filter((each) => each.includes("change: Killed")).length).toBe(1);
    } finally {
      await close();
    }
  },
);
