import { and, eq } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";
import { undecidedBranches } from "./standup.ts";

/** What is finished in a repository and waits for a person's decision: how much of it. */
export interface Left {
  readonly branches: number;
  readonly manual: number;
}

/** What waits there for a decision. */
export async function leftIn(db: Db, repositoryId: string): Promise<Left> {
  const isManual = and(eq(goals.repositoryId, repositoryId), eq(goals.status, "manual_followup"));
  return {
    branches: (await undecidedBranches(db, { repositoryId })).length,
    manual: (await db.select({ goalId: goals.goalId }).from(goals).where(isManual)).length,
  };
}
