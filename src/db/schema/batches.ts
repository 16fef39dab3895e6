import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { Became } from "../../core/checkpoints/batch.ts";
import { at, cos } from "./base.ts";

/** Many questions that somebody answers with one choice, after a while in which that can be undone (F-411). */

export const batches = cos.table(
  "batches",
  {
    batchId: text("batch_id").primaryKey(),
    choice: text("choice").notNull(),
    status: text("status").$type<"held" | "begun" | "settled" | "undone">().notNull(),
    /** Whose answers they are, as `decisions` names them, with the groups that they were in. */
    actor: text("actor").notNull(),
    actorId: text("actor_id"),
    via: text("via").notNull(),
    groups: jsonb("groups").$type<readonly string[]>().notNull(),
    /** The named session of the console in which it was asked: when that is taken back, nothing is answered (D54). */
    consoleName: text("console_name"),
    askedAt: at("asked_at").notNull(),
    dueAt: at("due_at").notNull(),
    /** Done, or undone. */
    settledAt: at("settled_at"),
    undoneBy: text("undone_by"),
  },
  (table) => [
    // What is to be done (dueBatches).
    index("batches_due").on(table.dueAt).where(sql`status in ('held', 'begun')`),
    // What was asked lately (recentBatches).
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
    // No foreign key: it would lock every question of the list, in another order than answers and reminders do.
    checkpointId: text("checkpoint_id").notNull(),
    version: integer("version").notNull(),
    /** The hash of what was seen of it (`seenWords`). */
    seen: text("seen").notNull(),
    /** Null: it is not answered yet. Written in the transaction of its answer. */
    became: text("became").$type<Became>(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.position] }),
    unique("batched_questions_once").on(table.batchId, table.checkpointId),
  ],
);
