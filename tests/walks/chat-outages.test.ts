import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, valueOf } from "../fakes/deps.ts";
import { ana as anaInDiscord, discordWorld, eve as eveInDiscord } from "../fakes/discord/world.ts";
import { type Proxy, proxyBefore } from "../fakes/proxy.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { ana, slackWorld } from "../fakes/slack/world.ts";

/** What people do while the bot's database, or their own direct messages, do not answer. */

let proxy: Proxy;
let world: TestWorld | null = null;
async function through(databaseUrl: string): Promise<string> {
  const before = await proxyBefore(databaseUrl);
  proxy = before.proxy;
  return before.url;
}
beforeEach(() => {
  world = null;
});
afterEach(async () => {
  await world?.close();
  await proxy.close();
});

/** The chat's times with these in their place. */
const times = (chat: Partial<Policy["chat"]>) => (policy: Policy) => ({ ...policy, chat: { ...policy.chat, ...chat } });

/** The database goes away, and comes back when it was asked for in vain. */
async function whileAway(work: () => Promise<unknown>): Promise<void> {
  const { target } = proxy;
  proxy.target = null;
  proxy.cut();
  const before = proxy.refused();
  await work();
  await eventually("some tries", async () => proxy.refused() >= before + 5);
  proxy.target = target;
}

async function ask(there: TestWorld & { readonly show: () => Promise<void> }, goal: string): Promise<string> {
  const words = ["goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await there.command(...words));
  await there.command("autopilot", "start");
  await there.show();
  return goalId;
}

const isDone = async (there: TestWorld, goalId: string) => {
  await there.work();
  return valueOf<{ status: string }>(await there.command("goal", "show", goalId)).status === "complete";
};

describe("a reply that was written while the database was away for longer than it is tried", () => {
  it("is fetched when it is back: in Slack", async () => {
    const there = await slackWorld({ through, policy: times({ keepTryingMs: 0 }) });
    world = there;
    await there.repository();
    const goalId = await ask(there, "Answered meanwhile");
    await there.stopDelivery();
    await whileAway(() => there.slack.people.reply(ana, there.slack.message(": Answered meanwhile"), "ok"));
    await eventually("the mark", async () => there.slack.reactions.some(({ name }) => name === "white_check_mark"));
    expect(await isDone(there, goalId)).toBe(true);
  });

  it("is fetched when it is back: in Discord", async () => {
    const there = await discordWorld({ through, policy: times({ keepTryingMs: 0 }) });
    world = there;
    await there.repository();
    const goalId = await ask(there, "Answered meanwhile");
    await there.stopDelivery();
    const card = there.discord.message(": Answered meanwhile");
    await whileAway(() => there.discord.people.reply(anaInDiscord, card, "ok"));
    await eventually("the mark", async () => there.discord.reactions.some(({ emoji }) => emoji === "✅"));
    expect(await isDone(there, goalId)).toBe(true);
  });
});

describe("what was pressed in the app's home while the database was away", () => {
  it("says in the same window what came of it, and the home is drawn anew", async () => {
    const there = await slackWorld({ through, policy: times({ notYetAfterMs: 100 }) });
    world = there;
    await there.repository();
    const goalId = await ask(there, "Pressed at home");
    await there.slack.people.openHome(ana);
    await eventually("the home", async () => there.slack.homes.get(ana));
    await there.stopDelivery();
    const said = () => JSON.stringify(there.slack.people.openView(ana)?.view ?? {});
    await whileAway(async () => {
      await there.slack.people.clickHome(ana, "proceed");
      await eventually("the window", async () => said().includes("Not recorded yet"));
    });
    await eventually("its end", async () => said().includes("Recorded now"));
    await eventually("the new home", async () =>
      JSON.stringify(there.slack.homes.get(ana)).includes("Nothing waits for you"),
    );
    expect(await isDone(there, goalId)).toBe(true);
  });

  it("gives back in that window what was typed into a form that was not taken", async () => {
    const there = await slackWorld({ through, policy: times({ notYetAfterMs: 100, keepTryingMs: 2_000 }) });
    world = there;
    await agentRepository(there, [writes("done.txt", "done\n")]);
    await there.command("goal", "add", "Changed at home", "--tag", "ui");
    await there.command("autopilot", "start");
    await there.show();
    await there.slack.people.openHome(ana);
    await eventually("the home", async () => there.slack.homes.get(ana));
    await there.slack.people.clickHome(ana, "modify");
    const said = () => JSON.stringify(there.slack.people.openView(ana)?.view ?? {});
    await eventually("the form", async () => said().includes("instructions"));
    await there.stopDelivery();
    await whileAway(async () => {
      await there.slack.people.submit(ana, { instructions: "use navy, not black" });
      await eventually("its end", async () => said().includes("could not be recorded"));
    });
    expect(said()).toContain("use navy, not black");
  });
});

describe("a reply in Discord that is refused", () => {
  it("is marked where its writer takes no direct messages", async () => {
    const there = await discordWorld({ through });
    world = there;
    await there.repository();
    await ask(there, "Not for everybody");
    const closed = { type: "error", status: 403, code: 50007, message: "Cannot send messages to this user" } as const;
    there.discord.faults.always({ name: "direct", matches: () => true, fault: closed });
    const card = there.discord.message(": Not for everybody");
    const said = await there.discord.people.reply(eveInDiscord, card, "ok");
    await eventually("the mark", async () => there.discord.reactions.length === 1);
    expect(there.discord.reactions).toEqual([{ id: said.id, emoji: "🚫" }]);
  });
});

describe("a reply in Discord that is taken", () => {
  it("has the mark of one that was, also where its writer cannot be told what else there is to say of it", async () => {
    const there = await discordWorld({ through });
    world = there;
    await there.repository();
    await ask(there, "Answered while paused");
    valueOf(await there.command("autopilot", "pause"));
    const closed = { type: "error", status: 403, code: 50007, message: "Cannot send messages to this user" } as const;
    there.discord.faults.always({ name: "direct", matches: () => true, fault: closed });
    const card = there.discord.message(": Answered while paused");

    const said = await there.discord.people.reply(anaInDiscord, card, "proceed");
    await eventually("what could not be said", async () =>
      there.events.some(({ event }) => event === "discord.private-failed"),
    );
    await there.show();

    expect(there.discord.reactions).toEqual([{ id: said.id, emoji: "✅" }]);
  });
});
