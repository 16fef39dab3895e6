import { sql } from "drizzle-orm";
import { bigserial, customType, doublePrecision, index, jsonb, primaryKey, text } from "drizzle-orm/pg-core";
import type { EventName } from "../../core/events/event.ts";
import { at, cos } from "./base.ts";

const posted: EventName = "message.posted";

/** What happened. */

/** A transaction's number, which never comes again; text in TypeScript. */
const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** What happened, append-only (D36); `why` and the console's goal page read it. */
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
    /** The transaction that wrote it, by which readers with a place go on (`timelineAfter`); 0 before there was this column. */
    xid: xid8("xid").notNull().default(sql`pg_current_xact_id()`),
  },
  (table) => [
    index("timeline_by_transaction").on(table.xid, table.timelineId),
    index("timeline_by_goal").on(table.goalId, table.timelineId),
    index("timeline_by_session").on(table.sessionId, table.timelineId),
    index("timeline_by_time").on(table.at),
    index("timeline_by_campaign").on(table.campaignId, table.timelineId).where(sql`campaign_id is not null`),
    // When questions were shown first (firstPosts).
    index("timeline_posts")
      .on(table.checkpointId)
      .where(sql`event = ${sql.raw(`'${posted}'`)} and checkpoint_id is not null`),
  ],
);

/**
 * How many of what happened, and how long it took, for metrics (`core/metrics/counted.ts`): written by the reader of the timeline
 * that counts, in the transaction that moves its place.
 */
export const counts = cos.table(
  "counts",
  {
    /** The name of a metric; of a histogram's sum with `_sum`. */
    about: text("about").notNull(),
    /** Its labels as text; empty: it has none. */
    label: text("label").notNull(),
    number: doublePrecision("number").notNull(),
  },
  (table) => [primaryKey({ columns: [table.about, table.label] })],
);
