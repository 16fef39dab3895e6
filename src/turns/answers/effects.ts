import type { Effect, GoalCheckpoint } from "../../core/checkpoints/checkpoint.ts";
import { offersCriterion } from "../../core/checkpoints/find-option.ts";
import { phaseAfterAnswer } from "../../core/checkpoints/phase-after-answer.ts";
import type { Goal, SettledTrigger } from "../../core/goals/goal.ts";
import { withoutSentBack } from "../../core/recovery/giving-up.ts";
import { ofGoal } from "../../core/events/write.ts";
import { insertGrant } from "../../db/grants.ts";
import type { Db } from "../../db/connection/client.ts";
import { updateRun } from "../../db/runs.ts";
import { getSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";
import { resumeSession } from "../shared/breaker.ts";
import { editGoal } from "../shared/edit-goal.ts";
import { giveMore } from "../shared/ask-for-more.ts";
import { contentHashOf } from "../shared/begin-run.ts";
import { endGoal } from "../shared/end-goal.ts";
import { endSession } from "../shared/end-session.ts";
import { applyTransition } from "../../db/transitions.ts";
import { type Modification, changedBy, retryChanges, modificationOf, type AnswerFacts } from "./modification.ts";

/** The effects of an answer on its goal (C-64), one function each, in the transaction that records the answer. */

/** Applies the chosen option to the goal, or to the session if its breaker asked. */
export async function applyEffect(tx: Db, deps: Doors, facts: AnswerFacts, effect: Effect): Promise<void> {
  const { goal, checkpoint, answerer } = facts;
  if (checkpoint.kind === "breaker") {
    await applyToSession(tx, deps, facts, effect);
    return;
  }
  if (checkpoint.kind === "clarify" && (effect === "modify" || effect === "continue")) {
    await clarify(tx, deps, facts);
    return;
  }
  switch (effect) {
    case "pause":
      return;
    case "retry":
      await sendBack(tx, deps, facts);
      return;
    case "skip":
      await deferGoal(tx, deps, goal, `Skipped by ${answerer.actor}.`);
      return;
    case "manual": {
      const outcome = `Left to a person by ${answerer.actor}.`;
      await endGoal(tx, deps, { goal }, { status: "manual_followup", outcome, errorCount: 0 });
      return;
    }
    case "continue":
      if (checkpoint.kind === "ceiling") await giveMore(tx, deps, goal);
      if (checkpoint.kind === "escalation") await climbAgain(tx, deps, facts);
      await continueGoal(tx, deps, facts, checkpoint.kind === "escalation" ? retryChanges(facts, deps.now()) : {});
      if (checkpoint.kind === "permission") await allowOnce(tx, goal, checkpoint);
      return;
    case "modify":
      await continueGoal(tx, deps, facts, modificationOf(facts, deps.now()));
      return;
    case "edit":
      await editCommand(tx, deps, facts);
      return;
  }
}

/** Defers a goal. A running turn is asked to stop and records it itself (D4). */
export async function deferGoal(tx: Db, deps: Doors, goal: Goal, outcome: string): Promise<void> {
  if (goal.leasedBy !== null) {
    await applyTransition(tx, goal, { type: "isStopped", stop: "skip", outcome }, { updatedAt: deps.now() });
    return;
  }
  await endGoal(tx, deps, { goal }, { status: "deferred", outcome });
}

/** Sets another command. The old command's run ends, and its approvals with it (D3, D50). */
async function editCommand(tx: Db, deps: Doors, { goal, checkpoint, answer, answerer }: AnswerFacts): Promise<void> {
  const { command } = answer;
  if (command === undefined) throw new Error(`an edit of ${goal.goalId} without a command`);
  await editGoal(tx, deps, goal, { changes: { runCommand: command }, isAnswer: true });
  const { goalId, sessionId } = goal;
  const { actor, via } = answerer;
  await appendTimeline(tx, {
    event: "goal.edited",
    goalId,
    sessionId,
    runId: checkpoint.runId,
    checkpointId: checkpoint.checkpointId,
    actor,
    via,
    at: deps.now(),
    detail: { fields: ["runCommand"], was: goal.runCommand, now: command },
  });
}

/** Sends the work back with the person's reasons (D26). */
async function sendBack(tx: Db, deps: Doors, { goal, checkpoint, answerer, answer }: AnswerFacts): Promise<void> {
  const notes = answer.notes === null ? "" : ` ${answer.notes}`;
  const feedback = `${answerer.actor} sent the work back: ${whySentBack(checkpoint)}${notes}`;
  if (checkpoint.runId !== null) await updateRun(tx, checkpoint.runId, { feedback });
  await applyTransition(tx, goal, { type: "isAnswered", phase: "implement" }, { updatedAt: deps.now() });
}

function whySentBack(checkpoint: GoalCheckpoint): string {
  const { kind, context, facts } = checkpoint;
  const { details } = facts;
  if (kind !== "critics" && kind !== "approval" && !offersCriterion(checkpoint))
    return `it must pass with these files as they were: ${details.join(", ")}.`;
  return [context, ...details.map((each) => `- ${each}`)].join("\n");
}

/** Continues after Proceed or Modify. Settled questions stay settled for the goal's new content (D3, D11). */
async function continueGoal(tx: Db, deps: Doors, facts: AnswerFacts, modification: Modification): Promise<void> {
  const { goal, run, checkpoint, answerer } = facts;
  const now = deps.now();
  const contentHash = contentHashOf({ ...goal, ...modification });
  if (run !== null) {
    const settled: SettledTrigger[] = [
      ...run.settled.map((each) => ({ ...each, contentHash })),
      ...checkpoint.reasons.map(({ trigger }) => ({ trigger, contentHash })),
    ];
    await updateRun(tx, run.runId, { settled, contentHash, approvedBy: answerer.actor });
  }

  const modified = Object.keys(modification).length > 0;
  if (goal.leasedBy !== null) {
    // The agent is waiting for this answer (D29): only the additions are written, and the turn continues by itself.
    if (modified)
      await applyTransition(tx, goal, { type: "isStopped", stop: "modify" }, { ...modification, updatedAt: now });
    return;
  }
  const isForgotten = checkpoint.kind === "hiccup" || checkpoint.kind === "escalation";
  const phase = phaseAfterAnswer(checkpoint, goal.phase, changedBy(facts, modification));
  // The outcome of the ended recovery is removed. Finished work keeps its outcome.
  const outcome = checkpoint.kind === "escalation" && phase !== "finish" ? { outcome: null } : {};
  const changes = { ...modification, ...outcome, updatedAt: now };
  await applyTransition(tx, goal, { type: "isAnswered", phase, isForgotten }, changes);
}

/** Retry of an escalation: one more ladder with a fresh context (S4-RM-11, D19). Work whose push was refused is pushed again. */
async function climbAgain(tx: Db, deps: Doors, facts: AnswerFacts): Promise<void> {
  const { goal, run, checkpoint } = facts;
  if (run === null) return;
  const changed = changedBy(facts, retryChanges(facts, deps.now()));
  const isPushed = phaseAfterAnswer(checkpoint, goal.phase, changed) === "finish";
  const isAnew = goal.runCommand !== null && !isPushed;
  const feedback = withoutSentBack(run.feedback);
  const anew = isAnew ? { headCommit: null } : {};
  await updateRun(tx, run.runId, { ladder: run.ladder + 1, ...bottomRung, feedback, ...anew });
  const isOwnCommand = goal.runCommand === null ? undefined : true;
  const about = ofGoal({ ...goal, runId: run.runId }, deps.now());
  const detail = { ladder: run.ladder + 1, isOwnCommand, isPushed: isPushed || undefined };
  await appendTimeline(tx, { event: "recovery.again", ...about, detail });
}

/** The start of each ladder. */
const bottomRung = {
  rung: 1,
  rungAttempt: 1,
  approach: null,
  approachSource: null,
  approachInstruction: null,
  clarification: null,
  limitWaits: 0,
  verifyRound: 0,
  fixRounds: 0,
  wasSentBack: false,
  agentSessionId: null,
} as const;

/** Records the answer to the question of rung 3, or that there will be none, and begins the waiting attempt. */
async function clarify(tx: Db, deps: Doors, facts: AnswerFacts): Promise<void> {
  const { goal, run, answer, answerer } = facts;
  // The text is the answer; criteria and a ceiling change the goal.
  const { instructions: _, ...changes } = retryChanges(facts, deps.now());
  if (run !== null && Object.keys(changes).length > 0) {
    const contentHash = contentHashOf({ ...goal, ...changes });
    const settled = run.settled.map((each) => ({ ...each, contentHash }));
    await updateRun(tx, run.runId, { settled, contentHash });
  }
  if (run !== null && run.clarification !== null && answer.instructions !== null) {
    const clarification = { ...run.clarification, answer: answer.instructions, by: answer.writtenBy ?? answerer.actor };
    await updateRun(tx, run.runId, { clarification });
  }
  await goOnUnanswered(tx, deps, goal, changes);
}

/** Begins the attempt of rung 3 with the run's current clarification (D19). */
export async function goOnUnanswered(tx: Db, deps: Doors, goal: Goal, changes: Modification = {}): Promise<void> {
  if (goal.leasedBy !== null) return;
  await applyTransition(tx, goal, { type: "isAnswered", phase: "implement" }, { ...changes, updatedAt: deps.now() });
}

/** Resumes a paused session with a new count of failures, or ends it (D20). */
async function applyToSession(tx: Db, deps: Doors, { goal, answerer }: AnswerFacts, effect: Effect): Promise<void> {
  const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
  if (session === null || session.status === "ended") return;
  const { sessionId } = session;
  if (effect === "skip") {
    await endSession(tx, deps, session, { reason: `Stopped by ${answerer.actor}.`, by: answerer.actor });
    return;
  }
  await resumeSession(tx, deps, session, goal);
  const { actor, via } = answerer;
  await appendTimeline(tx, { event: "session.running", sessionId, actor, via, at: deps.now() });
  mark(tx, "session", sessionId);
}

async function allowOnce(tx: Db, goal: Goal, checkpoint: GoalCheckpoint): Promise<void> {
  const { fingerprint } = checkpoint.facts;
  if (fingerprint === null) throw new Error(`permission checkpoint ${checkpoint.checkpointId} without a fingerprint`);
  await insertGrant(tx, { goalId: goal.goalId, fingerprint, checkpointId: checkpoint.checkpointId });
}
