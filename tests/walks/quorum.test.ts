import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { type ChatsWorld, chatsWorld, discordPeople, slackPeople } from "../fakes/chats.ts";
import { untilWaiting } from "../fakes/database.ts";
import { cardWords, valueOf } from "../fakes/deps.ts";
import { leadRole } from "../fakes/discord/guild.ts";
import { wordsOf as discordWords } from "../fakes/discord/server.ts";
import { gitIn } from "../fakes/repository.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { wholeInSlack } from "../fakes/whole-card.ts";
import { wordsOf as slackWords } from "../fakes/slack/server.ts";

const [s0 = "", s1 = "", s2 = ""] = slackPeople;
const [d0 = "", d1 = ""] = discordPeople;

let world: ChatsWorld;
afterEach(() => world.close());

interface Asked {
  readonly goalId: string;
  readonly checkpointId: string;
  readonly version: number;
}

/** A goal that a scripted agent would work and that asks first, shown everywhere. */
async function ask(text: string): Promise<Asked> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", text, "--repo", "person", "--tag", "ui"),
  );
  await world.command("autopilot", "start", "--repo", "person");
  await world.show();
  return await openAbout(goalId);
}

async function openAbout(goalId: string): Promise<Asked> {
  const open = valueOf<Asked[]>(await world.command("checkpoints"));
  const found = open.find((each) => each.goalId === goalId);
  if (found === undefined) throw new Error(`no question about ${goalId}`);
  return found;
}

async function open(quorum: string, people = ""): Promise<void> {
  world = await chatsWorld({ COS_QUORUM: quorum, COS_PEOPLE: people });
  await agentRepository(world, [writes("done.txt", "done\n")]);
}

const onSlack = (goal: string) => world.slack.message(`: ${goal}`);
const onDiscord = (goal: string) => world.discord.message(`**: ${goal}`);
const pressOnSlack = (userId: string, goal: string, choice: string) =>
  world.slack.people.click(userId, onSlack(goal), choice);
const pressOnDiscord = (userId: string, goal: string, label: string) =>
  world.discord.people.click(userId, onDiscord(goal), label);

async function statusOf(goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

async function rows<Row extends object>(sql: string, { checkpointId }: Asked): Promise<Row[]> {
  return (await world.deps.database.pool.query<Row>(sql, [checkpointId])).rows;
}

const settling = (asked: Asked) =>
  rows<{ actor: string; choice: string }>(
    "select actor, choice from cos.decisions where checkpoint_id = $1 and settles",
    asked,
  );

/** Somebody was told this privately, and nobody else. */
async function expectTold(userId: string, words: string): Promise<void> {
  const ephemerals = () =>
    [...world.slack.ephemerals, ...world.discord.ephemerals].filter((each) => each.text.includes(words));
  await eventually(`${userId} is told ${words}`, async () => ephemerals().length > 0);
  expect(ephemerals().map((each) => each.userId)).toEqual([userId]);
}

describe("a question that two of several people have to agree to", () => {
  it("20 votes at once settle it once, by two; every copy has the tally, and names both when it is settled [R3]", async () => {
    await open("ux=2");
    const asked = await ask("Change the colours");
    expect(slackWords(onSlack("Change the colours").blocks)).toContain("*Votes:* 0 of 2");

    await pressOnSlack(s0, "Change the colours", "proceed");
    await world.show();
    expect(await settling(asked)).toEqual([]);
    for (const words of [
      slackWords(onSlack("Change the colours").blocks).replaceAll("*", ""),
      discordWords(onDiscord("Change the colours")).replaceAll("*", ""),
      await cardWords(world, asked.checkpointId),
    ])
      expect(words).toContain("Votes: 1 of 2: @s0 in Slack.");
    const slackCard = onSlack("Change the colours");
    const discordCard = onDiscord("Change the colours");
    await Promise.all([
      ...slackPeople.map((id) => world.slack.people.click(id, slackCard, "proceed")),
      ...discordPeople.map((id) => world.discord.people.click(id, discordCard, "Proceed")),
    ]);
    await world.show();

    const [decision, ...more] = await settling(asked);
    expect(more).toEqual([]);
    const votes = await rows<{ person: string }>("select person from cos.votes where checkpoint_id = $1", asked);
    expect(votes.length).toBe(2);
    expect(new Set(votes.map(({ person }) => person)).size).toBe(2);
    expect(slackWords(onSlack("Change the colours").blocks)).toContain(
      `*Proceed*, by @s0, ${decision?.actor ?? ""} in`,
    );
    await world.work();
    expect(await statusOf(asked.goalId)).toBe("complete");
  });

  it("2 of 3 who vote in the same moment on three platforms settle it once; a question that changes has no votes", async () => {
    await open(`ux=2 of slack:${s0},discord:${d0},console;architecture=2 of slack:${s0},discord:${d0},console`);
    const asked = await ask("All at once");
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query("lock cos.votes in exclusive mode");
    const pressed = Promise.all([
      pressOnSlack(s0, "All at once", "proceed"),
      pressOnDiscord(d0, "All at once", "Proceed"),
      world.console.post("/answer", { id: `${asked.checkpointId}.${asked.version}`, choice: "proceed", back: "/" }),
    ]);
    await untilWaiting(world, 3);
    await client.query("commit");
    client.release();
    await pressed;

    expect((await settling(asked)).map(({ choice }) => choice)).toEqual(["Proceed"]);
    expect((await rows("select 1 from cos.votes where checkpoint_id = $1", asked)).length).toBe(2);

    const other = await ask("Changes by itself");
    await pressOnSlack(s0, "Changes by itself", "proceed");
    await world.command("goal", "edit", other.goalId, "--tag", "architecture");
    await world.show();
    expect(slackWords(onSlack("Changes by itself").blocks)).toContain("*Votes:* 0 of 2");
    await pressOnDiscord(d0, "Changes by itself", "Proceed");
    expect(await settling(other)).toEqual([]);
    await pressOnSlack(s0, "Changes by itself", "proceed");
    expect((await settling(other)).map(({ choice }) => choice)).toEqual(["Proceed"]);
  });

  it("one human is one vote on three platforms, the requester's may not count, and Skip needs no others", async () => {
    await open("ux=2 without requester", `ana=slack:${s0}+discord:${d0}+console`);
    const asked = await ask("Mine");
    await world.command("answer", asked.checkpointId, "Proceed");
    await pressOnSlack(s0, "Mine", "proceed");
    await expectTold(s0, "ou asked for it, so others have to agree");
    await pressOnSlack(s1, "Mine", "proceed");
    await pressOnSlack(s1, "Mine", "proceed");
    await expectTold(s1, "ou have voted already: 1 of 2");
    expect(await settling(asked)).toEqual([]);
    await pressOnDiscord(d1, "Mine", "Proceed");
    expect(await settling(asked)).toMatchObject([{ actor: "@d1", choice: "Proceed" }]);

    const other = await ask("Another");
    await pressOnDiscord(d0, "Another", "Skip");
    expect(await settling(other)).toEqual([{ actor: "ana", choice: "Skip" }]);
    expect(await statusOf(other.goalId)).toBe("deferred");
  });

  it("a change voids the votes: it is asked anew with the change, and settles with votes for that", async () => {
    await open(`ux=2 of slack:${s0},slack:${s1},discord:${d0}`);
    const asked = await ask("Rename it");
    await pressOnSlack(s0, "Rename it", "proceed");
    await pressOnSlack(s2, "Rename it", "proceed");
    await expectTold(s2, "our vote does not count for it");

    await world.show();
    const before = onSlack("Rename it");
    const asDiscord = {
      actor: "@d0",
      via: "discord",
      member: { id: `discord:${d0}`, isActive: true, membership: "member" },
      origin: { type: "person", by: { type: "chat" } },
    } as const;
    const changed = await world.as(asDiscord, "modify", asked.checkpointId, "--instructions", "call it Buy");
    await world.show();

    expect(changed).toMatchObject({ type: "done", value: { version: 2, status: "pending" } });
    expect(await openAbout(asked.goalId)).toMatchObject({ checkpointId: asked.checkpointId, version: 2 });
    // Ten mentions take the room: what changed is whole behind Details.
    const whole = await wholeInSlack(world.slack, s0, onSlack("Rename it"));
    expect(whole).toContain("@d0 changed it, and votes start over");
    expect(slackWords(onSlack("Rename it").blocks)).toContain("*Votes:* 0 of 2");
    expect(await statusOf(asked.goalId)).toBe("blocked");
    await world.slack.people.click(s1, before, "proceed");
    await expectTold(s1, "changed since you looked");

    await pressOnSlack(s0, "Rename it", "proceed");
    await pressOnDiscord(d0, "Rename it", "Proceed");
    await world.work();

    expect(await settling(asked)).toMatchObject([{ choice: "Proceed" }]);
    const goal = valueOf<{ status: string; instructions: { text: string }[] }>(
      await world.command("goal", "show", asked.goalId),
    );
    expect(goal).toMatchObject({ status: "complete", instructions: [{ text: "call it Buy" }] });
  });

  it.each([
    ["without a criterion", []],
    ["with a criterion", ["--done-when", "test -s app.css"]],
  ])("a change of the finished work %s is worked once those who have to agree voted for it", async (_, criteria) => {
    world = await chatsWorld({ COS_QUORUM: "ux=2" });
    const path = await agentRepository(world, [
      { match: ["make it blue"], steps: [{ write: { path: "app.css", content: "blue\n" } }, { say: "Blue now." }] },
      writes("app.css", "red\n"),
    ]);
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Colour it", "--repo", "person", ...criteria),
    );
    await world.command("autopilot", "start", "--repo", "person");
    await world.work();
    await world.show();
    const asked = await openAbout(goalId);
    valueOf(await world.command("modify", asked.checkpointId, "--instructions", "make it blue"));
    await world.show();
    await pressOnSlack(s0, "Colour it", "proceed");
    await pressOnSlack(s1, "Colour it", "proceed");
    await world.work();
    await world.show();

    expect(await gitIn(path, "show", `cos/${goalId}:app.css`)).toBe("blue");
    const executed = await world.deps.database.pool.query("select 1 from cos.timeline where event = 'run.executed'");
    expect(executed.rowCount).toBe(2);
    expect(await statusOf(goalId)).toBe("complete");
  });

  it("members of a Slack user group and of a Discord role agree, as they are members when they press [F-406]", async () => {
    const lea = "800000000000000900";
    world = await chatsWorld({
      COS_APPROVERS: `slack:S0LEADS,slack:${s2},discord:@${leadRole}`,
      COS_QUORUM: `ux=2 of slack:S0LEADS,discord:@${leadRole}`,
    });
    await agentRepository(world, [writes("done.txt", "done\n")]);
    world.slack.people.group("S0LEADS", [s0]);
    world.discord.people.add(lea, "lea", [leadRole]);
    const asked = await ask("Led by leads");

    await pressOnSlack(s1, "Led by leads", "proceed");
    await expectTold(s1, "nly approvers may do that");
    await pressOnSlack(s2, "Led by leads", "proceed");
    await expectTold(s2, "our vote does not count for it");
    world.slack.people.group("S0LEADS", [s1]);
    await pressOnSlack(s0, "Led by leads", "proceed");
    await pressOnSlack(s1, "Led by leads", "proceed");
    await pressOnDiscord(d0, "Led by leads", "Proceed");
    expect(await settling(asked)).toEqual([]);
    await pressOnDiscord(lea, "Led by leads", "Proceed");

    expect(await settling(asked)).toEqual([{ actor: "@lea", choice: "Proceed" }]);
    const votes = await rows<{ person: string }>(
      "select person from cos.votes where checkpoint_id = $1 order by vote_id",
      asked,
    );
    expect(votes).toEqual([{ person: `slack:${s1}` }, { person: `discord:${lea}` }]);
  });

  it("a night's contract cannot allow what several have to agree to", async () => {
    await open("architecture=2");

    const refused = await world.command("night", "start", "--allow", "architecture");

    expect(refused).toMatchObject({
      type: "refused",
      reason: "several people have to agree to architecture (COS_QUORUM): no contract of one can allow it",
    });
  });
});
