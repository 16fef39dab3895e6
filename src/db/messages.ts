import { and, asc, desc, eq, gt, isNotNull, isNull, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Card, wakingTones } from "../core/cards/card.ts";
import type { PictureUnderWay } from "../core/cards/picture.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import { keepOrWrite } from "./connection/later.ts";
import { channels, messages, timeline } from "./schema/index.ts";
import { appendPosted } from "./timeline.ts";

export type Message = typeof messages.$inferSelect;

export interface WantedMessage {
  readonly subject: string;
  readonly threadSubject: string | null;
  /** The same in a chat, where that differs from the console's. */
  readonly chatThread?: string | null;
  readonly card: Card;
  /** Deliver at once; progress may wait for the interval (D17). */
  readonly urgent: boolean;
  /** The only platforms that show it; every one when absent. */
  readonly platforms?: readonly string[];
}

/**
 * Says what every channel should show, new messages in this order: one statement, a new version only where the card differs.
 * No subject twice. Where rows are what is shown they are shown with it.
 */
export async function putMessages(
  tx: Db,
  channels: readonly ChannelNamed[],
  wanted: readonly WantedMessage[],
  now: Date,
): Promise<void> {
  const rows = wanted.flatMap(({ subject, threadSubject, chatThread = threadSubject, card, urgent, platforms: only }) =>
    channels
      .filter(({ platform }) => only === undefined || only.includes(platform))
      .map(({ platform, channel, showsRows = false }) => ({
        platform,
        channel,
        subject,
        threadSubject: platform === "console" ? threadSubject : chatThread,
        card,
        version: 1,
        // What is new is shown at once; of what is there it says whether it is urgent.
        urgentVersion: urgent ? 1 : 0,
        createdAt: now,
        updatedAt: now,
        ...(showsRows ? { postedVersion: 1, postedCard: card, postedAt: now, address: `here:${subject}` } : {}),
      })),
  );
  const [first, ...others] = rows;
  if (first === undefined) return;
  await keepOrWrite(tx, { table: messages, values: {} }, (at) => {
    // Delivery takes them in the same order. Counted before any row is stored.
    const locked = at.$with("locked").as(
      at
        .select({ id: messages.messageId })
        .from(messages)
        .where(isAnyOf(messages.subject, [...new Set(rows.map((each) => each.subject))]))
        .orderBy(asc(messages.messageId))
        .for("update"),
    );
    const version = sql`1 + 0 * (select count(*) from ${locked})`;
    return at
      .with(locked)
      .insert(messages)
      .values([{ ...first, version }, ...others])
      .onConflictDoUpdate({
        target: [messages.platform, messages.channel, messages.subject],
        set: {
          card: sql`excluded.card`,
          version: sql`${messages.version} + 1`,
          urgentVersion: sql`case when excluded.urgent_version = 1 then ${messages.version} + 1 else ${messages.urgentVersion} end`,
          urgentAt: sql`case when excluded.urgent_version = 1 then excluded.updated_at else ${messages.urgentAt} end`,
          plain: false,
          undeliverable: null,
          // What nobody has been shown is drawn anew.
          pictureUnderWay: sql`case when ${messages.postingSince} is null then null else ${messages.pictureUnderWay} end`,
          ...shownAgain,
          updatedAt: sql`excluded.updated_at`,
        },
        setWhere: sql`${messages.card} is distinct from excluded.card`,
      });
  });
}

/** What was not shown yet, by a version that stored and showed apart, delivery shows. */
const isShownAlready = sql`excluded.posted_version is not null and ${messages.postedVersion} is not null`;
const shownAgain = {
  postedVersion: sql`case when ${isShownAlready} then ${messages.version} + 1 else ${messages.postedVersion} end`,
  postedCard: sql`case when ${isShownAlready} then excluded.card else ${messages.postedCard} end`,
  postedAt: sql`case when ${isShownAlready} then excluded.posted_at else ${messages.postedAt} end`,
};

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

/** On which platforms subjects have messages; without those that have none. */
export type ShownWhere = ReadonlyMap<string, readonly string[]>;

/** Which of the subjects are there, and where. None asks nothing. */
export async function shownWhere(db: Db, subjects: readonly string[]): Promise<ShownWhere> {
  if (subjects.length === 0) return new Map();
  const found = await db
    .select({ subject: messages.subject, platform: messages.platform })
    .from(messages)
    .where(isAnyOf(messages.subject, subjects));
  const shown = new Map<string, string[]>();
  for (const { subject, platform } of found) shown.set(subject, [...(shown.get(subject) ?? []), platform]);
  return shown;
}

/** A channel of a platform. */
export interface ChannelNamed {
  readonly platform: string;
  readonly channel: string;
  /** What is stored for it is shown with that: its page reads the rows. */
  readonly showsRows?: true;
}

/** What a channel shows next: the first message that may go now, else the first that may go later, else nothing. */
export type NextMessage =
  /** `threadAddress` is that of the message it hangs under; null at top level. */
  | { readonly type: "message"; readonly message: Message; readonly threadAddress: string | null }
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
  const isProgress = sql`(${messages.address} is not null and ${messages.urgentVersion} <= coalesce(${messages.postedVersion}, 0))`;
  const wanting = db
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
  const parent = alias(messages, "parent");
  // Chats know one level of threads: what hangs under a reply stands in the thread of that reply.
  const root = alias(messages, "root");
  const found = await db
    .select({
      message: messages,
      threadAddress: sql<string | null>`coalesce(${root.address}, ${parent.address})`,
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
  return { type: "message", message: row.message, threadAddress: row.threadAddress };
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
  return shown.rowCount ?? 0;
}

/** The same of what is shown as it is stored: those that were not there before. The caller is the only one who stores any. */
export async function tellShownHere(
  tx: Db,
  channels: readonly ChannelNamed[],
  stored: readonly Pick<WantedMessage, "subject" | "platforms">[],
  now: Date,
): Promise<void> {
  for (const { platform, channel } of channels.filter((each) => each.showsRows === true)) {
    const here = stored.filter(({ platforms }) => platforms === undefined || platforms.includes(platform));
    if (here.length === 0) continue;
    // One statement with what stores them: it sees what was there before.
    const isThere = sql`select from ${messages} m where m.subject = w.subject and m.platform = ${platform} and m.channel = ${channel}`;
    const wanted = sql`unnest(${textArray(here.map((each) => each.subject))}) as w (subject)`;
    const shown = sql`(select w.subject from ${wanted} where not exists (${isThere}))`;
    await keepOrWrite(tx, { table: timeline, values: {} }, (at) =>
      at.execute(appendPosted(shown, { platform, channel }, now)),
    );
  }
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

/** As if never posted; another version, so that no platform takes it for the message that is gone. */
const anew = {
  address: null,
  postedVersion: null,
  postedCard: null,
  postingSince: null,
  version: sql`${messages.version} + 1`,
};

/** Somebody deleted the message: it is posted anew, at the end of its channel. */
export async function forgetAddress(db: Db, messageId: number): Promise<void> {
  await db.update(messages).set(anew).where(eq(messages.messageId, messageId));
}

/** The same for what lay at an address; what asks nothing stays away, as whoever deleted it wants it. */
export async function forgetDeleted(db: Db, platform: string, address: string): Promise<void> {
  await db
    .update(messages)
    .set(anew)
    .where(and(eq(messages.platform, platform), eq(messages.address, address), messages.isAsking));
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
  platform: string,
  channel: string,
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

/** Messages no platform would take, for the console and the doctor. */
export async function undeliverableMessages(db: Db): Promise<Message[]> {
  return await db.select().from(messages).where(isNotNull(messages.undeliverable)).orderBy(asc(messages.messageId));
}

export async function countUndeliverable(db: Db): Promise<number> {
  const found = await db
    .select({ number: sql<number>`count(*)::int` })
    .from(messages)
    .where(isNotNull(messages.undeliverable));
  return found[0]?.number ?? 0;
}
