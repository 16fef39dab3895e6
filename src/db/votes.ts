import { and, asc, eq, inArray } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { votes } from "./schema/index.ts";

export type Vote = typeof votes.$inferSelect;

/** Adds votes, in their order. The caller holds the question's lock; a second one of a person for a version throws (unique). */
export async function insertVotes(tx: Db, added: readonly Omit<Vote, "voteId">[]): Promise<void> {
  if (added.length > 0) await tx.insert(votes).values([...added]);
}

/** Takes votes back that count no more; the decisions of the audit trail stay. The caller holds the question's lock. */
export async function deleteVotes(tx: Db, gone: readonly Vote[]): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ voteId }) => voteId);
  await tx.delete(votes).where(inArray(votes.voteId, ids));
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
