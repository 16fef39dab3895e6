import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { ModelFailure } from "../../core/prompts/model-failure.ts";
import type { ModelQuestion } from "../../core/prompts/question.ts";
import { at, cos, micro } from "./base.ts";
import { campaigns } from "./campaigns.ts";
import { goals, runs } from "./goals.ts";

/** What was spent, and the questions to models. */

/** One row for each calendar day: ceilings of a day lock it (D9, D22). */
export const days = cos.table("days", { day: date("day", { mode: "string" }).primaryKey() });

/**
 * The spend ledger, append-only. A call is one execution of an agent or model: reserved before, reported while it runs (cumulative),
 * settled afterwards. A call that was cut short is settled with an estimate, and may be settled again with what the agent reports
 * later. The cost of a call is its reported settlement, else the larger of the estimated settlement and the reported amount
 * (`cos.call_costs`).
 */
export const spend = cos.table(
  "spend",
  {
    spendId: bigserial("spend_id", { mode: "number" }).primaryKey(),
    callId: text("call_id").notNull(),
    kind: text("kind").$type<"reserved" | "reported" | "settled">().notNull(),
    amountMicroUsd: micro("amount_micro_usd").notNull(),
    /** Assumed or estimated instead of reported. Every figure that includes it says so (D22). */
    isEstimated: boolean("is_estimated").notNull(),
    /** The calendar day in COS_TIMEZONE on which the call began. */
    day: date("day", { mode: "string" }).notNull(),
    /** Null for the cost of planning a campaign. */
    goalId: text("goal_id").references(() => goals.goalId),
    runId: text("run_id").references(() => runs.runId),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    sessionId: text("session_id"),
    /** The cost of each of the agent's own sessions so far, as the agent counts it (D48). Null when it did not report that. */
    agentSessions: jsonb("agent_sessions").$type<Readonly<Record<string, number>>>(),
    at: at("at").notNull(),
  },
  (table) => [
    /** A call that was cut short is settled with an estimate. What its agent reports later is settled too, and takes precedence. */
    uniqueIndex("spend_settled_once").on(table.callId, table.isEstimated).where(sql`kind = 'settled'`),
    uniqueIndex("spend_reserved_once").on(table.callId).where(sql`kind = 'reserved'`),
    // Lines of one call; of a goal and its runs; of a day; of a campaign's planning; and lines since a moment.
    index("spend_by_call").on(table.callId),
    index("spend_by_goal").on(table.goalId, table.runId),
    index("spend_by_day").on(table.day),
    index("spend_by_campaign").on(table.campaignId).where(sql`campaign_id is not null`),
    index("spend_by_time").on(table.at),
    check("spend_amount", sql`amount_micro_usd >= 0`),
    check("spend_for", sql`(goal_id is null) = (run_id is null) and (goal_id is null or campaign_id is null)`),
  ],
);

/**
 * Totals of the ledger for each goal, session, calendar day, and each campaign's planning. A trigger updates them with every line, so
 * that nobody has to add up a ledger. A day has several rows, otherwise all who spend would wait for each other.
 */
export const totals = cos.table(
  "totals",
  {
    about: text("about").$type<"goal" | "session" | "campaign" | "day">().notNull(),
    /** The id of the goal, session or campaign, or the day as `2026-01-26`. */
    id: text("id").notNull(),
    slot: smallint("slot").notNull(),
    committedMicroUsd: micro("committed_micro_usd").notNull(),
    spentMicroUsd: micro("spent_micro_usd").notNull(),
    /** Number of calls in it whose cost is an estimate. */
    estimatedCalls: integer("estimated_calls").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.about, table.id, table.slot] }),
    check("totals_about", sql`about in ('goal', 'session', 'campaign', 'day')`),
  ],
);

/** What a model was asked and the result, append-only. Every answer is stored with the version of its prompt. */
export const consultations = cos.table(
  "consultations",
  {
    consultationId: text("consultation_id").primaryKey(),
    use: text("use").$type<ModelQuestion<unknown>["use"]>().notNull(),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    goalId: text("goal_id").references(() => goals.goalId),
    runId: text("run_id").references(() => runs.runId),
    promptVersion: text("prompt_version").notNull(),
    model: text("model").notNull(),
    /** `answered`, or why there is no answer. */
    outcome: text("outcome").$type<"answered" | ModelFailure>().notNull(),
    answer: jsonb("answer").$type<unknown>(),
    words: text("words"),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
    /** Null when the price of the model is not known. */
    costMicroUsd: micro("cost_micro_usd"),
    calls: integer("calls").notNull(),
    at: at("at").notNull(),
  },
  (table) => [index("consultations_by_goal").on(table.goalId, table.at)],
);
