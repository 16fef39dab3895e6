import { exists, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { wakingTones } from "../core/cards/card.ts";
import type { Count } from "../core/metrics/counted.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import { isCut, isSessionOpen } from "./ready-goals.ts";
import { checkpoints, counts, goals, messages, sessions } from "./schema/index.ts";

/** Counters for metrics, and counts of what is open now. */

/** All counters: a few hundred rows, however long the bot has run. */
export async function allCounts(db: Db): Promise<Count[]> {
  return await db.select().from(counts);
}

/**
 * Adds to counters. Each counter may occur only once in `added`. The caller holds the reader's row, so nobody else adds at the same
 * time.
 */
export async function addCounts(tx: Db, added: readonly Count[]): Promise<void> {
  if (added.length === 0) return;
  await tx
    .insert(counts)
    .values([...added])
    .onConflictDoUpdate({
      target: [counts.about, counts.label],
      set: { number: sql`${counts.number} + excluded.number` },
    });
}

/** Deletes all counters, before everything is counted again. */
export async function forgetCounts(tx: Db): Promise<void> {
  await tx.delete(counts);
}

/** When each of these checkpoints was asked. */
export async function askedAt(db: Db, checkpointIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (checkpointIds.length === 0) return new Map();
  const found = await db
    .select({ id: checkpoints.checkpointId, at: checkpoints.askedAt })
    .from(checkpoints)
    .where(isAnyOf(checkpoints.checkpointId, checkpointIds));
  return new Map(found.map(({ id, at }) => [id, at]));
}

/** How many wait, and since when the first of them has waited. `since` is null when none waits. */
export interface WaitingCount {
  readonly number: number;
  readonly since: Date | null;
}

const number = sql<number>`count(*)::int`;

/** Counts the checkpoints that nobody has answered. */
export async function countOpenQuestions(db: Db): Promise<WaitingCount> {
  const since = sql<Date | null>`min(${checkpoints.askedAt})`.mapWith(checkpoints.askedAt);
  const found = await db.select({ number, since }).from(checkpoints).where(sql`status = 'pending'`);
  return found[0] ?? { number: 0, since: null };
}

/** Counts goals of running sessions that are due and that no worker holds. `since` is when the first became due or its lease expired. */
export async function goalsInQueue(db: Db, now: Date): Promise<WaitingCount> {
  const since = sql<Date | null>`min(greatest(${goals.wakeAt}, ${goals.leasedUntil}))`.mapWith(goals.wakeAt);
  const found = await db
    .select({ number, since })
    .from(goals)
    .innerJoin(sessions, sql`${sessions.sessionId} = ${goals.sessionId} and ${isSessionOpen(now)}`)
    .where(sql`${goals.wakeAt} <= ${now} and (${goals.leasedUntil} is null or ${isCut})`);
  return found[0] ?? { number: 0, since: null };
}

/**
 * Cards that a platform does not show up to date, by platform. Cards that are put off on purpose are left out. These are cards with a
 * later `notBefore` and no failed attempt, and in quiet hours those that would wake somebody, with the replies behind them
 * (`nextMessage`). After quiet hours these count as waiting since `awakeSince`, which is null during quiet hours.
 */
export async function unshownCards(
  db: Db,
  now: Date,
  awakeSince: Date | null,
): Promise<ReadonlyMap<string, WaitingCount>> {
  const wakes = (of: typeof messages | typeof before) =>
    sql`(${of.address} is null and ${of.card} ->> 'tone' = any(${textArray(wakingTones)}))`;
  const before = alias(messages, "before");
  const isBehind = exists(
    db
      .select({ one: sql`1` })
      .from(before)
      .where(
        sql`${before.platform} = ${messages.platform} and ${before.channel} = ${messages.channel} and ${wakes(before)}
          and ${before.isWanting} and ${isNull(before.undeliverable)}
          and (${before.subject} = ${messages.threadSubject}
            or ${before.threadSubject} = ${messages.threadSubject} and ${before.messageId} < ${messages.messageId})`,
      ),
  );
  const isOfQuiet = sql`(${wakes(messages)} or ${messages.address} is null and ${isBehind})`;
  const isPutOff = sql`(${messages.notBefore} > ${now} and ${messages.attempts} = 0)`;
  const held = awakeSince === null ? sql`${isPutOff} or ${isOfQuiet}` : isPutOff;
  const since = sql<Date | null>`min(case when ${isOfQuiet} then greatest(${messages.updatedAt}, ${awakeSince}) else ${messages.updatedAt} end)`;
  const found = await db
    .select({ platform: messages.platform, number, since: since.mapWith(messages.updatedAt) })
    .from(messages)
    .where(sql`${messages.isWanting} and ${isNull(messages.undeliverable)} and (${held}) is not true`)
    .groupBy(messages.platform);
  return new Map(found.map(({ platform, ...waiting }) => [platform, waiting]));
}
