import type { Goal } from "../../core/goals/goal.ts";
import { type Db, lockAndRead } from "../../db/connection/client.ts";
import { lastly } from "../../db/connection/told.ts";
import { renewLease } from "../../db/leases.ts";
import { lockLeased } from "../../db/turn-locks.ts";
import type { Session } from "../../db/sessions.ts";
import type { Deps } from "../../deps.ts";
import type { Recorded, Worked } from "../../facts/worked.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";

/** The turn still has its lease, and the next phase begins at once. */
export interface Next {
  readonly type: "next";
  /** The goal's rows after this phase, if they are known. */
  readonly worked?: Worked | undefined;
  /** The work that the goal's runs had recorded before this turn, if it was read. */
  readonly recorded?: Recorded;
}

/** The result of one step of a turn. */
export type StepResult =
  | Next
  /** The turn is over. `ringAfterMs`: the time until its goal is ready again. `isDone`: it never will be. */
  | { readonly type: "over"; readonly ringAfterMs?: number | null; readonly isDone?: true };

/** The lease was lost. Another worker continues the goal. */
export const lost: StepResult = { type: "over" };

/** Further parts of a turn's transaction. */
interface Around {
  /** Takes locks that come before the session's (D9). */
  readonly before?: (tx: Db) => Promise<void>;
  /** Runs with or without the lease. Only for append-only facts, which stay true whichever worker has the goal. */
  readonly always?: (tx: Db) => Promise<void>;
}

/** A transaction that also reads facts with its locks. */
interface ReadWithLocks<Seen> extends Around {
  readonly sees: (reads: Db) => Promise<Seen>;
}

/**
 * Runs one transaction of a turn. It locks session and goal (D9), and runs `work` if the lease is live under those locks. Null when the
 * lease was lost or has expired; then only `always` is written. Because of the locks no other worker gets the goal, however long the
 * transaction takes. If a renewal is due at its end, it renews the lease there, so that the lease is live when the locks are released.
 * Like every transaction it may run twice (`Database.transaction`).
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

/** The same, with facts that `sees` reads in the statement that takes the locks (`lockAndRead`). */
export async function inTurnSeeing<Seen, Result>(
  deps: Pick<Deps, "database">,
  keeper: LeaseKeeper,
  work: (tx: Db, goal: Goal, session: Session | null, seen: Seen) => Promise<Result>,
  { before, always, sees }: ReadWithLocks<Seen>,
): Promise<Result | null> {
  // These belong to the last run of the transaction. An earlier run that was rolled back holds no locks any more.
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
      // Writes that are delayed to the end of the transaction may take long, so the renewal comes last.
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

/** Returns when the renewal was sent. Null when the transaction has ended the lease. */
async function renewIn(tx: Db, keeper: LeaseKeeper): Promise<number | null> {
  const sentAtMs = performance.now();
  return (await renewLease(tx, keeper.lease)).type === "held" ? sentAtMs : null;
}
