import { bigint, pgSchema, timestamp } from "drizzle-orm/pg-core";

/** Our tables, in a schema of their own. */
export const cos = pgSchema("cos");

/** A moment. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** An amount of money in whole micro-dollars. */
export const micro = (name: string) => bigint(name, { mode: "number" });
