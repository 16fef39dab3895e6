import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { isPendingQuestion } from "./checkpoints.ts";
import { checkpoints, replies } from "./schema/index.ts";

export type ReplyRow = typeof replies.$inferSelect;

/** False when the id is taken. */
export async function insertReply(tx: Db, row: typeof replies.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(replies)
    .values(row)
    .onConflictDoNothing({ target: replies.replyId })
    .returning({ id: replies.replyId });
  return inserted.length > 0;
}

/** The reply, null where there is none. */
export async function getReply(db: Db, replyId: string): Promise<ReplyRow | null> {
  const found = await db.select().from(replies).where(eq(replies.replyId, replyId));
  return found[0] ?? null;
}

/** Locks the row: with its checkpoint, the last in the order of locks (D9). */
export async function lockReply(tx: Db, replyId: string): Promise<ReplyRow | null> {
  const found = await tx.select().from(replies).where(eq(replies.replyId, replyId)).for("update");
  return found[0] ?? null;
}

/** Readings of replies to a version of a question that wait for a tap, oldest first. */
export async function proposedReplies(db: Db, checkpointId: string, version: number): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(eq(replies.checkpointId, checkpointId), eq(replies.version, version), eq(replies.status, "proposed")))
    .orderBy(asc(replies.createdAt), asc(replies.replyId));
}

/** Readings of replies to a question that wait for a tap, whatever version of it they are about, oldest first. */
export async function waitingReadings(db: Db, checkpointId: string): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(eq(replies.checkpointId, checkpointId), eq(replies.status, "proposed")))
    .orderBy(asc(replies.createdAt), asc(replies.replyId));
}

/** Readings of replies to some questions that answered them by a tap. */
export async function confirmedReadings(db: Db, checkpointIds: readonly string[]): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(isAnyOf(replies.checkpointId, checkpointIds), eq(replies.status, "confirmed")));
}

const isOpen = sql`${replies.status} in ('unread', 'proposed', 'unclear')`;

/** The messages of a platform whose readings are open, under questions that are. */
export async function messagesRead(db: Db, platform: string): Promise<string[]> {
  const found = await db
    .selectDistinct({ message: replies.message })
    .from(replies)
    .innerJoin(checkpoints, eq(checkpoints.checkpointId, replies.checkpointId))
    .where(and(isPendingQuestion, isOpen, eq(replies.via, platform), isNotNull(replies.message)));
  return found.flatMap(({ message }) => (message === null ? [] : [message]));
}

/** Readings of what was written there that nobody has confirmed or put aside, newest first. */
export async function openReadingsOf(db: Db, message: string): Promise<ReplyRow[]> {
  return await db
    .select()
    .from(replies)
    .where(and(eq(replies.message, message), isOpen))
    .orderBy(desc(replies.createdAt));
}

/** The newest reading of what was written there, whatever became of it; null: there is none. */
export async function lastReading(db: Db, message: string): Promise<ReplyRow | null> {
  const found = await db
    .select()
    .from(replies)
    .where(eq(replies.message, message))
    .orderBy(desc(replies.createdAt), desc(replies.replyId))
    .limit(1);
  return found[0] ?? null;
}

/** As their index says it. */
const isUnread = sql`${replies.status} = 'unread'`;

/** Replies that the model is still to read. */
export async function unreadReplies(db: Db): Promise<ReplyRow[]> {
  return await db.select().from(replies).where(isUnread).orderBy(asc(replies.createdAt)).limit(20);
}

/** Changes replies that have been read or settled. */
export async function updateReplies(
  tx: Db,
  replyIds: readonly string[],
  changes: Partial<Pick<ReplyRow, "status" | "compiled" | "settledBy" | "settledAt">>,
): Promise<void> {
  if (replyIds.length === 0) return;
  await tx.update(replies).set(changes).where(isAnyOf(replies.replyId, replyIds));
}
