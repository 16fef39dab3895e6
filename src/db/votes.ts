import { and, asc, eq, inArray } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { votes } from "./schema/index.ts";

export type Vote = typeof votes.$inferSelect;

/** Adds votes, in order. The caller holds the checkpoint's lock. A second vote of one person for one version throws (unique index). */
export async function insertVotes(tx: Db, added: readonly Omit<Vote, "voteId">[]): Promise<void> {
  if (added.length > 0) await tx.insert(votes).values([...added]);
}

/** Deletes votes that do not count any more. Their decisions stay in the audit trail. The caller holds the checkpoint's lock. */
export async function deleteVotes(tx: Db, gone: readonly Vote[]): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ voteId }) => voteId);
  await tx.delete(votes).where(inArray(votes.voteId, ids));
}

/** The votes for one version of a checkpoint, in the order in which they were given. */
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
