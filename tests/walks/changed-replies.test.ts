import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ana as anaInDiscord, discordWorld } from "../fakes/discord/world.ts";
import type { Caller } from "../../src/commands/command.ts";
import { takeReply } from "../../src/commands/reply.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { wordsOf } from "../fakes/slack/server.ts";
import { ana, ben, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** A reply that its writer edits or deletes: nothing of its old words can be confirmed any more. */

let world: SlackWorld;
beforeEach(async () => {
  world = await slackWorld();
  await agentRepository(world, [writes("done.txt", "done\n")]);
});
afterEach(() => world.close());

async function asked(): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Shorten the title", "--tag", "ui"),
  );
  await world.command("autopilot", "start");
  await world.show();
  return goalId;
}

const card = () => world.slack.message(": Shorten the title. Answer by");
const instructionsOf = async (goalId: string) =>
  valueOf<{ instructions: { text: string }[] }>(await world.command("goal", "show", goalId)).instructions;

/** The newest card that reads a reply back with these words. */
async function readBack(words: string) {
  return await eventually(words, async () => {
    await world.show();
    const found = world.slack.messages().findLast((each) => `${each.text} ${wordsOf(each.blocks)}`.includes(words));
    // As it was shown then: somebody may press what is not there any more.
    return found?.isOurs === true ? structuredClone(found) : null;
  });
}

describe("a reply in Slack", () => {
  it("that is edited is read anew: its old words cannot be confirmed, by nobody [F-404]", async () => {
    const goalId = await asked();
    const reply = await world.slack.people.reply(ana, card(), "use the :rocket: icon instead");
    const first = await readBack("use the 🚀 icon instead");
    await world.slack.people.edit(reply, "use the subtitle instead");
    const second = await readBack("this added: use the subtitle instead");
    expect(second.ts).not.toBe(first.ts);
    expect(wordsOf((await readBack("edited by its writer")).blocks)).toContain("use the 🚀");

    await world.slack.people.click(ben, first, "confirm");
    expect(await instructionsOf(goalId)).toEqual([]);
    await world.slack.people.click(ben, second, "confirm");
    const [kept, ...more] = await instructionsOf(goalId);
    expect(kept?.text).toContain("use the subtitle instead");
    expect(more).toEqual([]);
  });

  it("that is deleted is withdrawn, and its card says so [F-404]", async () => {
    const goalId = await asked();
    const reply = await world.slack.people.reply(ana, card(), "use the subtitle instead");
    const shown = await readBack("this added: use the subtitle instead");
    await world.slack.people.remove(reply);
    await readBack("deleted by its writer");

    await world.slack.people.click(ana, shown, "confirm");
    expect(await instructionsOf(goalId)).toEqual([]);
    expect(valueOf<unknown[]>(await world.command("checkpoints")).length).toBe(1);
  });

  it("that is deleted while nobody listens is withdrawn when somebody does again, and others are not [F-404]", async () => {
    const goalId = await asked();
    const reply = await world.slack.people.reply(ana, card(), "use the subtitle instead");
    const shown = await readBack("this added: use the subtitle instead");
    await world.slack.people.reply(ben, card(), "use the icon instead");
    const other = await readBack("this added: use the icon instead");
    await world.slack.people.remove(reply, { isMissed: true });
    world.slack.faults.dropSockets("hard");
    await readBack("deleted by its writer");

    await world.slack.people.click(ben, shown, "confirm");
    expect(await instructionsOf(goalId)).toEqual([]);
    await world.slack.people.click(ben, other, "confirm");
    expect((await instructionsOf(goalId)).map(({ text }) => text)).toEqual([
      expect.stringContaining("use the icon instead"),
    ]);
  });

  it("that was written before the question, and is edited now, is about another one: nothing is read back [F-404]", async () => {
    const goalId = await asked();
    const edit = (at: Date) => {
      const change = ["--change", "edited", "--at", at.toISOString(), "--message", "slack:C1/1.2"];
      return world.command("reply", goalId, "use the subtitle instead", ...change);
    };
    const now = world.deps.now();

    expect(valueOf(await edit(new Date(now.getTime() - 60_000)))).toMatchObject({ became: "comment" });
    expect(valueOf(await edit(now))).toMatchObject({ became: "proposal" });
  });

  it("that was written before the question changed decides nothing about what it says now [F-404]", async () => {
    const goalId = await asked();
    const said = (at: Date) => world.command("reply", goalId, "ok", "--at", at.toISOString());
    const isReminded = async (): Promise<boolean> =>
      (await world.deps.database.pool.query("select 1 from cos.checkpoints where reminded_at is not null")).rows
        .length > 0;
    const written = world.deps.now();
    world.advance(60_000);
    valueOf(await world.command("goal", "edit", goalId, "--text", "Drop the title"));

    expect(await said(written)).toMatchObject({
      type: "refused",
      reason: 'the question changed after you wrote "ok"; nothing was decided',
    });
    expect(valueOf<unknown[]>(await world.command("checkpoints"))).toMatchObject([{ version: 2, status: "pending" }]);
    // It is reminded of by its newest words, not by its first.
    world.advance(29 * 60_000);
    await world.tick();
    expect(await isReminded()).toBe(false);
    world.advance(2 * 60_000);
    await world.tick();
    expect(await isReminded()).toBe(true);

    expect(valueOf(await said(world.deps.now()))).toMatchObject({ became: "answer" });
  });

  it("that was read back is over when its question is asked as another one, and when that expires", async () => {
    const goalId = await asked();
    await world.slack.people.reply(ana, card(), "use the subtitle instead");
    await readBack("this added: use the subtitle instead");
    valueOf(await world.command("goal", "edit", goalId, "--text", "Drop the title"));
    expect(wordsOf((await readBack("its question has changed")).blocks)).not.toContain("Confirm");

    await world.slack.people.reply(ana, world.slack.message(": Drop the title. Answer by"), "use the icon instead");
    await readBack("this added: use the icon instead");
    world.advance(40 * 24 * 3_600_000);
    await world.tick();
    expect(wordsOf((await readBack("its question is over")).blocks)).toContain("use the icon");
  });

  it("an edit alone never decides: `ok` is read back first [F-404]", async () => {
    await asked();
    const reply = await world.slack.people.reply(ana, card(), "let me think about it");
    await world.slack.people.edit(reply, ":+1:");
    const shown = await readBack("@ana's reply");
    expect(valueOf<unknown[]>(await world.command("checkpoints")).length).toBe(1);
    await world.slack.people.click(ana, shown, "confirm");
    expect(valueOf<unknown[]>(await world.command("checkpoints")).length).toBe(0);
  });
});

describe("a reply that was written and edited", () => {
  const readBacks = () => world.slack.messages().filter((each) => wordsOf(each.blocks).includes("'s reply")).length;
  const looks = () => world.slack.calls.filter(({ method }) => method === "conversations.replies").length;
  /** Fetches what was missed so often, and shows what came of it. */
  async function reconnect(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const before = looks();
      world.slack.faults.dropSockets("hard");
      await eventually("the look", async () => looks() > before);
      await eventually("the connection", async () => world.platform.status() === "connected");
      await world.show();
    }
  }

  it.each([
    ["while nobody listened", true],
    ["at last while somebody listened", false],
  ])("%s is read back once, however often it is fetched [F-404]", async (_, isMissed) => {
    await asked();
    const reply = await world.slack.people.reply(ana, card(), "use the icon instead", { isMissed: true });
    await world.slack.people.edit(reply, "use the subtitle instead", { isMissed });
    await reconnect(1);
    await readBack("this added: use the subtitle instead");
    await reconnect(3);
    // Another one shows that all was fetched.
    await world.slack.people.reply(ben, card(), "hm", { isMissed: true });
    await reconnect(1);
    await eventually("the mark", async () => world.slack.reactions.length >= 1);
    await world.show();
    expect(readBacks()).toBe(1);
  });
});

describe("a reply that means to decide and cannot be read", () => {
  it("is asked back under an ordinary question, where talk is only kept", async () => {
    await asked();
    await world.slack.people.reply(ana, card(), "thanks, let me think about it");
    await eventually("the mark", async () => world.slack.reactions.length === 1);
    await world.slack.people.reply(ana, card(), "skip. Actually no, proceed");
    const shown = await readBack("Nothing was decided. Say Proceed, Skip, Modify, Pause");

    expect(wordsOf(shown.blocks)).toContain("@ana's reply is not clear yet");
    expect(JSON.stringify(world.slack.messages())).not.toContain("@ana wrote: thanks");
    expect(valueOf<unknown[]>(await world.command("checkpoints")).length).toBe(1);
  });

  it("is a ceiling where it names a budget behind modify", async () => {
    const goalId = await asked();
    await world.slack.people.reply(ana, card(), "Modify: budget 3");
    await world.slack.people.click(ana, await readBack("ceiling to $3.00"), "confirm");

    expect(await instructionsOf(goalId)).toEqual([]);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ ceilingUsd: 3 });
  });
});

describe("a reply of which a process is cut short", () => {
  /** The same, whose connection is lost after so many transactions. */
  const lostAfter = (transactions: number): typeof world.deps => {
    let left = transactions;
    const transaction: typeof world.deps.database.transaction = async (work, limits) => {
      if (left === 0) throw new Error("connection terminated");
      left -= 1;
      return await world.deps.database.transaction(work, limits);
    };
    return { ...world.deps, database: { ...world.deps.database, transaction } };
  };
  const caller = { actor: "ana", via: "terminal", member: null, origin: { type: "person", by: { type: "terminal" } } };

  it.each([
    ["said", {}],
    ["edited", { change: "edited", message: "slack:C1/1.2" }],
  ] as const)("is whole or not there: %s and read back in one transaction", async (_, changed) => {
    const goalId = await asked();
    const said = { subject: goalId, text: "use the subtitle instead", ...changed };
    const taken = await takeReply(lostAfter(1), caller as Caller, said);
    expect(valueOf(taken)).toMatchObject({ became: "proposal" });
    await readBack("this added: use the subtitle instead");
  });
});

describe("a reply in Discord", () => {
  it.each([
    ["also when another process heard it", false],
    ["also while nobody listened", true],
  ])("is withdrawn when it is deleted, %s [F-404]", async (_, isMissed) => {
    const other = await discordWorld();
    await agentRepository(other, [writes("done.txt", "done\n")]);
    await other.command("goal", "add", "Shorten the title", "--tag", "ui");
    await other.command("autopilot", "start");
    await other.show();
    const question = other.discord.message(": Shorten the title");
    const said = await other.discord.people.reply(anaInDiscord, question, "use the subtitle instead");
    await eventually("the reading", async () => {
      await other.show();
      return other.discord.messages(said.channelId).some((each) => each.content.includes("'s reply"));
    });
    await other.platform.stop();
    if (isMissed) await other.discord.people.remove(said, { isMissed });
    await other.anotherBot();
    if (!isMissed) await other.discord.people.remove(said);
    await eventually("the withdrawal", async () => {
      await other.show();
      return JSON.stringify(other.discord.messages(said.channelId)).includes("deleted by its writer");
    });
    await other.close();
  });
});
