import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { isPendingQuestion } from "./checkpoints.ts";
import { checkpoints, replies } from "./schema/index.ts";

export type ReplyRow = typeof replies.$inferSelect;

/** Returns false when the id is taken. */
export async function insertReply(tx: Db, row: typeof replies.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(replies)
    .values(row)
    .onConflictDoNothing({ target: replies.replyId })
    .returning({ id: replies.replyId });
  return inserted.length > 0;
}

/** Returns the reply, or null when there is none. */
export async function getReply(db: Db, replyId: string): Promise<ReplyRow | null> {
  const found = await db.select().from(replies).where(eq(replies.replyId, replyId));
  return found[0] ?? null;
}

/** Locks the row: with its checkpoint, last in the lock order (D9). */
export async function lockReply(tx: Db, replyId: string): Promise<ReplyRow | null> {
  const found = await tx.select().from(replies).where(eq(replies.replyId, replyId)).for("update");
  return found[0] ?? null;
}

/** Readings that wait to be confirmed, of replies to one version of a checkpoint. Oldest first. */
export async function proposedReplies(db: Db, checkpointId: string, version: number): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(eq(replies.checkpointId, checkpointId), eq(replies.version, version), eq(replies.status, "proposed")))
    .orderBy(asc(replies.createdAt), asc(replies.replyId));
}

/** Readings that wait to be confirmed, of replies to any version of a checkpoint. Oldest first. */
export async function waitingReadings(db: Db, checkpointId: string): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(eq(replies.checkpointId, checkpointId), eq(replies.status, "proposed")))
    .orderBy(asc(replies.createdAt), asc(replies.replyId));
}

/** Readings of replies to these checkpoints that a person confirmed as the answer. */
export async function confirmedReadings(db: Db, checkpointIds: readonly string[]): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(isAnyOf(replies.checkpointId, checkpointIds), eq(replies.status, "confirmed")));
}

const isOpen = sql`${replies.status} in ('unread', 'proposed', 'unclear')`;

/** The messages of a platform whose readings are open, where the checkpoint is open too. */
export async function messagesRead(db: Db, platform: string): Promise<string[]> {
  const found = await db
    .selectDistinct({ message: replies.message })
    .from(replies)
    .innerJoin(checkpoints, eq(checkpoints.checkpointId, replies.checkpointId))
    .where(and(isPendingQuestion, isOpen, eq(replies.via, platform), isNotNull(replies.message)));
  return found.flatMap(({ message }) => (message === null ? [] : [message]));
}

/** Readings of a message that are neither confirmed nor dismissed, newest first. */
export async function openReadingsOf(db: Db, message: string): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(eq(replies.message, message), isOpen))
    .orderBy(desc(replies.createdAt));
}

/** The newest reading of a message, in any status. Null when there is none. */
export async function lastReading(db: Db, message: string): Promise<ReplyRow | null> {
  const found = await db
    .select()
    .from(replies)
    .where(eq(replies.message, message))
    .orderBy(desc(replies.createdAt), desc(replies.replyId))
    .limit(1);
  return found[0] ?? null;
}

/** Worded exactly as in its index. */
const isUnread = sql`${replies.status} = 'unread'`;

/** Replies that the model has not read yet, oldest first, at most 20. */
export async function unreadReplies(db: Db): Promise<ReplyRow[]> {
  return await db.select().from(replies).where(isUnread).orderBy(asc(replies.createdAt)).limit(20);
}

/** Changes replies that were read or settled. */
export async function updateReplies(
  tx: Db,
  replyIds: readonly string[],
  changes: Partial<Pick<ReplyRow, "status" | "compiled" | "settledBy" | "settledAt">>,
): Promise<void> {
  if (replyIds.length === 0) return;
  await tx.update(replies).set(changes).where(isAnyOf(replies.replyId, replyIds));
}
