import { sql } from "drizzle-orm";
import { customType, index, integer, text } from "drizzle-orm/pg-core";
import { at, cos } from "./base.ts";
import { goals } from "./goals.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** Kept output that every machine can show, when a store is set. It waits for its machine to store it, or is in the store. */
export const keptOutputs = cos.table(
  "kept_outputs",
  {
    /** Its path under the data directory of the machine that made it. Its name in the store is the same. */
    file: text("file").primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    /** Whose disk it is on: the hash of a machine and its data directory. */
    holder: text("holder").notNull(),
    /** Hash of the content before compression. */
    sha256: text("sha256").notNull(),
    at: at("at").notNull(),
    storedAt: at("stored_at"),
    /** Compressed size in the store. */
    storedBytes: integer("stored_bytes"),
    /** Null when the store is not this database. */
    content: bytes("content"),
  },
  (table) => [
    // Outputs that a machine still has to store (waitingOutputs), and the oldest (outputsOver, outputsBeyond).
    index("kept_outputs_waiting").on(table.holder, table.at).where(sql`stored_at is null`),
    index("kept_outputs_oldest").on(table.at),
    // PostgreSQL looks for them when a goal is deleted.
    index("kept_outputs_by_goal").on(table.goalId),
  ],
);
