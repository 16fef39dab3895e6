import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { endedStatuses, type Goal, goalStatuses } from "../core/goals/goal.ts";
import type { Edges, Ground } from "../core/goals/ground.ts";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";

/** Goals on top of others, by rows. */

const mergeStatuses = ["due", "merging", "merged", "undone", "refused", "discarded"] as const;

/** These goals as those on top of them see them; one that is not there is missing. */
export async function groundsOf(db: Db, goalIds: readonly string[]): Promise<Map<string, Ground>> {
  const ids = [...new Set(goalIds)];
  if (ids.length === 0) return new Map();
  const found = await db.execute<Record<string, string | null>>(sql`
    select g.goal_id, g.content, g.status, g.run_id, g.branch, coalesce(r.head_commit, r.base_commit) as commit, m.status as merge
    from cos.goals g
    left join cos.runs r on r.run_id = g.run_id
    left join lateral (
      select status from cos.merges
      where goal_id = g.goal_id and head_commit = r.head_commit order by merge_id desc limit 1) m on true
    where g.goal_id in ${ids}`);
  return new Map(
    found.rows.map((row) => {
      const goalId = String(row["goal_id"]);
      const status = goalStatuses.find((each) => each === row["status"]);
      if (status === undefined) throw new Error(`goal ${goalId} has the unknown status ${row["status"]}`);
      const ground: Ground = {
        goalId,
        content: String(row["content"]),
        status,
        runId: row["run_id"] ?? null,
        commit: row["commit"] ?? null,
        hasBranch: row["branch"] !== null,
        merge: mergeStatuses.find((each) => each === row["merge"]) ?? null,
      };
      return [goalId, ground];
    }),
  );
}

/** The goals that are on top of this one directly, in the order of their places. */
export async function buildersOf(db: Db, goalId: string): Promise<Goal[]> {
  return await db
    .select()
    .from(goals)
    .where(sql`${goals.after} @> ${JSON.stringify([goalId])}::jsonb`)
    .orderBy(asc(goals.position));
}

/** The unfinished goals that are on top of others: of a repository, or (null) of all. */
export async function openBuilders(db: Db, repositoryId: string | null): Promise<Goal[]> {
  const open = goalStatuses.filter((status) => !endedStatuses.includes(status));
  return await db
    .select()
    .from(goals)
    .where(
      and(
        repositoryId === null ? undefined : eq(goals.repositoryId, repositoryId),
        ne(goals.after, []),
        inArray(goals.status, open),
      ),
    )
    .orderBy(asc(goals.position));
}

/** Which goals of a repository are on top of which. */
export async function edgesIn(db: Db, repositoryId: string): Promise<Edges> {
  const found = await db
    .select({ goalId: goals.goalId, after: goals.after })
    .from(goals)
    .where(and(eq(goals.repositoryId, repositoryId), ne(goals.after, [])));
  return new Map(found.map(({ goalId, after }) => [goalId, after]));
}
