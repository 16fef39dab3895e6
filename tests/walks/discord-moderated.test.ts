import { afterEach, describe, expect, it } from "vitest";
import { type CardAction, plainCard, text } from "../../src/core/cards/card.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { guildId, wordsOf } from "../fakes/discord/guild.ts";
import { homeChannel } from "../fakes/discord/server.ts";
import { ana, ben, type DiscordWorld, discordWorld } from "../fakes/discord/world.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

/** What moderators and other people of a server do to what the bot has posted. */

const channel = { platform: "discord", channel: homeChannel };

let world: DiscordWorld;
afterEach(async () => {
  await world.close();
});

const titles = (channelId?: string) =>
  world.discord.messages(channelId).map((message) => message.content.replaceAll("**", "").replace(/\n-# cos-\d+$/, ""));
const isAsked = (words: string) => titles().some((each) => each.includes(`: ${words}`));

async function want(
  subject: string,
  title: string,
  threadSubject: string | null = null,
  actions: readonly CardAction[] = [],
): Promise<void> {
  const plain = plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [text(title)] });
  const wanted = [{ subject, threadSubject, card: { ...plain, actions }, urgent: true }];
  await putMessages(world.deps.database.db, [channel], wanted, world.deps.now());
}

async function ask(goal: string): Promise<void> {
  await world.command("goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
}

/** Delivers while the hand-set clock runs, until the condition holds. */
async function showUntil(what: string, holds: () => boolean): Promise<void> {
  await eventually(what, async () => {
    await world.show();
    if (holds()) return true;
    world.advance(60_000);
    return false;
  });
}

/** Takes everything away without a word: the bot hears what is told by itself. */
async function takeAway(): Promise<readonly string[]> {
  const all = world.discord.messages();
  for (const each of all) await world.discord.people.remove(each, { isMissed: true });
  return all.map(({ id }) => id);
}

describe("a thread that a moderator has closed", () => {
  it.each([
    ["locked", "post", { type: "error", status: 403, code: 160005, message: "This thread is locked" }],
    ["locked in the archive", "unarchive", { type: "error", status: 403, code: 50013, message: "Missing Permissions" }],
  ] as const)("%s holds what belongs there and nothing else, until it is opened", async (how, name, fault) => {
    world = await discordWorld();
    await want("a", "root");
    await want("b", "first reply", "a");
    await world.show();
    const thread = world.discord.threads()[0]?.id ?? "";
    world.discord.faults.archive(thread);
    const isThere = (body: object) => name === "unarchive" || JSON.stringify(body).includes("second reply");
    world.discord.faults.always({ name, matches: isThere, fault });
    if (how === "locked") await want("c", "second reply", "a");
    else await want("b", "second reply", "a");
    await world.show();
    await want("d", "something else");

    await world.show();

    expect(titles()).toEqual(["root", "something else"]);
    expect(titles(thread)).toEqual(["first reply"]);
    expect(world.platform.status()).toBe("connected");
    world.discord.faults.always(null);
    await showUntil("the reply", () => titles(thread).includes("second reply"));
  });
});

describe("below a message that is gone", () => {
  it("a reply is posted in the channel, and says what it belongs to, also after it has changed", async () => {
    world = await discordWorld();
    await want("a", "root");
    await world.show();
    await world.discord.people.remove(world.discord.message("root"));

    await want("b", "reply", "a");
    await world.show();
    expect(world.discord.messages().map(wordsOf)).toEqual(["**reply**\nBelongs to: root\nreply"]);
    await want("b", "changed", "a");
    await showUntil("the change", () => titles().includes("changed"));

    expect(world.discord.messages().map(wordsOf)).toEqual(["**changed**\nBelongs to: root\nchanged"]);
  });

  it("a reply whose answer was lost there is found there", async () => {
    world = await discordWorld();
    await want("a", "root");
    await world.show();
    await world.discord.people.remove(world.discord.message("root"));
    world.discord.faults.next("post", { type: "error", status: 404, code: 10003, message: "Unknown Channel" });
    world.discord.faults.next("post", { type: "lost", by: "500" });
    await want("b", "reply", "a");
    await world.show();
    await showUntil("the search", () => world.discord.calls.filter(({ name }) => name === "history").length > 0);
    world.advance(3_600_000);
    await world.show();

    expect(titles()).toEqual(["reply"]);
    const posts = world.discord.calls.filter(({ name }) => name === "post").map(({ outcome }) => outcome);
    expect(posts).toEqual(["ok", "404", "lost"]);
  });
});

describe("a question that is gone from the channel is asked again", () => {
  it("where many messages were deleted at once", async () => {
    world = await discordWorld();
    await world.repository();
    await ask("Many deleted");
    const ids = await takeAway();

    world.discord.gateway.dispatch("MESSAGE_DELETE_BULK", { ids, channel_id: homeChannel, guild_id: guildId });

    await showUntil("the question", () => isAsked("Many deleted"));
  });

  it.each(["told at once", "while nobody listened"])("where its whole thread was deleted: %s", async (when) => {
    world = await discordWorld();
    await want("root", "root");
    const action = {
      choice: "skip",
      label: "Skip",
      call: { command: "checkpoints" },
      style: "default",
      until: null,
      about: "it",
    } as const;
    await want("asks", "In the thread", "root", [action]);
    await want("says", "Asks nothing", "root");
    await world.show();
    const thread = world.discord.threads()[0]?.id ?? "";
    world.discord.faults.deleteChannel(thread);
    expect(titles(thread)).toEqual([]);

    if (when === "told at once")
      world.discord.gateway.dispatch("THREAD_DELETE", { id: thread, guild_id: guildId, type: 11 });
    else world.discord.gateway.forgetSessions();

    await showUntil("the question", () => titles(thread).includes("In the thread"));
    expect(titles(thread)).toEqual(["In the thread"]);
  });

  it("a thread that was taken away keeps nothing from the channel, also where it asked nothing", async () => {
    world = await discordWorld();
    await want("root", "root");
    await want("says", "said in the thread", "root");
    await world.show();
    const thread = world.discord.threads()[0]?.id ?? "";
    world.discord.faults.deleteChannel(thread);
    await want("says", "changed in the thread", "root");
    await want("news", "news of the channel");
    await world.show();

    expect(world.platform.status()).toBe("connected");
    await showUntil("the change", () => titles(thread).includes("changed in the thread"));
    expect(titles()).toEqual(["root", "news of the channel"]);
  });

  it("also where its last change was refused, and it was given up", async () => {
    world = await discordWorld();
    const action = {
      choice: "skip",
      label: "Skip",
      call: { command: "checkpoints" },
      style: "default",
      until: null,
      about: "it",
    } as const;
    await want("asks", "first asked", null, [action]);
    await world.show();
    const fault = { type: "error", status: 400, code: 50035, message: "Invalid Form Body" } as const;
    world.discord.faults.always({ name: "edit", matches: () => true, fault });
    await want("asks", "asked anew", null, [action]);
    await world.show();
    expect(await undeliverableMessages(world.deps.database.db)).toHaveLength(1);

    await world.discord.people.remove(world.discord.message("first asked"));

    await showUntil("the question", () => titles().includes("asked anew"));
    expect(world.discord.message("asked anew").embeds).toHaveLength(1);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it("and nobody is said to have deleted a reply where a card of ours was deleted in a thread", async () => {
    world = await discordWorld();
    await agentRepository(world, [writes("done.txt", "done\n")]);
    await world.command("goal", "add", "Carded", "--repo", "person", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.show();
    const said = await world.discord.people.reply(ana, world.discord.message(": Carded"), "use the subtitle instead");
    await eventually("the reading", async () => {
      await world.show();
      return titles(said.channelId).some((each) => each.includes("'s reply"));
    });
    const reading = world.discord.messages(said.channelId).find((each) => each.content.includes("'s reply"));
    if (reading === undefined) throw new Error("no reading");
    const events = async () => {
      const { rows } = await world.deps.database.pool.query<{ event: string }>("select event from cos.timeline");
      return rows.map(({ event }) => event).filter((event) => event.startsWith("reply."));
    };
    const before = await events();
    await world.discord.people.remove(reading);
    await showUntil("the reading again", () => titles(said.channelId).some((each) => each.includes("'s reply")));
    await world.discord.people.reply(ana, world.discord.message(": Carded"), "thanks");
    await eventually("what was said after it", async () => (await events()).length > before.length);

    expect((await events()).filter((event) => event !== "reply.said")).toEqual(
      before.filter((event) => event !== "reply.said"),
    );
  });

  it("where it was deleted while nobody listened", async () => {
    world = await discordWorld();
    await world.repository();
    await ask("Deleted meanwhile");
    await takeAway();

    world.discord.gateway.forgetSessions();

    await showUntil("the question", () => isAsked("Deleted meanwhile"));
    expect(titles().filter((each) => each.includes("Deleted meanwhile"))).toHaveLength(1);
  });
});

it("a form whose question was answered meanwhile gives back what was typed, unchanged", async () => {
  world = await discordWorld();
  await agentRepository(world, [writes("done.txt", "done\n")]);
  await world.command("goal", "add", "Name it", "--repo", "person", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
  const card = world.discord.message(": Name it");
  const typed = `Call it **Buy**, <@${ben}>\n\`\`\`yaml\nmethod: bash\n\`\`\`\n${"x".repeat(3_900)}`;
  await world.discord.people.click(ana, card, "Modify…");
  await world.discord.people.click(ben, card, "Skip");

  await world.discord.people.submit(ana, { instructions: typed, budget: "7" });

  const given = await eventually("what was typed", async () => world.discord.ephemerals[1]);
  expect(world.discord.ephemerals[0]?.text).toContain("already answered: Skip by @ben");
  expect(given).toMatchObject({ userId: ana, isPublic: false });
  expect(given.files).toEqual([
    { name: "Instructions.txt", text: typed },
    { name: "Ceiling in USD.txt", text: "7" },
  ]);
  const goals = valueOf<{ status: string }[]>(await world.command("goals"));
  expect(goals.map(({ status }) => status)).toEqual(["deferred"]);
});
