import { type SQL, sql } from "drizzle-orm";
import type { Card } from "../core/cards/card.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { asJson, rowsIn } from "./connection/rows.ts";
import { signal } from "./connection/signalled.ts";
import type { ChannelNamed } from "./messages.ts";
import { channels, messages, timeline } from "./schema/index.ts";
import { appendPosted } from "./timeline.ts";

/** A message that every channel should show, as the projection stores it. */

export interface WantedMessage {
  readonly subject: string;
  readonly threadSubject: string | null;
  /** The thread in a chat, when it differs from the console's. */
  readonly chatThread?: string | null;
  readonly card: Card;
  /** Deliver at once. Progress (not urgent) may wait for its interval (D17). */
  readonly urgent: boolean;
  /** The only platforms that show it. Absent: every platform. */
  readonly platforms?: readonly string[];
}

/**
 * Stores what every channel should show, new messages in this order. One statement; the version increases only when the card differs.
 * Each subject may occur once. A page that reads the rows shows them at once. `known`: the channels that this process knows. Channels
 * that another process serves get the messages too: it may have more settings than a command in a terminal.
 */
export async function putMessages(
  tx: Db,
  known: readonly ChannelNamed[],
  wanted: readonly WantedMessage[],
  now: Date,
): Promise<void> {
  if (wanted.length === 0) return;
  const rows = wanted.map(({ subject, threadSubject, chatThread = threadSubject, ...each }, place): Row => {
    return { ...each, subject, threadSubject, chatThread, platforms: each.platforms ?? null, place };
  });
  const places = known.map(({ platform, channel, showsRows = false }) => ({ platform, channel, showsRows }));
  const subjects = [...new Set(rows.map((each) => each.subject))];
  const values = { json: asJson(rows), known: asJson(places), subjects, now };
  await keepOrWrite(tx, { table: messages, values }, putting);
  signal(tx, { type: "messages" });
}

/** The wanted message of one subject, as a row of the statement's input. */
interface Row extends Required<Omit<WantedMessage, "platforms">> {
  readonly chatThread: string | null;
  readonly platforms: readonly string[] | null;
  /** Its position in the order of new messages. */
  readonly place: number;
}

const types: Readonly<Record<keyof Row, string>> = {
  subject: "text",
  threadSubject: "text",
  chatThread: "text",
  card: "jsonb",
  urgent: "boolean",
  platforms: "text[]",
  place: "integer",
};

interface MessagesToPut {
  readonly json: string;
  readonly known: string;
  readonly subjects: readonly string[];
  readonly now: Date;
}

/** The known channels and those that other processes serve, each once, with its place in the order. */
function channelsOf(known: string): SQL {
  return sql`
    select platform, channel, bool_or("showsRows") as "showsRows", min(turn) as turn from (
      select * from rows from (json_to_recordset(${known}::json) as (platform text, channel text, "showsRows" boolean))
        with ordinality as k (platform, channel, "showsRows", turn)
      union all select platform, channel, false, 1000 from ${channels} where left_at is null
    ) as each group by platform, channel`;
}

function putting(at: Db, { json, known, subjects, now }: MessagesToPut) {
  const moment = sql`${now}::timestamptz`;
  const shown = (value: SQL): SQL => sql`case when c."showsRows" then ${value} end`;
  // Delivery locks messages in the same order. The count forces these locks before any row is stored.
  const locked = sql`select message_id from ${messages} where subject = any(${sql.param(subjects)}::text[]) order by message_id for update`;
  // A new message is shown at once. For an existing message, `urgent` decides.
  const thread = sql`case when c.platform = 'console' then r."threadSubject" else r."chatThread" end`;
  return at.execute(sql`with locked as (${locked})
    insert into ${messages} (platform, channel, subject, thread_subject, card, version, urgent_version,
      posted_version, posted_card, posted_at, address, created_at, updated_at)
    select c.platform, c.channel, r.subject, ${thread}, r.card, 1 + 0 * (select count(*) from locked), r.urgent::int,
      ${shown(sql`1`)}, ${shown(sql`r.card`)}, ${shown(moment)}, ${shown(sql`'here:' || r.subject`)}, ${moment}, ${moment}
    from ${rowsIn(json, types)}
    join (${channelsOf(known)}) as c on r.platforms is null or c.platform = any(r.platforms)
    order by r.place, c.turn
    on conflict (platform, channel, subject) do update set
      card = excluded.card,
      version = messages.version + 1,
      urgent_version = case when excluded.urgent_version = 1 then messages.version + 1 else messages.urgent_version end,
      urgent_at = case when excluded.urgent_version = 1 then excluded.updated_at else messages.urgent_at end,
      plain = false,
      undeliverable = null,
      ${drawnAnew},
      ${shownAgain},
      updated_at = excluded.updated_at
    where messages.card is distinct from excluded.card`);
}

/** A picture that nobody has been shown yet is drawn again. */
const drawnAnew = sql`picture_under_way = case when messages.posting_since is null then null else messages.picture_under_way end`;

/** Only where the old version was shown too. Cards that an older version stored but did not show are shown by delivery. */
const isShownAlready = sql`excluded.posted_version is not null and messages.posted_version is not null`;
const shownAgain = sql`
      posted_version = case when ${isShownAlready} then messages.version + 1 else messages.posted_version end,
      posted_card = case when ${isShownAlready} then excluded.card else messages.posted_card end,
      posted_at = case when ${isShownAlready} then excluded.posted_at else messages.posted_at end`;

/** The platforms on which subjects have messages. Subjects without messages are missing. */
export type ShownWhere = ReadonlyMap<string, readonly string[]>;

/** Which of these subjects have messages, and on which platforms. An empty list sends no query. */
export async function shownWhere(db: Db, subjects: readonly string[]): Promise<ShownWhere> {
  if (subjects.length === 0) return new Map();
  const found = await shown(db, { subjects });
  const where = new Map<string, string[]>();
  for (const { subject, platform } of found) where.set(subject, [...(where.get(subject) ?? []), platform]);
  return where;
}

const shown = builtOnce<{ subjects: readonly string[] }, { subject: string; platform: string }[]>((db, place) =>
  db
    .select({ subject: messages.subject, platform: messages.platform })
    .from(messages)
    .where(sql`${messages.subject} = any(${place("subjects")}::text[])`),
);

/**
 * Adds to the timeline the cards that are shown as soon as they are stored (`showsRows`) and had no message there before. Not safe to
 * run concurrently: the caller must be the only writer of messages.
 */
export async function tellShownHere(
  tx: Db,
  channels: readonly ChannelNamed[],
  stored: readonly Pick<WantedMessage, "subject" | "platforms">[],
  now: Date,
): Promise<void> {
  for (const { platform, channel } of channels.filter((each) => each.showsRows === true)) {
    const here = stored.filter(({ platforms }) => platforms === undefined || platforms.includes(platform));
    if (here.length === 0) continue;
    const values = { subjects: here.map((each) => each.subject), platform, channel, now };
    await keepOrWrite(tx, { table: timeline, values }, telling);
  }
}

interface WantedSubjects {
  readonly subjects: readonly string[];
  readonly platform: string;
  readonly channel: string;
  readonly now: Date;
}

/** Runs in one statement with the insert of the messages, so that it sees which messages existed before. */
function telling(at: Db, { subjects, platform, channel, now }: WantedSubjects) {
  // Looks up each subject separately: a plan for a table without statistics would read all messages that are shown.
  const there = sql`select true from ${messages} m where m.subject = w.subject and m.platform = ${platform} and m.channel = ${channel} limit 1`;
  const wanted = sql`unnest(${sql.param(subjects)}::text[]) as w (subject)`;
  const shown = sql`(select w.subject from ${wanted} where (${there}) is null)`;
  return at.execute(appendPosted(shown, { platform, channel }, now));
}
