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

/** What was spent, and on which questions to a model. */

/** One row a calendar day: what the ceilings of a day lock (D9, D22). */
export const days = cos.table("days", { day: date("day", { mode: "string" }).primaryKey() });

/**
 * The spend ledger, append-only. A call is one execution of an agent: reserved before, reported while it runs
 * (cumulative), settled once after. What a call costs is its settled amount, else the largest of the others.
 */
export const spend = cos.table(
  "spend",
  {
    spendId: bigserial("spend_id", { mode: "number" }).primaryKey(),
    callId: text("call_id").notNull(),
    kind: text("kind").$type<"reserved" | "reported" | "settled">().notNull(),
    amountMicroUsd: micro("amount_micro_usd").notNull(),
    /** Assumed or estimated rather than reported; every figure that holds it says so (D22). */
    isEstimated: boolean("is_estimated").notNull(),
    /** The calendar day in COS_TIMEZONE on which the call began. */
    day: date("day", { mode: "string" }).notNull(),
    /** Null for what a campaign's planning cost. */
    goalId: text("goal_id").references(() => goals.goalId),
    runId: text("run_id").references(() => runs.runId),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    sessionId: text("session_id"),
    /** What each of the agent's own sessions had cost by then, as the agent counts (D48); null: it said nothing of that. */
    agentSessions: jsonb("agent_sessions").$type<Readonly<Record<string, number>>>(),
    at: at("at").notNull(),
  },
  (table) => [
    /** Of a call that was cut short an assumption is settled, and what its agent says later counts before it. */
    uniqueIndex("spend_settled_once").on(table.callId, table.isEstimated).where(sql`kind = 'settled'`),
    uniqueIndex("spend_reserved_once").on(table.callId).where(sql`kind = 'reserved'`),
    // What one call cost; the calls of a goal and of its runs, of a day, of what planned a campaign; what was written since a moment.
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
 * What the ledger comes to for each goal, session, calendar day, and each campaign's planning: kept by a trigger with every line, so that
 * nobody adds up a ledger on the way. Of a day there are several rows, or all who spend would wait for each other.
 */
export const totals = cos.table(
  "totals",
  {
    about: text("about").$type<"goal" | "session" | "campaign" | "day">().notNull(),
    /** The goal's, session's or campaign's, or the day as `2026-01-26`. */
    id: text("id").notNull(),
    slot: smallint("slot").notNull(),
    committedMicroUsd: micro("committed_micro_usd").notNull(),
    spentMicroUsd: micro("spent_micro_usd").notNull(),
    /** How many calls are in it whose cost is an estimate. */
    estimatedCalls: integer("estimated_calls").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.about, table.id, table.slot] }),
    check("totals_about", sql`about in ('goal', 'session', 'campaign', 'day')`),
  ],
);

/** What a model was asked and what came of it, append-only: the prompt's version stands beside every answer. */
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
    /** Null: the model's price is not known. */
    costMicroUsd: micro("cost_micro_usd"),
    calls: integer("calls").notNull(),
    at: at("at").notNull(),
  },
  (table) => [index("consultations_by_goal").on(table.goalId, table.at)],
);
