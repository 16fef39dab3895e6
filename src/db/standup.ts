import { and, asc, desc, eq, not, or, type SQL, sql } from "drizzle-orm";
import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import { type FinishedBranch, newsFrom } from "../core/reports/branches.ts";
import type { GoalEnd, ReservedLine } from "../core/reports/standup-facts.ts";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { countGoals } from "./goal-lists.ts";
import { goalsById, isUnfinished } from "./goals.ts";
import { goals } from "./schema/index.ts";
import { detailOf, eventNames } from "./timeline.ts";

/** How goals ended since `since`, newest first. Of each goal only its last end. */
export async function endsSince(db: Db, since: Date): Promise<GoalEnd[]> {
  const found = await db.execute<{ goal_id: string; timeline_id: string; at: string }>(sql`
    select * from (
      select distinct on (goal_id) goal_id, at, timeline_id from cos.timeline
      where ${happenedSince(since)} and event in ${eventNames("goal.complete", "goal.failed", "goal.deferred", "goal.manual_followup")}
      order by goal_id, timeline_id desc) ends
    order by timeline_id desc`);
  return found.rows.map((row) => {
    return { goalId: row.goal_id, timelineId: Number(row.timeline_id), at: new Date(row.at) };
  });
}

/** The goals of these ends, in the same order. Goals that have been resumed are left out. */
export async function endedGoals(db: Db, ends: readonly GoalEnd[]): Promise<Goal[]> {
  const order = ends.map(({ goalId }) => goalId);
  const goals = new Map((await goalsById(db, order)).map((goal) => [goal.goalId, goal]));
  return order.flatMap((goalId) => goals.get(goalId) ?? []).filter((goal) => endedStatuses.includes(goal.status));
}

/** Goals of removed repositories: nobody can do anything about them. */
const isAway = sql`${goals.repositoryId} in (select repository_id from cos.repositories where removed_at is not null)`;

/** Goals that were left to a person since `since`, newest first. */
export async function manualSince(db: Db, since: Date): Promise<Goal[]> {
  return await db
    .select()
    .from(goals)
    .where(and(leftSince(since), not(isAway)))
    .orderBy(desc(goals.updatedAt), desc(goals.position));
}

/** Finds the time in the timeline: an index on the goals' times would have to be updated with every change of every goal. */
function leftSince(since: Date): SQL {
  return sql`${goals.status} = 'manual_followup' and ${goals.goalId} = any(array(
    select goal_id from cos.timeline where ${happenedSince(since)} and event in ${eventNames("goal.manual_followup")} and goal_id is not null))`;
}

/**
 * The upper bound excludes nothing. When PostgreSQL plans without knowing the values, it estimates that `at >= x` matches a third of
 * the table, and reads all of it. For a range with two ends it estimates few rows.
 */
function happenedSince(since: Date): SQL {
  return sql`at >= ${since} and at < 'infinity'`;
}

/** Number of goals that were left to a person before `before` and whose outcome nobody has reported. */
export async function countManualBefore(db: Db, before: Date): Promise<number> {
  const all = (await countGoals(db)).get("manual_followup") ?? 0;
  const [later] = await db
    .select({ number: sql<number>`count(*)::int` })
    .from(goals)
    .where(or(leftSince(before), and(eq(goals.status, "manual_followup"), isAway)));
  return all - (later?.number ?? 0);
}

/** All unfinished goals: most urgent first, then oldest. */
export async function openGoals(db: Db): Promise<Goal[]> {
  const rank = sql`case ${goals.priority} when 'high' then 0 when 'medium' then 1 else 2 end`;
  return await db.select().from(goals).where(isUnfinished).orderBy(rank, asc(goals.position));
}

/** Complete goals with a commit whose run ended since `since`, newest first, each with its repository. */
export async function finishedBranches(
  db: Db,
  since: Date,
): Promise<(FinishedBranch & { readonly repositoryId: string })[]> {
  const found = await db.execute<Record<string, string>>(sql`
    select g.goal_id, g.repository_id, g.content, g.branch, r.head_commit, r.base_commit, r.ended_at,
      m.status, m.into_branch, f.news, f.commit
    from cos.runs r
    cross join lateral (
      select * from cos.goals where goals.goal_id = r.goal_id and goals.run_id = r.run_id limit 1) g
    left join lateral (
      select status, into_branch, settled_at from cos.merges
      where goal_id = g.goal_id and head_commit = r.head_commit order by merge_id desc limit 1) m on true
    left join lateral (
      select t.${detailOf<"goal.found-in-git">("news")} as news, t.${detailOf<"goal.found-in-git">("commit")} as commit
      from cos.timeline t
      where t.goal_id = g.goal_id and t.event in ${eventNames("goal.found-in-git")}
        and t.at >= greatest(r.ended_at, case when m.status = 'merged' then m.settled_at end)
      order by t.timeline_id desc limit 1) f on true
    where r.head_commit is not null and r.ended_at >= ${since} and g.status = 'complete' and g.branch is not null
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
    ...foundIn(row["news"] ?? null, row["commit"] ?? null),
  }));
}

type UndecidedWanted = Readonly<
  { goalIds: readonly string[] } | { repositoryId: string } | { endedBefore: Date } | { endedSince: Date }
>;

/**
 * Complete goals of known repositories whose branch waits for a decision, newest first. By our rows it was not merged or discarded, and
 * is not being merged or in a merge queue. Nor has a standup found it merged, reverted or gone.
 */
export async function undecidedBranches(
  db: Db,
  which: UndecidedWanted,
): Promise<{ readonly goalId: string; readonly endedAt: Date }[]> {
  const found = await db.execute<{ goal_id: string; ended_at: string }>(sql`
    select g.goal_id, r.ended_at
    from cos.open_branches b
    cross join lateral (select * from cos.goals where goals.goal_id = b.goal_id limit 1) g
    cross join lateral (select * from cos.runs where runs.run_id = g.run_id limit 1) r
    where g.status = 'complete' and g.branch is not null and r.head_commit is not null and ${whichRuns(which)}
      and not exists (
        select 1 from cos.merges m where m.goal_id = g.goal_id and m.head_commit = r.head_commit
          and m.status in ('due', 'merging', 'merged', 'discarded'))
      and not exists (
        select 1 from ${openlyQueued} where q.goal_id = g.goal_id)
      and not exists (
        select 1 from cos.repositories p where p.repository_id = g.repository_id and p.removed_at is not null)
      and not exists (
        select 1 from cos.timeline t where t.goal_id = g.goal_id and t.event in ${eventNames("goal.found-in-git")} and t.at >= r.ended_at)
    order by r.ended_at desc, g.position desc`);
  return found.rows.map((row) => ({ goalId: row.goal_id, endedAt: new Date(row.ended_at) }));
}

/** Branches in an open merge queue that are neither merged nor left out yet. */
const openlyQueued = sql`(
  select queued.goal_id from cos.queued_merges queued join cos.merge_queues on merge_queues.queue_id = queued.queue_id
  where merge_queues.ended_at is null and queued.state not in ('merged', 'left-out')) q`;

/** Complete goals whose branch is being merged or waits in a merge queue. */
export async function branchesUnderWay(db: Db): Promise<Map<string, "merging" | "queued">> {
  const found = await db.execute<{ goal_id: string; is_merging: boolean }>(sql`
    select goal_id, bool_or(is_merging) as is_merging from (
      select m.goal_id, true as is_merging
      from cos.merges m join cos.goals g on g.goal_id = m.goal_id join cos.runs r on r.run_id = g.run_id
      where m.status in ('due', 'merging') and m.head_commit = r.head_commit and g.status = 'complete'
      union all
      select q.goal_id, false from ${openlyQueued} join cos.goals g on g.goal_id = q.goal_id
      where g.status = 'complete') under_way
    group by goal_id order by goal_id`);
  return new Map(found.rows.map((row) => [row.goal_id, row.is_merging ? "merging" : "queued"]));
}

/** Those of the goals whose work a standup has found in the base branch although we did not merge it. */
export async function foundMerged(db: Db, goalIds: readonly string[]): Promise<Set<string>> {
  if (goalIds.length === 0) return new Set();
  const found = await db.execute<{ goal_id: string }>(sql`
    select distinct t.goal_id
    from cos.timeline t join cos.goals g on g.goal_id = t.goal_id join cos.runs r on r.run_id = g.run_id
    where t.goal_id = any(${textArray(goalIds)}) and t.event in ${eventNames("goal.found-in-git")}
      and t.${detailOf<"goal.found-in-git">("news")} in ('merged-by-hand', 'reverted') and t.at >= r.ended_at`);
  return new Set(found.rows.map((row) => row.goal_id));
}

function whichRuns(which: UndecidedWanted): SQL {
  if ("endedBefore" in which) return sql`r.ended_at < ${which.endedBefore}`;
  if ("endedSince" in which) return sql`r.ended_at >= ${which.endedSince}`;
  if ("repositoryId" in which) return sql`g.repository_id = ${which.repositoryId}`;
  return sql`b.goal_id = any(${textArray(which.goalIds)})`;
}

const mergeStatuses = ["due", "merging", "merged", "undone", "refused", "discarded"] as const;

function foundIn(news: string | null, commit: string | null): Pick<FinishedBranch, "found"> {
  const found = news === null ? null : newsFrom(news, commit);
  return found === null ? {} : { found };
}

function mergeIn(status: string | undefined, into: string | undefined): FinishedBranch["merge"] {
  const known = mergeStatuses.find((each) => each === status);
  return known === undefined || into === undefined ? null : { status: known, into };
}

/**
 * Micro-dollars that were reported or settled from `since` until `until` (exclusive; null: until now), without what the same calls had cost
 * before. A reported settlement takes precedence over an estimated one, as in the ledger (`cos.call_costs`).
 */
export async function spentSince(
  db: Db,
  since: Date,
  until: Date | null = null,
): Promise<{ microUsd: number; isEstimated: boolean }> {
  const isBefore = until === null ? sql`true` : sql`at < ${until}`;
  const found = await db.execute<{ spent: string | null; estimated: boolean | null }>(sql`
    select sum(coalesce(said, greatest(assumed, reported), 0)
        - coalesce(said_before, greatest(assumed_before, reported_before), 0)) as spent,
      bool_or(said is null and is_estimated) as estimated
    from (
      select max(amount_micro_usd) filter (where kind = 'settled' and not is_estimated) as said,
        max(amount_micro_usd) filter (where kind = 'settled' and is_estimated) as assumed,
        max(amount_micro_usd) filter (where kind = 'reported') as reported,
        max(amount_micro_usd) filter (where kind = 'settled' and not is_estimated and at < ${since}) as said_before,
        max(amount_micro_usd) filter (where kind = 'settled' and is_estimated and at < ${since}) as assumed_before,
        max(amount_micro_usd) filter (where kind = 'reported' and at < ${since}) as reported_before,
        bool_or(is_estimated) filter (where kind <> 'reserved' and at >= ${since}) as is_estimated
      from (
        select distinct call_id, goal_id, campaign_id from cos.spend where at >= ${since} and ${isBefore}) touched
      cross join lateral (
        select kind, amount_micro_usd, is_estimated, at from cos.spend s
        where ${isBefore} and s.call_id = touched.call_id and (s.goal_id = touched.goal_id or s.campaign_id = touched.campaign_id
          or (touched.goal_id is null and touched.campaign_id is null and s.goal_id is null and s.campaign_id is null))
        offset 0) line
      group by call_id) calls`);
  const row = found.rows[0];
  return { microUsd: Number(row?.spent ?? 0), isEstimated: row?.estimated === true };
}

/**
 * What unsettled calls may still cost, largest first. Includes the calls of goals with an open run or a reservation since `since`, and
 * the planning calls of open campaigns.
 */
export async function openReservations(db: Db, since: Date): Promise<ReservedLine[]> {
  const found = await db.execute<Record<string, string>>(sql`
    select c.goal_id, coalesce(g.content, m.name, '') as content,
      c.committed_micro_usd - c.spent_micro_usd as left_micro_usd
    from (
      select * from cos.call_costs
      where goal_id = any(array(
        select goal_id from cos.runs where status = 'open'
        union select goal_id from cos.spend where at >= ${since} and kind = 'reserved' and goal_id is not null))
      union all
      select * from cos.call_costs
      where campaign_id = any(array(
        select campaign_id from cos.campaigns where state in ('planning', 'active', 'paused')))) c
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
