import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { signal } from "./connection/signalled.ts";
import { messages } from "./schema/index.ts";

/* What somebody has deleted on its platform. */

/** As if never posted, nor refused; another version, so that no platform takes it for the message that is gone. */
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

/** Somebody deleted the message: it is posted anew, at the end of its channel. */
export async function forgetAddress(db: Db, messageId: number): Promise<void> {
  await db.update(messages).set(anew).where(eq(messages.messageId, messageId));
}

/** The same for what lay at an address; what asks nothing stays away, as whoever deleted it wants it. */
export async function forgetDeleted(db: Db, platform: string, address: string): Promise<void> {
  await forgetWhere(db, platform, eq(messages.address, address));
}

/** The same for all that lay at addresses that begin so, the messages of a thread for example. */
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
