import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/core/cards/card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { findMessage } from "../../src/db/messages.ts";
import { campaignDays, campaigns, milestones } from "../../src/db/schema/index.ts";
import { appendSpend } from "../../src/db/spend.ts";
import { runSchedules } from "../../src/turns/reports/schedules.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

const hour = 3_600_000;
const day = 24 * hour;

interface Shown {
  done: { goalId: string; tag: string; branch: string | null }[];
  failed: { goalId: string }[];
  parked: { goalId: string; tag: string }[];
  manual: { goalId: string }[];
  unmerged: { goalId: string; tag: string }[];
  unmergedLate: number;
  waiting: {
    checkpointId: string;
    goalId: string;
    waitsFor: string[];
    sinceMs: number;
    awakeMs: number;
    goalsBehind: number;
  }[];
  planned: { goalId: string; state: string }[];
  campaigns: { campaignId: string; today: string[] }[];
  spend: { sinceUsd: number; todayUsd: number; isEstimated: boolean; reserved: { goalId: string }[] };
  git: {
    news: { goalId: string; type: string; text: string; command: string }[];
    troubles: { type: string; repository: string; command: string }[];
  };
  recommendation: { text: string; command: string };
}

let world: TestWorld;
let path: string;

async function open(environment: Record<string, string> = {}): Promise<void> {
  // Monday, 2026-01-26, 09:00.
  world = await testWorld({ environment });
  path = await world.repository({ "a.txt": "one\n" });
}
afterEach(() => world.close());

async function add(text: string, ...more: string[]): Promise<string> {
  const run = more.includes("--run") ? [] : ["--run", `echo '${text}' >> '${text}.txt'`];
  return valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...run, ...more)).goalId;
}

/** Goals of one session, worked in this order. */
async function finished(...texts: string[]): Promise<string[]> {
  const goalIds = [];
  for (const text of texts) goalIds.push(await add(text));
  await world.command("autopilot", "start");
  await world.work();
  return goalIds;
}

async function merged(goalId: string): Promise<void> {
  await world.command("goal", "merge", goalId);
  world.advance(31_000);
  await world.tick();
}

const standup = async (): Promise<Shown> => valueOf<Shown>(await world.command("standup"));
const newsTypes = (shown: Shown) => shown.git.news.map(({ goalId, type }) => [goalId, type]);

async function cardLines(): Promise<string[]> {
  const result = await world.command("standup");
  if (result.type === "refused") throw new Error(result.reason);
  return terminalLines(result.card, "UTC");
}

async function postedCard(date: string): Promise<Card | null> {
  return (await findMessage(world.deps.database.db, "console", "main", `standup.${date}`))?.card ?? null;
}

describe("finished goals, held against the person's repository", () => {
  beforeEach(() => open());

  it("a merge of ours is no news; what a person does with git is, each with the command that goes on", async () => {
    const [ours = "", theirs = "", squashed = "", reverted = "", gone = "", left = ""] = await finished(
      "Ours",
      "Theirs",
      "Squashed",
      "Reverted",
      "Gone",
      "Left",
    );
    expect((await standup()).git).toEqual({ news: [], troubles: [] });

    await merged(ours);
    await gitIn(path, "merge", "--quiet", "--no-ff", `cos/${theirs}`);
    await gitIn(path, "merge", "--squash", `cos/${squashed}`);
    await gitIn(path, "commit", "--quiet", "--message", "Squashed");
    await merged(reverted);
    await gitIn(path, "revert", "--no-edit", "--mainline=1", "HEAD");
    await gitIn(path, "branch", "--quiet", "-D", `cos/${gone}`);

    const shown = await standup();
    expect(Object.fromEntries(shown.done.map((line) => [line.goalId, line.branch]))).toEqual({
      [ours]: "merged",
      [theirs]: "merged-by-hand",
      [squashed]: "merged-by-hand",
      [reverted]: "reverted",
      [gone]: "branch-gone",
      [left]: "not-merged",
    });
    expect(new Map(shown.git.news.map((each) => [each.goalId, each.command]))).toEqual(
      new Map([
        [gone, expect.stringMatching(/^git -C .* fetch .*\.git cos\/goal-\w+:cos\/goal-\w+$/)],
        [reverted, `cos goal resume ${reverted}`],
        [squashed, `cos goal discard ${squashed}`],
        [theirs, `cos goal merge ${theirs}`],
      ]),
    );
    expect(shown.recommendation).toMatchObject({
      text: expect.stringContaining("reverted") as string,
      command: `cos goal resume ${reverted}`,
    });
  });

  it("of two goals with the same change, the second is merged with the first, by nobody's hand, and not advised to be merged", async () => {
    await world.tick();
    const both = ["First", "Second"].map((text) => add(text, "--run", "echo two > b.txt"));
    const [first = "", second = ""] = await Promise.all(both);
    await world.command("autopilot", "start");
    await world.work();
    await merged(first);

    const { news } = (await standup()).git;
    expect(news).toMatchObject([
      {
        goalId: second,
        text: expect.stringMatching(
          /^main has the same change already \([0-9a-f]{7}, of First\); this removes/,
        ) as string,
        command: `cos goal discard ${second}`,
      },
    ]);
    const { text: advice } = (await standup()).recommendation;
    expect(JSON.stringify(await world.command("status"))).toContain(advice);
    expect(JSON.stringify(await world.command("status"))).not.toContain(`cos goal merge ${second}`);
    world.advance(day);
    await world.tick();
    expect(JSON.stringify(await world.command("why", second))).toContain(`found in git: merged with ${first}, commit`);
  });

  it("the commands that it names do what it says, and then there is nothing left to say", async () => {
    const [theirs = "", squashed = "", reverted = "", gone = ""] = await finished(
      "Theirs",
      "Squashed",
      "Reverted",
      "Gone",
    );
    await merged(reverted);
    await gitIn(path, "revert", "--no-edit", "HEAD");
    await gitIn(path, "merge", "--quiet", "--no-ff", `cos/${theirs}`);
    await gitIn(path, "merge", "--squash", `cos/${squashed}`);
    await gitIn(path, "commit", "--quiet", "--message", "Squashed");
    await gitIn(path, "branch", "--quiet", "-D", `cos/${gone}`);
    const before = await gitIn(path, "rev-parse", "main");

    for (const { command } of (await standup()).git.news) {
      const [program = "", ...words] = command.split(" ");
      if (program === "git") await gitIn(path, ...words);
      else valueOf(await world.command(...words));
    }
    world.advance(31_000);
    await world.tick();

    const shown = await standup();
    expect(shown.git.news).toEqual([]);
    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await gitIn(path, "branch", "--list", `cos/${gone}`)).toContain(gone);
    expect(shown.planned).toMatchObject([{ goalId: reverted, state: "pending" }]);
  });

  it("posted standups say a piece of news once, and who asks for one sees that of the last day; a new one is news again", async () => {
    await world.tick();
    const [goalId = ""] = await finished("Work");
    await gitIn(path, "merge", "--quiet", "--no-ff", `cos/${goalId}`);
    expect(newsTypes(await standup())).toEqual([[goalId, "merged-by-hand"]]);
    expect(newsTypes(await standup())).toEqual([[goalId, "merged-by-hand"]]);

    world.advance(day);
    await world.tick();
    expect(JSON.stringify(await postedCard("2026-01-27"))).toContain("merged by hand into main");
    expect(newsTypes(await standup())).toEqual([[goalId, "merged-by-hand"]]);
    expect(JSON.stringify(await world.command("why", goalId))).toContain("found in git: merged by hand, commit");

    await gitIn(path, "revert", "--no-edit", "--mainline=1", "HEAD");
    world.advance(day);
    await world.tick();
    const second = JSON.stringify(await postedCard("2026-01-28"));
    expect(second).toContain("reverted on main");
    expect(second).not.toContain("merged by hand");
    world.advance(day);
    await world.tick();
    expect(JSON.stringify(await postedCard("2026-01-29"))).toContain("Spent: ");
    expect(JSON.stringify(await postedCard("2026-01-29"))).not.toContain("reverted on main");
    world.advance(hour);
    expect((await standup()).git.news).toEqual([]);
  });

  it("by a clock that goes on while one is made, the next posted one says no news again", async () => {
    await world.tick();
    const [goalId = ""] = await finished("Work");
    await gitIn(path, "merge", "--quiet", "--no-ff", `cos/${goalId}`);
    let ms = 0;
    const goesOn = { ...world.deps, now: () => new Date(world.deps.now().getTime() + (ms += 1)) };

    for (let days = 0; days < 3; days += 1) {
      world.advance(day);
      await runSchedules(goesOn);
    }

    const found = await world.deps.database.pool.query(
      "select at from cos.timeline where event = 'goal.found-in-git' order by timeline_id",
    );
    const runs = await world.deps.database.pool.query(
      "select at from cos.schedule_runs where schedule = 'standup' order by run_for",
    );
    expect(runs.rows).toHaveLength(3);
    expect(found.rows).toEqual([runs.rows[0]]);
    await world.tick();
    expect(JSON.stringify(await postedCard("2026-01-27"))).toContain("merged by hand");
    expect(JSON.stringify(await postedCard("2026-01-28"))).not.toContain("merged by hand");
  });

  it("what ends in the moment of a standup, and is written only after it, is said by the next one, and nothing twice", async () => {
    await world.tick();
    const before = await add("Before");
    world.advance(day - 60_000);
    await world.command("goal", "skip", before);
    world.advance(60_000);
    await world.tick();
    // As a transaction that took its time just before the standup and was committed just after it.
    world.advance(-1);
    const late = await add("Late");
    await world.command("goal", "skip", late);
    world.advance(day + 1);
    await world.tick();
    world.advance(day);
    await world.tick();

    const said = await Promise.all(["27", "28", "29"].map((date) => postedCard(`2026-01-${date}`)));
    const deferred = said.map((card) => [before, late].filter((id) => JSON.stringify(card).includes(id)));
    expect(deferred).toEqual([[before], [late], []]);
  });

  it("a repository that is away brings nothing back that a standup has found merged, reverted or gone", async () => {
    await world.tick();
    const [merged = "", gone = "", left = ""] = await finished("Merged", "Gone", "Left");
    await gitIn(path, "merge", "--quiet", "--no-ff", `cos/${merged}`);
    await gitIn(path, "branch", "-D", `cos/${gone}`);
    world.advance(day);
    await world.tick();
    expect(newsTypes(await standup())).toEqual([
      [gone, "branch-gone"],
      [merged, "merged-by-hand"],
    ]);
    world.advance(4 * day);
    await rename(path, `${path}.away`);

    const shown = await standup();

    expect(shown.unmerged).toMatchObject([{ goalId: left }]);
    expect([shown.unmergedLate, shown.git.news]).toEqual([1, []]);
    expect(shown.git.troubles).toMatchObject([{ type: "missing" }]);
  });

  it("what nobody has merged is counted when it is late, and urged when it is verified", async () => {
    await writeFile(
      join(path, "spec.md"),
      "#### AC-1: Made\n\n```yaml\nmethod: bash\ncommand: test -f made.txt\npass_condition: exit code 0\n```\n",
    );
    await gitIn(path, "add", "--all");
    await gitIn(path, "commit", "--quiet", "--message", "Criteria");
    const claimed = await add("Claimed");
    const verified = await add("Verified", "--criteria", "spec.md", "--run", "touch made.txt");
    await world.command("autopilot", "start");
    await world.work();
    expect((await standup()).recommendation.command).toBe(`cos goal merge ${verified}`);

    world.advance(2 * day + hour);
    expect(await standup()).toMatchObject({ done: [], unmergedLate: 0 });
    world.advance(2 * day);
    const shown = await standup();
    expect(shown.unmerged.toSorted((one, other) => one.tag.localeCompare(other.tag))).toMatchObject([
      { goalId: claimed, tag: "claimed" },
      { goalId: verified, tag: "verified" },
    ]);
    expect(shown).toMatchObject({ unmergedLate: 2, recommendation: { command: `cos goal merge ${verified}` } });
    expect(await cardLines()).toContain("  Finished, not merged: 2, 2 of them for more than 3 days");

    await merged(verified);
    await world.command("goal", "discard", claimed);
    expect(await standup()).toMatchObject({ unmerged: [], unmergedLate: 0, git: { news: [] } });
    world.advance(30 * day);
    expect((await standup()).git.news).toEqual([]);
  });

  it("a repository that is missing, broken or without its base is one line, and the standup is posted all the same", async () => {
    await finished("Work");
    await gitIn(path, "branch", "--move", "main", "trunk");
    expect((await standup()).git.troubles).toMatchObject([
      { type: "no-base", command: `cos repo add ${path} --base BRANCH` },
    ]);
    await rename(join(path, ".git"), join(path, "git"));
    expect((await standup()).git.troubles).toMatchObject([{ type: "broken" }]);
    await rm(path, { recursive: true });
    await world.tick();
    world.advance(day);
    await world.tick();

    const lines = terminalLines((await postedCard("2026-01-27")) ?? ({ blocks: [] } as never), "UTC");
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}- \S+ is not at .* a link to its new place is enough: ln -s WHERE/),
    );
    expect(lines).toContainEqual(expect.stringContaining("[claimed] Work · not merged"));
    expect(existsSync(path)).toBe(false);
  });
});

describe("what waits, what comes next, what it costs", () => {
  it("a question waits for the approvers, in hours of the day and awake, with the goals behind it", async () => {
    await open({
      COS_QUIET_HOURS: "22:00-07:00",
      COS_APPROVERS: "slack:U0ANA,discord:1,slack:U0BEN",
      SLACK_BOT_TOKEN: "xoxb-1",
      SLACK_APP_TOKEN: "xapp-1",
      SLACK_CHANNEL: "C0123ABCD",
    });
    const asked = await add("Blue", "--tag", "ui");
    const behind = await add("Next");
    const parked = await add("Parked");
    await world.command("autopilot", "start", "--in-order");
    await world.command("goal", "pause", parked);
    world.advance(23 * hour);

    const shown = await standup();
    expect(shown.waiting).toMatchObject([
      {
        goalId: asked,
        waitsFor: ["slack:U0ANA", "slack:U0BEN"],
        sinceMs: 23 * hour,
        awakeMs: 14 * hour,
        goalsBehind: 1,
      },
    ]);
    expect(shown.planned).toMatchObject([{ goalId: behind, state: "in the session" }]);
    expect(shown.parked).toMatchObject([{ goalId: parked, tag: "not checked" }]);
    expect(shown.recommendation.command).toBe(`cos answer ${shown.waiting[0]?.checkpointId} Proceed`);
    const lines = await cardLines();
    expect(lines).toContain("  Waits for slack:U0ANA, slack:U0BEN: 1");
    expect(lines).toContainEqual(expect.stringContaining("for 23 h (14 h awake) · 1 goal behind it"));

    world.advance(2 * hour);
    await world.tick();
    expect((await standup()).waiting).toEqual([]);
    expect(await cardLines()).toContain(
      `  - [not checked] Blue: Nobody answered in time. Ask again with: cos goal resume ${asked}`,
    );
  });

  it("goals that a person must do, and what is pending, are named with what goes on", async () => {
    await open();
    const manual = valueOf<{ goalId: string }>(await world.command("goal", "add", "Ask the bank")).goalId;
    await world.command("autopilot", "start");
    await world.work();
    const pending = await add("Later");

    const shown = await standup();
    expect(shown.manual).toMatchObject([{ goalId: manual }]);
    expect(shown.planned).toMatchObject([{ goalId: pending, state: "pending" }]);
    expect(shown.recommendation).toEqual({
      text: "Start a session: 1 goal is pending, and nothing prevents it.",
      command: "cos autopilot start",
    });
    expect(await cardLines()).toContainEqual(expect.stringContaining(`cos goal resume ${manual}`));
  });

  it("campaigns stand as far as they are, and their goals are their days'", async () => {
    await open();
    const { db } = world.deps.database;
    const { rows } = await world.deps.database.pool.query<{ repository_id: string }>(
      "select repository_id from cos.repositories",
    );
    const common = {
      repositoryId: rows[0]?.repository_id ?? "",
      goal: "French everywhere",
      totalBudgetMicroUsd: 50_000_000,
      dailyBudgetMicroUsd: 15_000_000,
      planNotes: [],
      plannedBy: "rules",
      createdBy: "ana",
      createdAt: world.deps.now(),
      updatedAt: world.deps.now(),
    };
    await db.insert(campaigns).values([
      { ...common, campaignId: "camp-1", name: "French", state: "active", currentDay: 2, startedAt: world.deps.now() },
      {
        ...common,
        campaignId: "camp-2",
        name: "Old",
        state: "failed",
        startedAt: world.deps.now(),
        endedAt: new Date("2026-01-02"),
      },
      { ...common, campaignId: "camp-3", name: "Tax", state: "paused", startedAt: world.deps.now(), pausedBy: "@ana" },
    ]);
    const milestone = { campaignId: "camp-1", description: "", successCriteria: [] };
    await db.insert(milestones).values([
      { ...milestone, milestoneId: "ms-1", position: 1, name: "Texts", targetDay: 1 },
      { ...milestone, milestoneId: "ms-2", position: 2, name: "Pages", targetDay: 2 },
    ]);
    const today = await add("Translate page 1");
    const later = await add("Translate page 2");
    const planned = (goalId: string, content: string) => [
      { goalId, milestoneId: "ms-1", request: { content } as never },
    ];
    await db.insert(campaignDays).values([
      { campaignId: "camp-1", dayNumber: 1, goals: [], budgetMicroUsd: 1, status: "done", date: "2026-01-25" },
      {
        campaignId: "camp-1",
        dayNumber: 2,
        goals: planned(today, "Translate page 1"),
        budgetMicroUsd: 1,
        date: "2026-01-26",
      },
      { campaignId: "camp-1", dayNumber: 3, goals: planned(later, "Translate page 2"), budgetMicroUsd: 1 },
    ]);
    await world.deps.database.pool.query("update cos.goals set campaign_id = 'camp-1'");
    await world.deps.database.pool.query(
      "insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, campaign_id, at) values ('c', 'settled', 2500000, false, '2026-01-20', 'camp-1', '2026-01-20')",
    );

    const shown = await standup();
    expect(shown.planned).toEqual([]);
    expect(shown.campaigns).toMatchObject([
      {
        campaignId: "camp-1",
        state: "active",
        day: 2,
        days: 3,
        milestonesDone: 0,
        milestones: 2,
        daysBehind: 1,
        spentUsd: 2.5,
        budgetUsd: 50,
        today: ["Translate page 1"],
      },
      { campaignId: "camp-3", state: "paused", pausedBy: "@ana", today: [] },
    ]);
    expect(shown.spend).toMatchObject({ sinceUsd: 0 });
    expect(await cardLines()).toContain(
      "  - French active · day 2 of 3 · 0 of 2 milestones done · 1 day behind · $2.50 of $50.00 · today: Translate page 1 · later: Translate page 2",
    );
    expect(shown.recommendation.command).toBe("cos campaign resume camp-3");
  });

  it("spend is counted since the last one, whatever a call had cost before, and reservations are named", async () => {
    await open();
    await world.tick();
    world.advance(day);
    const [goalId = ""] = await finished("Work");
    const { rows } = await world.deps.database.pool.query<{ run_id: string }>("select run_id from cos.runs");
    const { db } = world.deps.database;
    const call = { goalId, runId: rows[0]?.run_id ?? "", sessionId: null, day: "2026-01-27" };
    const entry = (
      callId: string,
      kind: "reserved" | "reported" | "settled",
      usd: number,
      hours: number,
      isEstimated = false,
    ) =>
      appendSpend(
        db,
        { ...call, callId },
        { kind, amountMicroUsd: usd * 1_000_000, isEstimated, at: new Date(world.deps.now().getTime() + hours * hour) },
      );
    await entry("long", "reserved", 5, -1, true);
    await entry("long", "reported", 1, -1);
    await world.tick();
    await entry("long", "reported", 1.5, 1);
    await entry("long", "settled", 1.75, 2);
    await entry("open", "reserved", 4, 2, true);
    await entry("open", "reported", 0.25, 3, true);
    world.advance(day);
    await world.tick();

    const words = JSON.stringify(await postedCard("2026-01-28"));
    expect(words).toContain("$1.00 since ");
    expect(words).toContain("(estimated). Reserved: $3.75 for Work");
    expect((await standup()).spend).toMatchObject({
      sinceUsd: 1,
      todayUsd: 0,
      isEstimated: true,
      reserved: [{ goalId }],
    });
  });
});
