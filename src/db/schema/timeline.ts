import { sql } from "drizzle-orm";
import { bigserial, customType, doublePrecision, index, jsonb, primaryKey, text } from "drizzle-orm/pg-core";
import type { EventName } from "../../core/events/event.ts";
import { at, cos } from "./base.ts";

const posted: EventName = "message.posted";

/** The timeline of events, and counters. */

/** A transaction id, which is never reused. A string in TypeScript. */
const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** All events, append-only (D36). `why` and the console's goal page read it. */
export const timeline = cos.table(
  "timeline",
  {
    timelineId: bigserial("timeline_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id"),
    sessionId: text("session_id"),
    runId: text("run_id"),
    checkpointId: text("checkpoint_id"),
    campaignId: text("campaign_id"),
    event: text("event").notNull(),
    actor: text("actor"),
    via: text("via"),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
    at: at("at").notNull(),
    /** The transaction that wrote it: readers with a place continue by it (`timelineAfter`). 0 in rows from before this column existed. */
    xid: xid8("xid").notNull().default(sql`pg_current_xact_id()`),
  },
  (table) => [
    index("timeline_by_transaction").on(table.xid, table.timelineId),
    index("timeline_by_goal").on(table.goalId, table.timelineId),
    index("timeline_by_session").on(table.sessionId, table.timelineId),
    index("timeline_by_time").on(table.at),
    index("timeline_by_campaign").on(table.campaignId, table.timelineId).where(sql`campaign_id is not null`),
    // When checkpoints were first shown (firstPosts).
    index("timeline_posts")
      .on(table.checkpointId)
      .where(sql`event = ${sql.raw(`'${posted}'`)} and checkpoint_id is not null`),
  ],
);

/**
 * Counts and durations of events, for metrics (`core/metrics/counted.ts`). The reader of the timeline that counts writes them, in the
 * transaction that moves its place.
 */
export const counts = cos.table(
  "counts",
  {
    /** The name of a metric. For a histogram's sum, with `_sum`. */
    about: text("about").notNull(),
    /** Its labels as text. Empty when it has none. */
    label: text("label").notNull(),
    number: doublePrecision("number").notNull(),
  },
  (table) => [primaryKey({ columns: [table.about, table.label] })],
);
