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
 * The pull request of a goal's branch: what is wanted, and what the forge showed last. At most one for a goal: work after a merge gets
 * a new one in the same row. A tick makes the forge match it.
 */
export const pulls = cos.table(
  "pulls",
  {
    goalId: text("goal_id")
      .primaryKey()
      .references(() => goals.goalId),
    provider: text("provider").$type<Provider>().notNull(),
    /** The forge's host, with its port. */
    host: text("host").notNull(),
    /** `owner/repository` on the forge. */
    path: text("path").notNull(),
    state: text("state").$type<PullState>().notNull(),
    /** Null while it is not opened. */
    number: integer("number"),
    url: text("url"),
    isDraft: boolean("is_draft").notNull().default(true),
    /** sha256 of the text that was written last. */
    written: text("written"),
    /** The state of the goal at the last look: its run, status, commit and the latest decision about its branch. */
    seen: text("seen"),
    /** Who merged or closed it on the forge, and when that was read. */
    endedBy: text("ended_by"),
    endedAt: at("ended_at"),
    /** The commit of its goal with which it was merged. Null when it is not merged, or when that is not known. */
    mergedWork: text("merged_work"),
    /** Number of failed looks since the last successful one. */
    failures: integer("failures").notNull().default(0),
    troubleKind: text("trouble_kind").$type<ForgeTroubleKind>(),
    /** The problem in words, with what to do. */
    trouble: text("trouble"),
    /** The forge's own mark of the last change that was read for remarks, and when that was. */
    heard: text("heard"),
    heardAt: at("heard_at"),
    /** How many remarks wait that no run has worked on, and the last of them in one line. */
    remarksWaiting: integer("remarks_waiting").notNull().default(0),
    lastRemark: text("last_remark"),
    /** The checks of its commit as they were seen last. Null when they were never seen. */
    checks: jsonb("checks").$type<ChecksSeen>(),
    checksDueAt: at("checks_due_at"),
    /** The commit whose failed checks went back to the agent last, and how often checks went back in all. */
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

/** What people said about a goal's pull request, each remark once. Without remarks of bots and of ourselves. */
export const pullRemarks = cos.table(
  "pull_remarks",
  {
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    /** The forge's own id, with its kind: `comment:12`. */
    key: text("key").notNull(),
    /** The order in which the remarks were read. */
    position: integer("position").notNull(),
    kind: text("kind").$type<Remark["kind"]>().notNull(),
    author: text("author").notNull(),
    body: text("body").notNull(),
    path: text("path"),
    line: integer("line"),
    heardAt: at("heard_at").notNull(),
    /** The run that works on it. Null while no run does. */
    runId: text("run_id").references(() => runs.runId),
  },
  (table) => [
    primaryKey({ columns: [table.goalId, table.key] }),
    check("pull_remarks_kind", sql`kind in ('changes', 'comment', 'line')`),
  ],
);
