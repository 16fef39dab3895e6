import { and, eq, sql } from "drizzle-orm";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { noteHeld } from "./connection/held.ts";
import { noteLocked } from "./connection/looks.ts";
import { checkpoints, goals, sessions } from "./schema/index.ts";

/** Questions together with what they are about. */

/** A question with the goal that it is about and that one's session, as they are seen before anything is locked. */
export interface SeenQuestion {
  readonly checkpoint: Checkpoint;
  readonly sessionId: string | null;
  readonly nightId: string | null;
}

export async function seeQuestion(db: Db, checkpointId: string): Promise<SeenQuestion | null> {
  const found = await seen(db, { checkpointId });
  return found[0] ?? null;
}

const seen = builtOnce<{ checkpointId: string }, SeenQuestion[]>((db, place) =>
  db
    .select({ checkpoint: checkpoints, sessionId: goals.sessionId, nightId: sessions.nightId })
    .from(checkpoints)
    .leftJoin(goals, eq(goals.goalId, checkpoints.goalId))
    .leftJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(eq(checkpoints.checkpointId, place("checkpointId"))),
);

/**
 * Locks session, goal and question in this order (D9), by one statement: each is returned as it is when it is locked. Null when goal
 * or question is not there. `sessionId`: the goal's, as it was seen.
 */
export async function lockQuestion(
  tx: Db,
  ids: { readonly sessionId: string | null; readonly goalId: string; readonly checkpointId: string },
): Promise<{ readonly goal: Goal; readonly checkpoint: Checkpoint } | null> {
  const { sessionId, goalId, checkpointId } = ids;
  const [found] = await locked(tx, { sessionId: sessionId ?? "", goalId, checkpointId });
  if (found === undefined) return null;
  if (sessionId !== null) noteLocked(tx, sessionId);
  noteHeld(tx, goalId, found.goal);
  noteHeld(tx, checkpointId, found.question);
  return { goal: found.goal, checkpoint: found.question };
}

interface Ids extends Record<string, string> {
  readonly sessionId: string;
  readonly goalId: string;
  readonly checkpointId: string;
}

const locked = builtOnce<Ids, { readonly goal: Goal; readonly question: Checkpoint }[]>((db, place) => {
  const ofSession = db
    .select()
    .from(sessions)
    .where(eq(sessions.sessionId, place("sessionId")));
  const session = db.$with("session").as(ofSession.for("update"));
  // Each is counted before the next one is looked at.
  const ofGoal = and(sql`(select count(*) from ${session}) >= 0`, eq(goals.goalId, place("goalId")));
  const goal = db.$with("goal").as(db.select().from(goals).where(ofGoal).for("update"));
  const ofQuestion = and(sql`(select count(*) from ${goal}) >= 0`, eq(checkpoints.checkpointId, place("checkpointId")));
  const question = db.$with("question").as(db.select().from(checkpoints).where(ofQuestion).for("update"));
  return db.with(session, goal, question).select().from(question).innerJoin(goal, sql`true`);
});
