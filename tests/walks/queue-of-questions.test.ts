import { afterEach, describe, expect, it } from "vitest";
import { viewErrors } from "../fakes/slack/blocks.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { type DiscordWorld, ana as anaOnDiscord, discordWorld } from "../fakes/discord/world.ts";
import { wordsOf } from "../fakes/slack/workspace.ts";
import { ana, ben, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** The open questions by why they are asked, the oldest first, with what answers all of a group (F-411). */

let world: SlackWorld | DiscordWorld;
afterEach(() => world.close());

async function ask(number: number): Promise<void> {
  for (let each = 1; each <= number; each += 1)
    await world.command("goal", "add", `Change ${each}`, "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
}

/** As many more like the one that is open, each of its own subject, a minute older than the one before. */
async function askMore(number: number): Promise<void> {
  await world.deps.database.pool.query(
    `insert into cos.checkpoints (checkpoint_id, kind, subject, goal_id, run_id, version, trigger, reasons, context, options,
       recommendation, facts, content_hash, status, created_at, asked_at, expires_at)
     select 'cp-' || lpad(to_hex(each), 8, '0'), kind, 'more-' || each, goal_id, run_id, 1, t.trigger,
       jsonb_build_array(jsonb_build_object('trigger', t.trigger, 'context', context)), 'Question ' || each || ': ' || repeat('<&>', 200),
       options, recommendation, facts, content_hash, 'pending', created_at - each * interval '1 minute',
       asked_at - each * interval '1 minute', expires_at
     from (select * from cos.checkpoints limit 1) one, generate_series(1, $1) each,
       lateral (select (array['ux_change', 'cost_single', 'cost_cumulative', 'architecture', 'scope_change', 'hiccup'])[1 + each % 6] as trigger) t`,
    [number],
  );
}

async function answers(): Promise<{ choice: string; actor: string; via: string }[]> {
  return (await world.deps.database.pool.query("select choice, actor, via from cos.decisions order by decision_id"))
    .rows;
}

describe("Slack's home", () => {
  const homeOf = (slack: SlackWorld["slack"], userId: string): string =>
    wordsOf((slack.homes.get(userId)?.view["blocks"] ?? []) as never);

  it("has the questions in groups; all of one are answered with two presses at most, Undo beside it [F-411]", async () => {
    const slackOne = await slackWorld();
    world = slackOne;
    await world.repository();
    await ask(3);
    const { slack } = slackOne;
    await slack.people.openHome(ana);
    await eventually("the home", async () => slack.homes.has(ana));
    expect(homeOf(slack, ana)).toContain("user-facing change: 3 questions");
    for (const words of ["Change 1", "Change 2", "Change 3"]) expect(homeOf(slack, ana)).toContain(words);

    await slack.people.clickHome(ana, "all-ux_change-skip");
    await eventually("the read-back", async () => homeOf(slack, ana).includes("Skip for 3 questions, in 15 s"));
    await slackOne.show();
    const message = slack.message("Skip for 3 questions");
    expect(message.threadTs).toBeNull();
    expect(slack.buzzes.filter(({ ts }) => ts === message.ts)).toEqual([]);
    await slack.people.clickHome(ana, "undo");
    await eventually("the undo", async () => homeOf(slack, ana).includes("Undone by @ana"));
    world.advance(60_000);
    await world.tick();
    expect(await answers()).toEqual([]);

    await slack.people.clickHome(ana, "all-ux_change-proceed");
    await eventually("another one", async () => homeOf(slack, ana).includes("Proceed for 3 questions, in 15 s"));
    await slackOne.show();
    const held = slack.message("Proceed for 3 questions");
    await slack.people.click(ben, slack.message("Checkpoint"), "skip");
    world.advance(15_000);
    await world.tick();
    await slackOne.show();
    await eventually("the home without Undo", async () => homeOf(slack, ana).includes("Proceed: answered 2 of 3"));
    expect(homeOf(slack, ana)).not.toContain("in 15 s");
    const edited = slack.messages().find(({ ts }) => ts === held.ts);
    expect(edited?.text).toMatch(
      /^Proceed: answered 2 of 3\. goal-\w+ was answered meanwhile \(Skip by @ben\) and was left out\.$/,
    );
    expect(await answers()).toEqual([
      { choice: "Skip", actor: "@ben", via: "slack" },
      { choice: "Proceed", actor: "@ana", via: "slack" },
      { choice: "Proceed", actor: "@ana", via: "slack" },
    ]);
  });

  it("of 200 questions shows the oldest of every group and how many more there are, within Slack's limits [F-411]", async () => {
    const slackOne = await slackWorld();
    world = slackOne;
    await world.repository();
    await ask(1);
    await askMore(199);
    const { slack } = slackOne;
    await slack.people.openHome(ana);
    await eventually("the home", async () => slack.homes.has(ana));
    const shown = homeOf(slack, ana);
    expect(viewErrors(slack.homes.get(ana)?.view)).toEqual([]);
    expect(shown).toContain("200 decisions waiting for you");
    // 199 in six groups, and the first one.
    const numbers = [...shown.matchAll(/: (\d+) questions/g)].map(([, number]) => Number(number));
    expect(numbers.reduce((sum, each) => sum + each, 0)).toBe(200);
    const more = [...shown.matchAll(/(\d+) more than are shown here/g)].map(([, number]) => Number(number));
    expect(more).toHaveLength(6);
    expect(more.reduce((sum, each) => sum + each, 0)).toBe(192);
    const drawn = [...shown.matchAll(/Question (\d+):/g)].map(([, number]) => Number(number));
    expect(drawn).toHaveLength(8);
    expect(drawn.toSorted((one, other) => other - one)).toEqual([199, 198, 197, 196, 195, 194, 193, 192]);
    expect(shown).toContain("No goal is being worked");
    // What needs a look of its own has no such button.
    expect(
      [...JSON.stringify(slack.homes.get(ana)).matchAll(/cos:all-(\w+)-proceed/g)].map(([, kind]) => kind),
    ).not.toContain("hiccup");
    await slack.people.clickHome(ana, "all-architecture-proceed");
    await eventually("the read-back", async () => homeOf(slack, ana).includes("Proceed for 33 questions"));
    expect(viewErrors(slack.homes.get(ana)?.view)).toEqual([]);
  });
});

it("Discord's list of questions has the buttons; the read-back is an answer with Undo [F-411]", async () => {
  const discordOne = await discordWorld();
  world = discordOne;
  await world.repository();
  await ask(2);
  const { discord } = discordOne;
  const { answer } = await discord.people.type(anaOnDiscord, "cos checkpoints");
  const [list, ...others] = discord.ephemerals;
  expect(others).toEqual([]);
  expect(list?.text).toContain("user-facing change: 2 questions");
  const { components } = (answer["data"] ?? {}) as { components: Record<string, unknown>[] };
  const pressed = await discord.people.click(
    anaOnDiscord,
    { id: "900", channelId: "0", components },
    "Answer all 2 like this (user-facing change): Proceed",
  );
  expect(discord.ephemerals.at(-1)?.text).toContain("Proceed for 2 questions, in 15 s");
  await discordOne.show();
  expect(discord.message("Proceed for 2 questions").components).not.toEqual([]);
  const undo = ((pressed.answer["data"] ?? {}) as { components: Record<string, unknown>[] }).components;
  await discord.people.click(anaOnDiscord, { id: "901", channelId: "0", components: undo }, "Undo");
  world.advance(20_000);
  await world.tick();
  expect(await answers()).toEqual([]);
  expect(valueOf<unknown[]>(await world.command("checkpoints"))).toHaveLength(2);
});
