import { and, asc, desc, eq, or, sql } from "drizzle-orm";
import { type Goal, type GoalStatus, goalStatuses } from "../core/goals/goal.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import type { Db } from "./connection/client.ts";
import { isCut } from "./ready-goals.ts";
import { goals, goalWords } from "./schema/index.ts";

/** Queries for lists of goals, and their counts. */

/** Selects goals of a list. `skip`: how many of the newest are left out. */
export interface GoalFilter {
  readonly status?: GoalStatus;
  readonly repositoryId?: string;
  /** The goal's text has words that begin with each of these (`searchWords`), or the goal has the id `goalId`. Empty: no filter. */
  readonly words?: readonly string[];
  readonly goalId?: string;
  readonly limit?: number;
  readonly skip?: number;
}

/** The newest goals, at most `limit`, the oldest of them first. */
export async function listGoals(db: Db, filter: GoalFilter): Promise<Goal[]> {
  const { status, repositoryId, words = [], limit = 1000, skip = 0 } = filter;
  if (words.length > 0) return await findGoals(db, { ...filter, words, limit, skip });
  if (status === undefined && repositoryId === undefined) {
    const inOrder = db.select().from(goals).orderBy(desc(goals.createdAt), desc(goals.position));
    return (await inOrder.limit(limit).offset(skip)).reverse();
  }
  // Reads the newest goals of each status of each repository, as many as may be needed: an index has them in this order.
  const newest = db.$with("newest", {}).as(sql`
    select each.goal_id, each.created_at
    from cos.repositories
    cross join unnest(${textArray(status === undefined ? goalStatuses : [status])}) as wanted (status)
    cross join lateral (
      select g.goal_id, g.created_at from cos.goals g
      where g.repository_id = repositories.repository_id and g.status = wanted.status
      order by g.created_at desc, g.goal_id desc limit ${limit + skip}) each
    ${repositoryId === undefined ? sql`` : sql`where repositories.repository_id = ${repositoryId}`}
    order by each.created_at desc, each.goal_id desc limit ${limit} offset ${skip}`);
  // By id, the index would be searched a thousand times. Goals of the same age are stored side by side. `|| ''` keeps PostgreSQL from
  // using the id's index.
  return await db
    .with(newest)
    .select()
    .from(goals)
    .where(
      sql`${goals.createdAt} = any(array(select created_at from newest))
        and (${goals.goalId} || '') in (select goal_id from newest)`,
    )
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/** Goals that match the words, or that have the id typed among them. */
async function findGoals(
  db: Db,
  {
    status,
    repositoryId,
    words,
    goalId,
    limit,
    skip,
  }: GoalFilter & Required<Pick<GoalFilter, "words" | "limit" | "skip">>,
): Promise<Goal[]> {
  const query = words
    .map(
      (word) =>
        `(${casesOf(word)
          .map((each) => `'${each}':*`)
          .join(" | ")})`,
    )
    .join(" & ");
  const isMeant = or(sql`${goalWords} @@ to_tsquery('simple', ${query})`, eq(goals.goalId, goalId ?? ""));
  const found = await db
    .select()
    .from(goals)
    .where(
      and(
        isMeant,
        status === undefined ? undefined : eq(goals.status, status),
        repositoryId === undefined ? undefined : eq(goals.repositoryId, repositoryId),
      ),
    )
    .orderBy(desc(goals.createdAt), desc(goals.position))
    .limit(limit)
    .offset(skip);
  return found.reverse();
}

/** In a database with locale C, upper and lower case are known for A to Z only. Other letters are searched in each case. */
function casesOf(word: string): string[] {
  if (/^\p{ASCII}*$/u.test(word)) return [word];
  const [first = ""] = word;
  return [...new Set([word, first.toUpperCase() + word.slice(first.length), word.toUpperCase()])];
}

/** Who added the `limit` newest goals, when, and to which repository. Newest first. */
export async function newestAdded(
  db: Db,
  limit: number,
): Promise<Pick<Goal, "repositoryId" | "createdBy" | "createdAt">[]> {
  const { repositoryId, createdBy, createdAt } = goals;
  return await db.select({ repositoryId, createdBy, createdAt }).from(goals).orderBy(desc(createdAt)).limit(limit);
}

/** Number of goals by status. A status without goals is missing. */
export async function countGoals(db: Db): Promise<ReadonlyMap<GoalStatus, number>> {
  const found = await db.execute<{ status: GoalStatus; number: number }>(sql`
    select status, count(*)::int as number from cos.goals where status in ('pending', 'in_progress', 'blocked') group by status
    union all
    select substr(about, 6), sum(number)::int from cos.tallies where about like 'goal.%' group by about having sum(number) <> 0`);
  return new Map(found.rows.map(({ status, number }) => [status, number]));
}

/** Complete goals of a repository whose branch may still be merged or discarded, oldest first. */
export async function goalsWithBranch(db: Db, repositoryId: string): Promise<Goal[]> {
  const isOpen = sql`${goals.goalId} = any(array(select goal_id from cos.open_branches))`;
  const isFinished = sql`${goals.status} = 'complete' and ${goals.branch} is not null`;
  return await db
    .select()
    .from(goals)
    .where(and(isOpen, isFinished, eq(goals.repositoryId, repositoryId)))
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/** The goals that a worker holds now, oldest first. An expired lease does not count. */
export async function workedGoals(db: Db): Promise<Goal[]> {
  return await db
    .select()
    .from(goals)
    .where(sql`${goals.leasedBy} is not null and not (${isCut})`)
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/**
 * The goals that wait for their agent's provider (its limit or an outage), or for a remote that does not answer their push. The next to
 * continue comes first.
 */
export async function goalsAwaitingOthers(db: Db, now: Date): Promise<Goal[]> {
  return await db
    .select()
    .from(goals)
    .where(
      sql`${goals.status} = 'in_progress' and ${goals.leasedBy} is null and ${goals.wakeAt} > ${now}
        and exists (select 1 from cos.runs r where r.run_id = ${goals.runId} and r.limit_waits > 0)`,
    )
    .orderBy(asc(goals.wakeAt), asc(goals.position));
}

/** The ids of those given goals whose lease has expired. Sends no query when none of them has a lease. */
export async function cutGoals(
  db: Db,
  among: readonly Pick<Goal, "goalId" | "leasedBy">[],
): Promise<ReadonlySet<string>> {
  const leased = among.flatMap(({ goalId, leasedBy }) => (leasedBy === null ? [] : [goalId]));
  if (leased.length === 0) return new Set();
  const { goalId } = goals;
  const found = await db
    .select({ goalId })
    .from(goals)
    .where(and(isAnyOf(goalId, leased), isCut));
  return new Set(found.map((goal) => goal.goalId));
}
