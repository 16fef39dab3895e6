import { and, eq, isNotNull, isNull, notInArray, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Card, wakingTones } from "../core/cards/card.ts";
import type { PictureUnderWay } from "../core/cards/picture.ts";
import type { Db } from "./connection/client.ts";
import { signal } from "./connection/signalled.ts";
import type { Message } from "./messages.ts";
import { messages } from "./schema/index.ts";
import { appendPosted } from "./timeline.ts";

/** Which message a channel shows next, and what its platform answered about it. */

/** What a channel shows next: the first message that may go now, else when the next one may go, else nothing. */
export type NextMessage =
  /**
   * `threadAddress`: the address of the thread's first message, null at top level. `answers`: how the message that this one answers is
   * headed, null at top level. `goalId`: the goal of the card or checkpoint, null when it has none.
   */
  | {
      readonly type: "message";
      readonly message: Message;
      readonly threadAddress: string | null;
      readonly answers: Pick<Card, "title" | "lead"> | null;
      readonly goalId: string | null;
    }
  | { readonly type: "wait"; readonly until: Date }
  | { readonly type: "nothing" };

/**
 * The first message of a channel that is not up to date and may go now. Messages of clicked cards come first, the newest click in front
 * (F-124), then the order in which messages were first wanted. One statement. Held back are:
 * - messages that were put off, and progress within its interval;
 * - messages that would wake somebody in quiet hours;
 * - replies whose parent is not posted yet, and replies behind another unposted one of the same thread;
 * - for `awaitParentMs`, new replies whose parent is not stored yet: two passes of the projection may store them in either order.
 */
export async function nextMessage(
  db: Db,
  { platform, channel }: { readonly platform: string; readonly channel: string },
  {
    now,
    isQuiet,
    progressEveryMs,
    awaitParentMs,
  }: {
    readonly now: Date;
    readonly isQuiet: boolean;
    readonly progressEveryMs: number;
    readonly awaitParentMs: number;
  },
): Promise<NextMessage> {
  const wanting = wantingIn(db, { platform, channel }, progressEveryMs);
  const [newSince, newUntil] = [new Date(now.getTime() - awaitParentMs), new Date(now.getTime() + awaitParentMs)];
  // A reply from a clock that is far ahead is not new either: it would wait until that time.
  const isOld = sql`${messages.createdAt} not between ${newSince} and ${newUntil}`;
  const parent = alias(messages, "parent");
  // Chats have one level of threads: a message under a reply is posted in the thread of that reply.
  const root = alias(messages, "root");
  const found = await db
    .select({
      message: messages,
      threadAddress: sql<string | null>`coalesce(${root.address}, ${parent.address})`,
      answers: sql<Pick<Card, "title" | "lead"> | null>`case when ${parent.messageId} is not null then
        jsonb_strip_nulls(jsonb_build_object('title', ${parent.card} -> 'title', 'lead', ${parent.card} -> 'lead')) end`,
      goalId: sql<string | null>`coalesce(
        (select c.goal_id from cos.checkpoints c where c.checkpoint_id = ${messages.subject}),
        (select g.goal_id from cos.goals g where g.goal_id = ${messages.subject}))`,
      waitUntil: sql<Date | null>`case when ${wanting.dueAt} > ${now} then ${wanting.dueAt} end`.mapWith(
        messages.notBefore,
      ),
    })
    .from(wanting)
    .innerJoin(messages, eq(messages.messageId, wanting.id))
    .leftJoin(
      parent,
      and(eq(parent.platform, platform), eq(parent.channel, channel), eq(parent.subject, wanting.thread)),
    )
    .leftJoin(root, and(eq(root.platform, platform), eq(root.channel, channel), eq(root.subject, parent.threadSubject)))
    .where(
      or(
        wanting.isPosted,
        and(
          ...(isQuiet ? [notInArray(sql`${messages.card} ->> 'tone'`, [...wakingTones])] : []),
          or(
            isNull(wanting.thread),
            and(
              eq(wanting.id, wanting.firstOfThread),
              // Under a message that can never be posted there is no thread: the reply is posted at top level.
              or(and(isNull(parent.messageId), isOld), isNotNull(parent.address), isNotNull(parent.undeliverable)),
            ),
          ),
        ),
      ),
    )
    .orderBy(
      sql`case when ${wanting.dueAt} > ${now} then ${wanting.dueAt} end nulls first`,
      sql`${wanting.answeredAt} desc nulls last`,
      sql`${wanting.answeredAt} is not null and ${wanting.isQuestion} desc`,
      wanting.id,
    )
    .limit(1);
  const row = found[0];
  if (row === undefined) return { type: "nothing" };
  if (row.waitUntil !== null) return { type: "wait", until: row.waitUntil };
  const { message, threadAddress, answers, goalId } = row;
  return { type: "message", message, threadAddress, answers, goalId };
}

/** Messages of a channel that are not up to date, each with when it is due. A null `dueAt` means now. */
function wantingIn(db: Db, { platform, channel }: Pick<Message, "platform" | "channel">, progressEveryMs: number) {
  const isProgress = sql`(${messages.address} is not null and ${messages.urgentVersion} <= coalesce(${messages.postedVersion}, 0))`;
  return db
    .select({
      id: sql<number>`${messages.messageId}`.as("wanted_id"),
      thread: sql<string | null>`${messages.threadSubject}`.as("thread"),
      isPosted: sql<boolean>`${messages.address} is not null`.as("is_posted"),
      answeredAt: sql<Date | null>`case when ${messages.address} is not null and not ${isProgress}
          then ${messages.urgentAt} end`.as("answered_at"),
      isQuestion: sql<boolean>`${messages.card} ->> 'kind' = 'checkpoint'`.as("is_question"),
      dueAt: sql<Date | null>`greatest(
          ${messages.notBefore},
          case when ${isProgress} then ${messages.postedAt} + ${progressEveryMs} * interval '1 millisecond' end,
          max(${messages.notBefore}) filter (where ${messages.holdsChannel}) over ()
        )`.as("due_at"),
      firstOfThread: sql<number | null>`min(${messages.messageId})
          filter (where ${messages.address} is null) over (partition by ${messages.threadSubject})`.as(
        "first_of_thread",
      ),
    })
    .from(messages)
    .where(
      and(
        eq(messages.platform, platform),
        eq(messages.channel, channel),
        sql`${messages.isWanting}`,
        isNull(messages.undeliverable),
      ),
    )
    .as("wanting");
}

/** Commits the intention to post (D17). False when the message has an address already. */
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
      holdsChannel: false,
      pictureUnderWay: null,
      attempts: 0,
    })
    .where(eq(messages.messageId, shown.messageId));
}

/**
 * Records all messages of a channel at once, for platforms where storing a message shows it. One statement, which also adds to the
 * timeline the cards that are shown for the first time.
 */
export async function recordShownHere(db: Db, platform: string, channel: string, now: Date): Promise<number> {
  const shown = await db.execute(sql`
    with wanting as (
      select message_id, posted_version is null as is_first from ${messages}
      where platform = ${platform} and channel = ${channel} and is_wanting
      order by message_id for update
    ), shown as (
      update ${messages} m
      set address = 'here:' || m.message_id, posted_version = m.version, posted_card = m.card, posted_at = ${now}
      from wanting w where w.message_id = m.message_id
      returning m.subject, w.is_first
    ), told as (
      ${appendPosted(sql`(select subject from shown where is_first)`, { platform, channel }, now)}
    )
    select 1 from shown`);
  const count = shown.rowCount ?? 0;
  // Signals only after a change: a signal without one would cause another call, for ever.
  if (count > 0) signal(db, { type: "messages" });
  return count;
}

/** Adds to the timeline that a goal's or checkpoint's card was shown for the first time. Other messages add nothing. */
export async function tellPosted(
  db: Db,
  { subject, platform, channel }: Pick<Message, "subject" | "platform" | "channel">,
  now: Date,
): Promise<void> {
  await db.execute(appendPosted(sql`(select ${subject}::text as subject)`, { platform, channel }, now));
}

/** Puts a message off, alone or with its whole channel. `isCertain`: it was certainly not posted. `failed`: counts as an attempt. */
export async function putOffMessage(
  db: Db,
  messageId: number,
  putOff: {
    readonly notBefore: Date;
    readonly holdsChannel: boolean;
    readonly isCertain: boolean;
    readonly failed: boolean;
    readonly plain?: true;
  },
): Promise<void> {
  const { notBefore, holdsChannel, isCertain, failed, plain } = putOff;
  await db
    .update(messages)
    .set({
      notBefore,
      holdsChannel,
      ...(isCertain ? { postingSince: null } : {}),
      ...(failed ? { attempts: sql`${messages.attempts} + 1` } : {}),
      ...(plain === undefined ? {} : { plain }),
    })
    .where(eq(messages.messageId, messageId));
}

/** The platform refused a message. It is posted as plain text next, or is given up with the platform's reason. */
export async function degradeMessage(
  db: Db,
  messageId: number,
  change: { readonly plain: true; readonly postingSince: null } | { readonly undeliverable: string },
): Promise<void> {
  await db.update(messages).set(change).where(eq(messages.messageId, messageId));
}

/** Stores how far the upload of a picture has come. */
export async function keepPicture(db: Db, messageId: number, underWay: PictureUnderWay): Promise<void> {
  await db.update(messages).set({ pictureUnderWay: underWay }).where(eq(messages.messageId, messageId));
}
