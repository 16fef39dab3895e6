import { text } from "drizzle-orm/pg-core";
import type { Counting } from "../../core/agents/counting.ts";
import { at, cos } from "./base.ts";

/** What was learnt of agents by what they did, by the line that starts each (COS_AGENT, `repo add --agent`). */
export const agents = cos.table("agents", {
  line: text("line").primaryKey(),
  /** What it calls itself. */
  name: text("name"),
  version: text("version"),
  /** How it counts what a session cost that was taken up again (D48); null: not seen yet. */
  counting: text("counting").$type<Counting>(),
  /** Whether it asks before what policy asks about (D29); null: it has done nothing of that kind yet. */
  asks: text("asks").$type<"asks" | "asks-nobody">(),
  seenAt: at("seen_at").notNull(),
});
