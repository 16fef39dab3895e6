import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  real,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Tier } from "../../core/goals/goal.ts";
import type { WorklogOutcome, WorklogSummary } from "../../core/worklog/finish.ts";
import type { WorklogFlags } from "../../core/worklog/flags.ts";
import type { WorklogPhase, PhaseSummary } from "../../core/worklog/phase.ts";
import type { Todo } from "../../core/worklog/todos.ts";
import { at, cos } from "./base.ts";

/** The account that goals give of themselves (seed 000). Decisions about a goal never read it. */

export const worklogs = cos.table(
  "worklogs",
  {
    /** For example `20260126_143215_001`. */
    sessionId: text("session_id").primaryKey(),
    /** The goal and run that it is about. For a coding agent's own session: no goal, and `outside-` before its id. */
    goalId: text("goal_id"),
    runId: text("run_id"),
    /** The owner: the work is offered to later goals of the same owner. */
    owner: text("owner").notNull(),
    taskDescription: text("task_description").notNull(),
    tier: text("tier").$type<Tier>().notNull(),
    confidence: real("confidence").notNull(),
    reason: text("reason").notNull(),
    flags: jsonb("flags").$type<WorklogFlags>().notNull(),
    /** Globs of the files that the goal may change. */
    planned: jsonb("planned").$type<string[]>().notNull(),
    startedAt: at("started_at").notNull(),
    lastModified: at("last_modified").notNull(),
    completedAt: at("completed_at"),
    outcome: text("outcome").$type<WorklogOutcome>().notNull(),
    /** When it was finished or abandoned. */
    settledAt: at("settled_at"),
    summary: jsonb("summary").$type<WorklogSummary>(),
    /** Number of tokens that were sent to a model because of it. */
    tokens: integer("tokens").notNull().default(0),
    /** Bytes of its entries, and number of entries that were not stored: no room, or no store. */
    bytes: integer("bytes").notNull().default(0),
    unstored: integer("unstored").notNull().default(0),
    /** In words: what is missing, and why. */
    gap: text("gap"),
    /** Number of course corrections that were requested. */
    corrections: integer("corrections").notNull().default(0),
    /** When it was resumed or dismissed. */
    releasedAt: at("released_at"),
    releasedBy: text("released_by"),
    /** True when its entries could not be read: it is set aside as it is. */
    isCorrupt: boolean("is_corrupt").notNull().default(false),
    hasRaw: boolean("has_raw").notNull().default(true),
    /** True when its numbers are included in its day's row. */
    isCounted: boolean("is_counted").notNull().default(false),
  },
  (table) => [
    // The open worklog of a run (openWorklogOf).
    uniqueIndex("worklogs_one_open").on(table.runId).where(sql`outcome = 'in_progress'`),
    // The worklogs of a goal (worklogsOfGoal), and the newest (listWorklogs).
    index("worklogs_by_goal").on(table.goalId),
    index("worklogs_by_start").on(table.startedAt),
    // Unfinished work of a person (unfinishedOf).
    index("worklogs_unfinished")
      .on(table.owner, table.startedAt)
      .where(sql`outcome in ('abandoned', 'in_progress') and released_at is null`),
    // Worklogs that still have their entries (worklogsWithEntries).
    index("worklogs_raw").on(table.lastModified).where(sql`has_raw`),
    check("worklogs_outcome", sql`outcome in ('success', 'failure', 'aborted', 'abandoned', 'in_progress')`),
    check("worklogs_tier", sql`tier in ('STRICT', 'STANDARD', 'LIGHT', 'EXEMPT')`),
  ],
);

/** What was done, in order. Append-only until the entries of the worklog are deleted. */
export const worklogEntries = cos.table(
  "worklog_entries",
  {
    entryId: bigserial("entry_id", { mode: "number" }).primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => worklogs.sessionId),
    /** The writer gives each entry a key: an entry that is written again is stored once. */
    key: text("key").notNull(),
    entry: jsonb("entry").$type<unknown>().notNull(),
  },
  (table) => [
    unique("worklog_entries_once").on(table.sessionId, table.key),
    index("worklog_entries_in_order").on(table.sessionId, table.entryId),
  ],
);

/** Summaries of phases: `_checkpoint/{session_id}/{n}`. Deleted when the goal has succeeded (C-18). */
export const worklogCheckpoints = cos.table(
  "worklog_checkpoints",
  {
    sessionId: text("session_id")
      .notNull()
      .references(() => worklogs.sessionId),
    phase: text("phase").$type<WorklogPhase>().notNull(),
    n: integer("n").notNull(),
    summary: jsonb("summary").$type<PhaseSummary>().notNull(),
  },
  (table) => [unique("worklog_checkpoints_once").on(table.sessionId, table.phase)],
);

/** The current plan: `_progress/{task_hash}`, until the goal ends. */
export const worklogTodos = cos.table("worklog_todos", {
  sessionId: text("session_id")
    .primaryKey()
    .references(() => worklogs.sessionId),
  taskHash: text("task_hash").notNull(),
  todos: jsonb("todos").$type<Todo[]>().notNull(),
  updatedAt: at("updated_at").notNull(),
});

/** Sums of worklogs, one row a day: `_worklog_summary/{YYYY-MM-DD}`. */
export const worklogDays = cos.table("worklog_days", {
  day: text("day").primaryKey(),
  worklogs: integer("worklogs").notNull().default(0),
  operations: integer("operations").notNull().default(0),
  unstored: integer("unstored").notNull().default(0),
  verified: integer("verified").notNull().default(0),
  unverified: integer("unverified").notNull().default(0),
  summaries: integer("summaries").notNull().default(0),
  corrections: integer("corrections").notNull().default(0),
  skipping: integer("skipping").notNull().default(0),
  tokens: bigint("tokens", { mode: "number" }).notNull().default(0),
  outcomes: jsonb("outcomes").$type<Partial<Record<WorklogOutcome, number>>>().notNull().default({}),
});
