import type { Goal } from "../../core/goals/goal.ts";
import type { PushTrouble } from "../../agent/git/publish.ts";
import { pushWaitMs, waitingPushOutcome } from "../../core/recovery/push-wait.ts";
import { ends } from "../../core/text/bounds.ts";
import { firstLine, shorten } from "../../core/text.ts";
import { ofGoal } from "../../core/events/write.ts";
import type { Db } from "../../db/connection/client.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { countFailure } from "../shared/breaker.ts";
import { escalate } from "./escalate.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { keepFailure } from "./attempts.ts";
import { addMissingWork } from "./missing.ts";
import { waitUntil } from "./wait-until.ts";
import type { Write } from "../../db/transitions.ts";
import { mark } from "../../db/connection/marks.ts";

interface NotPushed {
  readonly goal: Goal;
  readonly run: Run;
  readonly turn: number;
  readonly trouble: PushTrouble;
  /** Paths of the work. Empty when they are unknown. */
  readonly files: readonly string[];
}

/**
 * Handles a refused push of verified work (fix_ci, C-47): the agent repairs it with the exact output, at most three times. After that, or if
 * no agent can repair it, a person is asked. A host that does not answer is waited for first. Returns the milliseconds after which to ring
 * the doorbell, or null.
 */
export async function notPushed(
  tx: Db,
  deps: AskDeps,
  { goal, run, turn, trouble, files }: NotPushed,
  write: Write,
): Promise<number | null> {
  const now = deps.now();
  const { goalId } = goal;
  const waitMs = trouble.isAway ? pushWaitMs(run.limitWaits) : null;
  if (waitMs !== null) {
    const error = firstLine(trouble.reason, 300);
    const failure = { kind: "push", error, isOutage: true } as const;
    const until = new Date(now.getTime() + waitMs);
    const outcome = waitingPushOutcome(goal.outcome, error);
    mark(tx, "goal", goalId);
    return await waitUntil(tx, deps, { goal, run, failure, until, isKnown: false, phase: "finish", outcome }, write);
  }
  const feedback = `The work is verified, but pushing it was refused. Repair what this says, and nothing else:\n${shorten(trouble.reason, 8000)}`;
  const canBeTold = goal.runCommand === null && trouble.isRefused && run.fixRounds < deps.policy.tasks.fixRounds;
  if (canBeTold) {
    const fixRounds = run.fixRounds + 1;
    await updateRun(tx, run.runId, { fixRounds, limitWaits: 0, ...(goal.taskParallel === null ? { feedback } : {}) });
    const detail = { round: fixRounds, reason: ends(trouble.reason, 1000) };
    await appendTimeline(tx, { event: "goal.push-refused", ...ofGoal({ ...goal, runId: run.runId }, now), detail });
    if (goal.taskParallel !== null) {
      // Only the next push, which the system makes, shows whether it is refused again.
      const criteria = ["What the push was refused for is put right"];
      const missing = { prefix: "push", title: "What the push refused", criteria, found: feedback } as const;
      await addMissingWork(tx, deps, { goal, run }, missing);
    }
    await write({
      type: "goesOnAt",
      at: now,
      phase: "implement",
      outcome: `Its push was refused: ${ends(trouble.reason, 300)}`,
    });
    mark(tx, "goal", goalId);
    return null;
  }

  const failure = {
    kind: "push",
    error: `The work is done but could not be pushed: ${trouble.reason}`,
    resetsAt: null,
  } as const;
  const failed = {
    goal,
    run,
    turn,
    end: "not-pushed",
    reason: trouble.reason,
    exitCode: 0,
    output: trouble.reason,
    said: "",
    own: null,
    criteria: [],
    files,
    commit: files.length === 0 ? null : run.headCommit,
  } as const;
  await keepFailure(tx, deps, failed, failure);
  const outcome = `Escalated to human: ${ends(failure.error, 1000)}`;
  await write({ type: "escalates", phase: "finish", errorCount: goal.errorCount + 1, outcome });
  const byPerson = trouble.isAway ? "it has not answered for an hour" : "nobody but a person can mend that";
  const reason = run.fixRounds === 0 || trouble.isAway ? byPerson : `given back ${run.fixRounds} times already`;
  await escalate(tx, deps, { goal, run, failure, reason, hypothesis: null });
  await countFailure(tx, deps, goal, run.runId);
  return null;
}
