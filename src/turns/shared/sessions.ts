import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { sessionGoals } from "../../db/goals.ts";
import { findOpenSession, lockSession, type Session, updateSession } from "../../db/sessions.ts";
import { applyTransition } from "../../db/transitions.ts";
import type { Doors } from "../../deps.ts";

/** Sessions as they are locked and held. */

/**
 * Locks the session of a goal and the open one of its repository, which come before the goal's own row and those of goals
 * on top of it (D9). Returns the one in which goals can be worked: open, and not stopping.
 */
export async function lockSessionsOf(tx: Db, goal: Pick<Goal, "sessionId" | "repositoryId">): Promise<Session | null> {
  if (goal.sessionId !== null) await lockSession(tx, goal.sessionId);
  const open = await findOpenSession(tx, goal.repositoryId);
  const locked = open === null || open.sessionId === goal.sessionId ? open : await lockSession(tx, open.sessionId);
  return locked === null || locked.status === "ended" || locked.stopping ? null : locked;
}

/** Holds a session: what runs is cut and goes on later. False when it is held already. The caller holds its lock. */
export async function pauseSession(tx: Db, deps: Doors, session: Session, by: string): Promise<boolean> {
  if (session.status === "paused") return false;
  await updateSession(tx, session.sessionId, { status: "paused", pausedBy: by });
  for (const goal of await sessionGoals(tx, session.sessionId)) {
    if (goal.leasedBy !== null) await applyTransition(tx, goal, { type: "isStopped", stop: "pause" }, deps.now());
  }
  return true;
}
