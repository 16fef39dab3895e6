import { and, asc, desc, eq, gte, isNotNull, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { campaignDays, campaigns, goals, milestones, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

export type CampaignRow = typeof campaigns.$inferSelect;
export type MilestoneRow = typeof milestones.$inferSelect;
export type DayRow = typeof campaignDays.$inferSelect;

/** Returns false when the id is taken. */
export async function insertCampaign(tx: Db, row: typeof campaigns.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(campaigns).values(row).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** Returns the campaign, or null when there is none. */
export async function getCampaign(db: Db, campaignId: string): Promise<CampaignRow | null> {
  const found = await db.select().from(campaigns).where(eq(campaigns.campaignId, campaignId));
  return found[0] ?? null;
}

/** The campaigns with these ids, in no order. Unknown ids are left out. */
export async function campaignsById(db: Db, campaignIds: readonly string[]): Promise<CampaignRow[]> {
  if (campaignIds.length === 0) return [];
  return await db.select().from(campaigns).where(isAnyOf(campaigns.campaignId, campaignIds));
}

/**
 * Locks the row: after the calendar day, before sessions (D9). Uses `for no key update`, so that transactions that only refer to the
 * row can share its key. PostgreSQL checks that key again when a transaction changes a referring row twice. Such a transaction may hold
 * a session, and with a full lock it would wait for one that waits for that session (a deadlock).
 */
export async function lockCampaign(tx: Db, campaignId: string): Promise<CampaignRow | null> {
  const found = await tx.select().from(campaigns).where(eq(campaigns.campaignId, campaignId)).for("no key update");
  return found[0] ?? null;
}

/** Maximum number of ended campaigns that are listed. */
const mostOver = 30;

/** Campaigns that have not ended, and the newest `mostOver` that have. Sorted by creation, oldest first. */
export async function listCampaigns(db: Db): Promise<CampaignRow[]> {
  const over = await db
    .select()
    .from(campaigns)
    .where(isNotNull(campaigns.endedAt))
    .orderBy(desc(campaigns.endedAt))
    .limit(mostOver);
  return inOrder([...(await openCampaigns(db)), ...over]);
}

/** Sorts by creation, oldest first. */
function inOrder(rows: readonly CampaignRow[]): CampaignRow[] {
  return rows.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.campaignId < other.campaignId ? -1 : 1),
  );
}

/** Campaigns that have not ended, oldest first. */
export async function openCampaigns(db: Db): Promise<CampaignRow[]> {
  return await db
    .select()
    .from(campaigns)
    .where(sql`${campaigns.state} in ('planning', 'active', 'paused')`)
    .orderBy(asc(campaigns.createdAt), asc(campaigns.campaignId));
}

/** Campaigns that have not ended, and those that ended since `since`. Oldest first. */
export async function campaignsSince(db: Db, since: Date): Promise<CampaignRow[]> {
  const over = await db.select().from(campaigns).where(gte(campaigns.endedAt, since));
  return inOrder([...(await openCampaigns(db)), ...over]);
}

/** Changes a campaign. The caller is responsible for the rules. */
export async function updateCampaign(
  tx: Db,
  campaignId: string,
  changes: Partial<Omit<typeof campaigns.$inferInsert, "campaignId" | "createdAt">> & { updatedAt: Date },
): Promise<void> {
  await tx.update(campaigns).set(changes).where(eq(campaigns.campaignId, campaignId));
}

/** A campaign's milestones in their order. */
export async function milestonesOf(db: Db, campaignId: string): Promise<MilestoneRow[]> {
  return await db
    .select()
    .from(milestones)
    .where(eq(milestones.campaignId, campaignId))
    .orderBy(asc(milestones.position));
}

/** Changes a milestone. The caller is responsible for the rules. */
export async function updateMilestone(
  tx: Db,
  { campaignId, milestoneId }: Pick<MilestoneRow, "campaignId" | "milestoneId">,
  changes: Partial<Pick<MilestoneRow, "status" | "completedAt" | "completedBy" | "targetDay" | "instructions">>,
): Promise<void> {
  await tx
    .update(milestones)
    .set(changes)
    .where(and(eq(milestones.campaignId, campaignId), eq(milestones.milestoneId, milestoneId)));
}

/** Replaces all milestones. For plans that have not started. */
export async function replaceMilestones(
  tx: Db,
  campaignId: string,
  rows: readonly (typeof milestones.$inferInsert)[],
): Promise<void> {
  await tx.delete(milestones).where(eq(milestones.campaignId, campaignId));
  if (rows.length > 0) await tx.insert(milestones).values([...rows]);
}

/** A campaign's days in their order. */
export async function daysOf(db: Db, campaignId: string): Promise<DayRow[]> {
  return await db
    .select()
    .from(campaignDays)
    .where(eq(campaignDays.campaignId, campaignId))
    .orderBy(asc(campaignDays.dayNumber));
}

/** The status of each milestone, in order, by campaign id. Campaigns without milestones are missing. */
export async function milestoneStatusesOf(
  db: Db,
  campaignIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<MilestoneRow, "status" | "completedBy">[]>> {
  const { campaignId, status, completedBy, position } = milestones;
  const rows = await db
    .select({ campaignId, status, completedBy })
    .from(milestones)
    .where(isAnyOf(campaignId, campaignIds))
    .orderBy(asc(campaignId), asc(position));
  return byCampaign(rows);
}

/** The status of each day, in order, by campaign id. Campaigns without days are missing. */
export async function dayStatusesOf(
  db: Db,
  campaignIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<DayRow, "status">[]>> {
  const { campaignId, status, dayNumber } = campaignDays;
  const rows = await db
    .select({ campaignId, status })
    .from(campaignDays)
    .where(isAnyOf(campaignId, campaignIds))
    .orderBy(asc(campaignId), asc(dayNumber));
  return byCampaign(rows);
}

function byCampaign<Row extends { readonly campaignId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const mine = found.get(row.campaignId);
    if (mine === undefined) found.set(row.campaignId, [row]);
    else mine.push(row);
  }
  return found;
}

/** Changes a day of a campaign. The caller is responsible for the rules. */
export async function updateDay(
  tx: Db,
  { campaignId, dayNumber }: Pick<DayRow, "campaignId" | "dayNumber">,
  changes: Partial<Omit<DayRow, "campaignId" | "dayNumber">>,
): Promise<void> {
  await tx
    .update(campaignDays)
    .set(changes)
    .where(and(eq(campaignDays.campaignId, campaignId), eq(campaignDays.dayNumber, dayNumber)));
}

/** Replaces the days from number `from` on. Earlier days stay unchanged. */
export async function replaceDaysFrom(
  tx: Db,
  campaignId: string,
  from: number,
  rows: readonly (typeof campaignDays.$inferInsert)[],
): Promise<void> {
  await tx
    .delete(campaignDays)
    .where(and(eq(campaignDays.campaignId, campaignId), sql`${campaignDays.dayNumber} >= ${from}`));
  if (rows.length > 0) await tx.insert(campaignDays).values([...rows]);
}

/** The sessions of one day of a campaign: the open one first, then the newest. */
export async function sessionsOfDay(db: Db, campaignId: string, day: number): Promise<Session[]> {
  return await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.campaignId, campaignId), eq(sessions.campaignDay, day)))
    .orderBy(sql`${sessions.status} = 'ended'`, desc(sessions.startedAt), desc(sessions.endedAt));
}

/** The goals that were created from the campaign's plan, in the order in which they are worked. */
export async function goalsOfCampaign(db: Db, campaignId: string): Promise<(typeof goals.$inferSelect)[]> {
  return await db.select().from(goals).where(eq(goals.campaignId, campaignId)).orderBy(asc(goals.position));
}
