import { and, eq, getTableColumns, isNotNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Goal, StopRequest } from "../core/goals/goal.ts";
import { leavesNothing, type LeftToOthers } from "../core/lacks.ts";
import { transitions } from "../core/goals/transitions.ts";
import type { MachineChanges } from "../core/goals/machine.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { noteHeld } from "./connection/held.ts";
import { constant } from "./connection/writes.ts";
import { updatingGoal } from "./goals.ts";
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

/** A claimed goal, and whether an earlier turn of it was cut short (its lease was still there). */
export interface Claim {
  readonly goal: Goal;
  readonly lease: Lease;
  readonly interrupted: boolean;
}

/** Where there is too little space nothing begins, and what was interrupted does not go on: only goals at work do. */
export interface Claimable {
  readonly only: "any" | "at-work";
  /** What this worker can do: it takes goals of repositories that ask for nothing else. */
  readonly labels: readonly string[];
  /** What it leaves to workers of other machines, while there are any. */
  readonly left: LeftToOthers;
  readonly machine: string;
}

const anything: Claimable = { only: "any", labels: [], left: leavesNothing, machine: "" };

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
  which: Claimable = anything,
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
  which: Claimable = anything,
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
    and not goals.goal_id = ${ours} and ${which.only === "any" ? sql`true` : isAtWork}
    and (select labels from cos.repositories where repositories.repository_id = goals.repository_id) <@ ${JSON.stringify(which.labels)}::jsonb
    and ${isForThis(which)}
    and not exists (
      select 1 from cos.goals other
      where other.session_id = goals.session_id and other.goal_id <> goals.goal_id and (
        other.leased_until > clock_timestamp() or other.goal_id = ${ours}
        or goals.leased_by is null and other.leased_by is not null and other.wake_at <= ${now}))`;
}

/** Nothing of it is asked where nothing is left to others. */
function isForThis({ left: { repositories, ofAgents }, machine }: Claimable): SQL {
  if (repositories.length + ofAgents.length === 0) return sql`true`;
  const isOne = (of: readonly string[]) => sql`goals.repository_id = any(${sql.param([...of])}::text[])`;
  return sql`(not (${isOne(repositories)} or goals.run_command is null and ${isOne(ofAgents)})
    or not exists (select 1 from cos.workers where machine <> ${machine}))`;
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
  const { goalId, turn, leasedBy } = lease;
  const [found] = await turnLocked(tx, { goalId, turn, leasedBy, key: keyOf(lease) });
  if (found === undefined) return null;
  noteLocked(tx, keyOf(lease));
  noteHeld(tx, lease.goalId, found.locked);
  if (found.session !== null) noteLocked(tx, found.session.sessionId);
  return { goal: found.locked, session: found.session };
}

interface OfTurn extends Record<string, unknown> {
  readonly goalId: string;
  readonly turn: number;
  readonly leasedBy: string;
  readonly key: string;
}

const turnLocked = builtOnce<OfTurn, { readonly locked: Goal; readonly session: Session | null }[]>((db, place) => {
  const ofGoal = sql`(select session_id from cos.goals where goal_id = ${place("goalId")})`;
  const session = db
    .$with("session")
    .as(db.select().from(sessions).where(eq(sessions.sessionId, ofGoal)).for("update"));
  const turn = { goalId: place("goalId"), turn: place("turn"), leasedBy: place("leasedBy") };
  // Counted before any row of the goal is looked at.
  const locked = lockedRow(db, turn, sql`(select count(*) from ${session}) >= 0`);
  const remembered = sql`set_config('cos.turn', ${place("key")}, true) <> ''`;
  return db
    .with(session, locked)
    .select()
    .from(locked)
    .leftJoin(session, eq(session.sessionId, locked.sessionId))
    .where(sql`case when ${locked.leasedUntil} > clock_timestamp() then ${remembered} else false end`);
});

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
  await keepOrWrite(db, { table: goals, id: lease.goalId, values }, updatingGoal);
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
function lockedRow(db: Db, turn: Turn, before?: SQL) {
  return db.$with("locked").as(
    db
      .select()
      .from(goals)
      .where(and(before, isTurn(turn)))
      .for("no key update"),
  );
}

/** What names a turn, or places for it. */
interface Turn {
  readonly goalId: string | Placeholder;
  readonly turn: number | Placeholder;
  readonly leasedBy: string | Placeholder;
}

function isTurn({ goalId, turn, leasedBy }: Turn): SQL | undefined {
  return and(eq(goals.goalId, goalId), eq(goals.turn, turn), eq(goals.leasedBy, leasedBy));
}

function keyOf({ goalId, turn, leasedBy }: Lease): string {
  return `${goalId} ${turn} ${leasedBy}`;
}

/** One text for each length: how long leases last is a setting. */
function until(forMs: number): SQL {
  const known = untils.get(forMs) ?? constant(sql`clock_timestamp() + ${forMs} * interval '1 millisecond'`);
  untils.set(forMs, known);
  return known;
}

const untils = new Map<number, SQL>();
