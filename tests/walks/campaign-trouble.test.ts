import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { dollars } from "../../src/core/money.ts";
import { findMessage } from "../../src/db/messages.ts";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** Campaigns when something goes otherwise than planned. */

const hour = 3_600_000;
let world: TestWorld;
let campaign: ReturnType<typeof campaignIn>;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  campaign = campaignIn(world);
});
afterEach(() => world.close());

/** One milestone, a goal a day, each a command. */
const commands = (...days: readonly (readonly string[])[]): string =>
  `# Files\n\n## All of them\n${days
    .map(
      (goals, index) =>
        `### Day ${index + 1}\n${goals.map((run) => `- run ${run.slice(0, 20)}\n  - run: ${run}\n`).join("")}`,
    )
    .join("\n")}`;

async function started(plan: string, ...options: string[]): Promise<string> {
  const id = await campaign.create(plan, ...options);
  valueOf(await world.command("campaign", "start", id));
  return id;
}

describe("a person holds a campaign", () => {
  it("in the middle of a goal: the agent is cut, and goes on with the same day when they say so", async () => {
    await world.repository();
    const begun = join(world.dataDir, "begun");
    const id = await started(
      commands([`test -f ${begun} || { touch ${begun}; sleep 1000; }; echo x > x.txt`, "echo y > y.txt"]),
    );
    const working = world.work();
    await eventually("the goal", async () => existsSync(begun));
    valueOf(await world.command("campaign", "pause", id));
    await working;
    await campaign.pass(20);

    expect(await campaign.status()).toMatchObject({ state: "paused", pausedBy: "ana", currentDay: 1 });
    expect((await campaign.status()).days[0]?.goals.map((goal) => goal.status)).toEqual(["in_progress", "pending"]);

    expect(valueOf(await world.command("campaign", "resume", id))).toMatchObject({ state: "active" });
    await campaign.settle();
    expect((await campaign.status(id)).days[0]).toMatchObject({ status: "done", date: "2026-01-26" });
    expect((await campaign.status(id)).days[0]?.goals.map((goal) => goal.status)).toEqual(["complete", "complete"]);
  });

  it("without naming it, where no other one is open", async () => {
    await world.repository();
    expect(await world.command("campaign", "pause")).toMatchObject({ reason: "no campaign is open" });
    const id = await started(commands(["sleep 1000"]));

    expect(valueOf(await world.command("campaign", "pause"))).toMatchObject({ campaignId: id, state: "paused" });
    expect(valueOf(await world.command("campaign", "resume"))).toMatchObject({ campaignId: id, state: "active" });
    const other = await campaign.create(commands(["true"]));
    const refused = await world.command("campaign", "pause");
    expect(refused).toMatchObject({ type: "refused", next: "cos campaign list" });
    for (const each of [id, other]) expect(JSON.stringify(refused)).toContain(each);
  });

  it("by stopping its session: the day waits, and `campaign run` goes on with what was left", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt", "echo b > b.txt"]));
    valueOf(await world.command("autopilot", "stop"));
    await campaign.settle();

    expect(await campaign.status()).toMatchObject({ state: "paused", pausedBy: "ana", currentDay: 1 });
    expect(await world.command("campaign", "run", id)).toMatchObject({
      type: "refused",
      reason: "Campaign not active: paused",
    });
    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();
    expect((await campaign.status(id)).days[0]?.goals.map((goal) => goal.status)).toEqual(["complete", "complete"]);
  });

  it("says what cannot be done, with what can [S4-CX-01, S4-CX-02, S4-CX-13]", async () => {
    await world.repository();
    expect(await world.command("campaign", "resume", "camp-00000000")).toEqual({
      type: "refused",
      reason: "Campaign not found: camp-00000000",
      next: "cos campaign list",
    });
    const id = await campaign.create(commands(["true"]));
    expect(await world.command("campaign", "run", id)).toMatchObject({
      reason: "Campaign not active: planning",
      next: `cos campaign start ${id}`,
    });
    expect(await world.command("campaign", "pause", id)).toMatchObject({ type: "refused" });
    valueOf(await world.command("campaign", "start", id));
    expect(await world.command("campaign", "start", id)).toMatchObject({ reason: `${id} is already active` });
    expect(valueOf(await world.command("campaign", "resume", id))).toMatchObject({ state: "active" });
    valueOf(await world.command("campaign", "pause", id));
    expect(await world.command("campaign", "run", id)).toEqual({
      type: "refused",
      reason: "Campaign not active: paused",
      next: `cos campaign resume ${id}`,
    });
    expect(valueOf(await world.command("campaign", "resume", id))).toMatchObject({ state: "active" });
    expect(await campaign.status(id)).toMatchObject({ state: "active", pausedBy: null });
    await campaign.settle();
    // Its only goal is only claimed: it asks whether that will do, and has no more days.
    expect((await campaign.questions()).map((each) => each.kind)).toEqual(["confirm"]);
    expect(await world.command("campaign", "run", id)).toMatchObject({ reason: "No more days planned" });
    valueOf(await world.command("campaign", "stop", id));
    expect(await campaign.status(id)).toMatchObject({ state: "failed", endReason: "Stopped by ana.", endedBy: "ana" });
    const card = (await findMessage(world.deps.database.db, "console", "main", id))?.card;
    expect(card).toMatchObject({ state: "stopped", tone: "neutral" });
    const listed = await world.command("campaign", "list");
    expect(listed.type === "done" ? terminalLines(listed.card, "UTC").join() : "").toContain("stopped, day 1 of 1");
    expect(await campaign.questions()).toEqual([]);
    expect(await world.command("campaign", "resume", id)).toMatchObject({ type: "refused" });
  });

  it("by giving up the plan: nothing has run", async () => {
    await world.repository();
    const id = await campaign.create(commands(["echo a > a.txt"]));
    await campaign.answer("Discard");
    await campaign.settle();

    expect(await campaign.status(id)).toMatchObject({ state: "failed", endReason: "Given up by ana.", spentUsd: 0 });
    const { state, summary } = (await findMessage(world.deps.database.db, "console", "main", id))?.card ?? {};
    expect(state).toBe("stopped before its start");
    expect(summary).toContain(": 1 day planned, ");
    expect(valueOf<unknown[]>(await world.command("goals"))).toEqual([]);
  });
});

describe("a milestone", () => {
  const two = (first: string, second: string): string =>
    `# Two\n\n## One\n- first\n  - run: ${first}\n  - day: 1\n\n## Two\n- second\n  - run: ${second}\n  - day: 2\n`;

  it("whose goals are only claimed asks a person, once; both answers are kept [S4-CM-03]", async () => {
    await world.repository();
    const id = await started(two("echo a > a.txt", "echo b > b.txt"));
    await campaign.settle();
    const asked = await campaign.answer("Done");
    expect(asked).toMatchObject({ kind: "confirm", goalId: `milestone-${id}-ms-1` });
    await campaign.pass(24);
    await campaign.answer("Proceed");
    await campaign.settle();
    await campaign.answer("Not done");
    await campaign.settle();

    const now = await campaign.status(id);
    expect(now.milestones).toMatchObject([
      { status: "done", completedBy: "ana" },
      { status: "in_progress", completedBy: null },
    ]);
    expect(now).toMatchObject({
      state: "failed",
      progress: 0.5,
      endReason: "Its days are over at 50 %; not done: Two.",
    });
  });

  it("can be called done by a person, who is not asked then", async () => {
    await world.repository();
    const id = await started(two("echo a > a.txt", "echo b > b.txt"));
    await campaign.settle();
    expect(await world.command("milestone", "done", "ms-9")).toMatchObject({ type: "refused" });
    valueOf(await world.command("milestone", "done", "ms-1"));
    expect(await campaign.questions()).toEqual([]);
    valueOf(await world.command("milestone", "done", `${id}/ms-2`));
    expect(await world.command("milestone", "done", "ms-2")).toMatchObject({ reason: "ms-2 is already done" });
    await campaign.pass(24);

    expect(await campaign.status(id)).toMatchObject({ state: "completed", progress: 1 });
  });

  it("answered while a person holds the campaign does not let it go on; one held by its own card does", async () => {
    await world.repository();
    const id = await started(two("echo a > a.txt", "echo b > b.txt"));
    await campaign.settle();
    await campaign.answer("Done");
    await campaign.pass(24);
    // What this card held was let go on since.
    await campaign.answer("Pause");
    valueOf(await world.command("campaign", "resume", id));
    valueOf(await world.command("campaign", "pause", id));
    await campaign.answer("Proceed");
    await campaign.settle();
    expect(await campaign.status()).toMatchObject({ state: "paused", pausedBy: "ana", currentDay: 2 });
    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();
    expect((await campaign.status(id)).days[1]?.status).toBe("done");

    const other = await started(two("echo c > c.txt", "echo d > d.txt"));
    await campaign.settle();
    for (const question of await campaign.questions()) await world.command("answer", question.checkpointId, "Done");
    await campaign.pass(24);
    await campaign.answer("Pause");
    expect(await campaign.status(other)).toMatchObject({ state: "paused", pausedBy: "ana" });
    await campaign.answer("Proceed");
    await campaign.settle();
    expect((await campaign.status(other)).days[1]?.status).toBe("done");
  });

  it("that nobody answers for holds the campaign, and is asked about again when it is resumed", async () => {
    await world.repository();
    const id = await started(two("echo a > a.txt", "echo b > b.txt"));
    await campaign.settle();
    await campaign.answer("Done");
    await campaign.pass(24);
    const first = (await campaign.questions())[0];
    await campaign.pass(24.5);

    expect(await campaign.status()).toMatchObject({ state: "paused", pausedBy: "nobody's answer", currentDay: 2 });
    await campaign.pass(24);
    expect(await campaign.questions()).toEqual([]);
    valueOf(await world.command("campaign", "resume", id));
    const again = await campaign.answer("Adjust", "--instructions", "use two lines");
    expect(again.checkpointId).not.toBe(first?.checkpointId);
    await campaign.settle();
    const second = (await campaign.status(id)).days[1]?.goals[0];
    expect(second?.status).toBe("complete");
    expect(valueOf(await world.command("goal", "show", second?.goalId ?? ""))).toMatchObject({
      instructions: [{ by: "ana", text: "use two lines" }],
    });
  });
});

describe("money", () => {
  it("what a day's money is not enough for goes over to the next day", async () => {
    await world.repository();
    const plan =
      "# M\n\n## All\n### Day 1\n- one\n  - run: echo 1 > 1.txt\n- dear\n  - run: echo 2 > 2.txt\n  - cost: 2.50\n### Day 2\n- three\n  - run: echo 3 > 3.txt\n";
    const id = await started(plan, "--budget", "5");
    await spend(1, "one");
    await campaign.settle();

    let now = await campaign.status();
    expect(now.days[0]).toMatchObject({ status: "done", budgetUsd: 2.5 });
    expect(now.days.map((day) => day.goals.map((goal) => goal.content))).toEqual([["one"], ["dear", "three"]]);
    expect(now).toMatchObject({ state: "active", currentDay: 2 });
    await campaign.pass(24);
    now = await campaign.status(id);
    expect(now.days[1]?.goals.map((goal) => goal.status)).toEqual(["complete", "complete"]);
  });

  it("what a goal costs that joined the session of its day is none of the day's, as of its total", async () => {
    await world.repository();
    const id = await started(commands(["echo 1 > 1.txt"], ["echo 2 > 2.txt"]), "--budget", "5");
    valueOf(await world.command("campaign", "run", id));
    const urgent = valueOf<{ goalId: string }>(await world.command("goal", "add", "urgent", "--run", "echo u > u.txt"));
    valueOf(await world.command("autopilot", "start", "--goal", urgent.goalId));
    await spend(1, "urgent");
    await campaign.settle();

    const now = await campaign.status(id);
    expect(now.days[0]).toMatchObject({ actualCostUsd: 0 });
    expect(now).toMatchObject({ spentUsd: 0 });
    expect(valueOf(await world.command("status"))).toMatchObject({ spentTodayUsd: 1 });
  });

  it("a day that is too small for its next goal asks, instead of going on for ever", async () => {
    await world.repository();
    const plan =
      "# M\n\n## All\n### Day 1\n- dear\n  - run: echo 2 > 2.txt\n  - cost: 3\n### Day 2\n- three\n  - run: echo 3 > 3.txt\n";
    const id = await started(plan, "--budget", "5");
    await campaign.settle();

    expect(await campaign.status()).toMatchObject({ state: "paused", currentDay: 1 });
    const asked = await campaign.answer("Proceed");
    expect(asked.context).toBe("Day 1 may cost $2.50, which is too little for its next goal; $5.00 are left in all");
    await campaign.settle();
    expect((await campaign.status(id)).days[0]).toMatchObject({ status: "done", budgetUsd: 5 });
    expect((await campaign.status(id)).days[0]?.goals[0]?.status).toBe("complete");
  });

  it("two campaigns share a calendar day fairly, and what the first does not use is the second's", async () => {
    const tight = await testWorld({
      policy: (policy) => ({ ...oneAttempt(policy), ceilings: { ...policy.ceilings, dayMicroUsd: dollars(8) } }),
    });
    try {
      const there = campaignIn(tight);
      const ids = [];
      for (const number of [1, 2]) {
        const path = await tight.repository({ "README.md": `${number}\n` });
        const name = path.split("/").at(-1) ?? "";
        ids.push(await there.create(`# C${number}\n\n## All\n- goal\n  - run: echo x > x.txt\n`, "--repo", name));
      }
      tight.advance(-10 * 60_000);
      for (const id of ids) valueOf(await tight.command("campaign", "start", id));
      tight.advance(10 * 60_000);
      await tight.tick();
      const { rows } = await tight.deps.database.pool.query<{ budget: string }>(
        "select budget_micro_usd as budget from cos.sessions order by started_at, session_id",
      );

      expect(rows.map((row) => Number(row.budget))).toEqual([dollars(4), dollars(4)]);
    } finally {
      await tight.close();
    }
  });

  it("a day that found no money on a Friday begins on Monday, at the hour of days, and says why it waits", async () => {
    const tight = await testWorld({
      policy: (policy) => ({ ...oneAttempt(policy), ceilings: { ...policy.ceilings, dayMicroUsd: dollars(8) } }),
    });
    try {
      const there = campaignIn(tight);
      await tight.repository();
      tight.advance(95 * hour);
      const id = await there.create("# C\n\n## All\n- goal\n  - run: echo x > x.txt\n", "--budget", "50");
      valueOf(await tight.command("campaign", "start", id));
      await tight.deps.database.pool.query(
        `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, campaign_id, at)
         values ('call-dear', 'settled', 8000000, false, '2026-01-30', $1, now())`,
        [id],
      );
      await there.pass(1);
      expect(await there.status(id)).toMatchObject({ days: [{ status: "pending" }] });
      expect((await there.status(id)).nextDayAt).toEqual(new Date("2026-02-02T09:00:00Z"));
      const told = await tight.command("campaign", "status", id);
      const words = told.type === "done" ? terminalLines(told.card, "UTC").join("\n") : "";
      expect(words).toContain("Today's ceiling leaves nothing for its day");
      expect(await cardWords(tight, id)).toContain("The ceiling of 2026-01-30 left nothing for its day");

      await there.pass(16);
      expect(await there.status(id), "on Saturday").toMatchObject({ days: [{ status: "pending" }] });
      await there.pass(56);
      expect(await there.status(id)).toMatchObject({ days: [{ status: "done", date: "2026-02-02" }] });
    } finally {
      await tight.close();
    }
  });

  it("one that a person holds keeps no money of the day from another", async () => {
    const tight = await testWorld({
      policy: (policy) => ({ ...oneAttempt(policy), ceilings: { ...policy.ceilings, dayMicroUsd: dollars(8) } }),
    });
    try {
      const there = campaignIn(tight);
      const ids = [];
      for (const number of [1, 2]) {
        const name = (await tight.repository({ "README.md": `${number}\n` })).split("/").at(-1) ?? "";
        ids.push(await there.create(`# C${number}\n\n## All\n- goal\n  - run: echo x > x.txt\n`, "--repo", name));
      }
      const [held = "", other = ""] = ids;
      for (const id of ids) {
        valueOf(await tight.command("campaign", "start", id));
        valueOf(await tight.command("campaign", "run", id));
        if (id === held) valueOf(await tight.command("campaign", "pause", id));
      }
      const { rows } = await tight.deps.database.pool.query<{ id: string; budget: string }>(
        "select campaign_id as id, budget_micro_usd as budget from cos.sessions order by started_at, session_id",
      );

      expect(Object.fromEntries(rows.map(({ id, budget }) => [id, Number(budget)]))).toEqual({
        [held]: dollars(8),
        [other]: dollars(8),
      });
    } finally {
      await tight.close();
    }
  });

  /** Charges the goal of that text as its agent would. */
  async function spend(usd: number, content: string): Promise<void> {
    const goals = valueOf<{ goalId: string; content: string }[]>(await world.command("goals"));
    const goalId = goals.find((goal) => goal.content === content)?.goalId ?? "";
    const { rows } = await world.deps.database.pool.query<{ session_id: string }>(
      "select session_id from cos.goals where goal_id = $1",
      [goalId],
    );
    await world.deps.database.pool.query(
      `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, ended_at) values ('run-spent', $1, 'ended', '', '[]', now(), now())`,
      [goalId],
    );
    await world.deps.database.pool.query(
      `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, session_id, at)
       values ('call-spent', 'settled', $1, false, '2026-01-26', $2, 'run-spent', $3, now())`,
      [dollars(usd), goalId, rows[0]?.session_id],
    );
  }
});

describe("time", () => {
  it("a machine that was asleep over three days begins one day, and moves the dates of the rest", async () => {
    await world.repository();
    const id = await started(commands(["echo 1 > 1.txt"], ["echo 2 > 2.txt"], ["echo 3 > 3.txt"]));
    await campaign.settle();
    expect((await campaign.status()).days.map((day) => day.date)).toEqual(["2026-01-26", "2026-01-27", "2026-01-28"]);
    await campaign.pass(74);

    expect((await campaign.status(id)).days.map((day) => [day.date, day.status])).toEqual([
      ["2026-01-26", "done"],
      ["2026-01-29", "done"],
      ["2026-01-30", "pending"],
    ]);
  });

  it("a clock that is put back begins nothing twice", async () => {
    await world.repository();
    const id = await started(commands(["echo 1 > 1.txt"], ["echo 2 > 2.txt"], ["echo 3 > 3.txt"]));
    await campaign.settle();
    world.advance(24 * hour);
    await campaign.settle();
    world.advance(-24 * hour);
    await campaign.settle();
    await campaign.pass(1);

    expect((await campaign.status(id)).days.map((day) => day.status)).toEqual(["done", "done", "pending"]);
  });

  it("a campaign that starts on a weekend begins on Monday, and `campaign run` does not wait for its hour", async () => {
    await world.repository();
    world.advance(5 * 24 * hour);
    const id = await started(commands(["echo 1 > 1.txt"], ["echo 2 > 2.txt"]));
    await campaign.settle();
    expect((await campaign.status()).days.map((day) => [day.date, day.status])).toEqual([
      ["2026-02-02", "pending"],
      ["2026-02-03", "pending"],
    ]);
    expect((await campaign.status()).nextDayAt).toEqual(new Date("2026-02-02T09:00:00Z"));

    valueOf(await world.command("campaign", "run", id));
    await campaign.settle();
    expect((await campaign.status()).days.map((day) => [day.date, day.status])).toEqual([
      ["2026-01-31", "done"],
      ["2026-02-02", "pending"],
    ]);
  });

  it("days begin when a person says", async () => {
    await world.repository();
    valueOf(await world.command("schedule", "set", "campaigns", "--cron", "30 6 * * *"));
    const id = await started(commands(["echo 1 > 1.txt"], ["echo 2 > 2.txt"]));
    await campaign.settle();
    await campaign.pass(21);
    expect((await campaign.status(id)).days[1]?.status).toBe("pending");
    await campaign.pass(0.5);

    expect((await campaign.status(id)).days[1]).toMatchObject({ status: "done", date: "2026-01-27" });
  });
});

describe("the repository", () => {
  it("two campaigns on one repository take turns", async () => {
    await world.repository();
    const first = await started(commands(["echo 1 > 1.txt"]));
    const second = await started(commands(["echo 2 > 2.txt"]));
    expect((await campaign.status(second)).days[0]?.status).toBe("pending");
    await campaign.settle();

    expect((await campaign.status(first)).days[0]?.status).toBe("done");
    expect((await campaign.status(second)).days[0]?.status).toBe("done");
  });

  it("that is gone holds the campaign with what is wrong; it goes on when it is back", async () => {
    const path = await world.repository();
    const id = await started(commands(["echo 1 > 1.txt"], ["echo 2 > 2.txt"]));
    await campaign.settle();
    await rename(path, `${path}.away`);
    await campaign.pass(24);
    expect((await campaign.status()).pausedBy).toContain("is not at");
    await rename(`${path}.away`, path);
    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();

    expect((await campaign.status(id)).days[1]?.status).toBe("done");
  });

  it("a criteria file that is wrong is refused with the plan; one that is not there yet is noted", async () => {
    await world.repository({ "ac/bad.md": "#### AC-1: X\n\n```yaml\nmethod: bash\n```\n" });
    const file = join(world.dataDir, "plan.md");
    await writeFile(file, "# F\n\n## All\n- one\n  - criteria: ac/bad.md\n");
    const wrong = await world.command("campaign", "create", "--from", file);
    expect(wrong).toMatchObject({ type: "refused" });
    expect(wrong.type === "refused" ? wrong.reason : "").toContain("one: ");

    const id = await campaign.create("# F\n\n## All\n- one\n  - criteria: ac/later.md\n");
    expect((await campaign.status(id)).notes.join()).toContain("Not there yet, read when its day begins: one: ");
  });

  it("whoever plans the same twice is told before it starts", async () => {
    await world.repository();
    const plan = "# Files\n\n## All\n- one\n  - run: true\n  - minutes: 5\n";
    const first = await campaign.create(plan);
    const other = await campaign.create(plan.replace("# Files", "# Others"));
    const second = await campaign.create(plan);
    const said = `${first} has the same goal, and is not over: cos campaign status ${first}`;

    expect((await campaign.status(first)).notes).toEqual([]);
    expect((await campaign.status(other)).notes).toEqual([]);
    expect((await campaign.status(second)).notes).toEqual([said]);
    valueOf(await world.command("campaign", "stop", first));
    valueOf(await world.command("campaign", "stop", second));
    expect((await campaign.status(await campaign.create(plan))).notes).toEqual([]);
  });

  it("a list whose milestones hold what no store takes is planned without that", async () => {
    await world.repository();
    const odd = "a\u0000\ud800b";
    const milestones = [{ name: odd, description: odd, criteria: [odd] }];
    const file = join(world.dataDir, "plan.json");
    await writeFile(file, JSON.stringify({ name: "n", goal: "g", milestones, goals: [{ text: "x", milestone: odd }] }));

    const planned = await world.command("campaign", "create", "--from", file);

    expect(planned).toMatchObject({ type: "done" });
  });

  it("a goal whose file is missing fails with the paths that were tried, and the day goes on", async () => {
    await world.repository();
    const id = await started(
      "# F\n\n## All\n- lost\n  - criteria: ac/none.md\n  - run: echo 1 > 1.txt\n- found\n  - run: echo 2 > 2.txt\n",
      "--days",
      "1",
    );
    await campaign.settle();
    const [lost, found] = (await campaign.status(id)).days[0]?.goals ?? [];

    expect([lost?.status, found?.status]).toEqual(["failed", "complete"]);
    expect(valueOf<{ outcome: string }>(await world.command("goal", "show", lost?.goalId ?? "")).outcome).toContain(
      "ac/none.md",
    );
  });
});

describe("replanning", () => {
  it("at most three times by itself, never after two days running; then a person is asked [S4-CX-07]", async () => {
    await world.repository();
    const file = join(world.dataDir, "never");
    await writeFile(file, "");
    const days = Array.from({ length: 10 }, (_, index) => [`test ! -f ${file} # ${index}`]);
    const id = await started(commands(...days));
    const asked: string[] = [];
    for (let day = 0; day < 14; day += 1) {
      await campaign.settle();
      for (const question of await campaign.questions()) {
        // What failed is left to expire: parked goals are unfinished, skipped ones are not.
        if (question.kind !== "replan") continue;
        asked.push(question.context);
        valueOf(await world.command("answer", question.checkpointId, "Keep the plan"));
      }
      await campaign.pass(24);
      if ((await campaign.status(id)).state === "failed") break;
    }

    const { rows } = await world.deps.database.pool.query<{ day: number }>(
      `select (detail->>'day')::int as day from cos.timeline where event = 'campaign.day-over' and campaign_id = $1`,
      [id],
    );
    expect(rows.length).toBeGreaterThan(5);
    expect((await campaign.status(id)).replanCount).toBe(3);
    expect(asked.some((each) => each.includes("it did so the day before"))).toBe(true);
    expect(asked.some((each) => each.includes("it did so 3 times already"))).toBe(true);
  });
});
