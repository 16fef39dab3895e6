import { and, asc, desc, eq, gt, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Card } from "../core/cards/card.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { channels, messages } from "./schema/index.ts";

export type Message = typeof messages.$inferSelect;

/** Messages in the threads of these subjects, in the order in which they were first wanted. */
export async function messagesUnder(
  db: Db,
  { platform, channel }: { readonly platform: string; readonly channel: string },
  subjects: readonly string[],
): Promise<Message[]> {
  return await db
    .select()
    .from(messages)
    .where(
      and(eq(messages.platform, platform), eq(messages.channel, channel), isAnyOf(messages.threadSubject, subjects)),
    )
    .orderBy(asc(messages.messageId));
}

/** A channel of a platform. */
export interface ChannelNamed {
  readonly platform: string;
  readonly channel: string;
  /** A stored message is shown at once, because the channel is a page that reads the rows. */
  readonly showsRows?: true;
}

/** The message at an address of a platform, or null. */
export async function messageAt(db: Db, platform: string, address: string): Promise<Message | null> {
  const found = await db
    .select()
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.address, address)));
  return found[0] ?? null;
}

/** The addresses of these subjects on a platform. Subjects that are not shown are missing. */
export async function addressesOf(
  db: Db,
  platform: string,
  subjects: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (subjects.length === 0) return {};
  // When a subject has several, the one in the served channel is used: it is sorted last.
  const found = await db
    .select({ subject: messages.subject, address: messages.address })
    .from(messages)
    .leftJoin(channels, and(eq(channels.platform, messages.platform), eq(channels.channel, messages.channel)))
    .where(and(eq(messages.platform, platform), isAnyOf(messages.subject, subjects), isNotNull(messages.address)))
    .orderBy(sql`${channels.leftAt} nulls last`, asc(messages.messageId));
  return Object.fromEntries(found.flatMap(({ subject, address }) => (address === null ? [] : [[subject, address]])));
}

/** Maximum number of the newest changes that are searched. */
const mostChanges = 1_000;

/** Addresses of thread roots that were changed since `since` or still ask something: replies may be there. Newest first. */
export async function recentThreads(db: Db, platform: string, since: Date, limit: number): Promise<string[]> {
  const found = await db.execute<{ address: string }>(sql`
    select address from (
      select message_id, address from (
        select message_id, address, platform, thread_subject, updated_at from ${messages}
        order by changed desc limit ${mostChanges}) changed
      where platform = ${platform} and address is not null and thread_subject is null and updated_at >= ${since}
      union
      (select message_id, address from ${messages}
      where platform = ${platform} and address is not null and thread_subject is null
        and is_asking
      order by message_id desc limit ${limit})) threads
    order by message_id desc limit ${limit}`);
  return found.rows.map(({ address }) => address);
}

/** The message that shows `subject` in a channel, or null. */
export async function findMessage(db: Db, platform: string, channel: string, subject: string): Promise<Message | null> {
  const found = await db
    .select()
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.channel, channel), eq(messages.subject, subject)));
  return found[0] ?? null;
}

/** The card of a message (by its key, for example `cos-12`), or of the newest message about a subject. Null when there is none. */
export async function shownCard(db: Db, id: string): Promise<Card | null> {
  const messageId = /^cos-(\d{1,15})$/.exec(id)?.[1];
  const found = await db
    .select({ card: messages.card })
    .from(messages)
    .where(messageId === undefined ? eq(messages.subject, id) : eq(messages.messageId, Number(messageId)))
    .orderBy(desc(messages.messageId))
    .limit(1);
  return found[0]?.card ?? null;
}

/** The newest messages that a channel shows, newest last. With `before`, only messages older than that one. */
export async function shownMessages(
  db: Db,
  { platform, channel }: ChannelNamed,
  limit: number,
  before: number | null = null,
): Promise<Message[]> {
  const isOlder = before === null ? undefined : lt(messages.messageId, before);
  const newest = await db
    .select()
    .from(messages)
    .where(and(...isShownIn({ platform, channel }), isOlder))
    .orderBy(sql`${messages.messageId} desc`)
    .limit(limit);
  return newest.reverse();
}

/** Those messages of a channel that are about the given subjects, in the order in which they were first wanted. */
export async function shownAbout(db: Db, channel: ChannelNamed, subjects: readonly string[]): Promise<Message[]> {
  if (subjects.length === 0) return [];
  return await db
    .select()
    .from(messages)
    .where(and(...isShownIn(channel), isAnyOf(messages.subject, subjects)))
    .orderBy(asc(messages.messageId));
}

/** The condition for messages that are shown in a channel. A shown message always has an address, and only shown messages have one. */
export function isShownIn({ platform, channel }: ChannelNamed): SQL[] {
  return [eq(messages.platform, platform), eq(messages.channel, channel), isNotNull(messages.postedVersion)];
}

/** Messages of a channel that changed after the change number `changed`, in order of change. At most the first `limit`. */
export async function messagesChangedSince(
  db: Db,
  { platform, channel }: ChannelNamed,
  changed: number,
  limit: number,
): Promise<Message[]> {
  return await db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.platform, platform),
        eq(messages.channel, channel),
        isNotNull(messages.postedVersion),
        gt(messages.changed, changed),
      ),
    )
    .orderBy(asc(messages.changed))
    .limit(limit);
}

/** The number of a channel's newest change, or 0 when it has none. */
export async function newestChange(db: Db, { platform, channel }: ChannelNamed): Promise<number> {
  const [newest] = await db
    .select({ changed: messages.changed })
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.channel, channel)))
    .orderBy(desc(messages.changed))
    .limit(1);
  return newest?.changed ?? 0;
}

/** Messages that their platform has refused for good, for the console and the doctor. */
export async function undeliverableMessages(db: Db): Promise<Message[]> {
  return await db.select().from(messages).where(isNotNull(messages.undeliverable)).orderBy(asc(messages.messageId));
}

/** Number of messages that their platform has refused for good. */
export async function countUndeliverable(db: Db): Promise<number> {
  const found = await db
    .select({ number: sql<number>`count(*)::int` })
    .from(messages)
    .where(isNotNull(messages.undeliverable));
  return found[0]?.number ?? 0;
}
