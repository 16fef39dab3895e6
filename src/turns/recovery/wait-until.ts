import { limitCard } from "../../core/cards/notices.ts";
import { threadInChat } from "../../core/delivery/places.ts";
import { ofGoal } from "../../core/events/write.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { TransitionArguments } from "../../core/goals/transition-arguments.ts";
import type { Failure } from "../../core/recovery/failure.ts";
import { tellsOfLimit } from "../../core/recovery/ladder.ts";
import type { Db } from "../../db/connection/client.ts";
import { markNotice } from "../../db/connection/marks.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { getSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Write } from "../../db/transitions.ts";
import type { AskDeps } from "../shared/ask-about.ts";

interface WaitRequest extends Pick<TransitionArguments["retriesAt"], "phase" | "outcome"> {
  readonly goal: Goal;
  readonly run: Run;
  /** Why it cannot continue. `error` is one line. */
  readonly failure: Pick<Failure, "kind" | "error" | "isOutage">;
  readonly until: Date;
  /** True when the provider named `until`, false when we chose it. */
  readonly isKnown: boolean;
  /** True when the agent begins a new session then. */
  readonly isAnew?: boolean;
}

/**
 * Lets a goal wait for its provider or for the host that it is pushed to. This costs no attempt. People are told when it lasts long
 * (`tellsOfLimit`), and the goal continues by itself. Returns the milliseconds after which to ring the doorbell.
 */
export async function waitUntil(tx: Db, deps: AskDeps, wait: WaitRequest, write: Write): Promise<number> {
  const { goal, run, failure, until, isKnown, isAnew = false, phase, outcome } = wait;
  const { goalId } = goal;
  const now = deps.now();
  const waitMs = until.getTime() - now.getTime();
  const limitWaits = run.limitWaits + 1;
  await updateRun(tx, run.runId, { limitWaits, ...(isAnew ? { agentSessionId: null } : {}) });
  const isHeld = await isHeldNow(tx, goal);
  if (!isHeld && tellsOfLimit(limitWaits, waitMs, deps.policy)) {
    const card = limitCard(goal, limitWaits, until, failure);
    const chatThread = threadInChat(deps.policy.places, "limit", goalId);
    markNotice(tx, `${goalId}.limit.${run.runId}.${goal.turn}`, { card, threadSubject: null, chatThread });
  }
  const { kind, error, isOutage } = failure;
  await appendTimeline(tx, {
    event: "recovery.limited",
    ...ofGoal({ ...goal, runId: run.runId }, now),
    detail: {
      kind,
      error,
      isOwnCommand: goal.runCommand === null ? undefined : true,
      until: until.toISOString(),
      isKnown,
      isOutage,
      ...(isHeld ? { isHeld } : {}),
    },
  });
  await write({ type: "retriesAt", at: until, phase, outcome });
  return waitMs;
}

/** True when a person has parked the goal, or paused or stopped its session, so that it does not continue by itself. */
async function isHeldNow(tx: Db, goal: Goal): Promise<boolean> {
  const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
  return goal.status === "blocked" || session?.status !== "running" || session.stopping;
}
