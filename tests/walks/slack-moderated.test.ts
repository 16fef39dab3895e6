import { afterEach, describe, expect, it } from "vitest";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { putMessages } from "../../src/db/wanted-messages.ts";
import { eventually } from "../fakes/bot.ts";
import { undeliverableMessages } from "../../src/db/messages.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { homeChannel, wordsOf } from "../fakes/slack/server.ts";
import { ana, ben, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** What people of a workspace do to what the bot has posted. */

const channel = { platform: "slack", channel: homeChannel };

let world: SlackWorld;
afterEach(async () => {
  await world.close();
});

const texts = () => world.slack.messages().map((message) => message.text);

async function want(subject: string, title: string, threadSubject: string | null = null): Promise<void> {
  const card = plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [text(title)] });
  const wanted = [{ subject, threadSubject, card, urgent: true }];
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

describe("below a message that is gone", () => {
  const everything = () => world.slack.messages().map((message) => `${message.threadTs} ${wordsOf(message.blocks)}`);

  it("a reply is posted in the channel, and says what it belongs to, also after it has changed", async () => {
    world = await slackWorld();
    await want("a", "root");
    await world.show();
    await world.slack.people.remove(world.slack.message("root"));

    await want("b", "reply", "a");
    await world.show();
    expect(everything()).toEqual(["null *reply*\nBelongs to: root\nreply"]);
    await want("b", "changed", "a");
    await showUntil("the change", () => texts().includes("changed"));

    expect(everything()).toEqual(["null *changed*\nBelongs to: root\nchanged"]);
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
  });

  it.each(["message_not_found", "cannot_reply_to_message"])(
    "also where Slack's word is %s, and its answer about the channel is lost",
    async (error) => {
      world = await slackWorld();
      await want("a", "root");
      await world.show();
      const rule = { method: "chat.postMessage", matches: (given: object) => "thread_ts" in given };
      world.slack.faults.always({ ...rule, fault: { type: "error", error } });
      world.slack.faults.next("conversations.replies", { type: "error", error: "thread_not_found" });
      world.slack.faults.next("chat.postMessage", { type: "error", error }, { type: "lost", by: "500" });

      await want("b", "reply", "a");
      await showUntil("the reply", () => texts().includes("reply"));
      await want("c", "something else");
      await showUntil("the next card", () => texts().includes("something else"));

      expect(texts()).toEqual(["root", "reply", "something else"]);
      expect(world.slack.messages().map(({ threadTs }) => threadTs)).toEqual([null, null, null]);
    },
  );

  it("also where the channel allows no threads, once, although Slack's answer is lost", async () => {
    world = await slackWorld();
    await want("a", "root");
    await world.show();
    const error = "restricted_action_non_threadable_channel";
    const rule = { method: "chat.postMessage", matches: (given: object) => "thread_ts" in given };
    world.slack.faults.always({ ...rule, fault: { type: "error", error } });
    world.slack.faults.next("chat.postMessage", { type: "error", error }, { type: "lost", by: "500" });

    await want("b", "reply", "a");
    await showUntil("the reply", () => texts().includes("reply"));
    await want("c", "something else");
    await showUntil("the next card", () => texts().includes("something else"));

    expect(everything()).toEqual([
      "null *root*\nroot",
      "null *reply*\nBelongs to: root\nreply",
      "null *something else*\nsomething else",
    ]);
  });

  it("as plain words it says so too, and below a message that Slack refuses", async () => {
    world = await slackWorld();
    const isRoot = (given: object) => JSON.stringify(given).includes("root");
    world.slack.faults.always({
      method: "chat.postMessage",
      matches: isRoot,
      fault: { type: "error", error: "no_text" },
    });
    await want("a", "root");
    await world.show();
    world.slack.faults.always(null);
    world.slack.faults.next("chat.postMessage", { type: "error", error: "invalid_blocks" });

    await want("b", "reply", "a");
    await showUntil("the reply", () => texts().length > 0);

    expect(texts()).toEqual(["reply Belongs to: root."]);
  });
});

describe("where nobody lets the app write", () => {
  it("a locked thread holds what belongs there and nothing else", async () => {
    world = await slackWorld();
    await want("a", "root");
    await world.show();
    const fault = { type: "error", error: "restricted_action_thread_locked" } as const;
    world.slack.faults.always({ method: "chat.postMessage", matches: (given) => "thread_ts" in given, fault });
    await want("b", "reply", "a");
    await world.show();
    await want("c", "something else");

    await world.show();

    expect(texts()).toEqual(["root", "something else"]);
    expect(world.platform.status()).toBe("connected");
    world.slack.faults.always(null);
    await showUntil("the reply", () => texts().includes("reply"));
  });

  it("a channel that became read-only is named with what to do, and nothing is given up", async () => {
    world = await slackWorld();
    const fault = { type: "error", error: "restricted_action_read_only_channel" } as const;
    world.slack.faults.always({ method: "chat.postMessage", matches: () => true, fault });
    await want("a", "root");
    await world.show();

    expect(world.platform.status()).toBe("restricted_action_read_only_channel");
    expect(JSON.stringify(world.events)).toContain("let the app post in the channel");
    expect(await undeliverableMessages(world.deps.database.db)).toEqual([]);
    world.slack.faults.always(null);
    await showUntil("the card", () => texts().includes("root"));
  });
});

describe("a card that was deleted while nobody listened", () => {
  it.each([
    ["with replies", true],
    ["without", false],
  ])("%s is asked again, and replies under others are still fetched", async (_, isAnswered) => {
    world = await slackWorld();
    await world.repository();
    await ask("First question");
    await ask("Deleted meanwhile");
    const first = world.slack.message(": First question");
    if (isAnswered) {
      await world.slack.people.reply(ben, world.slack.message(": Deleted meanwhile"), "hm");
      await eventually("its mark", async () => world.slack.reactions.length === 1);
      await world.show();
    }
    await world.slack.people.remove(world.slack.message(": Deleted meanwhile"), { isMissed: true });
    await world.slack.people.reply(ana, first, "ok", { isMissed: true });

    world.slack.faults.dropSockets("hard");

    await eventually("the missed reply", async () =>
      world.slack.reactions.some(({ name }) => name === "white_check_mark"),
    );
    await showUntil("the question", () => texts().some((each) => each.includes(": Deleted meanwhile")));
  });
});

describe("a form", () => {
  async function open(): Promise<void> {
    world = await slackWorld();
    await agentRepository(world, [writes("done.txt", "done\n")]);
    await world.command("goal", "add", "Name it", "--repo", "person", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.show();
  }

  async function fill(times = 1): Promise<void> {
    await world.slack.people.click(ana, world.slack.message(": Name it"), "modify", { times });
    await eventually("the form", async () =>
      JSON.stringify(world.slack.people.openView(ana)?.view).includes('"input"'),
    );
  }

  it("whose question was answered meanwhile gives back what was typed, unchanged", async () => {
    await open();
    await fill();
    const typed = "Call it *Buy* <b>\n```yaml\nmethod: bash\n```";
    await world.slack.people.click(ben, world.slack.message(": Name it"), "skip");

    const seen = await world.slack.people.submit(ana, { instructions: typed, budget: "7" });

    const { blocks } = seen.answer["view"] as { blocks: { text: { type: string; text: string } }[] };
    expect(blocks[0]?.text.text).toContain("already answered: Skip by @ben");
    expect(blocks.filter((each) => each.text.type === "plain_text").map((each) => each.text.text)).toEqual([
      typed,
      "7",
    ]);
  });

  it("that is open already is not said to have failed where its press is delivered again", async () => {
    await open();

    await fill(3);
    await world.slack.people.submit(ana, { instructions: "call it Buy" });

    expect(world.slack.ephemerals).toEqual([]);
  });
});
