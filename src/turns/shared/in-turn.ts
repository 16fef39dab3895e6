import type { Goal } from "../../core/goals/goal.ts";
import { type Db, lockAndRead } from "../../db/connection/client.ts";
import { lastly } from "../../db/connection/told.ts";
import { renewLease } from "../../db/leases.ts";
import { lockLeased } from "../../db/turn-locks.ts";
import type { Session } from "../../db/sessions.ts";
import type { Deps } from "../../deps.ts";
import type { Recorded, Worked } from "../../facts/worked.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";

/** The lease is still ours: the next phase begins at once. */
export interface Next {
  readonly type: "next";
  /** How this one leaves the goal, where that is known. */
  readonly worked?: Worked | undefined;
  /** What its runs had recorded before this turn, where that was read. */
  readonly recorded?: Recorded;
}

/** What a turn's step says to the loop that called it. */
export type StepResult =
  | Next
  /** The turn is over; `ringAfterMs` when its goal will be ready again, `isDone` when it never will. */
  | { readonly type: "over"; readonly ringAfterMs?: number | null; readonly isDone?: true };

/** The lease was lost: somebody else goes on with the goal. */
export const lost: StepResult = { type: "over" };

/** What such a transaction does beside its work. */
interface Around {
  /** Locks that come before the session's (D9). */
  readonly before?: (tx: Db) => Promise<void>;
  /** With or without the lease: facts that are append-only, true whoever has the goal by now. */
  readonly always?: (tx: Db) => Promise<void>;
}

/** What it reads with the locks. */
interface ReadWithLocks<Seen> extends Around {
  readonly sees: (reads: Db) => Promise<Seen>;
}

/**
 * One transaction of a turn. Session and goal are locked (D9), and `work` runs when the lease is live under those locks; null
 * when it was lost or has expired, and then nothing but `always` is written. However long the transaction takes, nobody else
 * gets the goal meanwhile; where a renewal is due at its end it is made there, so that a lease that is kept is live when the
 * locks are gone. Like every transaction it may be run twice (`Database.transaction`).
 */
export async function inTurn<Result>(
  deps: Pick<Deps, "database">,
  keeper: LeaseKeeper,
  work: (tx: Db, goal: Goal, session: Session | null) => Promise<Result>,
  around: Around = {},
): Promise<Result | null> {
  const seesNothing: ReadWithLocks<null> = { ...around, sees: () => Promise.resolve(null) };
  return await inTurnSeeing(deps, keeper, work, seesNothing);
}

/** The same with what `sees` reads of what is then locked: one statement with the locks (`lockAndRead`). */
export async function inTurnSeeing<Seen, Result>(
  deps: Pick<Deps, "database">,
  keeper: LeaseKeeper,
  work: (tx: Db, goal: Goal, session: Session | null, seen: Seen) => Promise<Result>,
  { before, always, sees }: ReadWithLocks<Seen>,
): Promise<Result | null> {
  // Of the run of the transaction that counts: one that was begun again holds nothing any more.
  const held: { unlock: (() => void) | null; renewedAtMs: number | null } = { unlock: null, renewedAtMs: null };
  try {
    const result = await deps.database.transaction(async (tx) => {
      held.unlock?.();
      held.unlock = null;
      held.renewedAtMs = null;
      await before?.(tx);
      const [turn, seen] = await lockAndRead(tx, (db) => lockLeased(db, keeper.lease), sees);
      if (turn !== null) held.unlock = keeper.lock();
      await always?.(tx);
      if (turn === null) return null;
      // What is kept for the end of the transaction may take long to be written, too.
      lastly(tx, async () => {
        if (keeper.isDue()) held.renewedAtMs = await renewIn(tx, keeper);
      });
      return await work(tx, turn.goal, turn.session, seen);
    });
    if (held.renewedAtMs !== null) keeper.renewed(held.renewedAtMs);
    if (held.unlock === null) keeper.cut("lost");
    return result;
  } finally {
    held.unlock?.();
  }
}

/** When the renewal was sent; null when the transaction has ended the lease. */
async function renewIn(tx: Db, keeper: LeaseKeeper): Promise<number | null> {
  const sentAtMs = performance.now();
  return (await renewLease(tx, keeper.lease)).type === "held" ? sentAtMs : null;
}
