import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { movedCard, movedState } from "../core/cards/moved-card.ts";
import { mark } from "./connection/marks.ts";
import { openCampaigns } from "./campaigns.ts";
import { listPending } from "./checkpoints.ts";
import type { Db } from "./connection/client.ts";
import { signal } from "./connection/signalled.ts";
import { listGoals } from "./goal-lists.ts";
import { openQueues } from "./merge-queues.ts";
import { type ChannelNamed, isShownIn } from "./messages.ts";
import { channels, messages } from "./schema/index.ts";
import { listOpenSessions } from "./sessions.ts";

/*
 * Which channels cards go to, and which they went to before (F-403). Settings name a channel. The platform's own id for it is learnt
 * from the platform's first response, so that two names of one channel are recognized as the same channel.
 */

/** Waits for any other process that changes channels. */
async function lockChannels(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('cos channels'), 0)`);
}

/**
 * From now on cards go to these channels only. If one of them is new, everything that is open is marked, so that its card is posted
 * there. Returns the left channels that still show an outdated card.
 */
export async function serveChannels(tx: Db, served: readonly ChannelNamed[], now: Date): Promise<ChannelNamed[]> {
  await lockChannels(tx);
  for (const each of served) await joinSameChannels(tx, each);
  const known = await tx.select().from(channels);
  const isServed = (each: ChannelNamed) => served.some((other) => isSameChannel(each, other));
  const isNew = (each: ChannelNamed) => !known.some((row) => row.leftAt === null && isSameChannel(row, each));
  if (served.some(isNew)) await markWhatIsOpen(tx);
  // Settings also say who may answer and how many have to: open questions must show the current settings.
  else await markOpenQuestions(tx);
  for (const { platform, channel } of served) {
    // In a channel that is served again, open cards are posted anew: an edit of an old message notifies nobody.
    const isHere = and(eq(messages.platform, platform), eq(messages.channel, channel));
    await tx.delete(messages).where(and(isHere, sql`${messages.card} ->> 'state' = ${movedState}`));
    const set = { leftAt: null };
    const target = [channels.platform, channels.channel];
    await tx.insert(channels).values({ platform, channel }).onConflictDoUpdate({ target, set });
  }
  for (const each of known.filter((row) => row.leftAt === null && !isServed(row))) {
    await tx.update(channels).set({ leftAt: now }).where(isThis(each));
    // Cards that were never posted in the left channel are posted where cards go now.
    const isHere = and(eq(messages.platform, each.platform), eq(messages.channel, each.channel));
    await tx.delete(messages).where(and(isHere, isNull(messages.address)));
  }
  const left: ChannelNamed[] = [];
  for (const { platform, channel } of known.filter((row) => !isServed(row)))
    if (await saysSomethingOld(tx, { platform, channel })) left.push({ platform, channel });
  return left;
}

/** True when a card in a left channel still asks a question, or is not up to date. */
async function saysSomethingOld(tx: Db, channel: ChannelNamed): Promise<boolean> {
  const found = await tx
    .select({ one: sql`1` })
    .from(messages)
    .where(and(...isShownIn(channel), or(messages.isAsking, messages.isWanting)))
    .limit(1);
  return found.length > 0;
}

/** True when two names refer to one channel. */
export function isSameChannel(one: ChannelNamed, other: ChannelNamed): boolean {
  return one.platform === other.platform && one.channel === other.channel;
}

function isThis({ platform, channel }: ChannelNamed) {
  return and(eq(channels.platform, platform), eq(channels.channel, channel));
}

/** Marks everything that is open, so that its cards are drawn and posted where they are not shown yet. */
async function markWhatIsOpen(tx: Db): Promise<void> {
  for (const { sessionId } of await listOpenSessions(tx)) mark(tx, "session", sessionId);
  for (const { campaignId } of await openCampaigns(tx)) mark(tx, "campaign", campaignId);
  for (const status of ["in_progress", "blocked"] as const)
    for (const { goalId } of await listGoals(tx, { status })) mark(tx, "goal", goalId);
  await markOpenQuestions(tx);
  for (const { queueId } of await openQueues(tx)) mark(tx, "queue", queueId);
}

async function markOpenQuestions(tx: Db): Promise<void> {
  for (const { checkpointId } of await listPending(tx)) mark(tx, "checkpoint", checkpointId);
}

/** The platform's own id for a channel. Null until the platform has reported it. */
export async function knownId(db: Db, channel: ChannelNamed): Promise<string | null> {
  const found = await db.select({ id: channels.knownId }).from(channels).where(isThis(channel));
  return found[0]?.id ?? null;
}

/** Stores the platform's own id for a channel. Messages that were stored under another name of this channel are moved to this name. */
export async function learnId(
  tx: Db,
  { platform, channel }: ChannelNamed,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await lockChannels(tx);
  // A channel whose id is learnt before it is served counts as left until then.
  await tx
    .insert(channels)
    .values({ platform, channel, knownId: id, leftAt: now })
    .onConflictDoUpdate({ target: [channels.platform, channels.channel], set: { knownId: id } });
  await joinSameChannels(tx, { platform, channel });
}

/** Moves the messages of the same channel under other names to this name. First deletes messages of this name that were not posted yet. */
async function joinSameChannels(tx: Db, { platform, channel }: ChannelNamed): Promise<void> {
  const id = (await knownId(tx, { platform, channel })) ?? channel;
  const others = await tx
    .select()
    .from(channels)
    .where(
      and(
        eq(channels.platform, platform),
        ne(channels.channel, channel),
        or(eq(channels.channel, id), eq(channels.knownId, id)),
      ),
    );
  for (const other of others) {
    await tx.execute(sql`delete from ${messages} here using ${messages} there
      where here.platform = ${platform} and here.channel = ${channel} and here.address is null and here.posting_since is null
        and there.platform = ${platform} and there.channel = ${other.channel} and there.subject = here.subject`);
    await tx.execute(sql`update ${messages} there set channel = ${channel}
      where platform = ${platform} and channel = ${other.channel} and not exists (
        select 1 from ${messages} here where here.platform = ${platform} and here.channel = ${channel}
          and here.subject = there.subject)`);
    await tx.delete(channels).where(isThis(other));
  }
}

/** After a message was posted: its copies in left channels are changed to say where it is now. */
export async function sayWhereItIs(
  tx: Db,
  { platform, channel, subject }: ChannelNamed & { readonly subject: string },
  left: readonly ChannelNamed[],
  now: Date,
): Promise<void> {
  const names = left.filter((each) => each.platform === platform).map((each) => each.channel);
  if (names.length === 0) return;
  const there = await tx
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.subject, subject),
        eq(messages.platform, platform),
        ne(messages.channel, channel),
        inArray(messages.channel, names),
        isNotNull(messages.address),
      ),
    )
    .for("update");
  for (const { messageId, card, version } of there) {
    const set = { card: movedCard(card, subject), version: version + 1, urgentVersion: version + 1, updatedAt: now };
    await tx.update(messages).set(set).where(eq(messages.messageId, messageId));
  }
  if (there.length > 0) signal(tx, { type: "messages" });
}

async function countAsking(db: Db, channel: ChannelNamed): Promise<number> {
  const [found] = await db
    .select({ asking: sql<number>`count(*)::int` })
    .from(messages)
    .where(and(...isShownIn(channel), messages.isAsking));
  return found?.asking ?? 0;
}

export interface LeftChannel extends ChannelNamed {
  readonly leftAt: Date;
  /** Number of cards that still ask there, because they were not posted elsewhere yet. */
  readonly asking: number;
}

/** Channels that were left since `since`, and all left channels in which a question is still open. */
export async function leftChannels(db: Db, since: Date): Promise<LeftChannel[]> {
  const left = await db.select().from(channels).where(isNotNull(channels.leftAt));
  const found: LeftChannel[] = [];
  for (const { platform, channel, leftAt } of left) {
    if (leftAt === null) continue;
    const asking = await countAsking(db, { platform, channel });
    if (asking > 0 || leftAt >= since) found.push({ platform, channel, leftAt, asking });
  }
  return found;
}
