import { and, desc, eq, gte, inArray, or, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import type { FinishedBranch } from "../core/reports/branches.ts";
import type { Reservation } from "../core/reports/standup-facts.ts";
import type { Db } from "./client.ts";
import { goals, scheduleRuns } from "./schema.ts";

/** When a schedule ran last; null when it never has. */
export async function lastRunAt(db: Db, schedule: string): Promise<Date | null> {
  const found = await db
    .select({ at: scheduleRuns.at })
    .from(scheduleRuns)
    .where(eq(scheduleRuns.schedule, schedule))
    .orderBy(desc(scheduleRuns.runFor))
    .limit(1);
  return found[0]?.at ?? null;
}

/** What ended between two moments, and what was blocked or left to a person; the newest first. */
export async function goalsToReport(db: Db, since: Date, manualSince: Date): Promise<Goal[]> {
  return await db
    .select()
    .from(goals)
    .where(
      or(
        and(inArray(goals.status, ["complete", "failed"]), gte(goals.updatedAt, since)),
        and(eq(goals.status, "manual_followup"), gte(goals.updatedAt, manualSince)),
        eq(goals.status, "blocked"),
      ),
    )
    .orderBy(desc(goals.updatedAt), desc(goals.position));
}

/** Those of the goals that are complete. */
export async function completeGoals(db: Db, goalIds: readonly string[]): Promise<Goal[]> {
  if (goalIds.length === 0) return [];
  return await db
    .select()
    .from(goals)
    .where(and(inArray(goals.goalId, [...goalIds]), eq(goals.status, "complete")));
}

/** Complete goals with a commit that ended since a moment, the newest first, by the repository that they are of. */
export async function finishedBranches(
  db: Db,
  since: Date,
): Promise<(FinishedBranch & { readonly repositoryId: string })[]> {
  const found = await db.execute<Record<string, string>>(sql`
    select g.goal_id, g.repository_id, g.content, g.branch, r.head_commit, r.base_commit, r.ended_at,
      m.status, m.into_branch
    from cos.goals g
    join cos.runs r on r.run_id = g.run_id and r.head_commit is not null and r.ended_at >= ${since}
    left join lateral (
      select status, into_branch from cos.merges
      where goal_id = g.goal_id and head_commit = r.head_commit order by merge_id desc limit 1) m on true
    where g.status = 'complete' and g.branch is not null
    order by r.ended_at desc, g.position desc`);
  return found.rows.map((row) => ({
    goalId: String(row["goal_id"]),
    repositoryId: String(row["repository_id"]),
    content: String(row["content"]),
    branch: String(row["branch"]),
    headCommit: String(row["head_commit"]),
    baseCommit: row["base_commit"] ?? null,
    endedAt: new Date(String(row["ended_at"])),
    merge: mergeIn(row["status"], row["into_branch"]),
  }));
}

const mergeStatuses = ["due", "merging", "merged", "undone", "refused", "discarded"] as const;

function mergeIn(status: string | undefined, into: string | undefined): FinishedBranch["merge"] {
  const known = mergeStatuses.find((each) => each === status);
  return known === undefined || into === undefined ? null : { status: known, into };
}

/** Micro-dollars that were reported or settled since a moment: what a call had cost before is not in it. */
export async function spentSince(db: Db, since: Date): Promise<{ microUsd: number; isEstimated: boolean }> {
  const found = await db.execute<{ spent: string | null; estimated: boolean | null }>(sql`
    select sum(coalesce(settled, reported, 0) - coalesce(settled_before, reported_before, 0)) as spent,
      bool_or(is_estimated) as estimated
    from (
      select max(amount_micro_usd) filter (where kind = 'settled') as settled,
        max(amount_micro_usd) filter (where kind = 'reported') as reported,
        max(amount_micro_usd) filter (where kind = 'settled' and at < ${since}) as settled_before,
        max(amount_micro_usd) filter (where kind = 'reported' and at < ${since}) as reported_before,
        bool_or(is_estimated) filter (where kind <> 'reserved' and at >= ${since}) as is_estimated
      from cos.spend
      where call_id in (select call_id from cos.spend where at >= ${since})
      group by call_id) calls`);
  const row = found.rows[0];
  return { microUsd: Number(row?.spent ?? 0), isEstimated: row?.estimated === true };
}

/** What calls that have not ended may still cost, the largest first. */
export async function openReservations(db: Db): Promise<Reservation[]> {
  const found = await db.execute<Record<string, string>>(sql`
    select c.goal_id, coalesce(g.content, m.name, '') as content,
      c.committed_micro_usd - c.spent_micro_usd as left_micro_usd
    from cos.call_costs c
    left join cos.goals g on g.goal_id = c.goal_id
    left join cos.campaigns m on m.campaign_id = c.campaign_id
    where not c.is_settled and c.committed_micro_usd > c.spent_micro_usd
    order by left_micro_usd desc, c.call_id`);
  return found.rows.map((row) => ({
    goalId: row["goal_id"] ?? null,
    content: String(row["content"]),
    leftMicroUsd: Number(row["left_micro_usd"]),
  }));
}
