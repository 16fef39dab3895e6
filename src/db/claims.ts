import { type Lease, until } from "./leases.ts";
import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import { transitions } from "../core/goals/transitions.ts";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";

/** Goals that nobody works, and who takes one of them. */

/** A claimed goal, and whether an earlier turn of it was cut short (its lease was still there). */
export interface Claim {
  readonly goal: Goal;
  readonly lease: Lease;
  readonly interrupted: boolean;
}

/** Where there is too little space nothing begins, and what was interrupted does not go on: only goals at work do. */
export type Claimable = "any" | "at-work";

const isAtWork = sql`goals.phase <> 'start' and goals.interruptions = 0`;

/**
 * Claims one ready goal: the oldest due, its turn raised by one; null when none is ready, or all of them are locked just
 * now (`isReadyLeft` tells which). `now` is the caller's clock for due times; leases use the database's (D4). `held`: goals
 * that a loop of this process still works, whatever became of their leases.
 *
 * One statement. It locks goal and session, waiting for nobody, and then asks whether the session is free: what it had read of
 * other goals before may be older than its locks, `is_session_free` reads anew. So no two goals of a session are claimed
 * together.
 */
export async function claimGoal(
  db: Db,
  leasedBy: string,
  forMs: number,
  now: Date,
  held: readonly string[] = [],
  which: Claimable = "any",
): Promise<Claim | null> {
  const wasLeased = sql<boolean>`was_leased`.as("was_leased");
  const locked = db.$with("locked", { goalId: goals.goalId, sessionId: goals.sessionId, wasLeased }).as(sql`
    select goals.goal_id, goals.session_id, goals.leased_by is not null as was_leased
    from cos.goals join cos.sessions on sessions.session_id = goals.session_id
    where sessions.status = 'running' and ${isReady(now, held, which)}
    order by goals.wake_at, goals.position
    limit 1
    for no key update of goals, sessions skip locked`);
  const claimed = await db
    .with(locked)
    .update(goals)
    .set({
      ...transitions.isClaimed.changes({ leasedBy }),
      turn: sql`${goals.turn} + 1`,
      leasedUntil: until(forMs),
      interruptions: sql`${goals.interruptions} + case when ${locked.wasLeased} then 1 else 0 end`,
    })
    .from(locked)
    .where(
      and(
        eq(goals.goalId, locked.goalId),
        // Of what was locked, not of the rows that are updated: those may be read before anything is locked.
        sql`cos.is_session_free(${locked.sessionId}, ${locked.goalId}, ${sql.param([...held])}::text[])`,
      ),
    )
    .returning({ ...getTableColumns(goals), interrupted: locked.wasLeased });
  const row = claimed[0];
  if (row === undefined) return null;
  const { interrupted, ...goal } = row;
  const { goalId, turn } = goal;
  return { goal, lease: { goalId, turn, leasedBy, forMs }, interrupted };
}

/** Whether a goal could be claimed that the same claimer did not get: its row or its session's was locked just then (D6). */
export async function isReadyLeft(
  db: Db,
  now: Date,
  held: readonly string[],
  which: Claimable = "any",
): Promise<boolean> {
  const found = await db.execute<{ is_left: boolean }>(sql`
    select exists (
      select 1 from cos.goals join cos.sessions on sessions.session_id = goals.session_id
      where sessions.status = 'running' and ${isReady(now, held, which)}) as is_left`);
  return found.rows[0]?.is_left === true;
}

/**
 * Due, without a live lease, and no other goal of its session is being worked: one at a time, also when a retry comes due
 * meanwhile. What was cut short comes first, so that whoever goes on with it ends what it left behind.
 */
function isReady(now: Date, held: readonly string[], which: Claimable): SQL {
  const ours = sql`any(${sql.param([...held])}::text[])`;
  return sql`goals.wake_at <= ${now} and (goals.leased_until is null or goals.leased_until <= clock_timestamp())
    and not goals.goal_id = ${ours} and ${which === "any" ? sql`true` : isAtWork}
    and not exists (
      select 1 from cos.goals other
      where other.session_id = goals.session_id and other.goal_id <> goals.goal_id and (
        other.leased_until > clock_timestamp() or other.goal_id = ${ours}
        or goals.leased_by is null and other.leased_by is not null and other.wake_at <= ${now}))`;
}
