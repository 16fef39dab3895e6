import { sql } from "drizzle-orm";
import { boolean, check, date, doublePrecision, index, integer, jsonb, primaryKey, text } from "drizzle-orm/pg-core";
import type { CampaignState, DayStatus, MilestoneStatus, PlannedGoal } from "../../core/campaigns/campaign.ts";
import type { WantedPlan } from "../../core/campaigns/plan.ts";
import type { Instruction } from "../../core/goals/goal.ts";
import { at, cos, micro } from "./base.ts";
import { repositories } from "./repositories.ts";

/** Campaigns, their milestones and days. */

/** Days of work towards a goal (seed 004 §5). What it has spent is in the ledger. */
export const campaigns = cos.table(
  "campaigns",
  {
    campaignId: text("campaign_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    name: text("name").notNull(),
    goal: text("goal").notNull(),
    state: text("state").$type<CampaignState>().notNull().default("planning"),
    currentDay: integer("current_day").notNull().default(1),
    startedAt: at("started_at"),
    endedAt: at("ended_at"),
    endReason: text("end_reason"),
    /** The person who stopped it or gave it up. Null when it ended by itself. */
    endedBy: text("ended_by"),
    totalBudgetMicroUsd: micro("total_budget_micro_usd").notNull(),
    dailyBudgetMicroUsd: micro("daily_budget_micro_usd").notNull(),
    /** The number of days that a person gave it. Null: as many as the plan needs. */
    deadlineDays: integer("deadline_days"),
    originalDurationDays: integer("original_duration_days").notNull().default(0),
    replanningThreshold: doublePrecision("replanning_threshold").notNull().default(0.3),
    replanCount: integer("replan_count").notNull().default(0),
    automaticReplans: integer("automatic_replans").notNull().default(0),
    lastAutomaticDay: integer("last_automatic_day"),
    /** What its plan assumed, and who planned it. */
    planNotes: jsonb("plan_notes").$type<string[]>().notNull(),
    plannedBy: text("planned_by").notNull(),
    /** A plan that is wanted but not made yet: the next look at the campaign makes it. */
    wanted: jsonb("wanted").$type<WantedPlan>(),
    /** A person wants to continue a day whose session has ended. */
    goesOn: boolean("goes_on").notNull().default(false),
    pausedBy: text("paused_by"),
    createdBy: text("created_by").notNull(),
    /**
     * The account of `createdBy`, for votes. COS_PEOPLE says whose it is when votes are counted. Null in rows from before votes
     * existed.
     */
    requester: text("requester"),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("campaigns_open").on(table.createdAt).where(sql`state in ('planning', 'active', 'paused')`),
    // Campaigns that ended since a moment (campaignsSince).
    index("campaigns_by_end").on(table.endedAt).where(sql`ended_at is not null`),
    check("campaigns_state", sql`state in ('planning', 'active', 'paused', 'completed', 'failed')`),
    check("campaigns_budget", sql`total_budget_micro_usd > 0 and daily_budget_micro_usd > 0`),
    check("campaigns_ended", sql`(state in ('completed', 'failed')) = (ended_at is not null)`),
    check("campaigns_started", sql`state not in ('active', 'paused', 'completed') or started_at is not null`),
  ],
);

export const milestones = cos.table(
  "milestones",
  {
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.campaignId),
    milestoneId: text("milestone_id").notNull(),
    position: integer("position").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    targetDay: integer("target_day").notNull(),
    successCriteria: jsonb("success_criteria").$type<string[]>().notNull(),
    /** Instructions that a person added when it was to begin (Adjust). Its goals get them. */
    instructions: jsonb("instructions").$type<Instruction[]>().notNull().default([]),
    status: text("status").$type<MilestoneStatus>().notNull().default("pending"),
    completedAt: at("completed_at"),
    completedBy: text("completed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.milestoneId] }),
    check("milestones_status", sql`status in ('pending', 'in_progress', 'done', 'blocked')`),
    check("milestones_done", sql`(status = 'done') = (completed_at is not null)`),
  ],
);

/** One day of a campaign: its planned goals, its budget and its actual cost. */
export const campaignDays = cos.table(
  "campaign_days",
  {
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.campaignId),
    dayNumber: integer("day_number").notNull(),
    date: date("date", { mode: "string" }),
    goals: jsonb("goals").$type<PlannedGoal[]>().notNull(),
    budgetMicroUsd: micro("budget_micro_usd").notNull(),
    status: text("status").$type<DayStatus>().notNull().default("pending"),
    actualCostMicroUsd: micro("actual_cost_micro_usd").notNull().default(0),
    notes: text("notes").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.dayNumber] }),
    check("campaign_days_status", sql`status in ('pending', 'in_progress', 'done')`),
    check("campaign_days_number", sql`day_number >= 1`),
  ],
);
