import { and, asc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { inAskedOrder, isPendingQuestion } from "./checkpoints.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { buildersWhere } from "./grounds.ts";
import type { Run } from "./runs.ts";
import { checkpoints, goals, runs, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

/** The rows that decide what a session does next. */

export interface SessionRows {
  readonly session: Session;
  /** In the order in which the session works them. */
  readonly goals: readonly Goal[];
  /** The open checkpoints about the session and its goals, oldest first. */
  readonly questions: readonly Checkpoint[];
  /** Unfinished goals of its repository that are on top of others. */
  readonly builders: readonly Goal[];
}

/** Four queries. Null when there is no such session. */
export async function sessionRows(reads: Db, sessionId: string): Promise<SessionRows | null> {
  return await bySession(reads, sessionId);
}

/** Like `sessionRows`, for the session of a checkpoint's goal, with the run that the checkpoint belongs to. */
export async function rowsAroundQuestion(
  reads: Db,
  checkpointId: string,
): Promise<{ readonly rows: SessionRows | null; readonly run: Run | null }> {
  const [rows, [run = null]] = await Promise.all([
    byQuestion(reads, checkpointId),
    runOfQuestion(reads, { checkpointId }),
  ]);
  return { rows, run };
}

const bySession = readingBy((id) => sql`${id}`);

const byQuestion = readingBy(
  (id) => sql`(select g.session_id from ${goals} g join ${checkpoints} c on c.goal_id = g.goal_id
    where c.checkpoint_id = ${id})`,
);

const runOfQuestion = builtOnce<{ checkpointId: string }, Run[]>((db, place) => {
  const runId = sql`(select c.run_id from ${checkpoints} c where c.checkpoint_id = ${place("checkpointId")})`;
  return db.select().from(runs).where(eq(runs.runId, runId));
});

function readingBy(sessionIdFor: (id: Placeholder) => SQL) {
  const sessionOf = builtOnce<{ id: string }, Session[]>((db, place) =>
    db
      .select()
      .from(sessions)
      .where(eq(sessions.sessionId, sessionIdFor(place("id")))),
  );
  const goalsOf = builtOnce<{ id: string }, Goal[]>((db, place) =>
    db
      .select()
      .from(goals)
      .where(eq(goals.sessionId, sessionIdFor(place("id"))))
      .orderBy(asc(goals.position)),
  );
  const questionsOf = builtOnce<{ id: string }, Checkpoint[]>((db, place) => {
    const isItsOwn = sql`${checkpoints.subject} = any(array(
      select goal_id from cos.goals where session_id = ${sessionIdFor(place("id"))}
      union all select ${sessionIdFor(place("id"))}))`;
    return db
      .select()
      .from(checkpoints)
      .where(and(isItsOwn, isPendingQuestion))
      .orderBy(...inAskedOrder);
  });
  const buildersOf = builtOnce<{ id: string }, Goal[]>((db, place) => {
    const repositoryId = sql`(select repository_id from cos.sessions where session_id = ${sessionIdFor(place("id"))})`;
    return buildersWhere(db, eq(goals.repositoryId, repositoryId));
  });

  return async (reads: Db, id: string): Promise<SessionRows | null> => {
    const [[session], all, questions, builders] = await Promise.all([
      sessionOf(reads, { id }),
      goalsOf(reads, { id }),
      questionsOf(reads, { id }),
      buildersOf(reads, { id }),
    ]);
    return session === undefined ? null : { session, goals: all, questions, builders };
  };
}
