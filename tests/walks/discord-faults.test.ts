import { afterEach, describe, expect, it } from "vitest";
import { plainCard, text } from "../../src/core/cards/card.ts";
import type { Policy } from "../../src/core/policy.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { privateChannel } from "../fakes/discord/guild.ts";
import { homeChannel, startDiscord } from "../fakes/discord/server.ts";
import { ana, ben, type DiscordWorld, discordWorld, eve } from "../fakes/discord/world.ts";

const channel = { platform: "discord", channel: homeChannel };

let world: DiscordWorld;
const worlds: DiscordWorld[] = [];
afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

/** For what is about these limits: the product's own. */
const asInTheProduct = (policy: Policy): Policy => ({
  ...policy,
  chat: { ...policy.chat, notYetAfterMs: 2_000, progressAfterMs: 1_000 },
});

async function open(options: Parameters<typeof discordWorld>[0] = {}): Promise<DiscordWorld> {
  const opened = await discordWorld(options);
  worlds.push(opened);
  return opened;
}

async function want(subject: string, title: string, threadSubject: string | null = null): Promise<void> {
  const card = plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [text(title)] });
  const wanted = [{ subject, threadSubject, card, urgent: true }];
  await putMessages(world.deps.database.db, [channel], wanted, world.deps.now());
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

const titles = (channelId?: string) =>
  world.discord.messages(channelId).map((message) => message.content.replaceAll("**", "").replace(/\n-# cos-\d+$/, ""));
const everywhere = () => [undefined, ...world.discord.threads().map(({ id }) => id)].flatMap((id) => titles(id));
const said = (words: string) => everywhere().some((each) => each.includes(words));
const isConnected = () => eventually("the connection", async () => world.platform.status() === "connected");
const statusLines = () =>
  world.events.filter((each) => each.event === "status").map((each) => String(each.fields["status"]));

async function ask(goal: string): Promise<string> {
  const words = ["goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  return goalId;
}

async function statusOf(goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

async function decisions(): Promise<number> {
  const { rows } = await world.deps.database.pool.query<{ n: number }>("select count(*)::int as n from cos.decisions");
  return rows[0]?.n ?? 0;
}

describe("posting when Discord is not at its best", () => {
  it("60 cards in a storm of limits: all posted, in order, none twice", async () => {
    world = await open();
    const wanted = Array.from({ length: 60 }, (_, index) => `card ${index}`);
    world.discord.faults.storm(3);
    for (const [index, title] of wanted.entries()) await want(`s${index}`, title);

    await showUntil("all cards", () => world.discord.messages().length === 60, 2000);

    expect(titles()).toEqual(wanted);
    const outcomes = world.discord.calls.filter((call) => call.name === "post").map((call) => call.outcome);
    expect(outcomes.filter((outcome) => outcome === "429").length).toBe(120);
    // A limit is certain not to have posted: nothing is looked for.
    expect(world.discord.calls.filter((call) => call.name === "history").length).toBeLessThanOrEqual(1);
  });

  it.each<["cut" | "500"]>([["cut"], ["500"]])(
    "an answer lost (%s) is looked for, and the card is there once",
    async (by) => {
      world = await open();
      world.discord.faults.next("post", { type: "lost", by });
      await want("a", "first");
      await want("b", "second");
      await want("c", "in the thread", "a");

      await showUntil("all cards", () => world.discord.threads().length === 1);

      expect(titles()).toEqual(["first", "second"]);
      const [thread] = world.discord.threads();
      expect(thread).toMatchObject({ id: world.discord.messages()[0]?.id, name: "first" });
      await showUntil("the reply", () => titles(thread?.id).length === 1);
      expect(titles(thread?.id)).toEqual(["in the thread"]);
    },
  );

  it("the same key posted again within minutes is the same message, whatever history says", async () => {
    world = await open();
    const card = plainCard({ kind: "notice", tone: "neutral", title: "once", summary: "once", blocks: [] });
    const post = {
      channel: homeChannel,
      key: "cos-77",
      version: 1,
      threadAddress: null,
      card,
      plain: false,
      addresses: {},
    };

    const outcomes = await Promise.all([world.platform.post(post), world.platform.post(post)]);

    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(titles()).toEqual(["once"]);
  });

  it("a reply whose answer was lost is found in its thread, behind 250 others", async () => {
    world = await open();
    await want("a", "root");
    await world.show();
    await want("b", "our reply", "a");
    world.discord.faults.next("post", { type: "error", status: 404, code: 10003, message: "Unknown Channel" });
    world.discord.faults.next("post", { type: "lost", by: "cut" });
    await world.show();
    const root = world.discord.message("root");
    for (let index = 0; index < 250; index += 1)
      await world.discord.people.reply(eve, root, `noise ${index}`, { isMissed: true });
    await want("c", "after it", "a");

    await showUntil("the next reply", () => titles(root.id).includes("after it"), 10_000);

    expect(titles(root.id).filter((each) => each === "our reply").length).toBe(1);
  });

  it("a card that is refused goes out as plain words; one that always is, is given up; the channel goes on", async () => {
    world = await open();
    const refused = { type: "error", status: 400, code: 50035, message: "Invalid Form Body" } as const;
    world.discord.faults.next("post", refused);
    await want("a", "refused once");
    await world.show();
    const isPoison = (body: Record<string, unknown>) => String(body["content"]).includes("poison");
    world.discord.faults.always({ name: "post", matches: isPoison, fault: refused });
    await want("b", "poison");
    await want("c", "after it");
    await world.show();

    expect(titles()).toEqual(["refused once", "after it"]);
    expect(await undeliverableMessages(world.deps.database.db)).toMatchObject([
      { subject: "b", undeliverable: "Invalid Form Body" },
    ]);
  });

  it("cards and threads that somebody deleted are made anew, and what is archived is opened", async () => {
    world = await open();
    await want("a", "root");
    await want("b", "first reply", "a");
    await world.show();
    const [thread] = world.discord.threads();
    world.discord.faults.archive(thread?.id ?? "");
    await want("b", "first reply, changed", "a");
    await showUntil("the edit", () => titles(thread?.id).includes("first reply, changed"));
    world.discord.faults.deleteChannel(thread?.id ?? "");
    await want("c", "second reply", "a");
    await showUntil("the new thread", () => titles(thread?.id).includes("second reply"));
    await world.discord.people.remove(world.discord.message("root"));
    await want("a", "root, changed");
    await showUntil("the new root", () => titles().includes("root, changed"));

    expect(titles()).toEqual(["root, changed"]);
  });

  it("one old card may not be edited for an hour: it alone waits, and is edited when the hour is over", async () => {
    world = await open();
    await want("a", "old");
    await want("b", "asked lately");
    await world.show();
    // What Discord answers edits of messages older than an hour (30046): a wait that is no channel's.
    const isOld = (body: Record<string, unknown>) => String(body["content"]).includes("old, changed");
    world.discord.faults.always({ name: "edit", matches: isOld, fault: { type: "limit", seconds: 3_000 } });
    await want("a", "old, changed");
    await world.show();
    await want("b", "answered");
    await want("c", "news");
    await world.show();

    expect(titles()).toEqual(["old", "answered", "news"]);
    const edits = () => world.discord.calls.filter(({ name, outcome }) => name === "edit" && outcome === "429").length;
    expect(edits()).toBe(1);
    world.discord.faults.always(null);
    world.advance(3_001_000);
    await world.show();
    expect(titles()).toEqual(["old, changed", "answered", "news"]);
  });

  it("a limit that all edits in a channel share holds them together", async () => {
    world = await open();
    for (const each of ["a", "b", "c"]) await want(each, each);
    await world.show();
    world.discord.faults.next("edit", { type: "limit", seconds: 1, isShared: true });
    for (const each of ["a", "b", "c"]) await want(each, `${each}, changed`);
    await world.show();

    expect(world.discord.calls.filter(({ name }) => name === "edit")).toHaveLength(1);
    await showUntil("the edits", () => titles().every((title) => title.endsWith("changed")), 2_000);
    expect(titles()).toEqual(["a, changed", "b, changed", "c, changed"]);
  });

  it("not let into the channel: says what to do, waits, and loses nothing", async () => {
    world = await open({ environment: { DISCORD_CHANNEL_ID: privateChannel } });
    const card = plainCard({ kind: "notice", tone: "neutral", title: "t", summary: "t", blocks: [] });
    const wanted = [{ subject: "a", threadSubject: null, card, urgent: true }];
    await putMessages(world.deps.database.db, world.deps.channels, wanted, world.deps.now());
    await world.show();

    expect(world.platform.status()).toBe("Missing Access (50001)");
    expect(statusLines().at(-1)).toContain("Missing Access (50001): let the bot see and write in the channel");
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });
});

describe("Discord away", () => {
  it("the channel deleted: says what to do, goals go on, and the console still asks and takes the answer", async () => {
    world = await open();
    await world.repository();
    world.discord.faults.deleteChannel(homeChannel);
    const goalId = await ask("Without a channel");
    await world.show();

    expect(world.platform.status()).toBe("Unknown Channel (10003)");
    expect(statusLines().at(-1)).toContain("check DISCORD_CHANNEL_ID");
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("answer", asked?.checkpointId ?? "", "Proceed");
    await world.work();
    await world.show();
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("in the middle of a session: goals go on, cards arrive afterwards", async () => {
    world = await open();
    await world.repository();
    await world.command("goal", "add", "No question", "--run", "echo one > one.txt");
    const goalId = await ask("One question");
    await world.show();
    world.discord.faults.down(true);
    await world.work();
    await world.show();
    await eventually("the word", async () => world.platform.status() !== "connected");

    world.discord.faults.down(false);
    world.advance(60_000);
    await showUntil("the card", () => said("No question  ·  complete"));
    await isConnected();
    await world.discord.people.click(ana, world.discord.message(": One question"), "Proceed");
    await world.work();

    expect(await statusOf(goalId)).toBe("complete");
    expect(new Set(titles()).size).toBe(titles().length);
  });

  it("a bad token, and a missing intent, are one line each; everything else works, and a mended intent connects", async () => {
    const discord = await startDiscord();
    discord.faults.intent(false);
    world = await open({ discord, isConnected: false });
    await world.repository();
    await world.command("goal", "add", "Works anyway", "--run", "echo done > done.txt");
    await world.command("autopilot", "start");
    await world.work();
    await eventually("the word", async () => world.platform.status() === "the intent Message Content is off");
    expect(statusLines().at(-1)).toContain("switch Message Content Intent on");
    expect(valueOf<{ status: string }[]>(await world.command("goals"))).toMatchObject([{ status: "complete" }]);
    const looks = () => discord.calls.filter(({ name }) => name === "application").length;
    await eventually("two looks", async () => looks() >= 2);
    // Each try would use up one of the thousand of a day.
    expect(discord.gateway.counts.disallowed).toBe(1);
    discord.faults.intent(true);
    await isConnected();

    const other = await startDiscord();
    const wrong = { ...other, settings: { ...other.settings, DISCORD_TOKEN: "a.b.c" } };
    world = await open({ discord: wrong, isConnected: false });
    await eventually("the word", async () => world.platform.status() === "invalid token");
    expect(statusLines()).toEqual([expect.stringContaining("reset the bot's token")]);
  });

  it("a token revoked later loses nothing once it is good again", async () => {
    world = await open();
    await world.repository();
    world.discord.faults.revoke(true);
    await ask("Asked without a token");
    await world.show();
    expect(world.platform.status()).toBe("invalid token");

    world.discord.faults.revoke(false);
    world.advance(31_000);
    await showUntil("the card", () => said("Asked without a token"));
    await isConnected();
  });
});

describe("what people do while connections break", () => {
  it("a connection dropped during a click is resumed: the click is one decision", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Blink");
    await world.show();

    world.discord.gateway.drop(null);
    const seen = await world.discord.people.click(ana, world.discord.message(": Blink"), "Proceed");
    await isConnected();
    await eventually("the decision", async () => (await decisions()) === 1);
    await world.work();

    expect(seen.acknowledged).toBe(true);
    expect(world.discord.gateway.counts).toEqual({ identified: 1, resumed: 1, disallowed: 0 });
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("an interaction whose token has died is recorded, logged, and the next click learns it", async () => {
    world = await open();
    await world.repository();
    await ask("Late");
    await world.show();
    const card = world.discord.message(": Late");

    const seen = await world.discord.people.click(ana, card, "Skip", { isExpired: true });
    await world.discord.people.click(ben, card, "Proceed");

    expect(seen.acknowledged).toBe(false);
    expect(world.events.map((each) => each.event)).toContain("discord.answered-too-late");
    expect(world.discord.ephemerals.at(-1)?.text).toContain("already answered: Skip by @ana");
    const { rows } = await world.deps.database.pool.query("select choice from cos.decisions where settles");
    expect(rows).toEqual([{ choice: "Skip" }]);
  });

  it("a reply delivered three times, and fetched again later, is one reply; a missed one is fetched", async () => {
    world = await open();
    await world.repository();
    const goalId = await ask("Echo");
    await world.show();
    const card = world.discord.message(": Echo");

    const first = await world.discord.people.reply(eve, card, "nice", { times: 3 });
    await eventually("the mark", async () => world.discord.reactions.length > 0);
    const missed = await world.discord.people.reply(ana, card, "ok", { isMissed: true });
    world.discord.gateway.forgetSessions();
    await eventually("the second mark", async () => world.discord.reactions.length === 2);

    expect(world.discord.reactions).toEqual([
      { id: first.id, emoji: "👀" },
      { id: missed.id, emoji: "✅" },
    ]);
    const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(why.timeline.filter((row) => row.event === "reply.said").length).toBe(1);
    await world.work();
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("what takes longer than 2 s to record says so within Discord's 3 s, and says when it is recorded", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    const goalId = await ask("Slow");
    await world.show();
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("select 1 from cos.goals for update");

    const seen = await world.discord.people.click(ana, world.discord.message(": Slow"), "Skip");
    expect(seen.acknowledged).toBe(true);
    expect(world.discord.ephemerals[0]?.text).toContain("Not recorded yet, nothing was decided");
    await client.query("commit");
    client.release();
    await eventually("the second line", async () => world.discord.ephemerals.length === 2);

    expect(world.discord.ephemerals[1]?.text).toContain("Recorded now");
    expect(await statusOf(goalId)).toBe("deferred");
  });

  it("Why says that it is worked on while nothing can be read, and answers whole when it can", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    await ask("Why so slow");
    await world.show();
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("lock cos.goals in access exclusive mode");

    try {
      await world.discord.people.click(ana, world.discord.message(": Why so slow"), "Why");
      expect(world.discord.ephemerals[0]?.text).toContain("Working on it");
    } finally {
      await client.query("commit");
      client.release();
    }
    await eventually("the answer", async () => world.discord.ephemerals.length === 2);

    expect(world.discord.ephemerals[1]?.text).toContain("added by ana in the terminal");
  });

  it("an answer that is lost on the way is sent again until the person sees it, and is seen once", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    await ask("Twice");
    await world.show();
    const card = world.discord.message(": Twice");
    const { faults, people, ephemerals } = world.discord;

    faults.next("callback", { type: "500" }, { type: "lost", by: "cut" });
    const seen = await people.click(eve, card, "Proceed");
    await eventually("the refusal", async () => ephemerals.length === 1);
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("lock cos.goals in exclusive mode");
    faults.next("instead", { type: "page", status: 502 }, { type: "lost", by: "500" });
    await people.type(ana, "cos goal add", { text: "Slow to add" });
    await client.query("commit");
    client.release();
    await eventually("the answer", async () => ephemerals.at(-1)?.text.includes("goal-") === true);

    expect(seen.acknowledged).toBe(true);
    const outcomes = (name: string) =>
      world.discord.calls.filter((call) => call.name === name).map((call) => call.outcome);
    expect(outcomes("callback").slice(0, 3)).toEqual(["500", "lost", "400"]);
    await eventually("the last try", async () => outcomes("instead").length === 3);
    expect(outcomes("instead")).toEqual(["page 502", "lost", "ok"]);
    expect(world.events.filter((each) => each.event === "discord.answer-failed")).toEqual([]);
  });

  it("a command that takes longer than a second says that it is worked on, then answers", async () => {
    world = await open({ policy: asInTheProduct });
    await world.repository();
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("lock cos.goals in exclusive mode");

    await world.discord.people.type(ana, "cos goal add", { text: "Slow to add" });
    expect(world.discord.ephemerals[0]?.text).toContain("Working on");
    await client.query("commit");
    client.release();
    await eventually("the answer", async () => world.discord.ephemerals.length === 2);

    expect(world.discord.ephemerals[1]?.text).toMatch(/goal-[0-9a-f]{8}/);
  });
});
