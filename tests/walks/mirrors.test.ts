import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { type ChatsWorld, chatsWorld, discordPeople, slackPeople } from "../fakes/chats.ts";
import { cardWords, valueOf } from "../fakes/deps.ts";
import { wordsOf as discordWords } from "../fakes/discord/server.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { wordsOf as slackWords } from "../fakes/slack/server.ts";

let world: ChatsWorld;
afterEach(() => world.close());

async function open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  world = await chatsWorld(environment);
  await world.repository();
}

interface Asked {
  readonly goalId: string;
  readonly checkpointId: string;
  readonly version: number;
}

/** A goal that asks; its question, shown where it is. */
async function ask(text: string, ...options: readonly string[]): Promise<Asked> {
  const words = options.length === 0 ? ["--run", "echo done >> done.txt", "--tag", "ui"] : options;
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...words));
  await world.command("autopilot", "start");
  await world.show();
  const open = valueOf<Asked[]>(await world.command("checkpoints"));
  const found = open.find((each) => each.goalId === goalId);
  if (found === undefined) throw new Error(`no question about ${text}`);
  return found;
}

const proceed = "proceed";
const skip = "skip";
const onSlack = (goal: string) => world.slack.message(`: ${goal}`);
const onDiscord = (goal: string) => world.discord.message(`**: ${goal}`);
const answerOnDiscord = (userId: string, goal: string, label: string) =>
  world.discord.people.click(userId, onDiscord(goal), label);

async function answerOnConsole({ checkpointId, version }: Asked, choice: string): Promise<string> {
  const response = await world.console.post("/answer", { id: `${checkpointId}.${version}`, choice, back: "/" });
  return response.headers.get("location") ?? "";
}

/** What each copy says of its answer: "Proceed, by @s1 in Slack". */
async function answers(goal: string, { checkpointId }: Asked): Promise<(string | undefined)[]> {
  const copies = [
    slackWords(onSlack(goal).blocks),
    discordWords(onDiscord(goal)),
    await cardWords(world, checkpointId),
  ];
  return copies.map((words) => /(Proceed|Skip)\**, by [^,]+ in [^,]+/.exec(words)?.[0].replaceAll("*", ""));
}

interface Decision {
  readonly actor: string;
  readonly actor_id: string | null;
  readonly via: string;
  readonly choice: string;
}

async function decisions({ checkpointId }: Asked): Promise<Decision[]> {
  const { rows } = await world.deps.database.pool.query(
    "select actor, actor_id, via, choice from cos.decisions where checkpoint_id = $1 and settles",
    [checkpointId],
  );
  return rows;
}

const posted = (goal: string) => ({
  slack: world.slack.messages().filter((each) => each.text.includes(`: ${goal}`) && each.text.includes("Checkpoint")),
  discord: world.discord.messages().filter((each) => each.content.includes(`**: ${goal}`)),
});

describe("a question on Slack, Discord and the console at once", () => {
  it("30 people answer it at once: one decision, every copy says the same, and the others learn who won", async () => {
    await open();
    const asked = await ask("Round prices up");
    const slackCard = onSlack("Round prices up");
    const discordCard = onDiscord("Round prices up");

    const told = await Promise.all([
      ...slackPeople.map((id, index) => world.slack.people.click(id, slackCard, index % 2 === 0 ? proceed : skip)),
      ...discordPeople.map((id, index) =>
        world.discord.people.click(id, discordCard, index % 2 === 0 ? "Skip" : "Proceed"),
      ),
      ...slackPeople.map(async (_, index) => {
        await answerOnConsole(asked, index % 2 === 0 ? proceed : skip);
        return { acknowledged: true };
      }),
    ]);
    await world.show();

    const [decision, ...more] = await decisions(asked);
    expect(more).toEqual([]);
    const said = await answers("Round prices up", asked);
    expect(said[0]).toContain(`${decision?.choice ?? ""}, by ${decision?.actor ?? ""} in `);
    expect(new Set(said).size).toBe(1);
    // Whom a slow machine has not answered within a platform's 3 s saw its own error instead.
    const clicked = [...slackPeople.map((id) => `slack:${id}`), ...discordPeople.map((id) => `discord:${id}`)].filter(
      (id, index) => told[index]?.acknowledged === true && id !== decision?.actor_id,
    );
    const outcome = `is already answered: ${decision?.choice ?? ""} by ${decision?.actor ?? ""}`;
    await eventually("everybody else learns it", async () => {
      const toldOn = (platform: string, ephemerals: readonly { readonly userId: string; readonly text: string }[]) =>
        ephemerals.flatMap(({ userId, text }) => (text.includes(outcome) ? [`${platform}:${userId}`] : []));
      const learnt = new Set([
        ...toldOn("slack", world.slack.ephemerals),
        ...toldOn("discord", world.discord.ephemerals),
      ]);
      return clicked.every((id) => learnt.has(id));
    });
    expect(posted("Round prices up").slack.length).toBe(1);
    expect(posted("Round prices up").discord.length).toBe(1);
  });

  it("Slack is away: what was asked before and meanwhile is answered elsewhere, and settles there once it is back", async () => {
    await open();
    const before = await ask("Before the outage");
    world.slack.faults.down(true);
    await answerOnDiscord(discordPeople[0] ?? "", "Before the outage", "Proceed");
    const meanwhile = await ask("During the outage");
    await answerOnConsole(meanwhile, skip);
    await world.show();

    expect(discordWords(onDiscord("Before the outage"))).toContain("**Proceed**, by @d0 in Discord");
    expect(discordWords(onDiscord("During the outage"))).toContain("**Skip**, by");
    expect(slackWords(onSlack("Before the outage").blocks)).not.toContain("by @d0");
    expect((await decisions(before)).length + (await decisions(meanwhile)).length).toBe(2);

    world.slack.faults.down(false);
    await world.showUntil("every copy on Slack", () =>
      world.slack.messages().some((each) => each.text.includes("During the outage")),
    );
    await world.showUntil("the settled copy", () =>
      slackWords(onSlack("Before the outage").blocks).includes("*Proceed*, by @d0 in Discord"),
    );

    expect(new Set(await answers("Before the outage", before)).size).toBe(1);
    expect(new Set(await answers("During the outage", meanwhile)).size).toBe(1);
    expect(posted("Before the outage")).toMatchObject({ slack: { length: 1 }, discord: { length: 1 } });
    expect(posted("During the outage")).toMatchObject({ slack: { length: 1 }, discord: { length: 1 } });
  });

  it("Discord is away: a copy whose post was taken and not answered is found again, and settles with the others", async () => {
    await open();
    const isAsked = (body: object) => JSON.stringify(body).includes("**: Lost and found");
    world.discord.faults.always({ name: "post", matches: isAsked, fault: { type: "lost", by: "cut" } });
    const asked = await ask("Lost and found");
    await world.showUntil("the lost post", () => posted("Lost and found").discord.length === 1);
    world.discord.faults.always(null);
    world.discord.faults.down(true);
    await world.slack.people.click(slackPeople[3] ?? "", onSlack("Lost and found"), proceed);
    await world.show();
    expect(slackWords(onSlack("Lost and found").blocks)).toContain("*Proceed*, by @s3 in Slack");

    world.discord.faults.down(false);
    await world.showUntil("the copy on Discord", () =>
      discordWords(onDiscord("Lost and found")).includes("by @s3 in Slack"),
    );

    expect(new Set(await answers("Lost and found", asked)).size).toBe(1);
    expect(posted("Lost and found")).toMatchObject({ slack: { length: 1 }, discord: { length: 1 } });
  });

  it("a reply in either thread is a reply to the same question, read back and confirmed in any of them", async () => {
    await open();
    await agentRepository(world, [writes("done.txt", "done\n")]);
    const asked = await ask("Rename it", "--repo", "person", "--tag", "ui");

    await world.slack.people.reply(slackPeople[1] ?? "", onSlack("Rename it"), "Use the word Buy");
    const readBack = (words: string) => words.includes("the word Buy") && words.includes("Confirm?");
    await world.showUntil("the words on both", () => {
      const slack = world.slack.messages().some((each) => each.isOurs && readBack(slackWords(each.blocks)));
      return (
        slack &&
        world.discord
          .threads()
          .some(({ id }) => world.discord.messages(id).some((each) => readBack(discordWords(each))))
      );
    });
    const inThreads = world.discord.threads().flatMap(({ id }) => world.discord.messages(id));
    const copy = inThreads.find((each) => readBack(discordWords(each)));
    if (copy === undefined) throw new Error("nothing was read back on Discord");
    await world.discord.people.click(discordPeople[2] ?? "", copy, "Confirm");
    await world.show();

    expect(await decisions(asked)).toMatchObject([{ actor: "@d2", via: "discord", choice: "Modify" }]);
    expect(slackWords(onSlack("Rename it").blocks)).toContain("*Modify*, by @d2 in Discord");

    const next = await ask("Rename that", "--repo", "person", "--tag", "ui");
    await world.discord.people.reply(discordPeople[4] ?? "", onDiscord("Rename that"), "ok", { inChannel: true });
    await world.showUntil("the answer on Slack", () =>
      slackWords(onSlack("Rename that").blocks).includes("*Proceed*, by @d4 in Discord"),
    );
    expect(await decisions(next)).toMatchObject([{ actor: "@d4", via: "discord" }]);
  });
});

describe("COS_MIRRORS", () => {
  const shown = (goal: string) => ({ slack: posted(goal).slack.length, discord: posted(goal).discord.length });

  it("says where a question is shown, with all that belongs to it; the console shows every one", async () => {
    await open({ COS_MIRRORS: "ux=discord;cost=slack" });

    const ui = await ask("A colour", "--run", "true", "--tag", "ui");
    await world.command("answer", ui.checkpointId, "Skip");
    const dear = await ask("A dear thing", "--run", "true", "--cost", "9");
    world.advance(31 * 60_000);
    await world.tick();
    await world.show();

    expect(shown("A colour")).toEqual({ slack: 0, discord: 1 });
    expect(shown("A dear thing")).toEqual({ slack: 1, discord: 0 });
    expect(await cardWords(world, ui.checkpointId)).toContain("Skip, by ana in the terminal");
    const reminder = `${dear.checkpointId}.reminder.${dear.version}`;
    const { rows } = await world.deps.database.pool.query(
      "select platform from cos.messages where subject = $1 order by platform",
      [reminder],
    );
    expect(rows).toEqual([{ platform: "console" }, { platform: "slack" }]);
  });

  it("a question with a reason that no rule names is shown everywhere", async () => {
    await open({ COS_MIRRORS: "ux=discord" });

    await ask("Both", "--run", "true", "--tag", "ui", "--cost", "9");

    expect(shown("Both")).toEqual({ slack: 1, discord: 1 });
  });
});
