import { and, eq, sql } from "drizzle-orm";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { builtOnce } from "./connection/built.ts";
import { type Db, readsFor } from "./connection/client.ts";
import { noteHeld } from "./connection/held.ts";
import { noteLocked } from "./connection/looks.ts";
import { checkpoints, goals, nights, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

/** Checkpoints together with their goals. */

/** A checkpoint that is to be answered, with its goal. */
export interface AskedQuestion {
  readonly checkpoint: Checkpoint;
  /** Its goal, locked like the checkpoint. Null when the checkpoint is settled or about no goal: then nothing was locked. */
  readonly goal: Goal | null;
}

/**
 * Finds a checkpoint to answer it, in one statement. For an open one about a goal it locks, in this order, the night whose money it
 * asks for, session, goal and checkpoint (D9). It returns each as it is when it is locked. For a settled checkpoint it waits for no
 * lock. Null when there is no such checkpoint.
 */
export async function lockQuestion(db: Db, checkpointId: string): Promise<AskedQuestion | null> {
  const [found] = await asked(db, { checkpointId });
  if (found === undefined) return null;
  const { seen, session, goal, question } = found;
  if (goal === null || question === null) return { checkpoint: seen, goal: null };
  const tx = readsFor(db);
  if (session !== null) noteLocked(tx, session.sessionId);
  noteHeld(tx, goal.goalId, goal);
  noteHeld(tx, checkpointId, question);
  return { checkpoint: question, goal };
}

interface Found {
  readonly seen: Checkpoint;
  /** The session that the goal was in when the statement read it. */
  readonly session: Session | null;
  readonly goal: Goal | null;
  readonly question: Checkpoint | null;
}

const asked = builtOnce<{ checkpointId: string }, Found[]>((db, place) => {
  const isAsked = eq(checkpoints.checkpointId, place("checkpointId"));
  const isOpen = and(isAsked, sql`${checkpoints.status} = 'pending' and ${checkpoints.campaignId} is null`);
  const seen = db.$with("seen").as(db.select().from(checkpoints).where(isAsked));
  const about = db
    .$with("about")
    .as(
      db
        .select({ kind: checkpoints.kind, goalId: goals.goalId, sessionId: goals.sessionId, nightId: sessions.nightId })
        .from(checkpoints)
        .innerJoin(goals, eq(goals.goalId, checkpoints.goalId))
        .leftJoin(sessions, eq(sessions.sessionId, goals.sessionId))
        .where(isOpen),
    );
  const isPaying = eq(nights.nightId, sql`(select night_id from ${about} where kind = 'ceiling')`);
  const night = db.$with("night").as(db.select().from(nights).where(isPaying).for("no key update"));
  // Each `count(*)` forces the lock before it to be taken first.
  const isWorking = eq(
    sessions.sessionId,
    sql`(select session_id from ${about} where (select count(*) from ${night}) >= 0)`,
  );
  const session = db.$with("session").as(db.select().from(sessions).where(isWorking).for("update"));
  const isMeant = eq(goals.goalId, sql`(select goal_id from ${about} where (select count(*) from ${session}) >= 0)`);
  const goal = db.$with("goal").as(db.select().from(goals).where(isMeant).for("update"));
  const isLast = and(sql`(select count(*) from ${goal}) > 0`, isAsked);
  const question = db.$with("question").as(db.select().from(checkpoints).where(isLast).for("update"));
  return db
    .with(seen, about, night, session, goal, question)
    .select()
    .from(seen)
    .leftJoin(session, sql`true`)
    .leftJoin(goal, sql`true`)
    .leftJoin(question, sql`true`);
});
