import { afterEach, describe, expect, it } from "vitest";
import { examineSlack } from "../../src/chat/slack/examine.ts";
import { knownId } from "../../src/db/channels.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { type FakeSlack, homeChannel, type Message, wordsOf } from "../fakes/slack/server.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Settings name another channel, or the channel has another name: nothing that is open is lost (F-403). */

const nextChannel = "C0000NEXT";

const worlds: SlackWorld[] = [];
let slack: FakeSlack | null = null;
afterEach(async () => {
  for (const each of worlds.splice(0).reverse()) await each.close();
  slack = null;
});

/** A bot on the same database and the same Slack as the one before, which has ended. */
async function start(channel: string): Promise<SlackWorld> {
  const [first] = worlds;
  const before = worlds.at(-1);
  await before?.stopDelivery();
  await before?.platform.stop();
  const same = first === undefined || slack === null ? {} : { slack, through: async () => first.databaseUrl };
  const world = await slackWorld({ ...same, environment: { SLACK_CHANNEL: channel } });
  ({ slack } = world);
  worlds.push(world);
  await world.show();
  return world;
}

async function ask(world: SlackWorld, content: string): Promise<string> {
  const words = ["goal", "add", content, "--run", "echo done > done.txt", "--tag", "ui"];
  return valueOf<{ goalId: string }>(await world.command(...words)).goalId;
}

/** Three questions that are open in the home channel. */
async function askThree(world: SlackWorld): Promise<string[]> {
  await world.repository();
  const goals: string[] = [];
  for (const name of ["One", "Two", "Three"]) goals.push(await ask(world, name));
  await world.command("autopilot", "start");
  await world.work();
  await world.show();
  return goals;
}

/** Questions as a channel shows them. */
const questionsIn = (world: SlackWorld, channel: string): Message[] =>
  world.slack
    .messages(channel)
    .filter((each) => each.threadTs === null && /^(?:Checkpoint|One|Two|Three)/.test(each.text));

const buttonsOf = ({ blocks }: Message): number => JSON.stringify(blocks).split('"cos:proceed"').length - 1;

async function statusOf(world: SlackWorld, goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

describe("another channel in the settings", () => {
  it("gets what is open, each question answerable there once; the old ones say where; the doctor saw it [F-403]", async () => {
    const first = await start(homeChannel);
    const goals = await askThree(first);
    const old = questionsIn(first, homeChannel).filter((each) => buttonsOf(each) > 0);
    expect(old.length).toBe(3);
    const posted = first.slack.messages(homeChannel).length;

    first.slack.people.channel(nextChannel, "next");
    const world = await start(nextChannel);

    const asked = questionsIn(world, nextChannel).filter((each) => buttonsOf(each) > 0);
    expect(asked.length).toBe(3);
    await world.show();
    for (const each of old) {
      const now = world.slack.messages(homeChannel).find(({ ts }) => ts === each.ts);
      expect(now === undefined ? 1 : buttonsOf(now)).toBe(0);
      expect(wordsOf(now?.blocks ?? [])).toMatch(/goes on .*archives\/C0000NEXT\/p\d+/);
    }
    const doctor = await world.command("doctor");
    expect(JSON.stringify(doctor)).toContain("what was open there is said in the new channel");
    for (const each of asked) await world.slack.people.click(ana, each, "proceed");
    await world.work();
    expect(await Promise.all(goals.map((goalId) => statusOf(world, goalId)))).toEqual(goals.map(() => "complete"));
    // Nothing is posted where cards went before.
    await world.show();
    expect(world.slack.messages(homeChannel).length).toBe(posted);
  });

  it("takes answers to old buttons and replies in old threads until nobody sees them any more [F-403]", async () => {
    const first = await start(homeChannel);
    const [goalId = ""] = await askThree(first);
    const [old] = questionsIn(first, homeChannel).filter((each) => buttonsOf(each) > 0);
    first.slack.people.channel(nextChannel, "next");
    const world = await start(nextChannel);

    if (old !== undefined) await world.slack.people.reply(ana, old, "proceed");
    await eventually("the answer", async () => (await statusOf(world, goalId)) !== "blocked");
    await world.work();
    expect(await statusOf(world, goalId)).toBe("complete");
  });

  it("because the old one was archived: what is open is asked in the new one, and nothing waits for the old [F-403]", async () => {
    const first = await start(homeChannel);
    await askThree(first);
    first.slack.people.channel(homeChannel, "chief-of-staff", "archived");
    await ask(first, "Four");
    await first.show();
    expect(first.platform.status()).toBe("is_archived");
    first.slack.people.channel(nextChannel, "next");
    const world = await start(nextChannel);
    await world.show();

    expect(questionsIn(world, nextChannel).filter((each) => buttonsOf(each) > 0).length).toBe(4);
    expect(world.platform.status()).toBe("connected");
    const before = world.slack.calls.length;
    await world.show();
    expect(world.slack.calls.length).toBe(before);
  });

  it("and back again: it is said where the channel lacks it, once [F-403]", async () => {
    const first = await start(homeChannel);
    await askThree(first);
    first.slack.people.channel(nextChannel, "next");
    await start(nextChannel);
    const world = await start(homeChannel);
    await world.show();

    const asking = (channel: string) => questionsIn(world, channel).filter((each) => buttonsOf(each) > 0).length;
    expect([asking(homeChannel), asking(nextChannel)]).toEqual([3, 0]);
  });
});

describe("the same channel under another name", () => {
  it.each<[string, string, string]>([
    ["a name, then its id", "#chief-of-staff", homeChannel],
    ["an id, then its name", homeChannel, "#chief-of-staff"],
  ])("%s: nothing is said again [F-403]", async (_, before, after) => {
    const first = await start(before);
    await askThree(first);
    const posted = first.slack.messages(homeChannel).length;
    const world = await start(after);
    await world.show();

    expect(world.slack.messages(homeChannel).length).toBe(posted);
    for (const each of questionsIn(world, homeChannel)) await world.slack.people.click(ana, each, "proceed");
    await world.work();
    await world.show();
    expect(questionsIn(world, homeChannel).filter((each) => buttonsOf(each) > 0)).toEqual([]);
  });

  it("that Slack gave it: cards go on there, also when another channel takes the old name [F-403]", async () => {
    const first = await start("#chief-of-staff");
    await askThree(first);
    const posted = first.slack.messages(homeChannel).length;
    first.slack.people.channel(homeChannel, "ops");
    first.slack.people.channel(nextChannel, "chief-of-staff");
    const world = await start("#chief-of-staff");
    await ask(world, "Four");
    await world.command("autopilot", "start");
    await world.work();
    await world.show();

    expect(world.slack.messages(nextChannel)).toEqual([]);
    expect(world.slack.messages(homeChannel).length).toBeGreaterThan(posted);
    const { slack: settings } = world.deps.config;
    const id = await knownId(world.deps.database.db, { platform: "slack", channel: "#chief-of-staff" });
    const found = settings === null ? [] : await examineSlack(settings, [], id);
    expect(found.find(({ name }) => name === "slack channel")?.says).toBe(
      `member of #ops (#chief-of-staff before: SLACK_CHANNEL=${homeChannel} always finds it)`,
    );
  });
});
