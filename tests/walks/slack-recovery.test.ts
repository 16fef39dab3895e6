import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, projectDir } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { wholeInSlack } from "../fakes/whole-card.ts";
import { wordsOf } from "../fakes/slack/server.ts";
import { ana, ben, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** The ladder and its end, as people in Slack see it. */

let world: SlackWorld;
beforeEach(async () => {
  world = await slackWorld({ environment: { COS_SECOND: `slack:${ben}`, COS_QUIET_HOURS: "22:00-07:00" } });
});
afterEach(() => world.close());

const writes = [{ write: { path: "note.txt", content: "note\n" } }, { say: "Done." }];
const fails = [{ say: "boom" }, { stop: "max_tokens" }];

async function goal(...scripts: readonly { match: readonly string[]; steps: readonly object[] }[]): Promise<string> {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify([...scripts, { match: [], steps: fails }]));
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
  await world.command("autopilot", "start");
  return goalId;
}

async function climb(times = 10): Promise<void> {
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
  await world.show();
}

/** A message with these words, once it is there: replies are taken after they were acknowledged. */
async function shows(words: string): Promise<ReturnType<typeof world.slack.message>> {
  return await eventually(words, async () => {
    await world.show();
    return world.slack.messages().find((each) => each.text.includes(words));
  });
}

const whole = (message: ReturnType<typeof world.slack.message>) => wholeInSlack(world.slack, ana, message);
const statusOf = async (goalId: string) =>
  valueOf<{ status: string; attempts: { end: string }[] }>(await world.command("goal", "show", goalId));
const escalation = () => world.slack.message("Escalation after 6 attempts, 3 approaches: Write the note");

describe("recovery in Slack", () => {
  it("three failures and an alternative ask nobody, and the goal's card shows the ladder", async () => {
    const goalId = await goal({ match: ["Go about it differently this time"], steps: writes });
    await world.work();
    await world.show();
    expect(wordsOf(world.slack.message("Goal retrying: Write the note").blocks)).toContain(
      "level 1 of 4, same approach, attempt 2 (1 attempt so far)",
    );
    await climb();

    expect((await statusOf(goalId)).status).toBe("complete");
    const card = await whole(world.slack.message("Goal complete: Write the note"));
    expect(card).toContain("alternate approach, after 4 attempts");
    expect(card).toContain("*read what fails first* (built-in rule)");
    expect(world.slack.messages().filter((each) => each.text.startsWith("Escalation"))).toEqual([]);
  });

  it("six failures post one card with its approaches, whose thread steers: read back, confirmed, done", async () => {
    const goalId = await goal({ match: ["instruction by @ana\nuse src/events/bus.ts\n"], steps: writes });
    await climb();
    const card = escalation();
    expect(await whole(card)).toContain("3 attempts");
    const tried = world.slack.message("What was tried: 6 attempts, 3 approaches");
    expect(await whole(tried)).toContain("changed nothing");
    // With its goal, in the session's thread: who is mentioned by the card does not follow that (F-408).
    expect([tried.threadTs, card.threadTs]).toEqual([world.slack.message("Session on").ts, null]);

    await world.slack.people.reply(eve, card, "retry: rm -rf everything");
    await world.slack.people.reply(ana, card, "retry: use src/events/bus.ts");
    const readBack = await shows("@ana's reply: I will retry with: use src/events/bus.ts Confirm?");
    expect(readBack.threadTs).toBe(card.ts);
    expect(world.slack.messages().filter((each) => each.text.includes("'s reply")).length).toBe(1);
    await world.slack.people.click(ben, readBack, "confirm");
    await climb(2);

    expect((await statusOf(goalId)).status).toBe("complete");
    expect(wordsOf(escalation().blocks)).toContain("*Retry*, by @ben in Slack");
    expect(wordsOf(world.slack.message("@ana's reply").blocks)).toContain("confirmed by @ben");
  });

  it("two replies that differ are shown as such; Skip on the card settles it", async () => {
    const goalId = await goal();
    await climb();
    await world.slack.people.reply(ana, escalation(), "use b.txt instead");
    await shows("@ana's reply");
    await world.slack.people.reply(ben, escalation(), "I'll do it myself");
    expect(wordsOf((await shows("@ben's reply")).blocks)).toContain("Replies differ.");
    expect(wordsOf(world.slack.message("@ana's reply").blocks)).toContain("*@ben:* I will leave this goal to you.");

    const asShown = structuredClone(world.slack.message("@ana's reply"));
    await world.slack.people.click(ana, escalation(), "manual");
    await world.show();
    // Each of them is over with its question.
    for (const reply of ["@ana's reply", "@ben's reply"]) {
      const words = wordsOf(world.slack.message(reply).blocks);
      expect(words).toContain("not applied: its question is over");
      expect(words).not.toContain("Confirm");
    }
    const late = await world.slack.people.click(ben, asShown, "confirm");
    expect(late.acknowledged).toBe(true);
    expect((await statusOf(goalId)).status).toBe("manual_followup");
  });

  it("is not posted in quiet hours, and reminds 30 waking minutes later, naming the second person [S4-RM-15]", async () => {
    await goal();
    world.advance(13.5 * 3_600_000);
    await climb();
    expect(world.slack.messages().filter((each) => each.text.startsWith("Escalation"))).toEqual([]);
    world.advance(8.6 * 3_600_000);
    await world.tick();
    await world.show();
    expect(escalation().ts).not.toBe("");
    expect(world.slack.messages().some((each) => each.text.startsWith("Still waiting"))).toBe(false);
    world.advance(25 * 60_000);
    await world.tick();
    await world.show();

    const reminder = world.slack.message("Still waiting for an answer: Write the note");
    expect(wordsOf(reminder.blocks)).toContain(`Also for <@${ben}>`);
    expect(reminder.threadTs).toBe(escalation().ts);
  });

  it("a reminder that quiet hours held is not posted when the question was answered meanwhile", async () => {
    await goal();
    world.advance((12 * 60 + 20) * 60_000);
    await climb();
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    world.advance(46 * 60_000);
    await world.tick();
    await world.show();
    const reminders = async () => {
      const sql = "select address from cos.messages where platform = 'slack' and subject like '%.reminder.%'";
      return (await world.deps.database.pool.query(sql)).rows;
    };
    expect(await reminders()).toEqual([{ address: null }]);

    await world.command("answer", asked?.checkpointId ?? "", "Skip");
    world.advance(10 * 3_600_000);
    await world.tick();
    await world.show();
    expect(world.slack.messages().some((each) => each.text.startsWith("Still waiting"))).toBe(false);
    expect(await reminders()).toEqual([]);
  });

  it("the question of rung 3 stands by itself and is answered in its thread; the session's thread answers nothing", async () => {
    const goalId = await goal(
      { match: ["answer by @ana", "config/dev.json"], steps: writes },
      { match: [], steps: [{ say: "Config MISSING" }, { stop: "max_tokens" }] },
    );
    await climb(6);
    const root = world.slack.message("Goal waiting for an answer: Write the note");
    const question = world.slack.message("A question before the last attempt");
    expect([root.threadTs, question.threadTs]).toEqual([world.slack.message("Session on").ts, null]);
    await world.slack.people.reply(ana, root, "skip");
    await eventually("the refusal", async () =>
      world.slack.ephemerals.some((each) => each.text.includes("answer under the question itself")),
    );

    const said = await world.slack.people.reply(ana, question, "It is config/dev.json");
    await eventually("the answer", async () => world.slack.reactions.some((each) => each.ts === said.ts));
    await climb(2);

    expect((await statusOf(goalId)).status).toBe("complete");
  });
});

describe("a fixed command that failed twice", () => {
  const title = () => world.slack.message("Escalation: run twice, failed twice");

  async function escalated(command = "echo boom; exit 3"): Promise<string> {
    await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Run the fixer", "--run", command),
    );
    await world.command("autopilot", "start");
    await climb(3);
    return goalId;
  }

  it("shows both runs; its form begins with the command, and reads back what runs now [F-119]", async () => {
    const goalId = await escalated();
    // The last lines and the recommended choice are seen at once.
    expect(wordsOf(title().blocks)).toContain("```\nboom\n```");
    expect(wordsOf(title().blocks)).toContain("*Edit the command:*");
    const card = await whole(title());
    expect(card).toContain("*Run 1*");
    expect(card).toContain("*Run 2*");
    expect(card.match(/exit code 3/g)?.length).toBeGreaterThanOrEqual(2);
    expect(card).not.toMatch(/rung|approach|attempt|levels/i);

    await world.slack.people.click(ana, title(), "edit-the-command");
    const form = await eventually("the filled form", async () => {
      const view = world.slack.people.openView(ana);
      return JSON.stringify(view?.view).includes('"input"') ? view : null;
    });
    expect(JSON.stringify(form.view)).toContain('"initial_value":"echo boom; exit 3"');
    const same = await world.slack.people.submit(ana, { run: "echo boom; exit 3" });
    const right = await world.slack.people.submit(ana, { run: "echo x > x.txt" });
    await climb(2);

    expect(same.answer).toMatchObject({ errors: { run: expect.stringContaining("runs that already") as string } });
    expect(right).toEqual({ acknowledged: true, answer: {} });
    expect((await statusOf(goalId)).status).toBe("complete");
    const settled = wordsOf(title().blocks);
    expect(settled).toContain("*Edit the command*, by @ana in Slack");
    expect(settled).toContain("It runs this now: `echo x &gt; x.txt`");
  });

  it("has no form that holds half of a long command: it says how it is changed [F-119]", async () => {
    const goalId = await escalated(`echo boom; exit 3 # ${"x".repeat(3_500)}`);
    await world.slack.people.click(ana, title(), "edit-the-command");
    const said = await eventually("the words", async () => {
      const view = JSON.stringify(world.slack.people.openView(ana)?.view ?? {});
      return view.includes("a form here holds 3000") ? view : null;
    });
    expect(said).toContain(`/cos goal edit ${goalId} --run`);
    expect(said).not.toContain('"input"');
  });

  it("takes `edit: …` in its thread, and no instructions [F-119]", async () => {
    const goalId = await escalated();

    await world.slack.people.reply(ana, title(), "retry: use the other port");
    const refused = await eventually("the refusal", async () =>
      world.slack.ephemerals.find((each) => each.text.includes("takes no instructions")),
    );
    expect(refused.text).toContain(`/cos goal edit ${goalId} --run`);
    expect(world.slack.messages().some((each) => each.text.includes("'s reply"))).toBe(false);
    await world.slack.people.reply(ana, title(), "edit: `echo a && echo x > x.txt`");
    const readBack = await shows("@ana's reply: I will run this instead: echo a");
    await world.slack.people.click(ben, readBack, "confirm");
    await climb(2);

    expect((await statusOf(goalId)).status).toBe("complete");
    expect(wordsOf(title().blocks)).toContain("*Edit the command*, by @ben in Slack");
  });
});
