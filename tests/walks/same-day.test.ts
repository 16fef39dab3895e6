import { describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { type Chat, personInDiscord, personInSlack, type Who } from "../fakes/person.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

/** One person's day, walked the same on each platform: what comes of it, and what everybody reads, are the same. */

/** What happened, step by step, in words. */
type Story = Record<string, unknown>;

async function dayOf(chat: Chat): Promise<Story> {
  const { world } = chat;
  const story: Story = {};
  await world.repository();

  async function ask(text: string, ...more: string[]): Promise<string> {
    const how = more.length > 0 ? more : ["--run", "echo done >> done.txt"];
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--tag", "ui", ...how));
    await world.command("autopilot", "start", ...(more.length > 0 ? more.slice(0, 2) : []));
    await chat.show();
    return goalId;
  }
  const { question } = chat;
  const statusOf = async (goalId: string) =>
    valueOf<{ status: string; instructions: { by: string; text: string }[] }>(
      await world.command("goal", "show", goalId),
    );
  const decided = async () =>
    (await world.deps.database.pool.query("select choice, actor, settles from cos.decisions order by decision_id"))
      .rows;
  async function told(who: Who, words: string): Promise<string> {
    return await eventually(`${who} is told ${words}`, async () => chat.told(who).find((each) => each.includes(words)));
  }

  // A stranger may not, who may does, and who comes later learns it.
  const first = await ask("Round prices up");
  const asked = question("Round prices up");
  story["a question"] = [asked.words, asked.choices];
  await asked.press("eve", "Proceed");
  story["a stranger"] = [await told("eve", "nly approvers may do that"), await decided()];
  world.advance(3 * 60_000);
  await asked.press("ana", "Proceed");
  await asked.press("ben", "Skip");
  story["who comes later"] = await told("ben", "already answered");
  await world.work();
  await chat.show();
  const settled = question("Round prices up");
  story["settled"] = [settled.words, settled.choices, (await statusOf(first)).status, await decided()];

  // Delivered three times, it is one press.
  const second = await ask("Change the colours");
  await question("Change the colours").press("ana", "Skip", { times: 3 });
  await chat.show();
  story["pressed once"] = [
    (await statusOf(second)).status,
    (await decided()).length,
    question("Change the colours").words,
  ];

  // Words in the thread.
  const third = await ask("Shorten the title");
  const thread = question("Shorten the title");
  await thread.reply("eve", "is that really needed?");
  await eventually("the first mark", async () => (chat.marks().length === 1 ? true : null));
  await thread.reply("ana", "OK.");
  await eventually("the second mark", async () => (chat.marks().length === 2 ? true : null));
  await world.work();
  await chat.show();
  story["in the thread"] = [chat.marks(), (await statusOf(third)).status, question("Shorten the title").words];

  // A form that is filled wrong, and then right.
  await agentRepository(world, [writes("done.txt", "done\n")]);
  const fourth = await ask("Rename the button", "--repo", "person");
  const wrong = await question("Rename the button").modify(
    "ana",
    { instructions: "call it Buy", budget: "lots" },
    { budget: "$7.50" },
  );
  await world.work();
  await chat.show();
  const { status, instructions } = await statusOf(fourth);
  story["a form"] = [wrong.includes("lots"), status, instructions.map(({ by, text }) => [by, text])];
  story["a changed goal"] = question("Rename the button").words;

  // Too late.
  await ask("Grow the header");
  const late = question("Grow the header");
  world.advance(25 * 60 * 60_000);
  await world.tick();
  await late.press("ben", "Skip");
  story["too late"] = await told("ben", "expired");
  await chat.show();
  story["nobody answered"] = question("Grow the header").words;
  story["standup"] = await chat.type("eve", "standup");
  return story;
}

/** The same walk on each platform, one after the other. */
async function storiesOf(walk: (chat: Chat) => Promise<Story>): Promise<[Story, Story]> {
  const stories: Story[] = [];
  for (const open of [personInSlack, personInDiscord]) {
    const chat = await open();
    try {
      stories.push(await walk(chat));
    } finally {
      await chat.close();
    }
  }
  const [inSlack = {}, inDiscord = {}] = stories;
  return [inSlack, inDiscord];
}

describe("the same person in Slack and in Discord", () => {
  it("has the same day: outcomes, choices and words", async () => {
    const [inSlack, inDiscord] = await storiesOf(dayOf);

    expect(inDiscord).toEqual(inSlack);
    const said = JSON.stringify(inSlack);
    for (const words of [
      "Only approvers may do that",
      "already answered: Proceed by @ana",
      "Proceed, by @ana in CHAT, TIME, after 3 min",
      "No answer by TIME: the goal is parked",
    ])
      expect(said).toContain(words);
    expect(inSlack).toMatchObject({
      "pressed once": ["deferred", 2, expect.stringContaining("Skip, by @ana in CHAT") as string],
      "in the thread": [["seen", "taken"], "complete", expect.stringContaining("Proceed, by @ana") as string],
      "a form": [true, "complete", [["@ana", "call it Buy"]]],
    });
  });
});
