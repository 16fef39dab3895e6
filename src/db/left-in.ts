import { and, eq } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";
import { undecidedBranches } from "./standup.ts";

/** How much finished work of a repository waits for a person's decision. */
export interface Left {
  readonly branches: number;
  readonly manual: number;
}

/** Counts what waits for a decision in the repository: branches, and goals that were left to a person. */
export async function leftIn(db: Db, repositoryId: string): Promise<Left> {
  const isManual = and(eq(goals.repositoryId, repositoryId), eq(goals.status, "manual_followup"));
  return {
    branches: (await undecidedBranches(db, { repositoryId })).length,
    manual: (await db.select({ goalId: goals.goalId }).from(goals).where(isManual)).length,
  };
}
