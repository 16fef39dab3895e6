import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { Became } from "../../core/checkpoints/batch.ts";
import { at, cos } from "./base.ts";

/** A batch: many checkpoints that somebody answers with one choice, after a delay in which that can be undone (F-411). */

export const batches = cos.table(
  "batches",
  {
    batchId: text("batch_id").primaryKey(),
    choice: text("choice").notNull(),
    status: text("status").$type<"held" | "begun" | "settled" | "undone">().notNull(),
    /** Who answers, as in `decisions`, with the groups that the person was in. */
    actor: text("actor").notNull(),
    actorId: text("actor_id"),
    via: text("via").notNull(),
    groups: jsonb("groups").$type<readonly string[]>().notNull(),
    /** The named console session in which it was requested. When that session is ended, nothing is answered (D54). */
    consoleName: text("console_name"),
    askedAt: at("asked_at").notNull(),
    dueAt: at("due_at").notNull(),
    /** When it was done or undone. */
    settledAt: at("settled_at"),
    undoneBy: text("undone_by"),
  },
  (table) => [
    // Batches to be done (dueBatches).
    index("batches_due").on(table.dueAt).where(sql`status in ('held', 'begun')`),
    // Recent batches (recentBatches).
    index("batches_by_time").on(table.askedAt),
    check("batches_status", sql`status in ('held', 'begun', 'settled', 'undone')`),
    check("batches_settled", sql`(status in ('held', 'begun')) = (settled_at is null)`),
    check("batches_undone", sql`(status = 'undone') = (undone_by is not null)`),
  ],
);

export const batchedQuestions = cos.table(
  "batched_questions",
  {
    batchId: text("batch_id")
      .notNull()
      .references(() => batches.batchId),
    position: integer("position").notNull(),
    // No foreign key: it would lock every checkpoint of the list, in another order than answers and reminders do.
    checkpointId: text("checkpoint_id").notNull(),
    version: integer("version").notNull(),
    /** Hash of what was shown of it (`seenWords`). */
    seen: text("seen").notNull(),
    /** Null while it is not answered. Written in the transaction of its answer. */
    became: text("became").$type<Became>(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.position] }),
    unique("batched_questions_once").on(table.batchId, table.checkpointId),
  ],
);
