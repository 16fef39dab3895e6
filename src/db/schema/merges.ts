import { sql } from "drizzle-orm";
import { bigserial, check, index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { QueuedState } from "../../core/merging/queue.ts";
import { at, cos } from "./base.ts";
import { goals } from "./goals.ts";
import { repositories } from "./repositories.ts";

/** What becomes of finished branches. */

/**
 * What becomes of a complete goal's branch (D24): merged after a delay in which it can be undone, or discarded and kept
 * for a while. At most one is under way for a goal.
 */
export const merges = cos.table(
  "merges",
  {
    mergeId: bigserial("merge_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    status: text("status").$type<"due" | "merging" | "merged" | "undone" | "refused" | "discarded">().notNull(),
    /** The branch it goes into. */
    into: text("into_branch").notNull(),
    /** The recorded commit that is merged or discarded. */
    headCommit: text("head_commit").notNull(),
    /** Where the branch stood that it goes into when a merge queue asked for it: it lands on nothing else; null: a person asked. */
    verifiedOn: text("verified_on"),
    requestedBy: text("requested_by").notNull(),
    requestedAt: at("requested_at").notNull(),
    dueAt: at("due_at").notNull(),
    settledAt: at("settled_at"),
    resultCommit: text("result_commit"),
    outcome: text("outcome"),
    /** When the ref of a discarded branch was removed. */
    purgedAt: at("purged_at"),
  },
  (table) => [
    uniqueIndex("merges_one_under_way").on(table.goalId).where(sql`status in ('due', 'merging')`),
    index("merges_due").on(table.dueAt).where(sql`status in ('due', 'merging')`),
    // What was decided last about a goal (lastMerge, groundsOf), what was in a time (branchesBetween).
    index("merges_by_goal").on(table.goalId, table.mergeId),
    index("merges_by_time").on(table.settledAt).where(sql`settled_at is not null`),
    // Discarded branches that are still kept (oldDiscards).
    index("merges_kept").on(table.settledAt).where(sql`status = 'discarded' and purged_at is null`),
    check("merges_settled", sql`(status in ('due', 'merging')) = (settled_at is null)`),
  ],
);

/** Branches of one repository that land one after the other, each verified on what landed before it (D24). */
export const mergeQueues = cos.table(
  "merge_queues",
  {
    queueId: text("queue_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    /** The branch they go into. */
    into: text("into_branch").notNull(),
    requestedBy: text("requested_by").notNull(),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
    endReason: text("end_reason"),
  },
  (table) => [uniqueIndex("merge_queues_one_open").on(table.repositoryId).where(sql`ended_at is null`)],
);

export const queuedMerges = cos.table(
  "queued_merges",
  {
    queueId: text("queue_id")
      .notNull()
      .references(() => mergeQueues.queueId),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    position: integer("position").notNull(),
    state: text("state").$type<QueuedState>().notNull(),
    reason: text("reason"),
    /** Where the base branch stood when its goal was put on it last. */
    tip: text("tip"),
    /** How often it was put on another tip. */
    rounds: integer("rounds").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.queueId, table.goalId] }),
    // Whether a queue has put a goal's work on another tip (wasPutOnTip).
    index("queued_merges_by_goal").on(table.goalId),
    check("queued_merges_state", sql`state in ('waits', 'verifies', 'returned', 'merges', 'merged', 'left-out')`),
  ],
);
