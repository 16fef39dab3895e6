import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, primaryKey, text } from "drizzle-orm/pg-core";
import type { Provider } from "../../core/forges/forge.ts";
import type { ChecksSeen } from "../../core/forges/checks.ts";
import type { Remark } from "../../core/forges/remarks.ts";
import type { PullState } from "../../core/forges/steps.ts";
import type { ForgeTroubleKind } from "../../core/forges/trouble.ts";
import { at, cos } from "./base.ts";
import { goals, runs } from "./goals.ts";

/**
 * The pull request of a goal's branch: what is wanted, and what the forge showed last. At most one a goal: work that comes after a
 * merge there has the next one. A tick makes the forge match it.
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
    /** Who merged or closed it there, and when that was read. */
    endedBy: text("ended_by"),
    endedAt: at("ended_at"),
    /** The commit of its goal that it was merged with; null: it is not merged, or nobody knows. */
    mergedWork: text("merged_work"),
    /** Looks that failed since the last that did not. */
    failures: integer("failures").notNull().default(0),
    troubleKind: text("trouble_kind").$type<ForgeTroubleKind>(),
    /** In words, with what to do. */
    trouble: text("trouble"),
    /** The forge's own mark of the last change that was listened to; and when that was. */
    heard: text("heard"),
    heardAt: at("heard_at"),
    /** What people said that nobody has had worked on, and the last of it in one line. */
    remarksWaiting: integer("remarks_waiting").notNull().default(0),
    lastRemark: text("last_remark"),
    /** The checks of its commit, as they were seen last; null: never. */
    checks: jsonb("checks").$type<ChecksSeen>(),
    checksDueAt: at("checks_due_at"),
    /** The commit whose failed checks went back to the agent last, and how often any did. */
    checksGiven: text("checks_given"),
    checkRounds: integer("check_rounds").notNull().default(0),
    createdAt: at("created_at").notNull(),
    /** When it is looked at again. */
    dueAt: at("due_at").notNull(),
  },
  (table) => [
    index("pulls_open").on(table.dueAt).where(sql`state in ('wanted', 'open')`),
    index("pulls_closed").on(table.endedAt).where(sql`state = 'closed'`),
    check("pulls_state", sql`state in ('wanted', 'open', 'merged', 'closed')`),
    check("pulls_opened", sql`state <> 'open' or number is not null`),
  ],
);

/** What people said about a goal's pull request, each once; neither bots nor we. */
export const pullRemarks = cos.table(
  "pull_remarks",
  {
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    /** The forge's own, with what it is: `comment:12`. */
    key: text("key").notNull(),
    /** In the order in which they were heard. */
    position: integer("position").notNull(),
    kind: text("kind").$type<Remark["kind"]>().notNull(),
    author: text("author").notNull(),
    body: text("body").notNull(),
    path: text("path"),
    line: integer("line"),
    heardAt: at("heard_at").notNull(),
    /** The run that works on it; null: nobody has had it worked on. */
    runId: text("run_id").references(() => runs.runId),
  },
  (table) => [
    primaryKey({ columns: [table.goalId, table.key] }),
    check("pull_remarks_kind", sql`kind in ('changes', 'comment', 'line')`),
  ],
);
