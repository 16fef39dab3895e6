import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignIn } from "../fakes/campaign.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { taught } from "../fakes/memory.ts";
import { type FakeModel, startFakeModel } from "../fakes/model.ts";

/** Campaigns that a model plans. */

let model: FakeModel;
let world: TestWorld;
let campaign: ReturnType<typeof campaignIn>;
beforeEach(async () => {
  model = await startFakeModel();
  world = await testWorld({
    environment: {
      COS_MODEL: "fake",
      COS_MODEL_URL: model.url,
      COS_MODEL_KEY: "sk-0123456789abcdef",
      COS_MODEL_PRICE: "3/15",
    },
    policy: (policy) => ({ ...oneAttempt(policy), model: { ...policy.model, retries: 0 } }),
  });
  campaign = campaignIn(world);
  await world.repository();
});
afterEach(async () => {
  await world.close();
  await model.close();
});

const goal = (content: string, milestone: string, more: object = {}) => ({
  content,
  milestone,
  priority: "medium",
  estimated_minutes: 30,
  estimated_cost_usd: 1,
  linked_feature: null,
  linked_issue: null,
  linked_bug: null,
  linked_spec: null,
  ...more,
});
const milestone = (name: string, day: number, ...depends: string[]) => ({
  name,
  description: `All of ${name}`,
  target_day: day,
  success_criteria: [`${name} works`],
  depends_on: depends,
});
const planned = {
  milestones: [milestone("Store", 1), milestone("Page", 2, "Store")],
  day_plans: [
    { day_number: 1, goals: [goal("write the store", "Store")] },
    { day_number: 2, goals: [goal("write the page", "Page"), goal("link it", "Page")] },
  ],
  total_estimated_days: 2,
  total_estimated_cost_usd: 3,
  assumptions: ["there is a server"],
};
const says = (plan: object) => ({ says: JSON.stringify(plan) });
const create = (...words: string[]) => world.command("campaign", "create", "Build the shop", ...words);

describe("a plan by the model", () => {
  it("is made backwards from the goal and what past runs taught, saved with ids, and asked about [S4-PN-01, S4-PN-03, S4-CL-06]", async () => {
    await taught(world, "Build the shop", "The page needs the store.");
    model.answer(says(planned));
    const { campaignId } = valueOf<{ campaignId: string }>(await create("--days", "5", "--budget", "8"));

    const [request] = model.requests;
    const prompt = request?.messages.map((each) => each.content).join("\n") ?? "";
    for (const words of ["Build the shop", "5", "$8.00"]) expect(prompt).toContain(words);
    expect(prompt).toContain("```lessons\n1. “Build the shop” was done. The page needs the store.\n");
    const now = await campaign.status(campaignId);
    expect(now).toMatchObject({ name: "Build the shop", state: "planning", totalBudgetUsd: 8, dailyBudgetUsd: 4 });
    expect(now.milestones.map((each) => [each.milestoneId, each.name, each.targetDay])).toEqual([
      ["ms-1", "Store", 1],
      ["ms-2", "Page", 2],
    ]);
    expect(now.days.map((day) => day.goals.map((each) => each.content))).toEqual([
      ["write the store"],
      ["write the page", "link it"],
    ]);
    expect(now.notes).toContain("there is a server");
    const [question] = await campaign.questions();
    expect(question).toMatchObject({ kind: "plan", goalId: campaignId });
    expect(question?.context).toContain("planned by the model fake");
    // 1000 tokens in at $3, 100 out at $15 a million: the ledger and the campaign's spend hold it.
    expect(now.spentUsd).toBeCloseTo(0.0045, 6);
  });

  it("is made anew before the start where somebody wants another one, and not from the earlier one", async () => {
    model.answer(says(planned));
    const { campaignId } = valueOf<{ campaignId: string }>(await create());
    const [before] = await campaign.questions();
    const other = {
      ...planned,
      day_plans: [{ day_number: 1, goals: [goal("write all", "Store"), goal("link", "Page")] }],
    };
    model.answer(says({ ...other, milestones: planned.milestones.map((each) => ({ ...each, target_day: 1 })) }));

    const said = await world.command("campaign", "replan", campaignId);
    await campaign.settle();

    expect(said).toMatchObject({ card: { title: expect.stringContaining("cos checkpoints") } });
    const now = await campaign.status(campaignId);
    expect(now.days.map((day) => day.goals.map((each) => each.content))).toEqual([["write all", "link"]]);
    const [after] = await campaign.questions();
    expect(after?.checkpointId).toBe(before?.checkpointId);
    expect(after?.context).toContain("1 day");
    expect(JSON.stringify(model.requests[1])).not.toContain("Change this earlier plan");
  });

  it("that is malformed is repaired once; then it is refused, with what to do, and nothing is lost", async () => {
    const wrong = { ...planned, day_plans: [{ day_number: 1, goals: [goal("x", "No such milestone")] }] };
    model.answer(says(wrong), says(planned));
    const repaired = valueOf<{ campaignId: string }>(await create());
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1])).toContain("No such milestone");
    expect((await campaign.status(repaired.campaignId)).days).toHaveLength(2);

    model.answer({ says: "I cannot" }, { says: "{}" });
    const refused = await create();
    expect(refused).toMatchObject({ type: "refused" });
    expect(refused.type === "refused" ? refused.reason : "").toContain("The model gave no plan");
    const id = refused.type === "refused" ? (/camp-\w+/.exec(refused.next ?? "")?.[0] ?? "") : "";
    model.answer(says(planned));
    valueOf(await world.command("campaign", "replan", id));
    expect((await campaign.status(id)).days).toHaveLength(2);
  });

  it.each([
    ["unreachable", "drops" as const],
    ["limited", { status: 429 }],
    ["a wrong key", { status: 401 }],
    ["refused", { refuses: "no" }],
  ])("when the model is %s the campaign keeps its goal and name, and says why [S4-PN-02]", async (_what, reply) => {
    model.answer(reply);
    const wanted = "Build the shop for everybody who ever wanted to buy something from us";
    const refused = await world.command("campaign", "create", wanted);

    expect(refused).toMatchObject({ type: "refused" });
    const [only] = valueOf<{ campaignId: string; name: string; state: string; goal: string; days: unknown[] }[]>(
      await world.command("campaign", "list"),
    );
    const name = "Build the shop for everybody who ever wanted to bu";
    expect(only).toMatchObject({ state: "planning", name, goal: wanted, days: [] });
    expect(await world.command("campaign", "start", only?.campaignId ?? "")).toMatchObject({ type: "refused" });
  });

  it("is replanned with what a person wants different, and shown as another version of the question", async () => {
    model.answer(says(planned));
    const { campaignId } = valueOf<{ campaignId: string }>(await create());
    const first = (await campaign.questions())[0];
    const other = {
      ...planned,
      day_plans: [planned.day_plans[0], { day_number: 2, goals: [goal("write a form", "Page")] }],
    };
    model.answer(says({ ...other, total_estimated_cost_usd: 2 }));
    await campaign.answer("Modify", "--instructions", "a form instead of a page", "--budget", "12");
    await campaign.settle();

    const prompt = JSON.stringify(model.requests.at(-1));
    expect(prompt).toContain("a form instead of a page");
    expect(prompt).toContain("write the page");
    expect(await campaign.status(campaignId)).toMatchObject({
      totalBudgetUsd: 12,
      dailyBudgetUsd: 6,
      state: "planning",
    });
    const second = (await campaign.questions())[0];
    expect(second?.checkpointId).not.toBe(first?.checkpointId);
    expect(second?.facts.details.join("\n")).toContain("write a form");
  });

  it("another budget alone keeps the plan and asks nobody but the person", async () => {
    model.answer(says(planned));
    const { campaignId } = valueOf<{ campaignId: string }>(await create());
    await campaign.answer("Modify", "--budget", "4");
    await campaign.settle();

    expect(model.requests).toHaveLength(1);
    expect(await campaign.status(campaignId)).toMatchObject({
      totalBudgetUsd: 4,
      days: [{ budgetUsd: 2 }, { budgetUsd: 2 }],
    });
    expect((await campaign.questions())[0]).toMatchObject({ kind: "plan" });
  });

  it("a late campaign is replanned by the model, which may take up what failed [S4-PN-07, S4-PN-08]", async () => {
    model.answer(
      says({
        ...planned,
        milestones: [milestone("Store", 1)],
        day_plans: [
          { day_number: 1, goals: [goal("write the store", "Store")] },
          { day_number: 2, goals: [goal("write more", "Store")] },
        ],
        total_estimated_cost_usd: 2,
      }),
    );
    const { campaignId } = valueOf<{ campaignId: string }>(await create());
    await campaign.answer("Start");
    // No agent: its goal is left to a person; parked, it is unfinished.
    await campaign.settle();
    const before = await campaign.status(campaignId);
    const failedId = before.days[0]?.goals[0]?.goalId ?? "";
    await world.deps.database.pool.query(
      "update cos.goals set status = 'failed', outcome = 'boom' where goal_id = $1",
      [failedId],
    );
    model.answer(
      says({
        day_plans: [
          {
            day_number: 2,
            goals: [
              goal("write the store", "Store", { take_up: failedId }),
              goal("write a test", "Store", { take_up: null }),
            ],
          },
        ],
        assumptions: null,
      }),
    );
    valueOf(await world.command("campaign", "replan", campaignId, "--instructions", "test it"));

    const prompt = JSON.stringify(model.requests.at(-1));
    for (const words of [
      "Remaining milestones",
      "Store",
      "Days elapsed: 1",
      "Budget spent",
      "Budget remaining",
      failedId,
      "boom",
      "test it",
    ])
      expect(prompt).toContain(words);
    const now = await campaign.status(campaignId);
    expect(now).toMatchObject({ replanCount: 1, originalDurationDays: 2 });
    expect(now.days.map((day) => day.goals.map((each) => each.content))).toEqual([
      ["write the store"],
      ["write the store", "write a test"],
    ]);
    expect(now.days[1]?.goals[0]?.goalId).toBe(failedId);
  });

  it("without a model an outline is needed, and instructions for a replan are refused", async () => {
    const plain = await testWorld();
    try {
      await plain.repository();
      expect(await plain.command("campaign", "create", "Build it")).toMatchObject({
        type: "refused",
        reason: "no model is configured (COS_MODEL), so give the plan as an outline (docs/campaigns.md)",
      });
      expect(await plain.command("campaign", "create")).toMatchObject({ type: "refused" });
      const there = campaignIn(plain);
      const id = await there.create("# X\n\n## All\n- one\n  - run: echo 1\n");
      expect(await plain.command("campaign", "replan", id, "--instructions", "x")).toMatchObject({ type: "refused" });
      await there.answer("Modify", "--instructions", "make it blue");
      await there.settle();
      expect((await there.status(id)).notes.join()).toContain("Not worked in: make it blue");
      expect((await there.questions())[0]?.facts.details.join("\n")).toContain("Not worked in: make it blue");
    } finally {
      await plain.close();
    }
  });
});

describe("a rehearsal", () => {
  it("says what the days to come will cost and ask, from how many runs, and runs nothing", async () => {
    const plain = await testWorld({ policy: oneAttempt });
    try {
      await plain.repository();
      const there = campaignIn(plain);
      const id = await there.create(
        "# X\n\n## All\n### Day 1\n- one\n  - run: echo 1 > 1.txt\n### Day 2\n- two\n  - run: echo 2 > 2.txt\n  - tags: ui\n\n## Last\n### Day 3\n- three\n  - run: echo 3 > 3.txt\n",
      );
      const first = valueOf<Rehearsed>(await plain.command("campaign", "rehearse", id));
      expect(first.sure).toEqual({ level: "guess", runs: 0, isAlike: true });
      expect(first.cost.highUsd).toBe(15);
      // The milestone of its first day is approved with the plan.
      expect(first.certain).toMatchObject([
        { type: "goal", dayNumber: 2 },
        { type: "milestone", dayNumber: 3, milestoneId: "ms-2" },
      ]);

      for (let number = 0; number < 6; number += 1) {
        await plain.command("goal", "add", `run ${number}`, "--run", `echo ${number} > ${number}.txt`);
        await plain.command("autopilot", "start");
        await plain.work();
      }
      const later = valueOf<Rehearsed>(await plain.command("campaign", "rehearse"));
      expect(later.sure).toEqual({ level: "fair", runs: 6, isAlike: true });
      expect(later.cost).toEqual({ lowUsd: 0, likelyUsd: 0, highUsd: 0 });
      expect(later.total).toEqual({ type: "unlikely" });
      expect(await there.status(id)).toMatchObject({ state: "planning", spentUsd: 0 });
      expect(await plain.command("campaign", "rehearse", "camp-0")).toMatchObject({
        reason: "Campaign not found: camp-0",
      });
    } finally {
      await plain.close();
    }
  });
});

interface Rehearsed {
  cost: { lowUsd: number; likelyUsd: number; highUsd: number };
  certain: { type: string; dayNumber: number; milestoneId?: string }[];
  total: { type: string };
  sure: { level: string; runs: number; isAlike: boolean };
}
