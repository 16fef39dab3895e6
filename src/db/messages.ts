import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Card } from "../core/cards/card.ts";
import type { Db } from "./client.ts";
import { checkpoints, goals, messages, timeline } from "./schema.ts";

export type Message = typeof messages.$inferSelect;

export interface WantedMessage {
  readonly subject: string;
  readonly threadSubject: string | null;
  readonly card: Card;
  /** Deliver at once; progress may wait for the interval (D17). */
  readonly urgent: boolean;
}

/**
 * Says what every channel should show: one statement, a new version only where the card differs. Part of the caller's
 * transaction, so a card never says what was not committed.
 */
export async function putMessage(
  tx: Db,
  channels: readonly { platform: string; channel: string }[],
  wanted: WantedMessage,
  now: Date,
): Promise<void> {
  if (channels.length === 0) return;
  const rows = channels.map(({ platform, channel }) => ({
    platform,
    channel,
    subject: wanted.subject,
    threadSubject: wanted.threadSubject,
    card: wanted.card,
    version: 1,
    urgentVersion: 1,
    createdAt: now,
    updatedAt: now,
  }));
  const urgent = wanted.urgent ? sql`${messages.version} + 1` : sql`${messages.urgentVersion}`;
  await tx
    .insert(messages)
    .values(rows)
    .onConflictDoUpdate({
      target: [messages.platform, messages.channel, messages.subject],
      set: {
        card: sql`excluded.card`,
        version: sql`${messages.version} + 1`,
        urgentVersion: urgent,
        plain: false,
        undeliverable: null,
        updatedAt: sql`excluded.updated_at`,
      },
      setWhere: sql`${messages.card} is distinct from excluded.card`,
    });
}

/** Messages under the message about a subject, in the order in which they were first wanted. */
export async function messagesUnder(
  db: Db,
  { platform, channel }: { readonly platform: string; readonly channel: string },
  threadSubject: string,
): Promise<Message[]> {
  return await db
    .select()
    .from(messages)
    .where(
      and(eq(messages.platform, platform), eq(messages.channel, channel), eq(messages.threadSubject, threadSubject)),
    )
    .orderBy(asc(messages.messageId));
}

/**
 * Locks what is shown about a subject, everywhere, where it is shown already: whoever gathers its card after this sees what
 * others wrote before. For cards about several sessions, which no other lock covers.
 */
export async function lockMessages(tx: Db, subject: string): Promise<void> {
  await tx
    .select({ id: messages.messageId })
    .from(messages)
    .where(eq(messages.subject, subject))
    .orderBy(asc(messages.messageId))
    .for("update");
}

/** Messages of a channel that do not show what they should, in the order in which they were first wanted. */
export async function wantingMessages(db: Db, platform: string, channel: string): Promise<Message[]> {
  return await db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.platform, platform),
        eq(messages.channel, channel),
        sql`${messages.postedVersion} is distinct from ${messages.version}`,
        isNull(messages.undeliverable),
      ),
    )
    .orderBy(asc(messages.messageId))
    .limit(100);
}

/** Commits the intention to post (D17); false when the message has an address by now. */
export async function markPosting(db: Db, messageId: number, now: Date): Promise<boolean> {
  const marked = await db
    .update(messages)
    .set({ postingSince: now })
    .where(and(eq(messages.messageId, messageId), isNull(messages.address)))
    .returning({ id: messages.messageId });
  return marked.length > 0;
}

export interface Shown {
  readonly messageId: number;
  readonly address: string;
  /** 0 when a lost post was found: what it shows is unknown, so it is edited next. */
  readonly version: number;
  readonly card: Card;
}

/** Records what the platform shows now. */
export async function recordShown(db: Db, shown: Shown, now: Date): Promise<void> {
  await db
    .update(messages)
    .set({
      address: shown.address,
      postedVersion: shown.version,
      postedCard: shown.card,
      postedAt: now,
      postingSince: null,
      notBefore: null,
      attempts: 0,
    })
    .where(eq(messages.messageId, shown.messageId));
}

/**
 * Records several at once, for platforms where showing is recording: one statement, which also says in the timeline
 * what was shown for the first time.
 */
export async function recordShownHere(db: Db, platform: string, channel: string, now: Date): Promise<number> {
  const shown = await db.execute(sql`
    with wanting as (
      select message_id, posted_version is null as is_first from ${messages}
      where platform = ${platform} and channel = ${channel} and posted_version is distinct from version
      for update
    ), shown as (
      update ${messages} m
      set address = 'here:' || m.message_id, posted_version = m.version, posted_card = m.card, posted_at = ${now}
      from wanting w where w.message_id = m.message_id
      returning m.subject, w.is_first
    ), told as (
      insert into ${timeline} (goal_id, checkpoint_id, event, detail, at)
      select coalesce(c.goal_id, g.goal_id), c.checkpoint_id, 'message.posted',
        jsonb_build_object('platform', ${platform}::text, 'channel', ${channel}::text), ${now}
      from shown s
      left join ${checkpoints} c on c.checkpoint_id = s.subject
      left join ${goals} g on g.goal_id = s.subject
      where s.is_first and (c.checkpoint_id is not null or g.goal_id is not null)
    )
    select 1 from shown`);
  return shown.rowCount ?? 0;
}

/** Says in the timeline that a goal's or checkpoint's card was shown for the first time; other messages say nothing. */
export async function tellPosted(
  db: Db,
  { subject, platform, channel }: Pick<Message, "subject" | "platform" | "channel">,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    insert into ${timeline} (goal_id, checkpoint_id, event, detail, at)
    select coalesce(c.goal_id, g.goal_id), c.checkpoint_id, 'message.posted',
      jsonb_build_object('platform', ${platform}::text, 'channel', ${channel}::text), ${now}
    from (select ${subject}::text as subject) s
    left join ${checkpoints} c on c.checkpoint_id = s.subject
    left join ${goals} g on g.goal_id = s.subject
    where c.checkpoint_id is not null or g.goal_id is not null`);
}

/**
 * Puts a message off (`postingSince` null: it is certain that it was not shown), tries it as plain text next, or gives
 * it up with the platform's reason.
 */
export async function postponeMessage(
  db: Db,
  messageId: number,
  change:
    | { readonly notBefore: Date; readonly postingSince?: null }
    | { readonly plain: true; readonly postingSince: null }
    | { readonly undeliverable: string },
): Promise<void> {
  await db
    .update(messages)
    .set({ ...change, attempts: sql`${messages.attempts} + 1` })
    .where(eq(messages.messageId, messageId));
}

/** Somebody deleted the message: it is posted anew, at the end of its channel. */
export async function forgetAddress(db: Db, messageId: number): Promise<void> {
  await db
    .update(messages)
    .set({ address: null, postedVersion: null, postedCard: null, postingSince: null })
    .where(eq(messages.messageId, messageId));
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
  const found = await db
    .select({ subject: messages.subject, address: messages.address })
    .from(messages)
    .where(and(eq(messages.platform, platform), inArray(messages.subject, [...subjects]), isNotNull(messages.address)));
  return Object.fromEntries(found.flatMap(({ subject, address }) => (address === null ? [] : [[subject, address]])));
}

/** Addresses of the messages that were changed since then or still ask something: where replies may be, newest first. */
export async function recentThreads(db: Db, platform: string, since: Date, limit: number): Promise<string[]> {
  const found = await db
    .select({ address: messages.address })
    .from(messages)
    .where(
      and(
        eq(messages.platform, platform),
        isNotNull(messages.address),
        isNull(messages.threadSubject),
        sql`(${messages.updatedAt} >= ${since} or jsonb_array_length(${messages.card} -> 'actions') > 0)`,
      ),
    )
    .orderBy(sql`${messages.messageId} desc`)
    .limit(limit);
  return found.flatMap(({ address }) => address ?? []);
}

export async function findMessage(db: Db, platform: string, channel: string, subject: string): Promise<Message | null> {
  const found = await db
    .select()
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.channel, channel), eq(messages.subject, subject)));
  return found[0] ?? null;
}

/** What a channel shows, newest last. */
export async function shownMessages(db: Db, platform: string, channel: string, limit: number): Promise<Message[]> {
  const newest = await db
    .select()
    .from(messages)
    .where(and(eq(messages.platform, platform), eq(messages.channel, channel), isNotNull(messages.postedVersion)))
    .orderBy(sql`${messages.messageId} desc`)
    .limit(limit);
  return newest.reverse();
}

/** What changed in a channel since a number that a page saw last, in order of change. */
export async function messagesChangedSince(
  db: Db,
  platform: string,
  channel: string,
  changed: number,
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
    .orderBy(asc(messages.changed));
}

/** Messages no platform would take, for the console and the doctor. */
export async function undeliverableMessages(db: Db): Promise<Message[]> {
  return await db.select().from(messages).where(isNotNull(messages.undeliverable)).orderBy(asc(messages.messageId));
}
