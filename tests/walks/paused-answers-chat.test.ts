import { afterEach, describe, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { type TestWorld, valueOf } from "../fakes/deps.ts";
import * as discord from "../fakes/discord/world.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import * as slack from "../fakes/slack/world.ts";

/** Whoever answers in chat learns what is still paused: by a press, by a form, in a thread, in their home, and where it took long. */

const asInTheProduct = (policy: Policy): Policy => ({ ...policy, chat: { ...policy.chat, notYetAfterMs: 200 } });

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

interface Chat {
  readonly world: TestWorld & { show(): Promise<void> };
  /** What Ana alone was told, and what her window says. */
  told(): string;
  press(words: string, choice: string): Promise<unknown>;
  /** Opens the form of Modify and sends it. */
  modify(words: string, instructions: string, beforeIt?: () => Promise<void>): Promise<unknown>;
  reply(words: string, text: string): Promise<unknown>;
}

async function inSlack(policy?: (policy: Policy) => Policy): Promise<Chat & { readonly world: slack.SlackWorld }> {
  const world = await slack.slackWorld(policy === undefined ? {} : { policy });
  closing.push(world);
  const { people } = world.slack;
  return {
    world,
    told: () =>
      [
        ...world.slack.ephemerals.filter(({ userId }) => userId === slack.ana).map(({ text }) => text),
        JSON.stringify(people.openView(slack.ana)?.view ?? {}),
      ].join("\n"),
    press: (words, choice) => people.click(slack.ana, world.slack.message(words), choice.toLowerCase()),
    async modify(words, instructions, beforeIt) {
      await people.click(slack.ana, world.slack.message(words), "modify");
      await eventually("the form", async () => JSON.stringify(people.openView(slack.ana)).includes("instructions"));
      await beforeIt?.();
      await people.submit(slack.ana, { instructions });
    },
    reply: (words, text) => people.reply(slack.ana, world.slack.message(words), text),
  };
}

async function inDiscord(policy?: (policy: Policy) => Policy): Promise<Chat> {
  const world = await discord.discordWorld(policy === undefined ? {} : { policy });
  closing.push(world);
  const { people } = world.discord;
  return {
    world,
    // Replies are answered in direct messages.
    told: () => JSON.stringify([world.discord.ephemerals, world.discord.messages(discord.ana)]),
    press: (words, choice) => people.click(discord.ana, world.discord.message(words), choice),
    async modify(words, instructions, beforeIt) {
      await people.click(discord.ana, world.discord.message(words), "Modify…");
      await beforeIt?.();
      await people.submit(discord.ana, { instructions });
    },
    reply: (words, text) => people.reply(discord.ana, world.discord.message(words), text),
  };
}

const platforms = [
  ["Slack", inSlack],
  ["Discord", inDiscord],
] as const;

/** A goal that stops at a user-facing change, in a session that a person has paused. */
async function paused({ world }: Chat, text: string): Promise<{ goalId: string; held: string }> {
  await agentRepository(world, [writes("done.txt", "done\n")]);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--tag", "ui"));
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  await world.command("autopilot", "pause");
  await world.show();
  return { goalId, held: `${goalId} goes on when ${sessionId} does, which is still paused by ana` };
}

/** Without what platforms write differently. */
const plain = (told: string): string => told.replaceAll("`", "").replaceAll("\\", "").replaceAll("@ana", "ana");

async function says(chat: Chat, words: string): Promise<void> {
  await eventually(words, async () => plain(chat.told()).includes(words));
}

/** Nothing of a goal can be written until the returned function is called. */
async function slowly({ world }: Chat, table: string): Promise<() => Promise<void>> {
  const client = await world.deps.database.pool.connect();
  await client.query("begin");
  await client.query(`select 1 from ${table} for update`);
  return async () => {
    await client.query("commit");
    client.release();
  };
}

describe.each(platforms)("what is still paused is told in %s", (_, open) => {
  it("by a press, by a form and in the thread", async () => {
    const pressing = await open();
    const pressed = await paused(pressing, "Round prices");
    await pressing.press(": Round prices", "Proceed");
    await says(pressing, pressed.held);

    const filling = await open();
    const filled = await paused(filling, "Move the logo");
    await filling.modify(": Move the logo", "use navy");
    await says(filling, filled.held);

    const writing = await open();
    const written = await paused(writing, "Sort the list");
    await writing.reply(": Sort the list", "proceed");
    await says(writing, written.held);
  });

  it("where recording took longer than the platform waits, too: by a press and by a form", async () => {
    for (const act of ["press", "form"] as const) {
      const chat = await open(asInTheProduct);
      const { held } = await paused(chat, "Slow prices");
      const goOn = { release: async (): Promise<void> => undefined };
      const hold = async (): Promise<void> => {
        goOn.release = await slowly(chat, "cos.goals");
      };
      if (act === "press") {
        await hold();
        await chat.press(": Slow prices", "Proceed");
      } else await chat.modify(": Slow prices", "use navy", hold);
      await says(chat, "Not recorded yet");
      await goOn.release();
      await says(chat, "Recorded now");
      await says(chat, held);
    }
  });

  it("of a campaign, by a press of its own question", async () => {
    const chat = await open();
    const campaign = campaignIn(chat.world);
    await chat.world.repository();
    const plan =
      "# Work\n\n## First\n### Day 1\n- one\n  - run: echo 1 > one.txt\n\n## Second\n### Day 2\n- two\n  - run: echo 2 > two.txt\n";
    const id = await campaign.create(plan);
    await campaign.answer("Start");
    await campaign.settle();
    valueOf(await chat.world.command("campaign", "run", id));
    valueOf(await chat.world.command("campaign", "pause", id));
    await chat.world.show();
    await chat.press("the next milestone", "Proceed");
    await says(chat, `${id} is still paused by ana`);
  });
});
