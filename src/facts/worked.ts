import type { Goal } from "../core/goals/goal.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { getGoal } from "../db/goals.ts";
import { type Repository, repositoryOfGoal } from "../db/repositories.ts";
import { openRunOf, type Run } from "../db/runs.ts";

/** A goal that a turn works, as a phase of it begins. */
export interface Worked {
  readonly goal: Goal;
  readonly run: Run;
  readonly repository: Repository | null;
}

/** The same before it is known that a run is open. */
export type Claimed = Pick<Worked, "goal" | "repository"> & { readonly run: Run | null };

/** One statement. Throws when there is no such goal. */
export async function readClaimed(db: Db, goalId: string): Promise<Claimed> {
  const [goal, run, repository] = await readTogether(db, (reads) =>
    Promise.all([getGoal(reads, goalId), openRunOf(reads, goalId), repositoryOfGoal(reads, goalId)]),
  );
  if (goal === null) throw new Error(`goal ${goalId} vanished in its turn`);
  return { goal, run, repository };
}

/** Throws when there is no open run: who works a goal has begun one. */
export function asWorked({ goal, run, repository }: Claimed): Worked {
  if (run === null) throw new Error(`goal ${goal.goalId} is worked without an open run`);
  return { goal, run, repository };
}

/** One statement. Throws when there is no open run. */
export async function readWorked(db: Db, goalId: string): Promise<Worked> {
  return asWorked(await readClaimed(db, goalId));
}
