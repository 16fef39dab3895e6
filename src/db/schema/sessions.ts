import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Trigger } from "../../core/checkpoints/triggers.ts";
import type { SessionKind } from "../../core/goals/next.ts";
import type { WorklogFlags } from "../../core/worklog/flags.ts";
import { at, cos, micro } from "./base.ts";
import { campaigns } from "./campaigns.ts";
import { repositories } from "./repositories.ts";

/** Where goals are worked: the sessions of a repository, and night contracts. */

export const sessions = cos.table(
  "sessions",
  {
    sessionId: text("session_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    status: text("status").$type<"running" | "paused" | "ended">().notNull(),
    budgetMicroUsd: micro("budget_micro_usd").notNull(),
    /** No further goal starts. The session ends when the current goal has ended. */
    stopping: boolean("stopping").notNull().default(false),
    pausedBy: text("paused_by"),
    endReason: text("end_reason"),
    /** What its goals leave out of their worklogs, or keep beside them. Null: nothing. */
    worklogFlags: jsonb("worklog_flags").$type<WorklogFlags>(),
    /** The goals that ended failed in a row, each once, in order (D20). */
    failedInRow: jsonb("failed_in_row").$type<readonly string[]>().notNull().default([]),
    /** What to do at a provider's limit: wait for its reset, or pause for a person. */
    onLimit: text("on_limit").$type<"wait" | "pause">().notNull().default("wait"),
    kind: text("kind").$type<SessionKind>().notNull().default("plain"),
    /** An open checkpoint of a goal also holds the goals after it (D37). Plain sessions only. */
    inOrder: boolean("in_order").notNull().default(false),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    campaignDay: integer("campaign_day"),
    nightId: text("night_id").references(() => nights.nightId),
    /** The person who stopped it. Null when it ended by itself. */
    endedBy: text("ended_by"),
    startedBy: text("started_by").notNull(),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
  },
  (table) => [
    uniqueIndex("sessions_one_open").on(table.repositoryId).where(sql`status <> 'ended'`),
    // Sessions of a day (sessionsOfDay, campaignDayTotal) and of a night (sessionsOfNight, nightTotal, nightCost).
    index("sessions_by_campaign").on(table.campaignId, table.campaignDay).where(sql`campaign_id is not null`),
    index("sessions_by_night").on(table.nightId).where(sql`night_id is not null`),
    // The newest sessions (listSessions).
    index("sessions_by_start").on(table.startedAt),
    check("sessions_status", sql`status in ('running', 'paused', 'ended')`),
    check("sessions_budget", sql`budget_micro_usd > 0`),
    check("sessions_ended", sql`(status = 'ended') = (ended_at is not null)`),
  ],
);

/** A night contract: what may be spent, and done without asking, until a time. */
export const nights = cos.table(
  "nights",
  {
    nightId: text("night_id").primaryKey(),
    budgetMicroUsd: micro("budget_micro_usd").notNull(),
    untilAt: at("until_at").notNull(),
    allowed: jsonb("allowed").$type<Trigger[]>().notNull(),
    goalIds: jsonb("goal_ids").$type<string[]>().notNull(),
    startedBy: text("started_by").notNull(),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
    endReason: text("end_reason"),
  },
  (table) => [
    uniqueIndex("nights_one_open").on(sql`(ended_at is null)`).where(sql`ended_at is null`),
    // The last night (lastNight), and nights with a goal (endedNightsWith).
    index("nights_by_start").on(table.startedAt),
    index("nights_by_goal").using("gin", table.goalIds),
  ],
);
