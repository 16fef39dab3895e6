import { and, asc, eq } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { votes } from "./schema/index.ts";

export type Vote = typeof votes.$inferSelect;

/** Adds a vote. The caller holds the question's lock; a second one of a person for the same version throws (unique). */
export async function insertVote(tx: Db, vote: Omit<Vote, "voteId">): Promise<void> {
  await tx.insert(votes).values(vote);
}

/** The votes for one version of a question, in the order in which they were given. */
export async function votesFor(
  db: Db,
  { checkpointId, version }: { readonly checkpointId: string; readonly version: number },
): Promise<Vote[]> {
  return await db
    .select()
    .from(votes)
    .where(and(eq(votes.checkpointId, checkpointId), eq(votes.version, version)))
    .orderBy(asc(votes.voteId));
}
