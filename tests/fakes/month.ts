import { eq } from "drizzle-orm";
import type { PlannedGoal } from "../../src/core/campaigns/campaign.ts";
import { dollars } from "../../src/core/money.ts";
import type { Db } from "../../src/db/connection/client.ts";
import * as tables from "../../src/db/schema/index.ts";
import {
  type CampaignOfMonth,
  campaigns,
  type GoalOfMonth,
  goals,
  planning,
  reservation,
  type Step,
} from "../fixtures/weekly-month.ts";

/** Writes the month of the fixture as the rows that its work would have left. */
export async function insertMonth(db: Db): Promise<void> {
  await db.insert(tables.repositories).values({
    repositoryId,
    name: "shop",
    location: "/nowhere/shop",
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
const before = (at: Date) => new Date(at.getTime() - minute);

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

type GoalRow = typeof tables.goals.$inferInsert;
type CheckpointRow = typeof tables.checkpoints.$inferInsert;

/** What a goal's story has come to so far: its row, and the question that is open. */
interface Told {
  readonly status: GoalRow["status"];
  readonly outcome: string | null;
  readonly open: CheckpointRow | null;
  readonly asked: number;
}

async function insertGoal(db: Db, goal: GoalOfMonth): Promise<void> {
  const { goalId, story, tag, isNoChange = false } = goal;
  const runId = runOf(goalId);
  const isComplete = tag !== null;
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
    status: "pending",
    phase: "start",
    runId,
    branch: isComplete && !isNoChange ? `cos/${goalId}` : null,
    createdBy: "ana",
    createdAt: begin,
    updatedAt: begin,
  });
  const completeAt = story.find(([, step]) => step === "complete")?.[0];
  await db.insert(tables.runs).values({
    runId,
    goalId,
    status: "ended",
    contentHash: "h",
    settled: [],
    headCommit: isNoChange ? null : `commit-of-${goalId}`,
    startedAt: begin,
    endedAt: new Date(completeAt ?? story.at(-1)?.[0] ?? begin),
  });
  const moved = story.findIndex(([, step]) => step === "put on another base");
  const worked = story
    .slice(0, moved === -1 ? story.length : moved)
    .findLast(([, step]) => step === "complete" || step === "failed" || step === "escalated");
  if (goal.isUnexecuted !== true)
    await insertEvidence(db, goal, before(new Date(worked?.[0] ?? story[0]?.[0] ?? begin)));
  let told: Told = { status: "pending", outcome: null, open: null, asked: 0 };
  for (const [at, step] of story) told = await tell(db, goalId, told, { at: new Date(at), step });
  const last = new Date(story.at(-1)?.[0] ?? begin);
  // Touched days later: a touch is not an end.
  const updatedAt = new Date(last.getTime() + 9 * 24 * 60 * minute);
  await stand(db, goalId, told, updatedAt);
  for (const [index, { usd, day, isEstimated = false }] of (goal.spent ?? []).entries()) {
    const entry = { callId: `${goalId}-${index}`, kind: "settled" as const, usd, day };
    await db.insert(tables.spend).values({ ...spend(entry, { goalId, runId }), isEstimated });
  }
}

/** Where its story has left it. */
async function stand(db: Db, goalId: string, { status, outcome, open }: Told, updatedAt: Date): Promise<void> {
  const isAsked = open?.subject === goalId;
  const isBegun = status === "in_progress";
  if (isBegun)
    await db.update(tables.runs).set({ status: "open", endedAt: null }).where(eq(tables.runs.goalId, goalId));
  await db
    .update(tables.goals)
    .set({
      status,
      blockedOn: status !== "blocked" ? null : isAsked ? "question" : "person",
      phase: isBegun ? "implement" : "start",
      // What is parked says why.
      outcome: outcome ?? (status === "blocked" && !isAsked ? "it failed" : null),
      updatedAt,
    })
    .where(eq(tables.goals.goalId, goalId));
}

async function insertEvidence(db: Db, { goalId, tag }: GoalOfMonth, at: Date): Promise<void> {
  const row = { goalId, runId: runOf(goalId), turn: 1, command: "npm test", exitCode: 0, durationMs: 1, at };
  const isDone = tag === "verified" || tag === "claimed";
  const commit = `commit-of-${goalId}`;
  await db.insert(tables.evidence).values({
    ...row,
    kind: "execution",
    commit,
    tag: isDone ? "claimed" : "not checked",
    detail: { end: tag === null ? "failed" : "finished" },
  });
  if (tag !== "verified") return;
  const detail = { id: "AC-1", slug: "tests-pass", status: "pass", method: "bash", details: [], variant: "" };
  await db.insert(tables.evidence).values({ ...row, kind: "criterion", criterion: "AC-1", commit, tag, detail });
}

/** One step of a goal's story as the rows that the engine writes for it. */
async function tell(db: Db, goalId: string, told: Told, { at, step }: { at: Date; step: Step }): Promise<Told> {
  const say = (event: string, detail: Record<string, unknown> = {}, actor: string | null = null) =>
    db.insert(tables.timeline).values({ goalId, runId: runOf(goalId), event, actor, detail, at });
  switch (step) {
    case "complete":
    case "failed":
      await say(`goal.${step}`, { outcome: `It was ${step}.` });
      return { ...told, status: step, outcome: `It was ${step}.` };
    case "put on another base":
      await say("goal.rebased", { into: "main", why: "verify", tip: "tip", commit: "rebased" });
      return { ...told, status: "in_progress" };
    case "left to a person":
      await say("goal.manual_followup", { outcome: "Manual goal - no automated execution" });
      return { ...told, status: "manual_followup" };
    case "attempt failed":
      await insertAttempt(db, goalId, at);
      await say("recovery.retry", {
        kind: "work",
        error: "it failed",
        rung: 1,
        attempt: 2,
        ladder: 1,
        dueAt: at.toISOString(),
      });
      return { ...told, status: "in_progress" };
    case "escalated":
      await insertAttempt(db, goalId, at);
      await say("recovery.escalated", { kind: "work", ladder: 1, error: "it failed" });
      return await ask(db, goalId, told, { kind: "escalation", at });
    case "asked":
      return await ask(db, goalId, told, { kind: "start", at });
    case "login missing":
      await say("recovery.paused", { kind: "login", error: "please log in" });
      return await ask(db, goalId, told, { kind: "breaker", at, subject: "session-1" });
    case "ceiling met":
      return await ask(db, goalId, told, { kind: "ceiling", at });
    case "approved":
    case "retried":
    case "session resumed":
      return { ...(await answer(db, told, at, "continue")), status: "in_progress" };
    case "skipped":
      await answer(db, told, at, "skip");
      await say("goal.deferred", { outcome: "Skipped by @ana." });
      return { ...told, open: null, status: "deferred", outcome: "Skipped by @ana." };
    case "made manual":
      await answer(db, told, at, "manual");
      await say("goal.manual_followup", { outcome: "Left to a person by @ana." });
      return { ...told, open: null, status: "manual_followup", outcome: "Left to a person by @ana." };
    case "expired":
      await settle(db, told, { status: "expired", resolvedAt: at });
      await say("checkpoint.expired");
      return { ...told, open: null, status: "blocked" };
    case "parked":
      await say("goal.paused", {}, "@ana");
      return { ...told, status: "blocked" };
    case "edited":
      await say("goal.edited", { fields: ["content"] }, "@ana");
      return { ...told, status: "pending" };
    case "taken up again":
      await say("goal.resumed", { day: 2 });
      return { ...told, status: "pending" };
    case "refused for today":
      await say("goal.refused", { type: "refuse", ceiling: "day", leftMicroUsd: 0, needMicroUsd: 1 });
      return told;
    case "interrupted":
      await say("goal.interrupted", { interruptions: 1, turn: 1, phase: "implement" });
      return told;
    case "limited":
      await say("recovery.limited", {
        kind: "limit",
        error: "limit",
        isKnown: true,
        until: new Date(at.getTime() + 60 * minute).toISOString(),
      });
      return told;
    case "merged":
    case "discarded":
      await db.insert(tables.merges).values({
        goalId,
        status: step,
        into: "main",
        headCommit: `commit-of-${goalId}`,
        requestedBy: "@ana",
        requestedAt: before(at),
        dueAt: at,
        settledAt: at,
      });
      await say(
        `goal.${step}`,
        step === "merged" ? { into: "main", commit: "merged", outcome: "Merged." } : { ref: "refs/cos/discarded" },
      );
      return told;
    case "found merged by hand":
      await say("goal.found-in-git", { news: "merged-by-hand", key: "merged-by-hand.", commit: null });
      return told;
    case "found reverted":
      await say("goal.found-in-git", { news: "reverted", key: "reverted.", commit: null });
      return told;
  }
}

async function insertAttempt(db: Db, goalId: string, at: Date): Promise<void> {
  const earlier = await db.select().from(tables.attempts).where(eq(tables.attempts.goalId, goalId));
  await db.insert(tables.attempts).values({
    goalId,
    runId: runOf(goalId),
    turn: earlier.length + 1,
    ladder: 1,
    rung: 1,
    number: earlier.length + 1,
    approach: "as asked",
    end: "work",
    error: "it failed",
    fingerprint: "f",
    criteria: [],
    files: [],
    costMicroUsd: 0,
    costIsEstimated: false,
    at,
  });
}

interface Asking {
  readonly kind: "start" | "escalation" | "breaker" | "ceiling";
  readonly at: Date;
  readonly subject?: string;
}

async function ask(db: Db, goalId: string, told: Told, { kind, at, subject = goalId }: Asking): Promise<Told> {
  const open: CheckpointRow = {
    checkpointId: `cp-${goalId}-${told.asked + 1}`,
    kind,
    subject,
    goalId,
    runId: runOf(goalId),
    trigger: "hiccup",
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
    status: "pending",
    createdAt: at,
    askedAt: at,
    expiresAt: new Date(at.getTime() + 24 * 60 * minute),
  };
  await db.insert(tables.checkpoints).values(open);
  const { checkpointId } = open;
  const detail = { kind, triggers: ["hiccup"] };
  await db
    .insert(tables.timeline)
    .values({ goalId, runId: runOf(goalId), checkpointId, event: "checkpoint.asked", detail, at });
  return { ...told, open, asked: told.asked + 1, status: "blocked" };
}

async function answer(db: Db, told: Told, at: Date, effect: "continue" | "skip" | "manual"): Promise<Told> {
  const { open } = told;
  if (open === null) throw new Error("an answer without a question");
  const status = effect === "continue" ? "approved" : "rejected";
  await settle(db, told, { status, chosenOption: effect, resolvedBy: "@ana", resolvedVia: "slack", resolvedAt: at });
  const { checkpointId, goalId, runId, askedAt } = open;
  const waitedMs = at.getTime() - askedAt.getTime();
  const said = { checkpointId, version: 1, choice: effect, effect, settles: true, actor: "@ana", via: "slack" };
  await db.insert(tables.decisions).values({ ...said, waitedMs, at });
  await db.insert(tables.timeline).values({
    goalId,
    runId,
    checkpointId,
    event: "checkpoint.answered",
    actor: "@ana",
    via: "slack",
    detail: { choice: effect, version: 1, waitedMs },
    at,
  });
  return { ...told, open: null };
}

async function settle(db: Db, { open }: Told, changes: Partial<CheckpointRow>): Promise<void> {
  const { checkpointId = "" } = open ?? {};
  await db.update(tables.checkpoints).set(changes).where(eq(tables.checkpoints.checkpointId, checkpointId));
}

async function insertCampaign(db: Db, campaign: CampaignOfMonth): Promise<void> {
  const { campaignId, name, state, currentDay, endedAt, milestones, days, isUnstarted = false } = campaign;
  await db.insert(tables.campaigns).values({
    campaignId,
    repositoryId,
    name,
    goal: `The goal of ${name}`,
    state,
    // A pause of the month is a person's: one without a name only waits for an answer.
    pausedBy: state === "paused" ? "ana" : null,
    currentDay,
    startedAt: isUnstarted ? null : begin,
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
