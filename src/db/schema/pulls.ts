import { sql } from "drizzle-orm";
import { boolean, check, index, integer, text } from "drizzle-orm/pg-core";
import type { Provider } from "../../core/forges/forge.ts";
import type { PullState } from "../../core/forges/steps.ts";
import type { ForgeTroubleKind } from "../../core/forges/trouble.ts";
import { at, cos } from "./base.ts";
import { goals } from "./goals.ts";

/**
 * The pull request of a goal's branch: what is wanted, and what the forge showed last. At most one a goal. A tick makes the forge
 * match it.
 */
export const pulls = cos.table(
  "pulls",
  {
    goalId: text("goal_id")
      .primaryKey()
      .references(() => goals.goalId),
    provider: text("provider").$type<Provider>().notNull(),
    /** Of the forge, with its port. */
    host: text("host").notNull(),
    /** `owner/repository` there. */
    path: text("path").notNull(),
    state: text("state").$type<PullState>().notNull(),
    /** Null: it was not opened yet. */
    number: integer("number"),
    url: text("url"),
    isDraft: boolean("is_draft").notNull().default(true),
    /** sha256 of the text that was written last. */
    written: text("written"),
    /** What of the goal was looked at last: its run, status, commit and the last word on its branch. */
    seen: text("seen"),
    /** Who merged or closed it there. */
    endedBy: text("ended_by"),
    /** Looks that failed since the last that did not. */
    failures: integer("failures").notNull().default(0),
    troubleKind: text("trouble_kind").$type<ForgeTroubleKind>(),
    /** In words, with what to do. */
    trouble: text("trouble"),
    createdAt: at("created_at").notNull(),
    /** When it is looked at again. */
    dueAt: at("due_at").notNull(),
  },
  (table) => [
    index("pulls_open").on(table.dueAt).where(sql`state in ('wanted', 'open')`),
    check("pulls_state", sql`state in ('wanted', 'open', 'merged', 'closed')`),
    check("pulls_opened", sql`state <> 'open' or number is not null`),
  ],
);
