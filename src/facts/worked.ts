import type { Goal } from "../core/goals/goal.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { heldRow } from "../db/connection/held.ts";
import { getGoal } from "../db/goals.ts";
import { type Repository, repositoryOfGoal } from "../db/repositories.ts";
import { openRunOf, type Run, workOf } from "../db/runs.ts";
import { wasPutOnTip } from "../db/merge-queues.ts";

/** A goal that a turn works, as it is when a phase begins. */
export interface Worked {
  readonly goal: Goal;
  readonly run: Run;
  readonly repository: Repository | null;
  /** The money that this turn has already reserved for a call of its agent. */
  readonly reserved?: Reservation | undefined;
}

/** Money that one call of an agent may spend. */
export interface Reservation {
  readonly callId: string;
  readonly capMicroUsd: number;
}

/** Like Worked, before it is known whether a run is open. */
export type ClaimedGoal = Omit<Worked, "run"> & { readonly run: Run | null };

/** Reads a claimed goal with one query. Throws when there is no such goal. */
export async function readClaimed(db: Db, goalId: string): Promise<ClaimedGoal> {
  const [goal, run, repository] = await readTogether(db, (reads) =>
    Promise.all([getGoal(reads, goalId), openRunOf(reads, goalId), repositoryOfGoal(reads, goalId)]),
  );
  if (goal === null) throw new Error(`goal ${goalId} vanished in its turn`);
  return { goal, run, repository };
}

/** Returns the goal with its open run. Throws when there is none: whoever works a goal has begun one. */
export function asWorked({ run, ...claimed }: ClaimedGoal): Worked {
  if (run === null) throw new Error(`goal ${claimed.goal.goalId} is worked without an open run`);
  return { ...claimed, run };
}

/** Reads a goal and its open run with one query. Throws when there is no open run. */
export async function readWorked(db: Db, goalId: string): Promise<Worked> {
  return asWorked(await readClaimed(db, goalId));
}

/**
 * The goal as this transaction leaves it for the next phase, which follows at once. Everything else is as it was read and reserved, with
 * the transaction's own changes. Undefined when the goal is not locked or no run is open: that phase reads them itself.
 */
export function workedIn(tx: Db, goalId: string, { run, ...known }: Omit<ClaimedGoal, "goal">): Worked | undefined {
  const goal = heldRow<Goal>(tx, goalId);
  return goal === undefined || run?.status !== "open" ? undefined : { goal, run, ...known };
}

/**
 * What the runs of a goal have recorded, newest first, and whether a merge queue has put it on another tip. Only a turn of the goal changes
 * that, or code that makes it ready for a turn.
 */
export interface Recorded {
  readonly works: readonly Run[];
  readonly wasPutOnTip: boolean;
}

/** Reads what the runs of a goal have recorded. One query. */
export async function readRecorded(db: Db, goalId: string): Promise<Recorded> {
  const [works, wasMoved] = await readTogether(db, (reads) =>
    Promise.all([workOf(reads, goalId), wasPutOnTip(reads, goalId)]),
  );
  return { works, wasPutOnTip: wasMoved };
}
