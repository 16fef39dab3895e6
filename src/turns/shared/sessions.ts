import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { pendingAbout, updatePending } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { sessionGoals } from "../../db/goals.ts";
import { findOpenSession, lockSession, type Session, updateSession } from "../../db/sessions.ts";
import { mark } from "../../db/connection/marks.ts";
import { applyTransition } from "../../db/transitions.ts";
import type { Doors } from "../../deps.ts";

/** Locks and pauses sessions. */

/**
 * Locks a goal's session and the open session of its repository. These locks come before those of the goal and of the goals that build on
 * it (D9). Returns the session in which goals can be worked: open and not stopping. Null when there is none.
 */
export async function lockSessionsOf(tx: Db, goal: Pick<Goal, "sessionId" | "repositoryId">): Promise<Session | null> {
  if (goal.sessionId !== null) await lockSession(tx, goal.sessionId);
  const open = await findOpenSession(tx, goal.repositoryId);
  const locked = open === null || open.sessionId === goal.sessionId ? open : await lockSession(tx, open.sessionId);
  return locked === null || locked.status === "ended" || locked.stopping ? null : locked;
}

/**
 * Pauses a session. Running work is interrupted and goes on after the pause. False when it was paused already, unless by *Pause* on a card: then
 * the new pause replaces that one. The caller holds its lock.
 */
export async function pauseSession(tx: Db, deps: Doors, session: Session, by: string): Promise<boolean> {
  const isCards = await forgetPauses(tx, await questionsIn(tx, session.sessionId));
  if (session.status === "paused" && !isCards) return false;
  await updateSession(tx, session.sessionId, { status: "paused", pausedBy: by });
  for (const goal of await sessionGoals(tx, session.sessionId)) {
    if (goal.leasedBy !== null)
      await applyTransition(tx, goal, { type: "isStopped", stop: "pause" }, { updatedAt: deps.now() });
  }
  return true;
}

/** The open questions about a session and its goals. */
export async function questionsIn(tx: Db, sessionId: string): Promise<Checkpoint[]> {
  const goals = await sessionGoals(tx, sessionId);
  return await pendingAbout(tx, [sessionId, ...goals.map((goal) => goal.goalId)]);
}

/**
 * Forgets that *Pause* on a card has paused a session or campaign, because a person has resumed or paused it in another way. From now on an
 * answer to the card does not resume it. True when one of these questions had paused it. The caller holds the session's or campaign's
 * lock.
 */
export async function forgetPauses(tx: Db, questions: readonly Checkpoint[]): Promise<boolean> {
  const holding = questions.filter((question) => question.pausedBy !== null);
  for (const question of holding) {
    await updatePending(tx, question.checkpointId, { pausedBy: null });
    mark(tx, "checkpoint", question.checkpointId);
  }
  return holding.length > 0;
}
