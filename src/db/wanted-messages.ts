import { asc, sql } from "drizzle-orm";
import type { Card } from "../core/cards/card.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import type { ChannelNamed } from "./messages.ts";
import { messages, timeline } from "./schema/index.ts";
import { appendPosted } from "./timeline.ts";

/** What every channel should show, as the projection stores it. */

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
  if (rows.length === 0) return;
  const subjects = [...new Set(rows.map((each) => each.subject))];
  await keepOrWrite(tx, { table: messages, values: { rows, subjects } }, putting);
}

interface Putting {
  readonly rows: readonly (typeof messages.$inferInsert)[];
  readonly subjects: readonly string[];
}

function putting(at: Db, { rows: [first, ...others], subjects }: Putting) {
  if (first === undefined) throw new Error("no message is stored");
  // Delivery takes them in the same order. Counted before any row is stored.
  const locked = at.$with("locked").as(
    at
      .select({ id: messages.messageId })
      .from(messages)
      .where(sql`${messages.subject} = any(${sql.param(subjects)}::text[])`)
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
}

/** What was not shown yet, by a version that stored and showed apart, delivery shows. */
const isShownAlready = sql`excluded.posted_version is not null and ${messages.postedVersion} is not null`;
const shownAgain = {
  postedVersion: sql`case when ${isShownAlready} then ${messages.version} + 1 else ${messages.postedVersion} end`,
  postedCard: sql`case when ${isShownAlready} then excluded.card else ${messages.postedCard} end`,
  postedAt: sql`case when ${isShownAlready} then excluded.posted_at else ${messages.postedAt} end`,
};

/** On which platforms subjects have messages; without those that have none. */
export type ShownWhere = ReadonlyMap<string, readonly string[]>;

/** Which of the subjects are there, and where. None asks nothing. */
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
    const values = { subjects: here.map((each) => each.subject), platform, channel, now };
    await keepOrWrite(tx, { table: timeline, values }, telling);
  }
}

interface Telling {
  readonly subjects: readonly string[];
  readonly platform: string;
  readonly channel: string;
  readonly now: Date;
}

/** One statement with what stores them: it sees what was there before. */
function telling(at: Db, { subjects, platform, channel, now }: Telling) {
  const isThere = sql`select from ${messages} m where m.subject = w.subject and m.platform = ${platform} and m.channel = ${channel}`;
  const wanted = sql`unnest(${sql.param(subjects)}::text[]) as w (subject)`;
  const shown = sql`(select w.subject from ${wanted} where not exists (${isThere}))`;
  return at.execute(appendPosted(shown, { platform, channel }, now));
}
