import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Goal, StopRequest } from "../core/goals/goal.ts";
import type { Db } from "./client.ts";
import { goals } from "./schema.ts";

/** A claimed turn: what record and renew are conditional on (D4). */
export interface Lease {
  readonly goalId: string;
  readonly turn: number;
  readonly leasedBy: string;
}

/** A claimed goal, and whether an earlier turn of it was cut short (its lease was still there). */
export interface Claim {
  readonly goal: Goal;
  readonly lease: Lease;
  readonly interrupted: boolean;
}

/**
 * Claims one ready goal of a running session none of whose goals is being worked (a retry may come due while another
 * goal is at work): the oldest due, its turn raised by one. One conditional update; two
 * claimers never get the same turn. `now` is the caller's clock for due times; leases use the database's (D4).
 */
export async function claimGoal(db: Db, leasedBy: string, forMs: number, now: Date): Promise<Claim | null> {
  const claimed = await db.execute<{ goal_id: string; turn: number; was_leased: boolean }>(sql`
    with ready as (
      select g.goal_id, g.leased_by is not null as was_leased
      from cos.goals g join cos.sessions s on s.session_id = g.session_id
      where g.wake_at <= ${now} and (g.leased_until is null or g.leased_until < now()) and s.status = 'running'
        and not exists (
          select 1 from cos.goals other
          where other.session_id = g.session_id and other.goal_id <> g.goal_id and other.leased_until > now())
      order by g.wake_at, g.position
      limit 1
      for update of g skip locked
    )
    update cos.goals g
    set turn = g.turn + 1,
        leased_by = ${leasedBy},
        leased_until = now() + ${forMs} * interval '1 millisecond',
        interruptions = g.interruptions + case when ready.was_leased then 1 else 0 end
    from ready where g.goal_id = ready.goal_id
    returning g.goal_id, g.turn, ready.was_leased`);
  const row = claimed.rows[0];
  if (row === undefined) return null;

  const found = await db.select().from(goals).where(eq(goals.goalId, row.goal_id));
  const goal = found[0];
  if (goal === undefined) throw new Error(`goal ${row.goal_id} vanished after its claim`);
  return { goal, lease: { goalId: row.goal_id, turn: row.turn, leasedBy }, interrupted: row.was_leased };
}

/** Prolongs the lease and tells what a person asked meanwhile; `lost` when somebody else has the turn (D4). */
export async function renewLease(
  db: Db,
  lease: Lease,
  forMs: number,
): Promise<{ type: "held"; stopRequested: StopRequest | null } | { type: "lost" }> {
  const renewed = await db
    .update(goals)
    .set({ leasedUntil: sql`now() + ${forMs} * interval '1 millisecond'` })
    .where(holds(lease))
    .returning({ stopRequested: goals.stopRequested });
  const row = renewed[0];
  return row === undefined ? { type: "lost" } : { type: "held", stopRequested: row.stopRequested };
}

/** The goal, locked, when the lease still holds it; null when it was lost. */
export async function lockLeased(tx: Db, lease: Lease): Promise<Goal | null> {
  const found = await tx.select().from(goals).where(holds(lease)).for("update");
  return found[0] ?? null;
}

export type TurnChanges = Partial<
  Omit<typeof goals.$inferInsert, "goalId" | "turn" | "leasedBy" | "leasedUntil" | "createdAt">
>;

/**
 * Records what a turn did, conditional on (turn, leased_by); false when the lease was lost, and then nothing changed.
 * The lease ends with it unless `keepLease`: the same worker goes on with the next phase. Progress clears the count
 * of interruptions (D8).
 */
export async function recordTurn(
  tx: Db,
  lease: Lease,
  changes: TurnChanges & { updatedAt: Date },
  keepLease: boolean,
): Promise<boolean> {
  const ended = keepLease ? {} : { leasedBy: null, leasedUntil: null };
  const recorded = await tx
    .update(goals)
    .set({ interruptions: 0, ...changes, ...ended })
    .where(holds(lease))
    .returning({ id: goals.goalId });
  return recorded.length > 0;
}

/**
 * Ends the leases of this machine whose processes are gone, so that their goals are ready at once (D4). The goals
 * keep `leased_by` with an expired time: the next claim sees that it was cut short.
 */
export async function expireDeadLeases(
  db: Db,
  machine: string,
  isAlive: (leasedBy: string) => boolean,
): Promise<number> {
  const held = await db
    .select({ goalId: goals.goalId, leasedBy: goals.leasedBy })
    .from(goals)
    .where(
      and(isNotNull(goals.leasedBy), sql`${goals.leasedBy} like ${`${machine}/%`}`, sql`${goals.leasedUntil} > now()`),
    );
  let expired = 0;
  for (const { goalId, leasedBy } of held) {
    if (leasedBy === null || isAlive(leasedBy)) continue;
    const changed = await db
      .update(goals)
      .set({ leasedUntil: sql`now() - interval '1 second'` })
      .where(and(eq(goals.goalId, goalId), eq(goals.leasedBy, leasedBy)))
      .returning({ id: goals.goalId });
    expired += changed.length;
  }
  return expired;
}

/**
 * Ends expired leases of goals that nobody will claim now, because their session is paused or over; those of running
 * sessions are left for the next claim to see. Counts as an interruption (D8).
 */
export async function dropIdleLeases(db: Db): Promise<void> {
  await db.execute(sql`
    update cos.goals g set leased_by = null, leased_until = null, interruptions = interruptions + 1, stop_requested = null
    where g.leased_until < now()
      and not exists (select 1 from cos.sessions s where s.session_id = g.session_id and s.status = 'running')`);
}

function holds(lease: Lease) {
  return and(eq(goals.goalId, lease.goalId), eq(goals.turn, lease.turn), eq(goals.leasedBy, lease.leasedBy));
}
