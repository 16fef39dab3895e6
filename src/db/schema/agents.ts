import { text } from "drizzle-orm/pg-core";
import type { Counting } from "../../core/agents/counting.ts";
import { at, cos } from "./base.ts";

/** What was learnt about agents from their behaviour, by the command line that starts each (COS_AGENT, `repo add --agent`). */
export const agents = cos.table("agents", {
  line: text("line").primaryKey(),
  /** Its own name for itself. */
  name: text("name"),
  version: text("version"),
  /** How it counts the cost of a resumed session (D48). Null when that was not seen yet. */
  counting: text("counting").$type<Counting>(),
  /** Whether it asks for permission where policy requires that (D29). Null while it has done nothing of that kind. */
  asks: text("asks").$type<"asks" | "asks-nobody">(),
  seenAt: at("seen_at").notNull(),
});
