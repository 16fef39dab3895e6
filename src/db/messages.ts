import { and, asc, desc, eq, gt, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Card } from "../core/cards/card.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { channels, messages } from "./schema/index.ts";

export type Message = typeof messages.$inferSelect;

/** Messages under the messages about these subjects, in the order in which they were first wanted. */
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
  /** What is stored for it is shown with that: its page reads the rows. */
  readonly showsRows?: true;
}

/** The message that lies at an address of a platform. */
export async function messageAt(db: Db, platform: string, address: string): Promise<Message | null> {
  const found = await db
    .select()
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.address, address)));
  return found[0] ?? null;
}

/** Where these subjects are shown on a platform; those that are not shown are missing. */
export async function addressesOf(
  db: Db,
  platform: string,
  subjects: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (subjects.length === 0) return {};
  // Of several the one in the channel that is used, which stands last.
  const found = await db
    .select({ subject: messages.subject, address: messages.address })
    .from(messages)
    .leftJoin(channels, and(eq(channels.platform, messages.platform), eq(channels.channel, messages.channel)))
    .where(and(eq(messages.platform, platform), isAnyOf(messages.subject, subjects), isNotNull(messages.address)))
    .orderBy(sql`${channels.leftAt} nulls last`, asc(messages.messageId));
  return Object.fromEntries(found.flatMap(({ subject, address }) => (address === null ? [] : [[subject, address]])));
}

/** Changes are looked through from the newest; more than so many in the time are too many to read. */
const mostChanges = 1_000;

/** Addresses of the messages that were changed since then or still ask something: where replies may be, newest first. */
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

/** The message that shows `subject` in a channel, null where there is none. */
export async function findMessage(db: Db, platform: string, channel: string, subject: string): Promise<Message | null> {
  const found = await db
    .select()
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.channel, channel), eq(messages.subject, subject)));
  return found[0] ?? null;
}

/** The card of a message (`cos-12`, its key), or the newest one about a subject; null when there is none. */
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

/** What a channel shows, newest last; `before`: only what came before that message. */
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

/** Those of the named subjects that a channel shows, in the order in which they came. */
export async function shownAbout(db: Db, channel: ChannelNamed, subjects: readonly string[]): Promise<Message[]> {
  if (subjects.length === 0) return [];
  return await db
    .select()
    .from(messages)
    .where(and(...isShownIn(channel), isAnyOf(messages.subject, subjects)))
    .orderBy(asc(messages.messageId));
}

/** What is shown in a channel: it has an address, and the other way round. */
export function isShownIn({ platform, channel }: ChannelNamed): SQL[] {
  return [eq(messages.platform, platform), eq(messages.channel, channel), isNotNull(messages.postedVersion)];
}

/** What changed in a channel since a number that a page saw last, in order of change; of more than `limit` the first. */
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

/** The number of the newest change that a channel has; 0: none. */
export async function newestChange(db: Db, { platform, channel }: ChannelNamed): Promise<number> {
  const [newest] = await db
    .select({ changed: messages.changed })
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.channel, channel)))
    .orderBy(desc(messages.changed))
    .limit(1);
  return newest?.changed ?? 0;
}

/** Messages no platform would take, for the console and the doctor. */
export async function undeliverableMessages(db: Db): Promise<Message[]> {
  return await db.select().from(messages).where(isNotNull(messages.undeliverable)).orderBy(asc(messages.messageId));
}

/** How many messages their platform has refused for good. */
export async function countUndeliverable(db: Db): Promise<number> {
  const found = await db
    .select({ number: sql<number>`count(*)::int` })
    .from(messages)
    .where(isNotNull(messages.undeliverable));
  return found[0]?.number ?? 0;
}
