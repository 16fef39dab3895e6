import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { ana, ben, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** What people write in a thread after "Confirm?", and what they ask there. */

let world: SlackWorld;
beforeEach(async () => {
  world = await slackWorld();
  await agentRepository(world, [writes("done.txt", "done\n")]);
});
afterEach(() => world.close());

async function asked(): Promise<string> {
  const added = await world.command("goal", "add", "Shorten the title", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.show();
  return valueOf<{ goalId: string }>(added).goalId;
}

const card = () => world.slack.message(": Shorten the title. ");
const statusOf = async (goalId: string) =>
  valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;

async function readBack(words: string): Promise<void> {
  await eventually(words, async () => {
    await world.show();
    return world.slack.messages().some((each) => each.isOurs && each.text.includes(words));
  });
}

async function told(userId: string, words: string): Promise<void> {
  await eventually(words, async () =>
    world.slack.ephemerals.some((each) => each.userId === userId && each.text.includes(words)),
  );
}

describe("a reply in words to what was read back", () => {
  it("confirms it when its writer says yes, and never the question above it", async () => {
    const goalId = await asked();
    await world.slack.people.reply(ana, card(), "drop it");
    await readBack("I will skip this goal. Confirm?");

    await world.slack.people.reply(ben, card(), "ok");
    await told(ben, "nothing was decided: press Confirm there, or say the choice by its name");
    expect(await statusOf(goalId)).toBe("blocked");
    await world.slack.people.reply(ana, card(), "yes");

    await eventually("the answer", async () => (await statusOf(goalId)) === "deferred");
  });

  it.each(["yes", "lgtm"])("confirms that the goal goes on, too, and reads no yes back twice (%j)", async (again) => {
    const goalId = await asked();
    await world.slack.people.reply(ana, card(), "yes, please");
    await readBack("I will go on. Confirm?");

    await world.slack.people.reply(ana, card(), again);

    await eventually("the answer", async () => (await statusOf(goalId)) !== "blocked");
    const { rows } = await world.deps.database.pool.query("select status from cos.replies");
    expect(rows).toEqual([{ status: "confirmed" }]);
  });

  it("puts it aside when its writer says no", async () => {
    const goalId = await asked();
    await world.slack.people.reply(ana, card(), "drop it");
    await readBack("I will skip this goal. Confirm?");

    await world.slack.people.reply(ana, card(), "no, wait");

    await eventually("the reading put aside", async () => {
      const { rows } = await world.deps.database.pool.query("select status from cos.replies");
      return rows.length === 1 && rows[0].status === "dismissed";
    });
    expect(await statusOf(goalId)).toBe("blocked");
  });
});

describe("a reply that decides nothing", () => {
  it("says where the answer is: a question how it stands, a choice in the session's thread, words to what is settled", async () => {
    const goalId = await asked();
    await world.slack.people.reply(eve, card(), "what happened?");
    await told(eve, `/cos why ${goalId}`);
    await world.slack.people.reply(ana, world.slack.message("Session on"), "yes");
    await told(ana, "answer under the question itself");
    await world.slack.people.click(ana, card(), "skip");
    await world.show();
    await world.slack.people.reply(ana, card(), "use green instead");
    await told(ana, "is answered with Skip already; what you wrote changes nothing");
  });

  it("a command is kept, and its writer hears once where it is typed; edited into an answer it is read back first [F-404]", async () => {
    const goalId = await asked();
    const { people } = world.slack;
    const typed = await people.reply(ana, card(), " /cos skip");
    await told(ana, "In a thread no command runs, and nothing was done: type it in the channel");
    await people.reply(ben, card(), `cos why ${goalId}`);
    await told(ben, `/cos why ${goalId}`);

    await people.edit(typed, "skip");
    await readBack("I will skip this goal. Confirm?");
    await people.invite("in");
    await people.reply(eve, card(), "what happened?");
    await told(eve, "see what happened so far");

    expect(await statusOf(goalId)).toBe("blocked");
    expect(world.slack.ephemerals.filter(({ text }) => text.includes("In a thread")).length).toBe(2);
    const { rows } = await world.deps.database.pool.query(
      "select count(*)::int as n from cos.timeline where event = 'reply.said' and goal_id = $1",
      [goalId],
    );
    expect(rows).toEqual([{ n: 3 }]);
  });
});
