import type { Goal } from "../core/goals/goal.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { heldRow } from "../db/connection/held.ts";
import { getGoal } from "../db/goals.ts";
import { type Repository, repositoryOfGoal } from "../db/repositories.ts";
import { openRunOf, type Run, workOf } from "../db/runs.ts";
import { wasPutOnTip } from "../db/merge-queues.ts";

/** A goal that a turn works, as a phase of it begins. */
export interface Worked {
  readonly goal: Goal;
  readonly run: Run;
  readonly repository: Repository | null;
  /** What this turn has reserved for a call of its agent already. */
  readonly reserved?: Reservation | undefined;
}

/** Money that one call of an agent may spend. */
export interface Reservation {
  readonly callId: string;
  readonly capMicroUsd: number;
}

/** The same before it is known that a run is open. */
export type ClaimedGoal = Omit<Worked, "run"> & { readonly run: Run | null };

/** One statement. Throws when there is no such goal. */
export async function readClaimed(db: Db, goalId: string): Promise<ClaimedGoal> {
  const [goal, run, repository] = await readTogether(db, (reads) =>
    Promise.all([getGoal(reads, goalId), openRunOf(reads, goalId), repositoryOfGoal(reads, goalId)]),
  );
  if (goal === null) throw new Error(`goal ${goalId} vanished in its turn`);
  return { goal, run, repository };
}

/** Throws when there is no open run: who works a goal has begun one. */
export function asWorked({ run, ...claimed }: ClaimedGoal): Worked {
  if (run === null) throw new Error(`goal ${claimed.goal.goalId} is worked without an open run`);
  return { ...claimed, run };
}

/** One statement. Throws when there is no open run. */
export async function readWorked(db: Db, goalId: string): Promise<Worked> {
  return asWorked(await readClaimed(db, goalId));
}

/**
 * A goal that a transaction holds, as that leaves it for the phase that follows at once: the rest as it has read and reserved it,
 * with its own changes. Undefined where the goal, or an open run, is not known: that phase reads them itself.
 */
export function workedIn(tx: Db, goalId: string, { run, ...known }: Omit<ClaimedGoal, "goal">): Worked | undefined {
  const goal = heldRow<Goal>(tx, goalId);
  return goal === undefined || run?.status !== "open" ? undefined : { goal, run, ...known };
}

/**
 * What runs of a goal have recorded, the newest first, and whether a merge queue has put it on another tip. Only a turn of the goal, or
 * who makes it ready for one, changes that.
 */
export interface Recorded {
  readonly works: readonly Run[];
  readonly wasPutOnTip: boolean;
}

/** One statement. */
export async function readRecorded(db: Db, goalId: string): Promise<Recorded> {
  const [works, wasMoved] = await readTogether(db, (reads) =>
    Promise.all([workOf(reads, goalId), wasPutOnTip(reads, goalId)]),
  );
  return { works, wasPutOnTip: wasMoved };
}
