import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Goal, StopRequest } from "../core/goals/goal.ts";
import { builtOnce } from "./connection/built.ts";
import { type Db, readsFor } from "./connection/client.ts";
import { noteHeld } from "./connection/held.ts";
import { noteLocked } from "./connection/looks.ts";
import { goals, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

/** The row of a goal as a worker's turn, and how it is locked. */

/** Identifies a turn: its goal, the number of the turn, and who claimed it. */
export interface Turn {
  readonly goalId: string;
  readonly turn: number;
  readonly leasedBy: string;
}

/** A leased goal and its session, both locked. `session` is null when the goal has none, or was moved to another one at this moment. */
export interface HeldTurn {
  readonly goal: Goal;
  readonly session: Session | null;
}

/**
 * Locks the session and then the goal (D9), when the lease is live. Null when the lease was lost or has expired. One statement, which
 * returns the rows as they are when they are locked, however long it waited. The transaction remembers that the lease was live: until
 * it ends, however long that takes, nobody else can get the goal.
 */
export async function lockLeased(db: Db, of: Turn): Promise<HeldTurn | null> {
  const { goalId, turn, leasedBy } = of;
  const [found] = await turnLocked(db, { goalId, turn, leasedBy, key: turnKey(of) });
  if (found === undefined) return null;
  const tx = readsFor(db);
  noteLocked(tx, turnKey(of));
  noteHeld(tx, goalId, found.locked);
  if (found.session !== null) noteLocked(tx, found.session.sessionId);
  return { goal: found.locked, session: found.session };
}

interface OfTurn extends Record<string, unknown>, Turn {
  readonly key: string;
}

const turnLocked = builtOnce<OfTurn, { readonly locked: Goal; readonly session: Session | null }[]>((db, place) => {
  const ofGoal = sql`(select session_id from cos.goals where goal_id = ${place("goalId")})`;
  const session = db
    .$with("session")
    .as(db.select().from(sessions).where(eq(sessions.sessionId, ofGoal)).for("update"));
  const turn = { goalId: place("goalId"), turn: place("turn"), leasedBy: place("leasedBy") };
  // Forces the session's lock before any row of the goal is read.
  const locked = lockedRow(db, turn, sql`(select count(*) from ${session}) >= 0`);
  const remembered = sql`set_config('cos.turn', ${place("key")}, true) <> ''`;
  return db
    .with(session, locked)
    .select()
    .from(locked)
    .leftJoin(session, eq(session.sessionId, locked.sessionId))
    .where(sql`case when ${locked.leasedUntil} > clock_timestamp() then ${remembered} else false end`);
});

/** A live lease as the database reports it: how long it still lasts, and what a person requested meanwhile. */
export interface LiveLease {
  readonly leftMs: number;
  readonly stopRequested: StopRequest | null;
}

/** Reads the lease of a turn without extending it. Null when somebody else has the turn, or when the lease has expired. */
export async function readLease(db: Db, { goalId, turn, leasedBy }: Turn): Promise<LiveLease | null> {
  const [found] = await leaseOf(db, { goalId, turn, leasedBy });
  return found === undefined || found.leftMs <= 0 ? null : found;
}

const leaseOf = builtOnce<Turn & Record<string, unknown>, LiveLease[]>((db, place) => {
  const leftMs = sql<number>`extract(epoch from ${goals.leasedUntil} - clock_timestamp())::float8 * 1000`;
  const turn = { goalId: place("goalId"), turn: place("turn"), leasedBy: place("leasedBy") };
  return db
    .select({ leftMs: leftMs.as("left_ms"), stopRequested: goals.stopRequested })
    .from(goals)
    .where(isTurn(turn));
});

/** Locks the row of a turn that this worker claimed, whether or not its lease is live. PostgreSQL always evaluates a locking CTE first. */
export function lockedRow(db: Db, turn: Turn | PlacesOfTurn, before?: SQL) {
  return db.$with("locked").as(
    db
      .select()
      .from(goals)
      .where(and(before, isTurn(turn)))
      .for("no key update"),
  );
}

/** Placeholders of a statement for a turn. */
type PlacesOfTurn = Readonly<Record<keyof Turn, Placeholder>>;

/** Matches the goal's row while it still has this turn, whether or not its lease is live. */
function isTurn({ goalId, turn, leasedBy }: Turn | PlacesOfTurn): SQL | undefined {
  return and(eq(goals.goalId, goalId), eq(goals.turn, turn), eq(goals.leasedBy, leasedBy));
}

/** The key under which a transaction remembers a turn. */
export function turnKey({ goalId, turn, leasedBy }: Turn): string {
  return `${goalId} ${turn} ${leasedBy}`;
}
