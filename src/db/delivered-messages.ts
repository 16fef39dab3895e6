import { and, eq, isNotNull, isNull, notInArray, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Card, wakingTones } from "../core/cards/card.ts";
import type { PictureUnderWay } from "../core/cards/picture.ts";
import type { Db } from "./connection/client.ts";
import { signal } from "./connection/signalled.ts";
import type { Message } from "./messages.ts";
import { messages } from "./schema/index.ts";
import { appendPosted } from "./timeline.ts";

/** What a channel shows next, and what its platform has said of it. */

/** What a channel shows next: the first message that may go now, else the first that may go later, else nothing. */
export type NextMessage =
  /** `threadAddress` is that of the message it hangs under; null at top level. `goalId`: whose card or question it is; null: no goal's. */
  | {
      readonly type: "message";
      readonly message: Message;
      readonly threadAddress: string | null;
      readonly goalId: string | null;
    }
  | { readonly type: "wait"; readonly until: Date }
  | { readonly type: "nothing" };

/**
 * The first message of a channel that does not show what it should and may go now: what was clicked last (F-124), then in the
 * order in which they were first wanted. What is held is no candidate: what was put off, progress within its interval, what wakes somebody while it
 * is quiet, a reply whose parent is not there yet, and a reply behind another one of its thread that is not posted yet.
 * One statement.
 */
export async function nextMessage(
  db: Db,
  { platform, channel }: { readonly platform: string; readonly channel: string },
  {
    now,
    isQuiet,
    progressEveryMs,
  }: { readonly now: Date; readonly isQuiet: boolean; readonly progressEveryMs: number },
): Promise<NextMessage> {
  const wanting = wantingIn(db, { platform, channel }, progressEveryMs);
  const parent = alias(messages, "parent");
  // Chats know one level of threads: what hangs under a reply stands in the thread of that reply.
  const root = alias(messages, "root");
  const found = await db
    .select({
      message: messages,
      threadAddress: sql<string | null>`coalesce(${root.address}, ${parent.address})`,
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
              // Under a message that can never be posted there is no thread: it stands by itself.
              or(isNull(parent.messageId), isNotNull(parent.address), isNotNull(parent.undeliverable)),
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
  const { message, threadAddress, goalId } = row;
  return { type: "message", message, threadAddress, goalId };
}

/** What a channel does not show as it should, each message with when it is due; null: now. */
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
      holdsChannel: false,
      pictureUnderWay: null,
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
  // A truth that is told though nothing changed would come back for ever.
  if (count > 0) signal(db, { type: "messages" });
  return count;
}

/** Says in the timeline that a goal's or checkpoint's card was shown for the first time; other messages say nothing. */
export async function tellPosted(
  db: Db,
  { subject, platform, channel }: Pick<Message, "subject" | "platform" | "channel">,
  now: Date,
): Promise<void> {
  await db.execute(appendPosted(sql`(select ${subject}::text as subject)`, { platform, channel }, now));
}

/** Puts a message off, alone or with its whole channel. `isCertain`: it was not shown. `failed`: counts against it. */
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

/** The platform refused a message: it goes out as plain words next, or is given up with the platform's reason. */
export async function degradeMessage(
  db: Db,
  messageId: number,
  change: { readonly plain: true; readonly postingSince: null } | { readonly undeliverable: string },
): Promise<void> {
  await db.update(messages).set(change).where(eq(messages.messageId, messageId));
}

/** How far a picture has come on its way to the platform. */
export async function keepPicture(db: Db, messageId: number, underWay: PictureUnderWay): Promise<void> {
  await db.update(messages).set({ pictureUnderWay: underWay }).where(eq(messages.messageId, messageId));
}
