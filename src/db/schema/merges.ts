import { sql } from "drizzle-orm";
import { bigserial, check, index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { QueuedState } from "../../core/merging/queue.ts";
import { at, cos } from "./base.ts";
import { goals } from "./goals.ts";
import { repositories } from "./repositories.ts";

/** What becomes of finished branches. */

/**
 * What becomes of a complete goal's branch (D24): it is merged after a delay in which that can be undone, or discarded and kept for a
 * while. At most one merge of a goal is under way.
 */
export const merges = cos.table(
  "merges",
  {
    mergeId: bigserial("merge_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    status: text("status").$type<"due" | "merging" | "merged" | "undone" | "refused" | "discarded">().notNull(),
    /** The branch that it is merged into. */
    into: text("into_branch").notNull(),
    /** The recorded commit that is merged or discarded. */
    headCommit: text("head_commit").notNull(),
    /** The commit of the target branch when a merge queue requested it: it lands only on that commit. Null when a person requested it. */
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
    // The latest decision about a goal (lastMerge, groundsOf), and decisions in a period (branchesBetween).
    index("merges_by_goal").on(table.goalId, table.mergeId),
    index("merges_by_time").on(table.settledAt).where(sql`settled_at is not null`),
    // Discarded branches that are still kept (oldDiscards).
    index("merges_kept").on(table.settledAt).where(sql`status = 'discarded' and purged_at is null`),
    check("merges_settled", sql`(status in ('due', 'merging')) = (settled_at is null)`),
  ],
);

/** A merge queue: branches of one repository that land one after the other, each verified on what landed before it (D24). */
export const mergeQueues = cos.table(
  "merge_queues",
  {
    queueId: text("queue_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    /** The branch that they are merged into. */
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
    /** The commit of the base branch onto which its goal was put last. */
    tip: text("tip"),
    /** How often it was put onto another tip. */
    rounds: integer("rounds").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.queueId, table.goalId] }),
    // Whether a queue has moved a goal's work onto another tip (wasPutOnTip).
    index("queued_merges_by_goal").on(table.goalId),
    check("queued_merges_state", sql`state in ('waits', 'verifies', 'returned', 'merges', 'merged', 'left-out')`),
  ],
);
