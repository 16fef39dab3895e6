import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";
import { openPeople } from "../../src/chat/people.ts";
import type { Policy } from "../../src/core/policy.ts";

const byChat = { type: "person", by: { type: "chat" } } as const;

/** Whoever may decide by a group is never told that they may not because a platform was slow to say so. */

const leads = "S0LEADS";
const max = "U0MAX";
const soon = (policy: Policy): Policy => ({ ...policy, chat: { ...policy.chat, personWaitMs: 300 } });

const holds: { release(): void }[] = [];

/** What is held is let go, so that a test that fails ends. */
async function close(world: SlackWorld): Promise<void> {
  for (const each of holds.splice(0)) each.release();
  await world.close();
}

async function ask(world: SlackWorld, text: string): Promise<string> {
  await world.repository();
  const words = ["goal", "add", text, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.show();
  return goalId;
}

describe("an approver by a user group of Slack", () => {
  let world: SlackWorld;
  afterEach(() => close(world));

  async function open(environment: Record<string, string> = {}, policy = soon): Promise<void> {
    world = await slackWorld({ environment: { COS_APPROVERS: `slack:${leads}`, ...environment }, policy });
    world.slack.people.add(max, "max");
    world.slack.people.group(leads, [max]);
  }

  function held(method: string): { release(): void } {
    const hold = world.slack.faults.hold(method);
    holds.push(hold);
    return hold;
  }

  const decided = async (): Promise<number> => {
    const sql = "select count(*)::int as n from cos.decisions where settles";
    return (await world.deps.database.pool.query<{ n: number }>(sql)).rows[0]?.n ?? 0;
  };
  const told = () => world.slack.ephemerals.map(({ text }) => text);
  /** The next private line: it is said after the press was acknowledged. */
  const line = async (nth: number) => await eventually(`line ${nth}`, async () => told()[nth]);

  it("is asked to try again where Slack does not say the group in time, and the next press decides", async () => {
    await open();
    await ask(world, "Slow group");
    const card = world.slack.message(": Slow group");
    held("usergroups.users.list");
    await world.slack.people.click(max, card, "proceed");

    expect(await line(0)).toContain("could not find out in which groups you are");
    expect(told().join()).not.toMatch(/only approvers/i);
    expect(await decided()).toBe(0);
    await world.slack.people.click(max, card, "proceed");
    expect(await decided()).toBe(1);
  });

  it("decides with the press that Slack limits the group's members for, which is told meanwhile", async () => {
    await open({}, (policy) => ({ ...policy, chat: { ...soon(policy).chat, notYetAfterMs: 500 } }));
    await ask(world, "Limited group");
    world.slack.faults.next("usergroups.users.list", { type: "limit", seconds: 1 });
    const seen = await world.slack.people.click(max, world.slack.message(": Limited group"), "proceed");

    expect(seen.acknowledged).toBe(true);
    expect(await line(0)).toContain("Not recorded yet");
    expect(await line(1)).toContain("Recorded now");
    expect(await decided()).toBe(1);
  });

  it("shares a call among those who press at the same time, and asks anew at the next press [F-406]", async () => {
    await open();
    await ask(world, "Pressed by two");
    const card = world.slack.message(": Pressed by two");
    const asked = () => world.slack.calls.filter(({ method }) => method === "usergroups.users.list").length;
    const hold = held("users.info");
    const before = asked();
    world.slack.faults.always({
      method: "usergroups.users.list",
      matches: () => true,
      fault: { type: "limit", seconds: 1 },
    });
    const presses = [ana, max, ana].map((who) => world.slack.people.click(who, card, "proceed"));
    await eventually("the limit", async () => asked() > before);
    world.slack.faults.always(null);
    hold.release();
    await Promise.all(presses);

    expect(asked() - before).toBe(2);
    expect(await decided()).toBe(1);
    world.slack.people.group(leads, []);
    await world.slack.people.click(max, card, "proceed");
    expect(asked() - before).toBe(3);
  });

  it("decides at once where the list of the channel's members is what takes long, and reads as well", async () => {
    await open();
    await ask(world, "Slow list");
    const hold = held("conversations.members");
    await world.slack.people.click(max, world.slack.message(": Slow list"), "proceed");

    expect(told()).toEqual([]);
    expect(await decided()).toBe(1);
    hold.release();
  });

  it("somebody of no group is told that only approvers may, and so is everybody where the app may not look", async () => {
    await open();
    await ask(world, "Not theirs");
    const card = world.slack.message(": Not theirs");
    await world.slack.people.click(ana, card, "proceed");
    world.slack.faults.next("usergroups.users.list", { type: "error", error: "missing_scope" });
    await world.slack.people.click(max, card, "proceed");

    expect(await line(0)).toContain("nly approvers may do that");
    expect(await line(1)).toContain("nly approvers may do that");
  });

  it("decides whatever mentions others write: whom they name is asked in our threads alone, and by name alone", async () => {
    await open();
    await ask(world, "Talked about");
    const card = world.slack.message(": Talked about");
    const asked = (method: string) => world.slack.calls.filter((call) => call.method === method).length;
    const before = asked("users.info");
    const mentions = Array.from({ length: 10 }, (_, index) => `<@U0X${index}>`).join(" ");
    const elsewhere = { ...card, ts: "1.000001" };
    await world.slack.people.edit(await world.slack.people.reply(ana, elsewhere, "hi"), `hi ${mentions}`);
    const said = await world.slack.people.reply(ana, card, "hi");
    await eventually("the mark", async () => world.slack.reactions.length > 0);
    expect(asked("users.info") - before).toBe(1);

    await world.slack.people.edit(said, `hi ${mentions}`);
    await eventually("the names", async () => asked("users.info") - before >= 12);
    await world.slack.people.click(max, card, "proceed");

    expect(asked("usergroups.users.list")).toBe(3);
    expect(await decided()).toBe(1);
  });

  it("an approver by name whose vote counts by a group is not told that it does not count", async () => {
    await open({ COS_APPROVERS: `slack:${max},slack:${leads}`, COS_QUORUM: `ux=1 of slack:${leads}` });
    await ask(world, "Voted");
    const card = world.slack.message(": Voted");
    const hold = held("usergroups.users.list");
    await world.slack.people.click(max, card, "proceed");

    expect(await line(0)).toContain("whether your vote counts");
    hold.release();
    const inDoubt = [`slack:${leads}`];
    const member = { id: `slack:${max}`, isActive: true, inDoubt, membership: "member" as const };
    const caller = { actor: "@max", via: "slack" as const, member, origin: byChat };
    expect(await world.as(caller, "batch", "answer", "ux", "Proceed")).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("whether your votes count") as string,
    });
    await world.slack.people.click(max, card, "proceed");
    expect(await decided()).toBe(1);
  });
});

describe("an approver by a role of Discord", () => {
  it("is in doubt for the roles that settings name, and in no other way, where Discord does not say who they are", async () => {
    const never = new Promise<never>(() => undefined);
    const asked = { account: never, isIn: () => never, membership: never };
    const people = openPeople(() => asked, { groups: ["@7"], longestWaitMs: 1 });

    expect(await people("5")).toMatchObject({ id: "5", isActive: true, groups: [], inDoubt: ["@7"] });
  });
});
