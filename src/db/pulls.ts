import { and, count, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { pulls } from "./schema/index.ts";

export type Pull = typeof pulls.$inferSelect;

/**
 * Complete goals of these repositories whose branch waits for a decision and that need a new pull request row. They have none yet, or
 * it was merged, or closed and discarded, with earlier work.
 */
export async function goalsWithoutPull(
  db: Db,
  repositoryIds: readonly string[],
): Promise<{ readonly goalId: string; readonly repositoryId: string }[]> {
  const found = await db.execute<{ goal_id: string; repository_id: string }>(sql`
    select g.goal_id, g.repository_id
    from cos.open_branches b
    cross join lateral (select * from cos.goals where goals.goal_id = b.goal_id limit 1) g
    cross join lateral (select head_commit from cos.runs where runs.run_id = g.run_id limit 1) r
    where g.status = 'complete' and g.branch is not null and r.head_commit is not null
      and g.repository_id = any(${textArray(repositoryIds)})
      and not exists (
        select 1 from cos.pulls p
        where p.goal_id = g.goal_id and not (p.state = 'merged' and p.merged_work <> r.head_commit)
          and not (p.state = 'closed' and exists (
            select 1 from cos.merges d
            where d.goal_id = g.goal_id and d.status = 'discarded' and d.head_commit <> r.head_commit
              and d.settled_at between p.created_at and p.ended_at)))
      and not exists (
        select 1 from cos.merges m where m.goal_id = g.goal_id and m.head_commit = r.head_commit
          and m.status in ('due', 'merging', 'merged', 'discarded'))
    order by g.position`);
  return found.rows.map((row) => ({ goalId: row.goal_id, repositoryId: row.repository_id }));
}

/**
 * Records that a goal is to have a pull request. An existing one stays. One that is merged or closed is replaced: remarks about it
 * still wait. Idempotent.
 */
export async function wantPull(
  tx: Db,
  wanted: Pick<Pull, "goalId" | "provider" | "host" | "path"> & { readonly now: Date },
): Promise<void> {
  const { now, ...row } = wanted;
  const fresh = { ...row, state: "wanted", createdAt: now, dueAt: now } as const;
  const none = { number: null, url: null, isDraft: true, written: null, seen: null, mergedWork: null };
  const notEnded = { endedBy: null, endedAt: null, failures: 0, troubleKind: null, trouble: null };
  const unheard = { heard: null, heardAt: null, checks: null, checksDueAt: null, checksGiven: null, checkRounds: 0 };
  await tx
    .insert(pulls)
    .values(fresh)
    .onConflictDoUpdate({
      target: pulls.goalId,
      set: { ...fresh, ...none, ...notEnded, ...unheard },
      setWhere: sql`${pulls.state} in ('merged', 'closed')`,
    });
}

/**
 * Pull requests to look at now: they are due, or something about their goal differs from the last look. Includes those that were closed
 * since `closedSince` and whose branch waits for a decision: somebody may reopen them. At most 50.
 */
export async function duePulls(
  db: Db,
  hosts: readonly string[],
  { now, closedSince }: { readonly now: Date; readonly closedSince: Date },
): Promise<{ readonly goalId: string; readonly repositoryId: string; readonly seen: string }[]> {
  const found = await db.execute<{ goal_id: string; repository_id: string; seen: string }>(sql`
    select p.goal_id, g.repository_id, s.seen
    from (
      select * from cos.pulls where state in ('wanted', 'open')
      union all
      select closed.* from cos.pulls closed join cos.open_branches b on b.goal_id = closed.goal_id
      where closed.state = 'closed' and closed.ended_at > ${closedSince} and closed.due_at <= ${now}
    ) p
    join cos.goals g on g.goal_id = p.goal_id
    left join cos.runs r on r.run_id = g.run_id
    left join lateral (
      select merge_id, status from cos.merges where merges.goal_id = p.goal_id order by merge_id desc limit 1) m on true
    cross join lateral (
      select concat_ws(' ', g.run_id, g.status, r.head_commit, m.merge_id, m.status) as seen) s
    where p.host = any(${textArray(hosts)})
      and (p.due_at <= ${now} or p.seen is distinct from s.seen)
    order by p.due_at
    limit 50`);
  return found.rows.map((row) => ({ goalId: row.goal_id, repositoryId: row.repository_id, seen: row.seen }));
}

/**
 * Until when no requests are sent to a forge, because of its last errors (login, rate limit, unreachable). Null when requests are
 * allowed.
 */
export async function heldUntil(db: Db, host: string, now: Date): Promise<Date | null> {
  const found = await db.execute<{ until: string | null }>(sql`
    select max(due_at) as until from cos.pulls
    where host = ${host} and state in ('wanted', 'open')
      and trouble_kind in ('login', 'limited', 'unreachable') and due_at > ${now}`);
  const until = found.rows[0]?.until ?? null;
  return until === null ? null : new Date(until);
}

/** Number of pull requests on a forge that are being followed. */
export async function openPulls(db: Db, host: string): Promise<number> {
  const isOpen = and(eq(pulls.host, host), sql`${pulls.state} in ('wanted', 'open')`);
  const found = await db.select({ many: count() }).from(pulls).where(isOpen);
  return found[0]?.many ?? 0;
}

/** Returns the goal's pull request, or null when there is none. */
export async function getPull(db: Db, goalId: string): Promise<Pull | null> {
  const found = await db.select().from(pulls).where(eq(pulls.goalId, goalId));
  return found[0] ?? null;
}

/** Changes the row of a goal's pull request. */
export async function updatePull(
  tx: Db,
  goalId: string,
  changes: Partial<Omit<Pull, "goalId" | "createdAt">>,
): Promise<void> {
  await tx.update(pulls).set(changes).where(eq(pulls.goalId, goalId));
}

/** True when a pull request of another goal already reports that this forge refused our token. */
export async function isLoginToldOf(db: Db, host: string, goalId: string): Promise<boolean> {
  const found = await db
    .select({ goalId: pulls.goalId })
    .from(pulls)
    .where(and(eq(pulls.host, host), eq(pulls.troubleKind, "login"), ne(pulls.goalId, goalId)))
    .limit(1);
  return found.length > 0;
}

/** Pull requests with a problem, at most 5, those with the latest next look first. For `cos doctor`. */
export async function troubledPulls(db: Db, host: string): Promise<Pull[]> {
  return await db
    .select()
    .from(pulls)
    .where(and(eq(pulls.host, host), isNotNull(pulls.trouble), sql`${pulls.state} in ('wanted', 'open')`))
    .orderBy(sql`${pulls.dueAt} desc`)
    .limit(5);
}
