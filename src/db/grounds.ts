import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Goal, goalStatuses } from "../core/goals/goal.ts";
import type { Edges, Ground } from "../core/goals/ground.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { isUnfinished } from "./goals.ts";
import { goals } from "./schema/index.ts";

/** Goals that are on top of other goals, from rows. */

const mergeStatuses = ["due", "merging", "merged", "undone", "refused", "discarded"] as const;

/** These goals as their dependent goals see them. Unknown ids are missing. */
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
    where g.goal_id = any(${textArray(ids)})`);
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

/** The goals that are directly on top of this one, by position. */
export async function buildersOf(db: Db, goalId: string): Promise<Goal[]> {
  return await buildersByGoal(db, { ground: JSON.stringify([goalId]) });
}

const buildersByGoal = builtOnce<{ ground: string }, Goal[]>((db, place) =>
  db
    .select()
    .from(goals)
    .where(sql`${goals.after} @> ${place("ground")}::jsonb and ${goals.after} <> '[]'`)
    .orderBy(asc(goals.position)),
);

/** The unfinished goals that are on top of others, of one repository or (null) of all. */
export async function openBuilders(db: Db, repositoryId: string | null): Promise<Goal[]> {
  return repositoryId === null ? await buildersWhere(db, undefined) : await openBuildersOf(db, { repositoryId });
}

const openBuildersOf = builtOnce<{ repositoryId: string }, Goal[]>((db, place) =>
  buildersWhere(db, eq(goals.repositoryId, place("repositoryId"))),
);

/** Unfinished goals that are on top of others and match `where`, by position. */
export function buildersWhere(db: Db, where: SQL | undefined) {
  const isOpen = sql`${goals.after} <> '[]' and ${isUnfinished}`;
  return db.select().from(goals).where(and(where, isOpen)).orderBy(asc(goals.position));
}

/** What each of these goals is on top of, and transitively what those are on top of. */
export async function edgesUnder(db: Db, goalIds: readonly string[]): Promise<Edges> {
  const found = await db.execute<{ goal_id: string; after: string[] }>(sql`
    with recursive under as (
      select goal_id, after from cos.goals where goal_id = any(${textArray(goalIds)})
      union
      select below.goal_id, below.after
      from under
      cross join lateral jsonb_array_elements_text(under.after) as on_it (goal_id)
      cross join lateral (select goal_id, after from cos.goals where goals.goal_id = on_it.goal_id limit 1) below)
    select goal_id, after from under where after <> '[]'`);
  return new Map(found.rows.map((row) => [row.goal_id, row.after]));
}
