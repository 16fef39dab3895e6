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

/** One statement. Throws when there is no open run: who works a goal has begun one. */
export async function readWorked(db: Db, goalId: string): Promise<Worked> {
  const [goal, run, repository] = await readTogether(db, (reads) =>
    Promise.all([getGoal(reads, goalId), openRunOf(reads, goalId), repositoryOfGoal(reads, goalId)]),
  );
  if (goal === null || run === null) throw new Error(`goal ${goalId} is worked without an open run`);
  return { goal, run, repository };
}
