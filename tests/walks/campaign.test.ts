import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignStates } from "../../src/core/campaigns/campaign.ts";
import { findMessage } from "../../src/db/messages.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { scriptedAgent } from "../fakes/scripted.ts";

const criteria = (command: string): string =>
  `#### AC-1: It holds\n\n**Description:** It holds.\n\n\`\`\`yaml\nmethod: bash\ncommand: ${command}\npass_condition: exit code 0\n\`\`\`\n`;

let world: TestWorld;
beforeEach(async () => {
  // Monday, 2026-01-26, 09:00.
  world = await testWorld({ policy: oneAttempt });
  await world.repository({
    "README.md": "x\n",
    "ac/a.md": criteria("test -f a.txt"),
    "ac/b.md": criteria("test -f b.txt"),
  });
});
afterEach(() => world.close());

const twoDays = `# Two files

## First
- write a
  - run: echo a > a.txt
  - criteria: ac/a.md
  - day: 1

## Second
- write b
  - run: echo b > b.txt
  - criteria: ac/b.md
  - day: 2
`;

describe("a campaign", () => {
  it("has the states of the seed and its defaults, and no dates before it has started [S4-CM-01, S4-CM-02, S4-PN-06]", async () => {
    const campaign = campaignIn(world);
    await campaign.create(twoDays);

    expect(campaignStates).toEqual(["planning", "active", "paused", "completed", "failed"]);
    expect(await campaign.status()).toMatchObject({
      state: "planning",
      currentDay: 1,
      totalBudgetUsd: 50,
      dailyBudgetUsd: 15,
      spentUsd: 0,
      replanningThreshold: 0.3,
      replanCount: 0,
      startedAt: null,
      endedAt: null,
      originalDurationDays: 2,
    });
    expect((await campaign.status()).days.map((day) => day.date)).toEqual([null, null]);
  });

  it("is stored with everything in it, and missing options get their defaults [S4-CM-10, S4-PN-02, S4-PN-05]", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(
      `${twoDays}  - cost: 1.5\n  - tags: ui, core\n  - priority: high\n`,
      "--budget",
      "7",
    );
    const { rows } = await world.deps.database.pool.query<{
      goals: { goalId: string; request: Record<string, unknown> }[];
    }>("select goals from cos.campaign_days where campaign_id = $1 order by day_number", [id]);

    const [first, second] = rows.map((row) => row.goals[0]);
    expect(first).toMatchObject({
      milestoneId: "ms-1",
      request: { content: "write a", costUsd: null, tags: [], priority: "medium" },
    });
    expect(second).toMatchObject({
      milestoneId: "ms-2",
      request: {
        content: "write b",
        run: "echo b > b.txt",
        criteriaPath: "ac/b.md",
        costUsd: 1.5,
        tags: ["ui", "core"],
        priority: "high",
      },
    });
    expect(await campaign.status(id)).toMatchObject({
      name: "Two files",
      milestones: [
        { milestoneId: "ms-1", name: "First", targetDay: 1, successCriteria: [] },
        { milestoneId: "ms-2", name: "Second", targetDay: 2 },
      ],
      days: [{ budgetUsd: 3.5 }, { budgetUsd: 3.5 }],
      originalDurationDays: 2,
    });
    expect((await campaign.status(id)).days[0]?.goals[0]?.goalId).toBe(first?.goalId);
  });

  it("leaves a result of every day, in its thread and in its history [S4-CX-10, S4-CX-11]", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(twoDays);
    await campaign.answer("Start");
    await campaign.settle();

    const { rows } = await world.deps.database.pool.query<{ detail: object }>(
      "select detail from cos.timeline where event = 'campaign.day-over'",
    );
    expect(rows.map((row) => row.detail)).toEqual([
      {
        campaignId: id,
        day: 1,
        goalsCompleted: 1,
        goals: 1,
        costMicroUsd: 0,
        costIsEstimated: false,
        progress: 0.5,
        carried: 0,
      },
    ]);
    const notice = await findMessage(world.deps.database.db, "console", "main", `${id}.day.1`);
    expect(notice).toMatchObject({ threadSubject: id, card: { title: "Day 1 of 2 is over: 1 of 1 goal complete" } });
  });

  it("keeps what a day has cost, adds it to what was spent, marks the day done and comes to the next [S4-CX-06, S4-CX-08]", async () => {
    const script = { steps: [{ write: { path: "a.txt", content: "a\n" } }, { costUsd: 0.45 }, { say: "Done." }] };
    const [repository] = valueOf<{ name: string }[]>(await world.command("repo", "list"));
    const agent = await scriptedAgent(world.dataDir, [script]);
    valueOf(await world.command("repo", "edit", repository?.name ?? "", "--agent", agent));
    const campaign = campaignIn(world);
    await campaign.create(twoDays.replace("  - run: echo a > a.txt\n", ""));
    expect(await campaign.status()).toMatchObject({ currentDay: 1, spentUsd: 0 });

    await campaign.answer("Start");
    await campaign.settle();
    expect(await campaign.status()).toMatchObject({
      currentDay: 2,
      spentUsd: 0.45,
      days: [
        { status: "done", actualCostUsd: 0.45 },
        { status: "pending", actualCostUsd: 0 },
      ],
    });
  });

  it("is paused before a milestone's first day and asks about it, and its day stays [S4-CX-03, S4-CX-04, C-83]", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(twoDays);
    await campaign.answer("Start");
    await campaign.settle();
    expect(await campaign.questions()).toEqual([]);

    const ran = valueOf<{ checkpointId: string }>(await world.command("campaign", "run", id));

    expect(ran).toEqual({
      campaignId: id,
      day: 2,
      state: "paused",
      goalsCompleted: 0,
      costUsd: 0,
      progress: 0.5,
      pausedForCheckpoint: true,
      checkpointId: ran.checkpointId,
    });
    const asked = await campaign.questions();
    expect(asked).toMatchObject([
      {
        checkpointId: ran.checkpointId,
        kind: "milestone",
        goalId: `milestone-${id}-ms-2`,
        campaignId: id,
        triggers: ["scope_change"],
        context: "Starting milestone 'Second': Second",
        recommendation: "Proceed with milestone: Second",
      },
    ]);
    expect(asked[0]?.options).toEqual([
      { label: "Proceed", description: "Start this milestone", effect: "continue", isRecommended: true },
      { label: "Adjust", description: "Modify milestone scope", effect: "modify", isRecommended: false },
      { label: "Pause", description: "Pause campaign for review", effect: "pause", isRecommended: false },
    ]);
    const held = await campaign.status();
    expect(held).toMatchObject({ state: "paused", currentDay: 2, spentUsd: 0, progress: 0.5 });
    expect(held.days[1]).toMatchObject({ status: "pending", actualCostUsd: 0, goals: [{ status: "planned" }] });

    // Rejecting it holds the campaign, which has nothing to skip; the question stays open (C-83, D11).
    const rejected = await world.command("reject", ran.checkpointId, "--notes", "next week");
    expect(valueOf(rejected)).toMatchObject({ checkpointId: ran.checkpointId, paused: true });
    expect(await campaign.status()).toMatchObject({ state: "paused", pausedBy: "ana", currentDay: 2 });
    await campaign.answer("Proceed");
    expect(await world.command("reject", ran.checkpointId)).toMatchObject({
      reason: `checkpoint ${ran.checkpointId} is already answered: Proceed by ana, 2026-01-26 09:00`,
    });
    expect((await campaign.status()).milestones[1]).toMatchObject({ status: "in_progress" });
    await campaign.pass(24);
    expect(await campaign.status(id)).toMatchObject({ state: "completed", currentDay: 3 });
  });

  it("goes on with the same day where a question stopped it: what was left of it is worked [S4-CX-14, C-84]", async () => {
    const campaign = campaignIn(world);
    const goal = (name: string, tags = ""): string => `- write ${name}\n  - run: echo ${name} > ${name}.txt\n${tags}`;
    const ui = "  - tags: ui\n";
    const id = await campaign.create(
      `# Three\n\n## All\n### Day 1\n${goal("a")}${goal("b", ui)}${goal("c", ui)}### Day 2\n${goal("d")}`,
    );
    await campaign.answer("Start");
    await campaign.settle();
    const goals = async () => (await campaign.status()).days.map((day) => day.goals.map((each) => each.status));

    expect(await campaign.status()).toMatchObject({ state: "paused", pausedBy: null, currentDay: 1 });
    expect(await goals()).toEqual([["complete", "blocked", "blocked"], ["planned"]]);
    await campaign.pass(20);
    expect(await campaign.status()).toMatchObject({ state: "paused", currentDay: 1 });
    expect((await campaign.status()).days[0]).toMatchObject({ date: "2026-01-26", status: "in_progress" });

    const resumed = JSON.stringify(await world.command("campaign", "resume", id));
    expect(resumed).toContain(`${id} is not paused, and waits for an answer`);
    for (const { checkpointId } of await campaign.questions())
      expect(resumed).toContain(`answer ${checkpointId} Proceed`);
    for (const { checkpointId } of await campaign.questions()) valueOf(await world.command("approve", checkpointId));
    await campaign.settle();
    expect(await goals()).toEqual([["complete", "complete", "complete"], ["planned"]]);
    expect(await campaign.status()).toMatchObject({ state: "active", currentDay: 2 });
    expect((await campaign.status()).days[0]).toMatchObject({ date: "2026-01-26", status: "done" });
  });

  it("is planned, approved, worked day by day and completed, and has then ended [S4-CX-09, S4-CX-12, S4-PN-02]", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(twoDays);

    expect(id).toMatch(/^camp-[0-9a-f]{8}$/);
    expect(await campaign.status()).toMatchObject({
      state: "planning",
      currentDay: 1,
      totalBudgetUsd: 50,
      dailyBudgetUsd: 15,
    });
    await campaign.settle();
    expect((await campaign.status()).days.map((day) => day.status)).toEqual(["pending", "pending"]);

    await campaign.answer("Start");
    await campaign.settle();
    let now = await campaign.status();
    expect(now.days.map((day) => [day.date, day.status])).toEqual([
      ["2026-01-26", "done"],
      ["2026-01-27", "pending"],
    ]);
    expect(now.milestones.map((each) => each.status)).toEqual(["done", "pending"]);
    expect(now).toMatchObject({ currentDay: 2, progress: 0.5, days: [{ actualCostUsd: 0 }, { actualCostUsd: 0 }] });

    await campaign.pass(24);
    now = await campaign.status();
    expect(now).toMatchObject({ state: "paused", currentDay: 2 });
    const asked = await campaign.answer("Proceed");
    expect(asked).toMatchObject({ kind: "milestone", goalId: `milestone-${id}-ms-2`, triggers: ["scope_change"] });
    await campaign.settle();

    now = await campaign.status(id);
    expect(now).toMatchObject({ state: "completed", progress: 1, endReason: "Every milestone is done." });
    expect(now).toMatchObject({ endedAt: world.deps.now() });
    expect(now.days.flatMap((day) => day.goals.map((goal) => goal.tag))).toEqual(["verified", "verified"]);
  });
});
