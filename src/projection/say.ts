import { checkpointCard } from "../core/cards/checkpoint-card.ts";
import type { Card } from "../core/cards/card.ts";
import { pictureBelow } from "../core/cards/picture.ts";
import {
  goalCard,
  type GoalCardFacts,
  type LadderView,
  type MergeFacts,
  type OnTopOfFacts,
} from "../core/cards/goal-card.ts";
import { heldInSession, type HoldingSession } from "../core/goals/held.ts";
import { sessionCard, type SessionPurpose } from "../core/cards/session-card.ts";
import { campaignQuestionCard } from "../core/cards/campaign-question-card.ts";
import { aboutCampaign, aboutGoal, type Checkpoint, type GoalCheckpoint } from "../core/checkpoints/checkpoint.ts";
import type { HeldFacts } from "../core/cards/held-words.ts";
import { groundWords } from "../core/cards/ground-words.ts";
import { groundState } from "../core/goals/ground.ts";
import { goalCeiling } from "../core/goals/budget.ts";
import { type Goal, stateOf } from "../core/goals/goal.ts";
import { attemptsOfRun } from "../db/attempts.ts";
import { getCampaign } from "../db/campaigns.ts";
import type { Db } from "../db/connection/client.ts";
import { pendingAbout, pendingCheckpoint } from "../db/checkpoints.ts";
import { listEvidence } from "../db/evidence.ts";
import { getGoal, sessionGoals } from "../db/goals.ts";
import { groundsOf } from "../db/grounds.ts";
import { lastMerge, type Merge } from "../db/merges.ts";
import { putMessage } from "../db/messages.ts";
import { findRepository } from "../db/repositories.ts";
import { getRun, type Run } from "../db/runs.ts";
import { getSession, type Session } from "../db/sessions.ts";
import { goalTotal, sessionTotal } from "../db/spend.ts";
import { tasksOf } from "../db/tasks.ts";
import { goalEvents } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { goalDayOf } from "../facts/goal-day.ts";
import { heldByQuestion, heldIn, holdingWith } from "../facts/held.ts";
import { mergeOrderByRows } from "../facts/merge-order.ts";
import { sayAround } from "./say-around.ts";
import { standingOf } from "../facts/standing.ts";

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
  // It waits for a person or a session, or is over: what is urgent about its night or its campaign may be something else now.
  const { goal } = facts;
  if (urgent && goal.status !== "in_progress") await sayAround(tx, deps, goal);
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
  const told = await goalEvents(db, goalId, "agent.refused", "agent.not-followed");
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
    onTopOf: await onTopOf(db, goal),
    mergeFirst: goal.status === "complete" ? await mergeOrderByRows(db, goal) : [],
    refusedCalls: told.flatMap(({ event, detail }) => (event === "agent.refused" ? [detail.what] : [])),
    notFollowed: told.findLast((each) => each.event === "agent.not-followed")?.detail.why ?? null,
  };
}

/** The goals that one is on top of, as its card shows them. */
async function onTopOf(db: Db, { after }: Goal): Promise<OnTopOfFacts[]> {
  const grounds = await groundsOf(db, after);
  const shown: OnTopOfFacts[] = [];
  for (const goalId of after) {
    const ground = grounds.get(goalId);
    const goal = ground === undefined ? null : await getGoal(db, goalId);
    if (ground === undefined || goal === null) continue;
    const isReady = groundState(ground) === "ready";
    const { tag } = standingOf(goal, isReady ? await listEvidence(db, goalId) : []);
    shown.push({ goalId, content: goal.content, standing: groundWords(ground, tag), isReady });
  }
  return shown;
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

/**
 * A checkpoint's card as it is now; null when what it is about is not there. `session`: its goal's, where that was gathered
 * before.
 */
export async function gatherCheckpointCard(
  db: Db,
  deps: Pick<Saying, "policy">,
  checkpoint: Checkpoint,
  session: HeldSession | null = null,
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
  const ceilingMicroUsd = goalCeiling(goal, deps.policy);
  const held = await heldNow(db, ofGoal, goal, session);
  return checkpointCard({ checkpoint: ofGoal, goal, ceilingMicroUsd, attempts, held });
}

/** A session with what its questions hold. */
interface HeldSession {
  readonly session: Session;
  readonly holding: HoldingSession;
}

/** A settled question holds nothing any more. */
async function heldNow(
  db: Db,
  { status, kind }: GoalCheckpoint,
  goal: Goal,
  known: HeldSession | null,
): Promise<HeldFacts | null> {
  if (status !== "pending") return null;
  return known === null
    ? await heldByQuestion(db, { goal, kind })
    : heldIn(known.session, known.holding, { goal, kind });
}

/** Brings a checkpoint's card up to date: a question, or how it was settled. */
export async function sayCheckpoint(tx: Db, deps: Saying, checkpoint: Checkpoint): Promise<void> {
  await putQuestion(tx, deps, checkpoint, await gatherCheckpointCard(tx, deps, checkpoint), true);
}

async function putQuestion(
  tx: Db,
  deps: Saying,
  checkpoint: Checkpoint,
  card: Card | null,
  urgent: boolean,
): Promise<void> {
  if (card === null) return;
  await putMessage(
    tx,
    deps.channels,
    // The question of rung 3 is asked in its goal's thread; everything else notifies the channel.
    {
      subject: checkpoint.checkpointId,
      threadSubject: checkpoint.kind === "clarify" ? checkpoint.goalId : null,
      card,
      urgent,
    },
    deps.now(),
  );
}

/**
 * Brings a session's card up to date: how far it is, what it cost, why it ended. The cards of its open questions say what
 * waits for them and what goes on, so they follow.
 */
export async function saySession(tx: Db, deps: Saying, sessionId: string): Promise<void> {
  const session = await getSession(tx, sessionId);
  if (session === null) return;
  const goals = await sessionGoals(tx, sessionId);
  const repository = await findRepository(tx, session.repositoryId);
  const total = await sessionTotal(tx, sessionId);
  const questions = await pendingAbout(tx, [sessionId, ...goals.map((goal) => goal.goalId)]);
  const kinds = new Map(questions.map((each) => [each.subject, each.kind]));
  const holding = await holdingWith(tx, session, goals, kinds);
  const card = sessionCard({
    session,
    purpose: await purposeOf(tx, session),
    repositoryName: repository?.name ?? session.repositoryId,
    goals: goals.map(({ goalId, content, status, joinedAt }) => {
      const waitsFor = holding.goals.find((each) => each.goalId === goalId)?.unmet ?? [];
      return { goalId, content, status, isAsked: kinds.has(goalId), waitsFor, hasJoined: joinedAt !== null };
    }),
    held: heldInSession(holding),
    spentMicroUsd: total.spentMicroUsd,
    isEstimated: total.isEstimated,
  });
  await putMessage(tx, deps.channels, { subject: sessionId, threadSubject: null, card, urgent: true }, deps.now());
  for (const question of session.status === "ended" ? [] : questions) {
    const drawn = await gatherCheckpointCard(tx, deps, question, { session, holding });
    await putQuestion(tx, deps, question, drawn, false);
  }
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
