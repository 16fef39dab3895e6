import { sql } from "drizzle-orm";
import { customType, index, integer, text } from "drizzle-orm/pg-core";
import { at, cos } from "./base.ts";
import { goals } from "./goals.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** Kept output that every machine can show, where a store is set: it waits for its machine to put it there, or lies there. */
export const keptOutputs = cos.table(
  "kept_outputs",
  {
    /** As it is called under the data directory of the machine that made it, and in the store. */
    file: text("file").primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    /** Whose disk it lies on: a machine and its data directory, as a hash. */
    holder: text("holder").notNull(),
    /** Of what was kept, before it was compressed. */
    sha256: text("sha256").notNull(),
    at: at("at").notNull(),
    storedAt: at("stored_at"),
    /** In the store: compressed. */
    storedBytes: integer("stored_bytes"),
    /** Null where the store is not this database. */
    content: bytes("content"),
  },
  (table) => [
    // What a machine still has to put there (waitingOutputs), and the oldest (outputsToForget).
    index("kept_outputs_waiting").on(table.holder, table.at).where(sql`stored_at is null`),
    index("kept_outputs_oldest").on(table.at),
    // PostgreSQL asks for them when a goal is deleted.
    index("kept_outputs_by_goal").on(table.goalId),
  ],
);
