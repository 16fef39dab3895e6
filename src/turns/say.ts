import { checkpointCard } from "../core/cards/checkpoint-card.ts";
import type { Card } from "../core/cards/card.ts";
import { pictureBelow } from "../core/cards/picture.ts";
import { goalCard, type GoalCardFacts, type LadderView, type MergeFacts } from "../core/cards/goal-card.ts";
import { sessionCard, type SessionPurpose } from "../core/cards/session-card.ts";
import { campaignQuestionCard } from "../core/cards/campaign-question-card.ts";
import { aboutCampaign, aboutGoal, type Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { goalCeiling } from "../core/goals/budget.ts";
import { type Goal, stateOf } from "../core/goals/goal.ts";
import { attemptsOfRun } from "../db/attempts.ts";
import { getCampaign } from "../db/campaigns.ts";
import type { Db } from "../db/client.ts";
import { pendingCheckpoint } from "../db/checkpoints.ts";
import { listEvidence } from "../db/evidence.ts";
import { getGoal, sessionGoals } from "../db/goals.ts";
import { lastMerge, type Merge } from "../db/merges.ts";
import { putMessage } from "../db/messages.ts";
import { findRepository } from "../db/repositories.ts";
import { getRun, type Run } from "../db/runs.ts";
import { getSession, type Session } from "../db/sessions.ts";
import { goalTotal, sessionTotal } from "../db/spend.ts";
import { tasksOf } from "../db/tasks.ts";
import { goalEvents } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { goalDayOf } from "./campaigns/goal-day.ts";
import { standingOf } from "./standing.ts";

/** What saying something needs. Everything here writes rows in the caller's transaction; delivery posts them (D17). */
export type Saying = Pick<Deps, "now" | "channels" | "policy" | "config">;

/** Brings the goal's own card up to date. `urgent` false for progress (at most every 15 s). */
export async function sayGoal(tx: Db, deps: Saying, goalId: string, urgent = true): Promise<void> {
  const facts = await gatherGoalCard(tx, deps, goalId);
  if (facts === null) return;
  await putMessage(
    tx,
    deps.channels,
    { subject: goalId, threadSubject: null, card: goalCard(facts), urgent },
    deps.now(),
  );
}

/** The facts of a goal's card, for the card itself and for whoever shows a goal elsewhere. */
export async function gatherGoalCard(db: Db, deps: Saying, goalId: string): Promise<GoalCardFacts | null> {
  const goal = await getGoal(db, goalId);
  if (goal === null) return null;
  const repository = await findRepository(db, goal.repositoryId);
  const open = await pendingCheckpoint(db, goalId);
  const cost = await goalTotal(db, goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const kept = await listEvidence(db, goalId);
  return {
    goal,
    state: stateOf(goal, open !== null, deps.now()),
    repositoryName: repository?.name ?? goal.repositoryId,
    campaign: await goalDayOf(db, goal),
    executor: executorWords(goal, repository?.agent ?? deps.config.agent),
    costMicroUsd: cost.spentMicroUsd,
    costIsEstimated: cost.isEstimated,
    ceilingMicroUsd: goalCeiling(goal, deps.policy),
    commit: run?.headCommit ?? null,
    ...standingOf(goal, kept),
    tasks: goal.taskParallel === null ? [] : await tasksOf(db, goalId),
    ladder: run === null ? null : { ...ladderFacts(run), attempts: await attemptsOfRun(db, run.runId) },
    merge: mergeFacts(await lastMerge(db, goalId)),
    refusedCalls: (await goalEvents(db, goalId, "agent.refused")).map(({ detail }) =>
      typeof detail["what"] === "string" ? detail["what"] : "a command",
    ),
  };
}

function ladderFacts({ rung, rungAttempt, ladder, approach, approachSource }: Run): Omit<LadderView, "attempts"> {
  return { rung, attempt: rungAttempt, ladder, approach, source: approachSource };
}

function mergeFacts(merge: Merge | null): MergeFacts | null {
  if (merge === null) return null;
  const { status, into, requestedBy: by, dueAt, settledAt, resultCommit, outcome } = merge;
  return { status, into, by, dueAt, settledAt, resultCommit, outcome };
}

/** Who works a goal, in words: its own command, the agent, or nobody. */
export function executorWords(goal: Pick<Goal, "runCommand">, agent: string | null): string {
  if (goal.runCommand !== null) return "its own command";
  if (agent === null) return "nobody (no agent is configured)";
  if (agent.includes("scripted-agent")) return "scripted agent (no model)";
  return `agent: ${agent.slice(agent.indexOf(":") + 1).trim()}`;
}

/** A checkpoint's card as it is now; null when what it is about is not there. */
export async function gatherCheckpointCard(
  db: Db,
  deps: Pick<Saying, "policy">,
  checkpoint: Checkpoint,
): Promise<Card | null> {
  const ofCampaign = aboutCampaign(checkpoint);
  if (ofCampaign !== null) {
    const campaign = await getCampaign(db, ofCampaign.campaignId);
    return campaign === null ? null : campaignQuestionCard({ checkpoint: ofCampaign, campaign });
  }
  const ofGoal = aboutGoal(checkpoint);
  const goal = ofGoal === null ? null : await getGoal(db, ofGoal.goalId);
  if (ofGoal === null || goal === null) return null;
  const { kind, runId } = ofGoal;
  const attempts = kind === "escalation" && runId !== null ? await attemptsOfRun(db, runId) : [];
  return checkpointCard({ checkpoint: ofGoal, goal, ceilingMicroUsd: goalCeiling(goal, deps.policy), attempts });
}

/** Brings a checkpoint's card up to date: a question, or how it was settled. */
export async function sayCheckpoint(tx: Db, deps: Saying, checkpoint: Checkpoint): Promise<void> {
  const card = await gatherCheckpointCard(tx, deps, checkpoint);
  if (card === null) return;
  await putMessage(
    tx,
    deps.channels,
    // The question of rung 3 is asked in its goal's thread; everything else notifies the channel.
    {
      subject: checkpoint.checkpointId,
      threadSubject: checkpoint.kind === "clarify" ? checkpoint.goalId : null,
      card,
      urgent: true,
    },
    deps.now(),
  );
}

/** Brings a session's card up to date: how far it is, what it cost, why it ended. */
export async function saySession(tx: Db, deps: Saying, sessionId: string): Promise<void> {
  const session = await getSession(tx, sessionId);
  if (session === null) return;
  const goals = await sessionGoals(tx, sessionId);
  const repository = await findRepository(tx, session.repositoryId);
  const total = await sessionTotal(tx, sessionId);
  const card = sessionCard({
    session,
    purpose: await purposeOf(tx, session),
    repositoryName: repository?.name ?? session.repositoryId,
    goals: goals.map(({ goalId, content, status }) => ({ goalId, content, status })),
    spentMicroUsd: total.spentMicroUsd,
    isEstimated: total.isEstimated,
  });
  await putMessage(tx, deps.channels, { subject: sessionId, threadSubject: null, card, urgent: true }, deps.now());
}

/** What a session is for, as it was opened. */
async function purposeOf(db: Db, { campaignId, campaignDay: day, nightId }: Session): Promise<SessionPurpose> {
  const campaign = campaignId === null ? null : await getCampaign(db, campaignId);
  if (campaign !== null && day !== null)
    return { type: "campaign", campaignId: campaign.campaignId, name: campaign.name, day };
  return nightId === null ? { type: "plain" } : { type: "night" };
}

/** Says something once: a notice of its own, in a thread when `threadSubject` names one. */
export async function sayNotice(
  tx: Db,
  deps: Saying,
  notice: { readonly subject: string; readonly threadSubject: string | null; readonly card: Card },
): Promise<void> {
  await putMessage(tx, deps.channels, { ...notice, urgent: true }, deps.now());
}

/** Posts a report; its picture becomes a message of its own in the thread, `<subject>.chart`. Safe twice. */
export async function sayReport(tx: Db, deps: Saying, subject: string, report: Card): Promise<void> {
  const { card, below } = pictureBelow(report);
  await sayNotice(tx, deps, { subject, threadSubject: null, card });
  if (below !== null) await sayNotice(tx, deps, { subject: `${subject}.chart`, threadSubject: subject, card: below });
}
