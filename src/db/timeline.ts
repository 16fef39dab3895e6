import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  min,
  type SQL,
  sql,
} from "drizzle-orm";
import type { EventDetails, EventName } from "../core/events/event.ts";
import { isEvent, type KnownEvent, type OtherEvent, readEvent, type StoredEvent } from "../core/events/read.ts";
import type { NewEvent } from "../core/events/write.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import { asJson, inserting } from "./connection/rows.ts";
import { keepTold } from "./connection/told.ts";
import { checkpoints, goals, sessions, timeline } from "./schema/index.ts";

const { xid: _, ...columns } = getTableColumns(timeline);
type Stored = Omit<typeof timeline.$inferSelect, "event" | "detail" | "xid">;

/** An event with one of these names, as read from its row. */
export type EventRow<Name extends EventName = EventName> = Stored & KnownEvent<Name>;

/** A row of the timeline, whatever version wrote it. */
export type TimelineRow = Stored & (KnownEvent | OtherEvent);

/**
 * Adds events: at the end of the transaction (`connection/told.ts`); outside of a transaction at once. Only this function and
 * `appendPosted` write the timeline.
 */
export async function appendTimeline(tx: Db, ...events: readonly NewEvent[]): Promise<void> {
  const rows = events.map((event) => ({ ...event, detail: event.detail ?? {} }));
  if (rows.length > 0 && !keepTold(tx, rows, adding)) await adding(tx, { json: asJson(rows) });
}

const said = ["goalId", "sessionId", "runId", "checkpointId", "campaignId"] as const;
const adding = inserting(timeline, [...said, "event", "actor", "via", "detail", "at"]);

/**
 * The insert that records that cards of goals and checkpoints were shown, without other messages. `shown`: a query for their subjects,
 * for use in a larger statement. Each subject is looked up separately, so that the plan does not depend on statistics.
 */
export function appendPosted(shown: SQL, { platform, channel }: EventDetails["message.posted"], at: Date): SQL {
  const event: EventName = "message.posted";
  const detail = sql`jsonb_build_object('platform', ${platform}::text, 'channel', ${channel}::text)`;
  return sql`insert into ${timeline} (goal_id, checkpoint_id, event, detail, at)
    select coalesce(c.goal_id, g.goal_id), c.checkpoint_id, ${event}::text, ${detail}, ${at}::timestamptz
    from ${shown} s
    left join lateral (select checkpoint_id, goal_id from ${checkpoints} where checkpoint_id = s.subject limit 1) c on true
    left join lateral (select goal_id from ${goals} where goal_id = s.subject limit 1) g on true
    where c.checkpoint_id is not null or g.goal_id is not null`;
}

/** Names of events as a list for SQL: `event in ${eventNames("goal.complete", "goal.failed")}`. */
export function eventNames(...names: readonly EventName[]): SQL {
  return sql.raw(`(${names.map((name) => `'${name}'`).join(", ")})`);
}

/** A detail of these events as text, for SQL: `t.${detailOf<"goal.found-in-git">("news")}`. */
export function detailOf<Name extends EventName>(detail: keyof EventDetails[Name] & string): SQL {
  return sql.raw(`detail->>'${detail}'`);
}

/** All events of a goal, oldest first. */
export async function goalTimeline(db: Db, goalId: string): Promise<TimelineRow[]> {
  return await rowsWhere(db, eq(timeline.goalId, goalId));
}

/** At most `most` events: the newest, or the newest before the event `before`. */
interface PartWanted {
  readonly before: number | null;
  readonly most: number;
}

/** Events, oldest first. `earlier`: how many events come before them. */
export interface TimelinePart {
  readonly rows: readonly TimelineRow[];
  readonly earlier: number;
}

/** A part of a goal's events. */
export async function goalTimelinePart(db: Db, goalId: string, wanted: PartWanted): Promise<TimelinePart> {
  return await partWhere(db, eq(timeline.goalId, goalId), wanted);
}

async function partWhere(db: Db, of: SQL | undefined, { before, most }: PartWanted): Promise<TimelinePart> {
  const where = and(of, before === null ? undefined : lt(timeline.timelineId, before));
  const newest = await db.select(columns).from(timeline).where(where).orderBy(desc(timeline.timelineId)).limit(most);
  const all = newest.length < most ? newest.length : await countWhere(db, where);
  return { rows: newest.reverse().map(readEvent), earlier: all - newest.length };
}

/** A part of the events of a campaign, its checkpoints and the sessions of its days, without events of goals. */
export async function campaignTimelinePart(db: Db, campaignId: string, wanted: PartWanted): Promise<TimelinePart> {
  const worked = await db.select({ id: sessions.sessionId }).from(sessions).where(eq(sessions.campaignId, campaignId));
  const ids = worked.map((each) => each.id);
  const isItsOwn = sql`${timeline.timelineId} = any(array(
    select timeline_id from cos.timeline where campaign_id = ${campaignId}
    union
    select timeline_id from cos.timeline where session_id = any(${textArray(ids)})))`;
  return await partWhere(db, and(isNull(timeline.goalId), isItsOwn), wanted);
}

/** The events of a goal with these names, oldest first. */
export async function readGoalEvents<Name extends EventName>(
  db: Db,
  goalId: string,
  ...names: readonly Name[]
): Promise<EventRow<Name>[]> {
  return only((await eventsOfGoal(db, { goalId, names })).map(readEvent), names);
}

const eventsOfGoal = builtOnce<{ goalId: string; names: readonly EventName[] }, (Stored & StoredEvent)[]>((db, place) =>
  db
    .select(columns)
    .from(timeline)
    .where(and(eq(timeline.goalId, place("goalId")), sql`${timeline.event} = any(${place("names")}::text[])`))
    .orderBy(asc(timeline.timelineId)),
);

/** The events of one name from `from` to before `to`, oldest first. */
export async function eventsBetween<Name extends EventName>(
  db: Db,
  name: Name,
  from: Date,
  to: Date,
): Promise<EventRow<Name>[]> {
  const isIn = and(eq(timeline.event, name), gte(timeline.at, from), lt(timeline.at, to));
  return only(await rowsWhere(db, isIn), [name]);
}

/** Those of these checkpoints that changed, or from whose card the session was paused, after `since`. */
export async function changedSince(db: Db, checkpointIds: readonly string[], since: Date): Promise<Set<string>> {
  const changes: EventName[] = ["checkpoint.changed", "checkpoint.paused"];
  const found = await db
    .select({ id: timeline.checkpointId })
    .from(timeline)
    .where(
      and(gt(timeline.at, since), inArray(timeline.event, changes), isAnyOf(timeline.checkpointId, checkpointIds)),
    );
  return new Set(found.flatMap(({ id }) => id ?? []));
}

/** True when the session's last refusal of a goal was because of this ceiling. */
export async function endedAtCeiling(
  db: Db,
  sessionId: string,
  ceiling: EventDetails["goal.refused"]["ceiling"],
): Promise<boolean> {
  const name: EventName = "goal.refused";
  const found = await db
    .select(columns)
    .from(timeline)
    .where(and(eq(timeline.sessionId, sessionId), eq(timeline.event, name)))
    .orderBy(desc(timeline.timelineId))
    .limit(1);
  const [last] = found.map(readEvent);
  return last?.event === "goal.refused" && last.detail.ceiling === ceiling;
}

async function rowsWhere(db: Db, where: SQL | undefined): Promise<TimelineRow[]> {
  return (await db.select(columns).from(timeline).where(where).orderBy(asc(timeline.timelineId))).map(readEvent);
}

async function countWhere(db: Db, where: SQL | undefined): Promise<number> {
  const [counted] = await db.select({ rows: count() }).from(timeline).where(where);
  return counted?.rows ?? 0;
}

function only<Name extends EventName>(rows: readonly TimelineRow[], names: readonly Name[]): EventRow<Name>[] {
  return rows.filter((row): row is EventRow<Name> & TimelineRow => isEvent(row, ...names));
}

/**
 * The place of a reader: it has read earlier transactions, and transaction `xid` up to `timelineId`. Valid for one server. A dump that
 * is restored on another one has other transaction ids: readers begin anew.
 */
export interface TimelinePlace {
  readonly xid: string;
  readonly timelineId: number;
}

/**
 * The oldest running transaction of this database, or else the next one. Transactions that are known to belong to another database of
 * the server are left out: a long one there must not delay readers here. This transaction counts as running.
 */
const oldestRunning = sql`(select least(
  pg_current_xact_id_if_assigned(),
  coalesce(
    (select running.xid from pg_snapshot_xip(pg_current_snapshot()) as running (xid)
      where not exists (
        select from pg_stat_activity other
        where other.backend_xid = running.xid::xid
          and other.datid <> (select oid from pg_database where datname = current_database()))
      order by running.xid limit 1),
    pg_snapshot_xmax(pg_current_snapshot()))))`;

/**
 * Events after a place, in the order of their transactions; without a place, the newest `limit`. Only of transactions older than the
 * oldest running one. Ids are not committed in the order in which they are taken: an event that commits late is returned later, never
 * lost.
 */
export async function timelineAfter(
  db: Db,
  after: TimelinePlace | null,
  limit: number,
): Promise<{ readonly rows: TimelineRow[]; readonly place: TimelinePlace | null }> {
  const isOver = sql`${timeline.xid} < ${oldestRunning}`;
  const isNext =
    after === null
      ? sql``
      : sql`and (${timeline.xid}, ${timeline.timelineId}) > (${after.xid}::xid8, ${after.timelineId})`;
  const order = after === null ? [desc(timeline.xid), desc(timeline.timelineId)] : [timeline.xid, timeline.timelineId];
  const found = await db
    .select()
    .from(timeline)
    .where(sql`${isOver} ${isNext}`)
    .orderBy(...order)
    .limit(limit);
  const inOrder = after === null ? found.reverse() : found;
  const last = inOrder.at(-1);
  return {
    rows: inOrder.map(({ xid: __, ...row }) => readEvent(row)),
    place: last === undefined ? after : { xid: last.xid, timelineId: last.timelineId },
  };
}

/** When each of these checkpoints was first shown on any platform. Those that were never shown are missing. */
export async function firstPosts(db: Db, checkpointIds: readonly string[]): Promise<Map<string, Date>> {
  if (checkpointIds.length === 0) return new Map();
  const isPosted = sql`${timeline.event} in ${eventNames("message.posted")}`;
  const found = await db
    .select({ checkpointId: timeline.checkpointId, at: min(timeline.at) })
    .from(timeline)
    .where(and(isAnyOf(timeline.checkpointId, checkpointIds), isPosted))
    .groupBy(timeline.checkpointId);
  const posts = found.flatMap(({ checkpointId: id, at }) => (id === null || at === null ? [] : [[id, at] as const]));
  return new Map(posts);
}
