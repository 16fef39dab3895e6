import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { signal } from "./connection/signalled.ts";
import { messages } from "./schema/index.ts";

/* Messages that somebody deleted on the platform. */

/**
 * Resets a message as if it was never posted or refused. The version is increased, so that no platform takes it for the deleted
 * message.
 */
const anew = {
  address: null,
  postedVersion: null,
  postedCard: null,
  postingSince: null,
  plain: false,
  undeliverable: null,
  notBefore: null,
  holdsChannel: false,
  attempts: 0,
  version: sql`${messages.version} + 1`,
};

/** Somebody deleted the message: it is posted again, at the end of its channel. */
export async function forgetAddress(db: Db, messageId: number): Promise<void> {
  await db.update(messages).set(anew).where(eq(messages.messageId, messageId));
}

/**
 * Like `forgetAddress`, for the message at an address. A message that asks nothing is not posted again: whoever deleted it does not
 * want it.
 */
export async function forgetDeleted(db: Db, platform: string, address: string): Promise<void> {
  await forgetWhere(db, platform, eq(messages.address, address));
}

/** Like `forgetDeleted`, for all addresses with this prefix, for example all messages of a thread. */
export async function forgetDeletedAll(db: Db, platform: string, start: string): Promise<void> {
  await forgetWhere(db, platform, sql`starts_with(${messages.address}, ${start})`);
}

async function forgetWhere(db: Db, platform: string, lay: SQL): Promise<void> {
  const there = await db
    .update(messages)
    .set(anew)
    .where(and(eq(messages.platform, platform), lay, messages.isAsking))
    .returning({ messageId: messages.messageId });
  if (there.length > 0) signal(db, { type: "messages" });
}
