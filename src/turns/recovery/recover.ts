import { ofGoal } from "../../core/events/write.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { classifyFailure, type Failure } from "../../core/recovery/failure.ts";
import { withoutSentBack } from "../../core/recovery/giving-up.ts";
import { decideNext, keepsSession, type LadderPosition, type NextStep } from "../../core/recovery/ladder.ts";
import { resumeCommand } from "../../core/cards/paused-words.ts";
import { firstLine } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { getSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Write } from "../../db/transitions.ts";
import { pausedSession } from "../../facts/paused-session.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { countFailure, pauseForPerson } from "../shared/breaker.ts";
import { endGoal } from "../shared/end-goal.ts";
import { type FailedAttempt, keepFailure } from "./attempts.ts";
import { escalate } from "./escalate.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * Stores a failed attempt and takes the ladder's next step, in the caller's transaction: the goal retries at a due time, waits for a limit,
 * is escalated, ends, or its session pauses. Turns that we interrupted are not handled here (D8). Returns the milliseconds after which to
 * ring the doorbell, or null.
 */
export async function recordFailure(
  tx: Db,
  deps: AskDeps,
  failed: FailedAttempt,
  write: Write,
): Promise<number | null> {
  const { goal, run } = failed;
  const now = deps.now();
  const failure = classifyFailure(failed, now, deps.config.timezone);
  const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
  const step = decideNext(
    {
      position: { rung: run.rung, attempt: run.rungAttempt },
      isOwnCommand: goal.runCommand !== null,
      limitWaits: run.limitWaits,
      onLimit: session?.onLimit ?? deps.policy.recovery.onLimit,
      now,
    },
    { type: "failed", failure },
    deps.policy,
  );
  // A limit and a missing login say nothing about the work: no attempt, no rung.
  const isAboutWork = step.type !== "wait" && step.type !== "pause-session";
  if (isAboutWork) await keepFailure(tx, deps, failed, failure);
  return await act(tx, deps, { ...failed, failure, step }, write);
}

interface RecoveryStep extends FailedAttempt {
  readonly failure: Failure;
  readonly step: NextStep;
}

async function act(tx: Db, deps: AskDeps, decided: RecoveryStep, write: Write): Promise<number | null> {
  const { goal, run, failure, step } = decided;
  const now = deps.now();
  const { goalId } = goal;
  const { kind } = failure;
  const about = ofGoal({ ...goal, runId: run.runId }, now);
  // A failed examination is repeated; the work is not done again.
  const phase = goal.phase === "verify" ? "verify" : "implement";
  const errorCount = goal.errorCount + 1;
  const error = firstLine(failure.error, 300);
  const failed = { kind, error, isOwnCommand: goal.runCommand === null ? undefined : true };

  switch (step.type) {
    case "done":
      throw new Error(`a failed attempt of ${goalId} was taken for a success`);

    case "retry": {
      const dueAt = new Date(now.getTime() + step.delayMs);
      const feedback = withoutSentBack(run.feedback);
      await updateRun(tx, run.runId, { ...climbed(goal, step.position, failure), feedback, limitWaits: 0 });
      await appendTimeline(tx, {
        event: "recovery.retry",
        ...about,
        detail: { ...failed, ...step.position, ladder: run.ladder, dueAt: dueAt.toISOString() },
      });
      await write({
        type: "retriesAt",
        at: dueAt,
        phase: step.position.rung === 1 ? "implement" : "recover",
        failed: { errorCount, recoveryLevel: step.position.rung },
        outcome: `Failed: ${error}`,
      });
      return step.delayMs;
    }

    case "wait": {
      const { until, isKnown } = step;
      const isAnew = !keepsSession(run.limitWaits + 1, step, failure);
      const outcome = waitingWords(failure, error);
      const limit = { ...failure, error };
      return await waitUntil(tx, deps, { goal, run, failure: limit, until, isKnown, isAnew, phase, outcome }, write);
    }

    case "pause-session": {
      await appendTimeline(tx, { event: "recovery.paused", ...about, detail: failed });
      const reason = firstLine(step.reason, 300).replace(/\.$/, "");
      // A session that ends with this goal is not paused. A paused session is resumed before its goal.
      const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
      const pauses = session !== null && session.status !== "ended" && !session.stopping;
      const outcome = `${reason}. Go on with: cos ${pauses ? resumeCommand(await pausedSession(tx, session)) : `goal resume ${goalId}`}`;
      await write({ type: "parks", phase, outcome });
      await pauseForPerson(tx, deps, { goal, runId: run.runId }, step.reason);
      return null;
    }

    case "escalate": {
      await write({ type: "escalates", phase: "implement", errorCount, outcome: `Escalated to human: ${error}` });
      await escalate(tx, deps, { goal, run, failure, reason: step.reason, hypothesis: null });
      await countFailure(tx, deps, goal, run.runId);
      return null;
    }

    case "fail":
      await endGoal(tx, deps, { goal, write }, { status: "failed", outcome: step.reason, kind, errorCount });
      await countFailure(tx, deps, goal, run.runId);
      return null;
  }
}

/** The outcome of a goal that waits for its provider. */
function waitingWords({ isOutage }: Failure, error: string): string {
  return isOutage === true
    ? `The agent's provider does not answer: ${error}. It is tried again by itself.`
    : `The provider's limit is reached: ${error}. Goes on by itself when it is over.`;
}

/**
 * The run's changes for its next attempt. Rung 1 continues on the work, after failed criteria also in the agent's session. A session that
 * crashed or hung is not used again, and rung 2 begins a new one. A goal's own command begins from the run's start, because the same change
 * twice differs from once.
 */
function climbed(goal: Goal, position: LadderPosition, failure: Failure): Partial<Run> {
  const isFresh = position.rung > 1 || failure.kind !== "criteria";
  return {
    rung: position.rung,
    rungAttempt: position.attempt,
    verifyRound: 0,
    ...(isFresh ? { agentSessionId: null } : {}),
    ...(goal.runCommand === null ? {} : { headCommit: null }),
  };
}
