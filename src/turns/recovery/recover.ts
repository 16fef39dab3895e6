import type { AgentWords } from "../../core/recovery/agent-words.ts";
import { limitCard } from "../../core/cards/notices.ts";
import { threadInChat } from "../../core/delivery/places.ts";
import { classifyFailure, type Failure, type FailureEnd } from "../../core/recovery/failure.ts";
import { failureFingerprint } from "../../core/recovery/fingerprint.ts";
import { decideNext, type NextStep, type Standing, tellsOfLimit } from "../../core/recovery/ladder.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { fixedCommand, type Tried } from "../../core/recovery/tried.ts";
import { firstLine, shorten } from "../../core/text.ts";
import { ofGoal } from "../../core/events/write.ts";
import { attemptsOfRun, insertAttempt } from "../../db/attempts.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { getSession } from "../../db/sessions.ts";
import { runTotal, type Total } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { markNotice } from "../../db/connection/marks.ts";
import { sha256 } from "../../deps.ts";
import { countFailure, pauseForPerson } from "../shared/breaker.ts";
import { escalate } from "./escalate.ts";
import type { Asking } from "../shared/park.ts";
import { endGoal } from "../shared/settle.ts";
import type { Write } from "../../db/transitions.ts";

/** How an attempt ended, before anybody has said what kind of failure that is. */
export interface FailedAttempt {
  readonly goal: Goal;
  readonly run: Run;
  readonly turn: number;
  readonly end: FailureEnd;
  readonly reason: string;
  readonly exitCode: number | null;
  /** The last lines that it, or the criterion that failed, printed; masked. */
  readonly output: string;
  /** What the agent itself said about its end. */
  readonly own: AgentWords | null;
  readonly criteria: readonly string[];
  readonly files: readonly string[];
  readonly commit: string | null;
}

/**
 * Keeps a failed attempt and takes the next step of the ladder, in the caller's transaction: one more row, and the goal
 * retries at its due time, waits for a limit, is escalated, ends, or its session pauses. What was cut short by us never
 * comes here (D8). Returns the milliseconds after which it is worth ringing, null when nobody needs to.
 */
export async function recordFailure(tx: Db, deps: Asking, failed: FailedAttempt, write: Write): Promise<number | null> {
  const { goal, run } = failed;
  const now = deps.now();
  const failure = classifyFailure(failed, now, deps.config.timezone);
  const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
  const step = decideNext(
    {
      standing: { rung: run.rung, attempt: run.rungAttempt },
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

/** Keeps a failed attempt with the fingerprint of its failure. */
export async function keepFailure(tx: Db, deps: Asking, failed: FailedAttempt, failure: Failure): Promise<void> {
  const { kind: end, error } = failure;
  await keep(tx, deps, failed, { end, error, fingerprint: fingerprintOf(failed, failure) });
}

/** Keeps the attempt that succeeded: which rung it was, what it took (S4-RM-04). The caller ends the goal. */
export async function keepSuccess(
  tx: Db,
  deps: Asking,
  { goal, run, turn, before }: Pick<Kept, "goal" | "run" | "turn"> & { readonly before: Before },
): Promise<void> {
  const files: readonly string[] = [];
  const passed = { goal, run, turn, criteria: [], files, commit: run.headCommit, exitCode: 0, output: "" };
  await insertAttempt(tx, attemptOf(deps, passed, { end: "passed", error: "", fingerprint: "" }, before));
}

/** What a run has cost and tried so far. */
export interface Before {
  readonly total: Total;
  readonly earlier: readonly Tried[];
}

/** One statement. */
export async function readBefore(db: Db, runId: string): Promise<Before> {
  const [total, earlier] = await readTogether(db, (reads) =>
    Promise.all([runTotal(reads, runId), attemptsOfRun(reads, runId)]),
  );
  return { total, earlier };
}

type Kept = Pick<FailedAttempt, "goal" | "run" | "turn" | "criteria" | "files" | "commit" | "exitCode" | "output">;

async function keep(tx: Db, deps: Asking, kept: Kept, end: AttemptEnd): Promise<void> {
  await insertAttempt(tx, attemptOf(deps, kept, end, await readBefore(tx, kept.run.runId)));
}

type AttemptEnd = Pick<Tried, "end" | "error" | "fingerprint">;

/** One row for what was tried, with what it cost since the attempt before. */
function attemptOf(
  deps: Asking,
  kept: Kept,
  { end, error, fingerprint }: AttemptEnd,
  { total, earlier }: Before,
): Parameters<typeof insertAttempt>[1] {
  const { goal, run } = kept;
  const isOwnCommand = goal.runCommand !== null;
  const earlierCost = earlier.reduce((sum, each) => sum + each.costMicroUsd, 0);
  return {
    goalId: goal.goalId,
    runId: run.runId,
    turn: kept.turn,
    ladder: run.ladder,
    rung: run.rung,
    number: earlier.filter((each) => each.ladder === run.ladder).length + 1,
    approach: approachOf(goal, run),
    source: run.approachSource,
    instruction: run.approachInstruction,
    end,
    error: shorten(error, 2000),
    fingerprint,
    criteria: [...kept.criteria],
    files: kept.files.slice(0, 200),
    commit: kept.commit,
    exitCode: isOwnCommand ? kept.exitCode : null,
    output: isOwnCommand ? lastLines(kept.output) : null,
    costMicroUsd: Math.max(0, total.spentMicroUsd - earlierCost),
    costIsEstimated: total.isEstimated,
    at: deps.now(),
  };
}

function approachOf(goal: Pick<Goal, "runCommand">, run: Pick<Run, "approach">): string {
  return goal.runCommand === null ? (run.approach ?? "as asked") : fixedCommand;
}

/** As many as an escalation shows. */
function lastLines(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines
    .slice(-5)
    .map((line) => shorten(line, 300))
    .join("\n");
}

function fingerprintOf(failed: FailedAttempt, failure: Failure): string {
  const { criteria, files } = failed;
  return sha256(failureFingerprint({ kind: failure.kind, error: failure.error, criteria, files }));
}

interface Acting extends FailedAttempt {
  readonly failure: Failure;
  readonly step: NextStep;
}

async function act(tx: Db, deps: Asking, acting: Acting, write: Write): Promise<number | null> {
  const { goal, run, failure, step } = acting;
  const now = deps.now();
  const { goalId } = goal;
  const about = ofGoal({ ...goal, runId: run.runId }, now);
  const errorCount = goal.errorCount + 1;
  const error = firstLine(failure.error, 300);
  const failed = { kind: failure.kind, error, isOwnCommand: goal.runCommand === null ? undefined : true };

  switch (step.type) {
    case "done":
      throw new Error(`a failed attempt of ${goalId} was taken for a success`);

    case "retry": {
      const dueAt = new Date(now.getTime() + step.delayMs);
      await updateRun(tx, run.runId, { ...climbed(goal, step.standing, failure), limitWaits: 0 });
      await appendTimeline(tx, {
        event: "recovery.retry",
        ...about,
        detail: { ...failed, ...step.standing, ladder: run.ladder, dueAt: dueAt.toISOString() },
      });
      await write({
        type: "retriesAt",
        at: dueAt,
        phase: step.standing.rung === 1 ? "implement" : "recover",
        failed: { errorCount, recoveryLevel: step.standing.rung },
        outcome: `Failed: ${error}`,
      });
      return step.delayMs;
    }

    case "wait": {
      const limitWaits = run.limitWaits + 1;
      await updateRun(tx, run.runId, { limitWaits });
      if (tellsOfLimit(limitWaits, deps.policy)) {
        const subject = `${goalId}.limit.${run.runId}.${goal.turn}`;
        const card = limitCard(goal, limitWaits, step.until, error);
        const chatThread = threadInChat(deps.policy.places, "limit", goalId);
        markNotice(tx, subject, { card, threadSubject: null, chatThread });
      }
      await appendTimeline(tx, {
        event: "recovery.limited",
        ...about,
        detail: { ...failed, until: step.until.toISOString(), isKnown: step.isKnown },
      });
      const outcome = `The provider's limit is reached: ${error}. Goes on by itself when it is over.`;
      await write({ type: "retriesAt", at: step.until, phase: "implement", outcome });
      return step.until.getTime() - now.getTime();
    }

    case "pause-session": {
      await appendTimeline(tx, { event: "recovery.paused", ...about, detail: failed });
      await write({ type: "parks", phase: "implement", outcome: firstLine(step.reason, 300) });
      await pauseForPerson(tx, deps, { goal, runId: run.runId }, step.reason);
      return null;
    }

    case "escalate": {
      await write({ type: "escalates", phase: "implement", errorCount, outcome: `Escalated to human: ${error}` });
      await escalate(tx, deps, { goal, run, failure, reason: step.reason, hypothesis: null });
      // One goal that a person has tried again is still one goal (D20).
      if (run.ladder === 1) await countFailure(tx, deps, goal, run.runId);
      return null;
    }

    case "fail":
      await endGoal(tx, deps, { goal, write }, { status: "failed", outcome: step.reason, errorCount });
      await countFailure(tx, deps, goal, run.runId);
      return null;
  }
}

/**
 * The run's changes for its next attempt. Rung 1 goes on where the work is, also in the agent's own session; a session
 * that crashed or hung is not asked again, and rung 2 begins with fresh eyes. A goal's own command begins where the run
 * began: twice the same change is not the same as once.
 */
function climbed(goal: Goal, standing: Standing, failure: Failure): Partial<Run> {
  const isFresh = standing.rung > 1 || failure.kind !== "criteria";
  return {
    rung: standing.rung,
    rungAttempt: standing.attempt,
    verifyRound: 0,
    ...(isFresh ? { agentSessionId: null } : {}),
    ...(goal.runCommand === null ? {} : { headCommit: null }),
  };
}
