import { and, eq, getTableColumns, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Goal, StopRequest } from "../core/goals/goal.ts";
import { transitions } from "../core/goals/transitions.ts";
import type { MachineChanges } from "../core/goals/machine.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { constant } from "./connection/writes.ts";
import { updatingGoal } from "./goals.ts";
import { isLocked, noteGivenUp } from "./connection/looks.ts";
import {
  isReady,
  isSessionOpen,
  kindOf,
  type Ready,
  type ReadyKind,
  type ReadyValues,
  valuesOf,
} from "./ready-goals.ts";
import { goals } from "./schema/index.ts";
import { turnKey, lockedRow, type Turn } from "./turn-locks.ts";

/**
 * A claimed turn. Every write of the turn is conditional on its lease (D4). A lease is live until `leased_until` by the database's
 * clock. Each renewal extends it to `forMs` from that moment.
 */
export interface Lease extends Turn {
  readonly forMs: number;
  /** Set when an earlier turn was cut short: how long its lease had been expired when this one was claimed. */
  readonly unheldMs?: number;
}

/** A claimed goal. `interrupted`: an earlier turn was cut short (its lease was still there). */
export interface Claim {
  readonly goal: Goal;
  readonly lease: Lease;
  readonly interrupted: boolean;
}

/** Who claims (`machine/pid/start time`, D4), for how many milliseconds, and which goals are ready for this worker. */
interface ClaimRequest extends Ready {
  readonly leasedBy: string;
  readonly forMs: number;
}

/** Result of a claim. `isLeft`: there is another ready goal, or one whose row or session was locked at that moment (D6). */
export type Claimed = { readonly isLeft: boolean } & (
  | { readonly type: "claimed"; readonly claim: Claim }
  | { readonly type: "none" }
);

/**
 * Claims the ready goal that has been due longest and increases its turn by one. Claims none when no goal is ready or all are locked.
 *
 * One statement. It locks goal and session without waiting, and then asks `is_session_free` whether the session is free. That function
 * reads anew, because what the statement read about other goals before may be older than its locks. So two goals of one session are
 * never claimed together. `isLeft` is as of the start of the statement: goals that become ready later ring the doorbell.
 */
export async function claimNext(db: Db, { leasedBy, forMs, ...ready }: ClaimRequest): Promise<Claimed> {
  const [found] = await claimingOf(kindOf(ready))(db, { ...valuesOf(ready), leasedBy, forMs });
  const isLeft = found?.left.isLeft === true;
  if (found?.claimed == null) return { type: "none", isLeft };
  const { interrupted, unheldMs, ...goal } = found.claimed;
  const { goalId, turn } = goal;
  const lease = { goalId, turn, leasedBy, forMs, ...(unheldMs === null ? {} : { unheldMs }) };
  return { type: "claimed", isLeft, claim: { goal, lease, interrupted } };
}

interface ClaimValues extends ReadyValues {
  readonly leasedBy: string;
  readonly forMs: number;
}

interface ClaimRow {
  readonly claimed: (Goal & { readonly interrupted: boolean; readonly unheldMs: number | null }) | null;
  readonly left: { readonly isLeft: boolean };
}

type Claims = (db: Db, values: ClaimValues) => Promise<ClaimRow[]>;

const claims = new Map<string, Claims>();

function claimingOf(kind: ReadyKind): Claims {
  const key = `${kind.only} ${kind.leavesSome}`;
  const known = claims.get(key) ?? buildClaiming(kind);
  claims.set(key, known);
  return known;
}

function buildClaiming(kind: ReadyKind): Claims {
  return builtOnce<ClaimValues, ClaimRow[]>((db, place) => {
    const wasLeased = sql<boolean>`was_leased`.as("was_leased");
    const unheldMs = sql<number | null>`unheld_ms`.as("unheld_ms");
    const ready = sql`cos.goals join cos.sessions on sessions.session_id = goals.session_id
      where ${isSessionOpen(place("now"))} and ${isReady(place, kind)}`;
    const locked = db.$with("locked", { goalId: goals.goalId, sessionId: goals.sessionId, wasLeased, unheldMs }).as(sql`
      select goals.goal_id, goals.session_id, goals.leased_by is not null as was_leased,
        greatest(0, extract(epoch from clock_timestamp() - goals.leased_until) * 1000)::float8 as unheld_ms
      from ${ready}
      order by goals.wake_at, goals.position
      limit 1
      for no key update of goals, sessions skip locked`);
    const claimed = db.$with("claimed").as(
      db
        .update(goals)
        .set({
          ...transitions.isClaimed.changes({ leasedBy: "" }),
          leasedBy: sql`${place("leasedBy")}`,
          turn: sql`${goals.turn} + 1`,
          leasedUntil: sql`clock_timestamp() + ${place("forMs")} * interval '1 millisecond'`,
          interruptions: sql`${goals.interruptions} + case when ${locked.wasLeased} then 1 else 0 end`,
        })
        .from(locked)
        .where(
          and(
            eq(goals.goalId, locked.goalId),
            // Checks the locked row, not the row that is updated: that one may be read before the lock is taken.
            sql`cos.is_session_free(${locked.sessionId}, ${locked.goalId}, ${place("held")}::text[])`,
          ),
        )
        .returning({ ...getTableColumns(goals), interrupted: locked.wasLeased, unheldMs: locked.unheldMs }),
    );
    const left = db.$with("left", { isLeft: sql<boolean>`is_left`.as("is_left") }).as(sql`
      select exists (select from ${ready} and not goals.goal_id = any(array(select goal_id from ${claimed}))) as is_left`);
    return db.with(locked, claimed, left).select().from(left).leftJoin(claimed, sql`true`);
  });
}

/**
 * Extends the lease, and returns what a person requested meanwhile. `lost` when another worker has the turn, or when the lease expired
 * before this write (D4). Safe to repeat.
 */
export async function renewLease(
  db: Db,
  lease: Lease,
): Promise<{ type: "held"; stopRequested: StopRequest | null } | { type: "lost" }> {
  const [row] = await changeHeld(db, lease, { leasedUntil: until(lease.forMs) });
  return row === undefined ? { type: "lost" } : { type: "held", stopRequested: row.stopRequested };
}

/**
 * Ends the leases of this machine whose processes are gone, so that their goals are ready at once (D4). The goals keep `leased_by` with
 * an expired time: the next claim sees that the turn was cut short. Returns how many were ended.
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
 * Shortens leases that end later than any lease can. This happens when the database's clock was set back: a goal whose worker is gone
 * would wait for hours. A live worker renews in time. Safe to repeat.
 */
export async function shortenLeases(db: Db, forMs: number): Promise<void> {
  await db.execute(
    sql`update cos.goals set leased_until = ${until(forMs)} where leased_by is not null and leased_until > ${until(forMs)}`,
  );
}

/**
 * Ends expired leases of goals that nobody will claim now: they are not due, or their session is paused or over. Other expired leases
 * are left to the next claim. Counts as an interruption (D8). Returns the sessions of these goals.
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
 * Writes a turn's changes while its lease is live. Returns false, and changes nothing, when the lease was lost or has expired. Extends
 * the lease unless the changes end it. In a transaction that has locked the turn (`lockLeased`) the write is kept until its end. To be
 * called by `recordTurn` only.
 */
export async function writeHeld(db: Db, lease: Lease, changes: MachineChanges & { updatedAt: Date }): Promise<boolean> {
  const ends = changes.leasedBy !== undefined;
  const values = { ...changes, ...(ends ? {} : { leasedUntil: until(lease.forMs) }) };
  if (!isLocked(db, turnKey(lease))) return (await changeHeld(db, lease, values)).length > 0;
  await keepOrWrite(db, { table: goals, id: lease.goalId, values }, updatingGoal);
  if (ends) noteGivenUp(db, turnKey(lease));
  return true;
}

/**
 * Changes the row while the lease is live. Locks the row first and checks the lease's end afterwards. PostgreSQL does not evaluate an
 * update's own condition again when it waited for a transaction that changed nothing. Such a condition could take an expired lease for
 * a live one.
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
        sql`(${locked.leasedUntil} > clock_timestamp() or current_setting('cos.turn', true) = ${turnKey(lease)})`,
      ),
    )
    .returning({ stopRequested: goals.stopRequested });
}

/** Cached by duration, so that each duration has one SQL text. The duration is a setting. */
function until(forMs: number): SQL {
  const known = untils.get(forMs) ?? constant(sql`clock_timestamp() + ${forMs} * interval '1 millisecond'`);
  untils.set(forMs, known);
  return known;
}

const untils = new Map<number, SQL>();
