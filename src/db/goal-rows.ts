import { and, eq, notInArray, or, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import type { Merge } from "./merges.ts";
import type { Pull } from "./pulls.ts";
import type { Repository } from "./repositories.ts";
import type { Run } from "./runs.ts";
import type { Session } from "./sessions.ts";
import { isPendingQuestion } from "./checkpoints.ts";
import { isCut } from "./ready-goals.ts";
import { checkpoints, goals, merges, pulls, repositories, runs, sessions, workers } from "./schema/index.ts";

/** A goal with its related rows, at most one of each kind. */
export interface GoalRows {
  readonly goal: Goal;
  readonly repository: Repository | null;
  readonly run: Run | null;
  /** True when the goal has an open checkpoint. */
  readonly isAsked: boolean;
  /** The session that works the goal, or worked it last. */
  readonly session: Pick<Session, "sessionId" | "nightId" | "campaignId"> | null;
  /** The latest decision about its branch. A merge or discard at another commit than the run's head is ignored. */
  readonly merge: Merge | null;
  readonly pull: Pull | null;
  /** True when its turn was cut: it has a lease, and the lease has expired. */
  readonly isCut: boolean;
  /** True when at least one worker cannot work its repository. */
  readonly isLacked: boolean;
}

/** Reads everything in one statement. Null when there is no such goal. */
export async function goalRows(db: Db, goalId: string): Promise<GoalRows | null> {
  const [row] = await withGoal(db, { goalId });
  return row === undefined ? null : { ...row, isAsked: row.asked !== null };
}

type Joined = Omit<GoalRows, "isAsked"> & { readonly asked: string | null };

const withGoal = builtOnce<{ goalId: string }, Joined[]>((db, place) => {
  const lacked = sql`select 1 from ${workers}, jsonb_array_elements(${workers.lacks}) as lack where lack ->> 'repositoryId' = ${goals.repositoryId}`;
  const newest = sql`(select max(merge_id) from ${merges} where goal_id = ${goals.goalId})`;
  const isStanding = or(notInArray(merges.status, ["merged", "discarded"]), eq(merges.headCommit, runs.headCommit));
  return db
    .select({
      goal: goals,
      repository: repositories,
      run: runs,
      merge: merges,
      pull: pulls,
      session: sessions,
      asked: checkpoints.checkpointId,
      isCut,
      isLacked: sql<boolean>`exists (${lacked})`,
    })
    .from(goals)
    .leftJoin(repositories, eq(repositories.repositoryId, goals.repositoryId))
    .leftJoin(runs, eq(runs.runId, goals.runId))
    .leftJoin(merges, and(eq(merges.mergeId, newest), isStanding))
    .leftJoin(pulls, eq(pulls.goalId, goals.goalId))
    .leftJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .leftJoin(checkpoints, and(eq(checkpoints.subject, goals.goalId), isPendingQuestion))
    .where(eq(goals.goalId, place("goalId")));
});
