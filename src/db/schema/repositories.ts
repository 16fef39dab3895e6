import { jsonb, text } from "drizzle-orm/pg-core";
import { at, cos } from "./base.ts";

export const repositories = cos.table("repositories", {
  repositoryId: text("repository_id").primaryKey(),
  name: text("name").notNull().unique(),
  path: text("path").notNull().unique(),
  baseBranch: text("base_branch").notNull(),
  setup: text("setup"),
  checks: jsonb("checks").$type<string[]>().notNull(),
  pushRemote: text("push_remote"),
  /** Overrides COS_AGENT for this repository. */
  agent: text("agent"),
  createdAt: at("created_at").notNull(),
});
