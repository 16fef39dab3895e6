import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, min, or } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { sessions, timeline } from "./schema/index.ts";

export type TimelineRow = typeof timeline.$inferSelect;

/** What happened. `detail` holds facts, never prose; absent ids are null. */
export interface TimelineEvent {
  readonly event: string;
  readonly at: Date;
  readonly goalId?: string | null;
  readonly sessionId?: string | null;
  readonly runId?: string | null;
  readonly checkpointId?: string | null;
  readonly campaignId?: string | null;
  readonly actor?: string | null;
  readonly via?: string | null;
  readonly detail?: Record<string, unknown>;
}

export async function appendTimeline(tx: Db, ...events: TimelineEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(timeline).values(events.map((event) => ({ ...event, detail: event.detail ?? {} })));
}

export async function goalTimeline(db: Db, goalId: string): Promise<TimelineRow[]> {
  return await db.select().from(timeline).where(eq(timeline.goalId, goalId)).orderBy(asc(timeline.timelineId));
}

/** What happened to a campaign itself, to what was asked about it and to the sessions of its days; oldest first. */
export async function campaignTimeline(db: Db, campaignId: string): Promise<TimelineRow[]> {
  const worked = await db.select({ id: sessions.sessionId }).from(sessions).where(eq(sessions.campaignId, campaignId));
  const ids = worked.map((each) => each.id);
  return await db
    .select()
    .from(timeline)
    .where(and(isNull(timeline.goalId), or(eq(timeline.campaignId, campaignId), inArray(timeline.sessionId, ids))))
    .orderBy(asc(timeline.timelineId));
}

/** The events of these names of a goal, oldest first. */
export async function goalEvents(db: Db, goalId: string, ...events: readonly string[]): Promise<TimelineRow[]> {
  return await db
    .select()
    .from(timeline)
    .where(and(eq(timeline.goalId, goalId), inArray(timeline.event, events)))
    .orderBy(asc(timeline.timelineId));
}

/** Whether a session refused its last goal at this ceiling. */
export async function endedAtCeiling(db: Db, sessionId: string, ceiling: string): Promise<boolean> {
  const found = await db
    .select({ detail: timeline.detail })
    .from(timeline)
    .where(and(eq(timeline.sessionId, sessionId), eq(timeline.event, "goal.refused")))
    .orderBy(desc(timeline.timelineId))
    .limit(1);
  return found[0]?.detail["ceiling"] === ceiling;
}

/** What came after an id, oldest first; without one, the newest `limit`. */
export async function timelineAfter(db: Db, after: number | null, limit: number): Promise<TimelineRow[]> {
  if (after === null) {
    const newest = await db.select().from(timeline).orderBy(desc(timeline.timelineId)).limit(limit);
    return newest.reverse();
  }
  return await db
    .select()
    .from(timeline)
    .where(gt(timeline.timelineId, after))
    .orderBy(asc(timeline.timelineId))
    .limit(limit);
}

/** The events of one name from a moment to before another, oldest first. */
export async function eventsBetween(db: Db, event: string, from: Date, to: Date): Promise<TimelineRow[]> {
  return await db
    .select()
    .from(timeline)
    .where(and(eq(timeline.event, event), gte(timeline.at, from), lt(timeline.at, to)))
    .orderBy(asc(timeline.timelineId));
}

/** When each of these questions was first shown anywhere; those that were not are missing. */
export async function firstPosts(db: Db, checkpointIds: readonly string[]): Promise<Map<string, Date>> {
  if (checkpointIds.length === 0) return new Map();
  const found = await db
    .select({ checkpointId: timeline.checkpointId, at: min(timeline.at) })
    .from(timeline)
    .where(and(inArray(timeline.checkpointId, [...checkpointIds]), eq(timeline.event, "message.posted")))
    .groupBy(timeline.checkpointId);
  return new Map(
    found.flatMap(({ checkpointId, at }) =>
      checkpointId === null || at === null ? [] : [[checkpointId, at] as const],
    ),
  );
}
