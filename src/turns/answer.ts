import {
  type Answer,
  answerCheckpoint,
  type AnswerDecision,
  type Checkpoint,
  type Effect,
} from "../core/checkpoints/checkpoint.ts";
import type { Goal, Instruction, Phase, SettledTrigger } from "../core/goals/goal.ts";
import {
  getCheckpoint,
  insertDecision,
  insertGrant,
  lockCheckpoint,
  settleCheckpoint,
  updatePending,
} from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { lockGoal, updateGoal } from "../db/goals.ts";
import { getRun, updateRun } from "../db/runs.ts";
import { lockSession, updateSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { contentHashOf } from "./park.ts";
import { sayCheckpoint, sayGoal, saySession, type Saying } from "./say.ts";
import { endGoal } from "./settle.ts";
import { wakeSession } from "./wake.ts";

/** Who answers, and through which door. */
export interface Answerer {
  readonly actor: string;
  /** Their id on a chat platform, which outlives a change of name; null for the local person. */
  readonly actorId: string | null;
  readonly via: string;
}

export interface Answered {
  readonly decision: AnswerDecision;
  /** As it stands now. */
  readonly checkpoint: Checkpoint;
  readonly ring: boolean;
}

/**
 * Records an answer and what it sets in motion, in one transaction: the audit row, the checkpoint, the goal's new
 * state, the cards. Null when there is no such checkpoint. Safe against any number of simultaneous answers: the rows
 * are locked in order (D9) and the settling write is conditional on the version (D10, D13, S4-CK-15…21).
 */
export async function recordAnswer(
  deps: Pick<Deps, "database"> & Saying,
  checkpointId: string,
  answer: Answer,
  answerer: Answerer,
): Promise<Answered | null> {
  return await deps.database.transaction(async (tx) => {
    const seen = await getCheckpoint(tx, checkpointId);
    if (seen === null || seen.goalId === null) return null;
    if (seen.status !== "pending") {
      // Settled for good: who comes late waits for no lock to learn who won.
      return { decision: answerCheckpoint(seen, answer, deps.now()), checkpoint: seen, ring: false };
    }
    const goal = await lockSubject(tx, seen.goalId);
    const checkpoint = await lockCheckpoint(tx, checkpointId);
    if (goal === null || checkpoint === null) return null;

    const decision = answerCheckpoint(checkpoint, answer, deps.now());
    const ring = await actOnAnswer(tx, deps, { goal, checkpoint, answer, answerer, decision });
    const after = await getCheckpoint(tx, checkpointId);
    return { decision, checkpoint: after ?? checkpoint, ring };
  });
}

interface Acting {
  readonly goal: Goal;
  readonly checkpoint: Checkpoint;
  readonly answer: Answer;
  readonly answerer: Answerer;
  readonly decision: AnswerDecision;
}

async function lockSubject(tx: Db, goalId: string): Promise<Goal | null> {
  const seen = await tx.query.goals.findFirst({ where: (goal, { eq }) => eq(goal.goalId, goalId) });
  if (seen?.sessionId !== null && seen?.sessionId !== undefined) await lockSession(tx, seen.sessionId);
  return await lockGoal(tx, goalId);
}

async function actOnAnswer(tx: Db, deps: Saying, acting: Acting): Promise<boolean> {
  const { decision, checkpoint, goal } = acting;
  switch (decision.type) {
    case "already-answered":
    case "expired":
    case "changed":
    case "not-offered":
    case "instructions-needed":
      return false;

    case "paused": {
      const { actor } = acting.answerer;
      await addToAudit(tx, deps, acting, decision.option.label, decision.option.effect, false);
      await updatePending(tx, checkpoint.checkpointId, { pausedBy: actor });
      if (goal.sessionId !== null) await updateSession(tx, goal.sessionId, { status: "paused", pausedBy: actor });
      if (goal.leasedBy !== null) await updateGoal(tx, goal.goalId, { stopRequested: "pause", updatedAt: deps.now() });
      await sayAfter(tx, deps, checkpoint.checkpointId, goal);
      return false;
    }

    case "recorded": {
      const settled = await settleCheckpoint(tx, checkpoint.checkpointId, checkpoint.version, {
        status: decision.status,
        chosenOption: decision.option.label,
        humanNotes: acting.answer.notes ?? acting.answer.instructions,
        resolvedBy: acting.answerer.actor,
        resolvedVia: acting.answerer.via,
        resolvedAt: deps.now(),
      });
      if (!settled) throw new Error(`checkpoint ${checkpoint.checkpointId} changed while it was locked`);
      await addToAudit(tx, deps, acting, decision.option.label, decision.option.effect, true);
      if (checkpoint.pausedBy !== null && goal.sessionId !== null) {
        await updateSession(tx, goal.sessionId, { status: "running", pausedBy: null });
      }
      await applyEffect(tx, deps, acting, decision.option.effect);
      await sayAfter(tx, deps, checkpoint.checkpointId, goal);
      return await wakeSession(tx, deps, goal.sessionId);
    }
  }
}

async function addToAudit(
  tx: Db,
  deps: Saying,
  acting: Acting,
  choice: string,
  effect: string,
  settles: boolean,
): Promise<void> {
  const { checkpoint, answer, answerer, goal } = acting;
  const now = deps.now();
  const waitedMs = now.getTime() - checkpoint.askedAt.getTime();
  await insertDecision(tx, {
    checkpointId: checkpoint.checkpointId,
    version: checkpoint.version,
    choice,
    effect,
    settles,
    ...answerer,
    notes: answer.notes,
    instructions: answer.instructions,
    criteria: answer.criteria,
    budgetMicroUsd: answer.budgetMicroUsd,
    waitedMs,
    at: now,
  });
  await appendTimeline(tx, {
    event: settles ? "checkpoint.answered" : "checkpoint.paused",
    goalId: goal.goalId,
    sessionId: goal.sessionId,
    runId: checkpoint.runId,
    checkpointId: checkpoint.checkpointId,
    actor: answerer.actor,
    via: answerer.via,
    at: now,
    detail: { choice, version: checkpoint.version, waitedMs },
  });
}

async function sayAfter(tx: Db, deps: Saying, checkpointId: string, goal: Goal): Promise<void> {
  const after = await getCheckpoint(tx, checkpointId);
  if (after !== null) await sayCheckpoint(tx, deps, after);
  await sayGoal(tx, deps, goal.goalId);
  if (goal.sessionId !== null) await saySession(tx, deps, goal.sessionId);
}

async function applyEffect(tx: Db, deps: Saying, acting: Acting, effect: Effect): Promise<void> {
  const { goal, checkpoint, answerer } = acting;
  switch (effect) {
    case "pause":
      return;
    case "retry":
      await sendBack(tx, deps, acting);
      return;
    case "skip":
      await deferGoal(tx, deps, goal, `Skipped by ${answerer.actor}.`);
      return;
    case "continue":
      await continueGoal(tx, deps, acting, {});
      if (checkpoint.kind === "permission") await allowOnce(tx, goal, checkpoint);
      return;
    case "modify":
      await continueGoal(tx, deps, acting, modificationOf(acting, deps.now()));
      return;
  }
}

/** Defers a goal; a running turn is asked to stop and records it itself (D4). */
export async function deferGoal(tx: Db, deps: Saying, goal: Goal, outcome: string): Promise<void> {
  if (goal.leasedBy !== null) {
    await updateGoal(tx, goal.goalId, { stopRequested: "skip", outcome, updatedAt: deps.now() });
    return;
  }
  await endGoal(tx, deps, goal, { status: "deferred", outcome }, (changes) => updateGoal(tx, goal.goalId, changes));
}

/** The work goes back, with what a person saw (D26). */
async function sendBack(tx: Db, deps: Saying, { goal, checkpoint, answerer, answer }: Acting): Promise<void> {
  const files = checkpoint.facts.details.join(", ");
  const notes = answer.notes === null ? "" : ` ${answer.notes}`;
  const feedback = `${answerer.actor} sent the work back: it must pass with these files as they were: ${files}.${notes}`;
  if (checkpoint.runId !== null) await updateRun(tx, checkpoint.runId, { feedback });
  await updateGoal(tx, goal.goalId, {
    phase: "implement",
    status: "in_progress",
    stopRequested: null,
    wakeAt: null,
    updatedAt: deps.now(),
  });
}

/** Goes on after Proceed or Modify: the run keeps what was settled, for the content it was settled for (D3, D11). */
async function continueGoal(tx: Db, deps: Saying, acting: Acting, modification: Modification): Promise<void> {
  const { goal, checkpoint, answerer } = acting;
  const now = deps.now();
  const contentHash = contentHashOf({ ...goal, ...modification });
  const run = checkpoint.runId === null ? null : await getRun(tx, checkpoint.runId);
  if (run !== null) {
    const settled: SettledTrigger[] = [
      ...run.settled.map((each) => ({ ...each, contentHash })),
      ...checkpoint.reasons.map(({ trigger }) => ({ trigger, contentHash })),
    ];
    await updateRun(tx, run.runId, { settled, contentHash, approvedBy: answerer.actor });
  }

  const modified = Object.keys(modification).length > 0;
  if (goal.leasedBy !== null) {
    // The agent waits for this very answer (D29): only what was added reaches the row, the turn goes on by itself.
    const stop = modified ? { stopRequested: "modify" as const } : {};
    await updateGoal(tx, goal.goalId, { ...modification, ...stop, updatedAt: now });
    return;
  }
  const cleared =
    checkpoint.kind === "hiccup" ? { errorCount: 0, recoveryLevel: 0, isHiccup: false, interruptions: 0 } : {};
  const phase = nextPhase(checkpoint, modified);
  await updateGoal(tx, goal.goalId, {
    ...modification,
    ...cleared,
    phase,
    status: phase === "start" ? "pending" : "in_progress",
    stopRequested: null,
    wakeAt: null,
    updatedAt: now,
  });
}

function nextPhase(checkpoint: Checkpoint, modified: boolean): Phase {
  switch (checkpoint.kind) {
    case "start":
    case "hiccup":
      return "start";
    case "permission":
      return "implement";
    case "diff":
      return modified ? "implement" : "finish";
    case "proof":
      return modified ? "implement" : "verify";
  }
}

/** What Modify may change; never what an agent may touch or do (D35). */
interface Modification {
  readonly instructions?: Instruction[];
  readonly criteria?: string;
  readonly ceilingMicroUsd?: number;
}

function modificationOf({ goal, answer, answerer }: Acting, now: Date): Modification {
  const added =
    answer.instructions === null ? [] : [{ by: answerer.actor, text: answer.instructions, at: now.toISOString() }];
  return {
    instructions: [...goal.instructions, ...added],
    ...(answer.criteria === null ? {} : { criteria: answer.criteria }),
    ...(answer.budgetMicroUsd === null ? {} : { ceilingMicroUsd: answer.budgetMicroUsd }),
  };
}

async function allowOnce(tx: Db, goal: Goal, checkpoint: Checkpoint): Promise<void> {
  const { fingerprint } = checkpoint.facts;
  if (fingerprint === null) throw new Error(`permission checkpoint ${checkpoint.checkpointId} without a fingerprint`);
  await insertGrant(tx, { goalId: goal.goalId, fingerprint, checkpointId: checkpoint.checkpointId });
}
