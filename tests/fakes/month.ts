import { dollars } from "../../src/core/money.ts";
import type { PlannedGoal } from "../../src/core/campaigns/campaign.ts";
import type { Db } from "../../src/db/client.ts";
import * as tables from "../../src/db/schema.ts";
import {
  type CampaignOfMonth,
  campaigns,
  type GoalOfMonth,
  goals,
  planning,
  reservation,
} from "../fixtures/weekly-month.ts";

/** Writes the month of the fixture as the rows that its work would have left. */
export async function insertMonth(db: Db): Promise<void> {
  await db.insert(tables.repositories).values({
    repositoryId,
    name: "shop",
    path: "/nowhere/shop",
    baseBranch: "main",
    setup: null,
    checks: [],
    createdAt: begin,
  });
  for (const goal of goals) await insertGoal(db, goal);
  for (const campaign of campaigns) await insertCampaign(db, campaign);
  const { goalId, ...reserved } = reservation;
  await db
    .insert(tables.spend)
    .values([
      spend({ ...reserved, callId: "reserved", kind: "reserved" }, { goalId, runId: runOf(goalId) }),
      spend({ ...planning, callId: "planning", kind: "settled" }, { campaignId: planning.campaignId }),
    ]);
}

const repositoryId = "repo-1";
const begin = new Date("2026-02-27T12:00:00Z");
const minute = 60_000;

const runOf = (goalId: string) => `run-${goalId}`;
const before = (at: string) => new Date(Date.parse(at) - minute);

/** One criterion that a command examines. */
const criteria = `#### AC-1: Tests pass
**Description**: They do.

**Verification**:
\`\`\`yaml
method: bash
command: npm test
pass_condition: exit code 0
\`\`\`
`;

async function insertGoal(db: Db, goal: GoalOfMonth): Promise<void> {
  const { goalId, ends, tag } = goal;
  const runId = runOf(goalId);
  const last = ends.at(-1) ?? { at: begin.toISOString(), as: "failed" };
  await db.insert(tables.goals).values({
    goalId,
    repositoryId,
    content: `Work of ${goalId}`,
    tags: [],
    priority: "medium",
    linkage: { kind: "none" },
    criteria: tag === "verified" ? criteria : null,
    filesAllowed: [],
    proofAllowed: [],
    instructions: [],
    isUnplanned: false,
    status: last.as,
    phase: "finish",
    runId,
    createdBy: "ana",
    createdAt: begin,
    // Merged days later: a touch is not an end.
    updatedAt: new Date(Date.parse(last.at) + 9 * 24 * 60 * minute),
  });
  await db
    .insert(tables.runs)
    .values({ runId, goalId, status: "ended", contentHash: "h", settled: [], startedAt: begin });
  await db
    .insert(tables.timeline)
    .values(ends.map(({ at, as }) => ({ goalId, runId, event: `goal.${as}`, detail: {}, at: new Date(at) })));
  await insertEvidence(db, goal, ends[0]?.at ?? last.at);
  await insertTrouble(db, goal);
  for (const [index, { usd, day, isEstimated = false }] of (goal.spent ?? []).entries()) {
    const entry = { callId: `${goalId}-${index}`, kind: "settled" as const, usd, day };
    await db.insert(tables.spend).values({ ...spend(entry, { goalId, runId }), isEstimated });
  }
}

async function insertEvidence(db: Db, { goalId, tag }: GoalOfMonth, end: string): Promise<void> {
  if (tag === "not checked") return;
  const row = {
    goalId,
    runId: runOf(goalId),
    turn: 1,
    command: "npm test",
    exitCode: 0,
    durationMs: 1,
    at: before(end),
  };
  await db.insert(tables.evidence).values({ ...row, kind: "execution", tag: "claimed", detail: {} });
  if (tag === "claimed") return;
  const detail = { id: "AC-1", slug: "tests-pass", status: "pass", method: "bash", details: [], variant: "" };
  await db.insert(tables.evidence).values({ ...row, kind: "criterion", criterion: "AC-1", tag, detail });
}

/** Failed attempts, an escalation, a question that was answered. */
async function insertTrouble(db: Db, { goalId, failures = [], escalatedAt, question }: GoalOfMonth): Promise<void> {
  const runId = runOf(goalId);
  for (const [index, at] of failures.entries()) {
    await db.insert(tables.attempts).values({
      goalId,
      runId,
      turn: index + 1,
      ladder: 1,
      rung: 1,
      number: index + 1,
      approach: "as asked",
      end: "work",
      error: "it failed",
      fingerprint: "f",
      criteria: [],
      files: [],
      costMicroUsd: 0,
      costIsEstimated: false,
      at: new Date(at),
    });
  }
  if (escalatedAt !== undefined) {
    await db
      .insert(tables.timeline)
      .values({ goalId, runId, event: "recovery.escalated", detail: {}, at: new Date(escalatedAt) });
  }
  if (question === undefined) return;
  const [askedAt, answeredAt] = [new Date(question.askedAt), new Date(question.answeredAt)];
  const checkpointId = `cp-${goalId}`;
  await db.insert(tables.checkpoints).values({
    checkpointId,
    kind: "start",
    subject: goalId,
    goalId,
    runId,
    trigger: "ux_change",
    reasons: [],
    context: "a question",
    options: [],
    recommendation: "",
    facts: {
      costMicroUsd: 0,
      costIsEstimated: false,
      estimateMicroUsd: null,
      spentTodayMicroUsd: 0,
      goalsWaiting: 0,
      details: [],
      fingerprint: null,
    },
    contentHash: "h",
    status: "approved",
    chosenOption: "Proceed",
    resolvedBy: "@ana",
    resolvedVia: "slack",
    resolvedAt: answeredAt,
    createdAt: askedAt,
    askedAt,
    expiresAt: new Date(askedAt.getTime() + 24 * 60 * minute),
  });
  await db.insert(tables.decisions).values({
    checkpointId,
    version: 1,
    choice: "Proceed",
    effect: "continue",
    settles: true,
    actor: "@ana",
    via: "slack",
    waitedMs: answeredAt.getTime() - askedAt.getTime(),
    at: answeredAt,
  });
}

async function insertCampaign(db: Db, campaign: CampaignOfMonth): Promise<void> {
  const { campaignId, name, state, currentDay, endedAt, milestones, days } = campaign;
  await db.insert(tables.campaigns).values({
    campaignId,
    repositoryId,
    name,
    goal: `The goal of ${name}`,
    state,
    currentDay,
    startedAt: begin,
    endedAt: endedAt === undefined ? null : new Date(endedAt),
    totalBudgetMicroUsd: dollars(100),
    dailyBudgetMicroUsd: dollars(10),
    planNotes: [],
    plannedBy: "rules",
    createdBy: "ana",
    createdAt: begin,
    updatedAt: begin,
  });
  await db.insert(tables.milestones).values(
    milestones.map((doneAt, index) => ({
      campaignId,
      milestoneId: `ms-${index + 1}`,
      position: index,
      name: `Milestone ${index + 1}`,
      description: "",
      targetDay: index + 1,
      successCriteria: [],
      status: doneAt === null ? ("pending" as const) : ("done" as const),
      completedAt: doneAt === null ? null : new Date(doneAt),
    })),
  );
  await db.insert(tables.campaignDays).values(
    days.map((contents, index) => ({
      campaignId,
      dayNumber: index + 1,
      goals: contents.map((content, position) => planned(content, `${campaignId}-${index}-${position}`)),
      budgetMicroUsd: dollars(10),
    })),
  );
}

function planned(content: string, goalId: string): PlannedGoal {
  return {
    goalId,
    milestoneId: null,
    request: {
      content,
      tags: [],
      costUsd: null,
      priority: "medium",
      minutes: null,
      linkage: { kind: "none" },
      criteriaPath: null,
      tier: null,
      run: null,
      isUnplanned: false,
      allow: [],
      allowProof: [],
      tasksPath: null,
      parallel: 1,
    },
  };
}

type Whose = { readonly goalId: string; readonly runId: string } | { readonly campaignId: string };

function spend(
  { usd, day, callId, kind }: { usd: number; day: string; callId: string; kind: "settled" | "reserved" },
  whose: Whose,
) {
  const at = new Date(`${day}T12:00:00Z`);
  return { callId, kind, amountMicroUsd: dollars(usd), isEstimated: false, day, at, ...whose };
}
