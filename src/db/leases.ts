import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Goal, StopRequest } from "../core/goals/goal.ts";
import { type MachineChanges, transitions } from "../core/goals/transitions.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { isLocked, noteGivenUp, noteLocked } from "./connection/looks.ts";
import { goals, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

/**
 * A claimed turn: what every write of it is conditional on (D4). A lease is live until `leased_until` by the database's
 * clock; each renewal makes it last `forMs` from then.
 */
export interface Lease {
  readonly goalId: string;
  readonly turn: number;
  readonly leasedBy: string;
  readonly forMs: number;
}

/**
 * Prolongs the lease and tells what a person asked meanwhile; `lost` when somebody else has the turn, or when it had expired
 * before this could be written (D4). Safe to repeat.
 */
export async function renewLease(
  db: Db,
  lease: Lease,
): Promise<{ type: "held"; stopRequested: StopRequest | null } | { type: "lost" }> {
  const [row] = await changeHeld(db, lease, { leasedUntil: until(lease.forMs) });
  return row === undefined ? { type: "lost" } : { type: "held", stopRequested: row.stopRequested };
}

/** A leased goal and its session, both locked; `session` is null where it has none, or has come to another one in this moment. */
export interface HeldTurn {
  readonly goal: Goal;
  readonly session: Session | null;
}

/**
 * The goal, locked after its session (D9), when the lease is live; null when it was lost or has expired. One statement, which returns
 * what it locks as it is then, however long it has waited. From here to the end of the transaction nobody else can have the goal,
 * however long that takes: the transaction remembers that it has seen the lease live.
 */
export async function lockLeased(tx: Db, lease: Lease): Promise<HeldTurn | null> {
  const ofGoal = sql`(select session_id from cos.goals where goal_id = ${lease.goalId})`;
  const session = tx
    .$with("session")
    .as(tx.select().from(sessions).where(eq(sessions.sessionId, ofGoal)).for("update"));
  // Counted before any row of the goal is looked at.
  const locked = lockedRow(tx, lease, sql`(select count(*) from ${session}) >= 0`);
  const remembered = sql`set_config('cos.turn', ${keyOf(lease)}, true) <> ''`;
  const [found] = await tx
    .with(session, locked)
    .select()
    .from(locked)
    .leftJoin(session, eq(session.sessionId, locked.sessionId))
    .where(sql`case when ${locked.leasedUntil} > clock_timestamp() then ${remembered} else false end`);
  if (found === undefined) return null;
  noteLocked(tx, keyOf(lease));
  if (found.session !== null) noteLocked(tx, found.session.sessionId);
  return { goal: found.locked, session: found.session };
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
 * Shortens leases that lie further ahead than any is long: the database's clock was put back, and a goal whose worker is gone
 * would wait for hours. Who lives renews in time. Safe to repeat.
 */
export async function shortenLeases(db: Db, forMs: number): Promise<void> {
  await db.execute(
    sql`update cos.goals set leased_until = ${until(forMs)} where leased_by is not null and leased_until > ${until(forMs)}`,
  );
}

/**
 * Ends expired leases of goals that nobody will claim now, because they are not due, or their session is paused or over; others
 * are left for the next claim to see. Counts as an interruption (D8). Returns the sessions whose goals these are.
 */
export async function dropIdleLeases(db: Db): Promise<string[]> {
  const isWorking = sql`select 1 from cos.sessions s where s.session_id = ${goals.sessionId} and s.status = 'running'`;
  const dropped = await db
    .update(goals)
    .set({ ...transitions.isDropped.changes(), interruptions: sql`${goals.interruptions} + 1` })
    .where(
      sql`${goals.leasedBy} is not null and ${goals.leasedUntil} < now() and (${goals.wakeAt} is null or not exists (${isWorking}))`,
    )
    .returning({ sessionId: goals.sessionId });
  return [...new Set(dropped.flatMap(({ sessionId }) => sessionId ?? []))];
}

/**
 * Writes a turn's changes while its lease is live; false when it was lost or has expired, and then nothing changed. The lease is
 * prolonged unless it ends with them. A transaction that has locked the turn (`lockLeased`) writes them with its end. For
 * `recordTurn` alone.
 */
export async function writeHeld(db: Db, lease: Lease, changes: MachineChanges & { updatedAt: Date }): Promise<boolean> {
  const ends = changes.leasedBy !== undefined;
  const values = { ...changes, ...(ends ? {} : { leasedUntil: until(lease.forMs) }) };
  if (!isLocked(db, keyOf(lease))) return (await changeHeld(db, lease, values)).length > 0;
  await keepOrWrite(db, { table: goals, id: lease.goalId, values }, (at, all) =>
    at.update(goals).set(all).where(isTurn(lease)),
  );
  if (ends) noteGivenUp(db, keyOf(lease));
  return true;
}

/**
 * Changes the row while the lease is live. The row is locked first and its end is looked at afterwards: a condition of the
 * update itself is not evaluated again when it had to wait for somebody who changed nothing, so it could take an expired
 * lease for a live one.
 */
async function changeHeld(db: Db, lease: Lease, changes: PgUpdateSetSource<typeof goals>) {
  const locked = lockedRow(db, lease);
  return await db
    .with(locked)
    .update(goals)
    .set(changes)
    .from(locked)
    .where(
      and(
        eq(goals.goalId, locked.goalId),
        sql`(${locked.leasedUntil} > clock_timestamp() or current_setting('cos.turn', true) = ${keyOf(lease)})`,
      ),
    )
    .returning({ stopRequested: goals.stopRequested });
}

/** The row of a turn that this worker claimed, locked, its lease live or not. A locking CTE is always worked off first. */
function lockedRow(db: Db, lease: Lease, before?: SQL) {
  return db.$with("locked").as(
    db
      .select()
      .from(goals)
      .where(and(before, isTurn(lease)))
      .for("no key update"),
  );
}

function isTurn({ goalId, turn, leasedBy }: Lease): SQL | undefined {
  return and(eq(goals.goalId, goalId), eq(goals.turn, turn), eq(goals.leasedBy, leasedBy));
}

function keyOf({ goalId, turn, leasedBy }: Lease): string {
  return `${goalId} ${turn} ${leasedBy}`;
}

export function until(forMs: number): SQL {
  return sql`clock_timestamp() + ${forMs} * interval '1 millisecond'`;
}
