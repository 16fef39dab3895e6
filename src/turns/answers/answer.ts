import { aboutCampaign, aboutGoal, aboutPolicy, type Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import {
  type Answer,
  answerCheckpoint,
  type AnswerDecision,
  withCeiling,
  withoutChoice,
} from "../../core/checkpoints/answering.ts";
import { acknowledgeLabel } from "../../core/checkpoints/options.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { getCheckpoint, settleCheckpoint, type Settlement, updatePending } from "../../db/checkpoints.ts";
import { type Db, lockAndRead } from "../../db/connection/client.ts";
import { lockQuestion } from "../../db/questions.ts";
import { rowsAroundQuestion } from "../../db/session-rows.ts";
import { getSession, type Session, updateSession } from "../../db/sessions.ts";
import { goalTotal } from "../../db/totals.ts";
import type { Deps, Doors } from "../../deps.ts";
import { type Answered, type Answerer, recordDecision } from "../shared/audit.ts";
import { noteRows } from "../../facts/held.ts";
import { answerCampaign } from "./answer-campaign.ts";
import { answerTuning } from "./answer-tuning.ts";
import { applyEffect } from "./effects.ts";
import type { AnswerFacts } from "./modification.ts";
import { pausedStill } from "./still-paused.ts";
import { reopenQuestion } from "./reopen.ts";
import { countVote } from "./vote.ts";
import { pauseSession } from "../shared/sessions.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";

/**
 * Records an answer and applies it in one transaction: the audit row, the checkpoint, the goal's new state, the cards. Null when there is no
 * such checkpoint. Safe against simultaneous answers: rows are locked in order (D9), and the settling write is conditional on the version
 * (D10, D13, S4-CK-15…21).
 */
export async function recordAnswer(
  deps: Pick<Deps, "database"> & Doors,
  checkpointId: string,
  answer: AnswerBy["answer"],
  answerer: Answerer,
): Promise<Answered | null> {
  return await deps.database.transaction((tx) => answerIn(tx, deps, checkpointId, { answer, answerer }));
}

/** An answer and its author. The answer may depend on the question. Null when the question does not offer it. */
export interface AnswerBy {
  readonly answer: Answer | ((question: Checkpoint) => Answer | null);
  readonly answerer: Answerer;
}

/** Does it in the caller's transaction, together with the caller's other writes. */
export async function answerIn(tx: Db, deps: Doors, checkpointId: string, given: AnswerBy): Promise<Answered | null> {
  const [question, around] = await lockAndRead(
    tx,
    (db) => lockQuestion(db, checkpointId),
    (reads) => rowsAroundQuestion(reads, checkpointId),
  );
  if (question === null) return null;
  const { goal, checkpoint: asked } = question;
  const { answerer } = given;
  const answer = typeof given.answer === "function" ? given.answer(asked) : given.answer;
  if (answer === null) return { decision: withoutChoice(asked, deps.now()), checkpoint: asked };
  if (asked.status !== "pending") {
    // Already settled: a late answer learns the result without waiting for a lock.
    return { decision: answerCheckpoint(asked, answer, deps.now()), checkpoint: asked };
  }
  const ofCampaign = aboutCampaign(asked);
  if (ofCampaign !== null) return await answerCampaign(tx, deps, ofCampaign, { answer, answerer });
  const ofPolicy = aboutPolicy(asked);
  if (ofPolicy !== null) return await answerTuning(tx, deps, ofPolicy, { answer, answerer });
  const checkpoint = aboutGoal(asked);
  if (goal === null || checkpoint === null) return null;

  noteRows(tx, around.rows);
  const said = answerCheckpoint(checkpoint, answer, deps.now(), goal.runCommand !== null);
  const decided = await heldToCost(tx, goal, said, answer);
  const requester = goal.requester ?? goal.createdBy;
  const voting = { checkpoint, answer, answerer, sessionId: goal.sessionId, requester, mayReopen: true };
  const decision = await countVote(tx, deps, voting, decided);
  const acting = { goal, run: around.run, checkpoint, answer, answerer, decision };
  const settled = await actOnAnswer(tx, deps, acting);
  const after = settled === null ? await getCheckpoint(tx, checkpointId) : { ...checkpoint, ...settled };
  return {
    decision,
    checkpoint: after ?? checkpoint,
    paused: await pausedStill(tx, around.rows?.session ?? null, decision),
  };
}

async function heldToCost(tx: Db, { goalId }: Goal, said: AnswerDecision, answer: Answer): Promise<AnswerDecision> {
  if (said.type !== "recorded" || answer.budgetMicroUsd === null) return said;
  return withCeiling(said, answer, (await goalTotal(tx, goalId)).spentMicroUsd);
}

interface DecidedAnswer extends AnswerFacts {
  readonly decision: AnswerDecision;
}

/** Applies the decision. Returns how the question was settled, or null when it was not. */
async function actOnAnswer(tx: Db, deps: Doors, decided: DecidedAnswer): Promise<Settlement | null> {
  const { decision, checkpoint, goal } = decided;
  const said = { ...decided, sessionId: goal.sessionId };
  switch (decision.type) {
    case "already-answered":
    case "expired":
    case "changed":
    case "not-offered":
    case "instructions-needed":
    case "command-needed":
    case "fixed-command":
    case "not-taken":
    case "below-cost":
    case "voted":
    case "not-counted":
      return null;

    case "reopened":
      await reopenQuestion(tx, deps, decided, decision);
      markAnswered(tx, checkpoint.checkpointId, goal);
      return null;

    case "acknowledged": {
      if (checkpoint.acknowledgedBy !== null) return null;
      await recordDecision(tx, deps, said, { choice: acknowledgeLabel, effect: "acknowledge", settles: false });
      const seen = { acknowledgedBy: decided.answerer.actor, acknowledgedAt: deps.now() };
      await updatePending(tx, checkpoint.checkpointId, seen);
      markAnswered(tx, checkpoint.checkpointId, goal);
      return null;
    }

    case "paused": {
      const { actor } = decided.answerer;
      await recordDecision(tx, deps, said, { choice: decision.option.label, effect: "pause", settles: false });
      const session = await openSessionOf(tx, goal);
      // A session that is paused in another way is resumed by that person.
      if (session !== null && (await pauseSession(tx, deps, session, actor)))
        await updatePending(tx, checkpoint.checkpointId, { pausedBy: actor });
      markAnswered(tx, checkpoint.checkpointId, goal);
      return null;
    }

    case "recorded": {
      const resolvedBy = decision.by ?? decided.answerer.actor;
      const settlement = {
        status: decision.status,
        chosenOption: decision.option.label,
        humanNotes: decided.answer.command ?? decided.answer.notes ?? decided.answer.instructions,
        resolvedBy,
        resolvedVia: decided.answerer.via,
        resolvedAt: deps.now(),
      };
      const isSettled = await settleCheckpoint(tx, checkpoint.checkpointId, checkpoint.version, settlement);
      if (!isSettled) throw new Error(`checkpoint ${checkpoint.checkpointId} changed while it was locked`);
      const { label: choice, effect } = decision.option;
      await recordDecision(tx, deps, said, { choice, effect, settles: true });
      const session = checkpoint.pausedBy === null ? null : await openSessionOf(tx, goal);
      if (session?.status === "paused")
        await updateSession(tx, session.sessionId, { status: "running", pausedBy: null });
      const answerer = { ...decided.answerer, actor: resolvedBy };
      await applyEffect(tx, deps, { ...decided, answerer }, decision.option.effect);
      markAnswered(tx, checkpoint.checkpointId, goal);
      lookAt(tx, goal.sessionId);
      return settlement;
    }
  }
}

/** The goal's open session. A turn may have asked after its session ended; an ended session is neither paused nor resumed. */
async function openSessionOf(tx: Db, { sessionId }: Goal): Promise<Session | null> {
  const session = sessionId === null ? null : await getSession(tx, sessionId);
  return session?.status === "ended" ? null : session;
}

function markAnswered(tx: Db, checkpointId: string, { goalId, sessionId }: Goal): void {
  mark(tx, "checkpoint", checkpointId);
  mark(tx, "goal", goalId);
  if (sessionId !== null) mark(tx, "session", sessionId);
}
