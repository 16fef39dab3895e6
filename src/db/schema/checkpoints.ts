import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { CheckpointFacts, CheckpointKind, CheckpointOption, Reason } from "../../core/checkpoints/checkpoint.ts";
import type { ReadingStatus } from "../../core/cards/reading-card.ts";
import type { CompiledReply } from "../../core/replies/compiled-reply.ts";
import { at, cos, micro } from "./base.ts";
import { campaigns } from "./campaigns.ts";
import { goals, runs } from "./goals.ts";

/** Checkpoints, their answers, and what those allow. */

export const checkpoints = cos.table(
  "checkpoints",
  {
    checkpointId: text("checkpoint_id").primaryKey(),
    kind: text("kind").$type<CheckpointKind>().notNull(),
    subject: text("subject").notNull(),
    goalId: text("goal_id").references(() => goals.goalId),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    runId: text("run_id").references(() => runs.runId),
    version: integer("version").notNull().default(1),
    trigger: text("trigger")
      .$type<"hiccup" | "ux_change" | "cost_single" | "cost_cumulative" | "architecture" | "scope_change">()
      .notNull(),
    reasons: jsonb("reasons").$type<Reason[]>().notNull(),
    context: text("context").notNull(),
    options: jsonb("options").$type<CheckpointOption[]>().notNull(),
    recommendation: text("recommendation").notNull(),
    facts: jsonb("facts").$type<CheckpointFacts>().notNull(),
    contentHash: text("content_hash").notNull(),
    status: text("status").$type<"pending" | "approved" | "rejected" | "expired" | "superseded">().notNull(),
    chosenOption: text("chosen_option"),
    humanNotes: text("human_notes"),
    resolvedBy: text("resolved_by"),
    resolvedVia: text("resolved_via"),
    resolvedAt: at("resolved_at"),
    createdAt: at("created_at").notNull(),
    askedAt: at("asked_at").notNull(),
    remindedAt: at("reminded_at"),
    expiresAt: at("expires_at").notNull(),
    pausedBy: text("paused_by"),
    /** Who has acknowledged an escalation and takes care of it. No more reminders are sent for it. */
    acknowledgedBy: text("acknowledged_by"),
    acknowledgedAt: at("acknowledged_at"),
    changed: text("changed"),
    /** When its newest version was made. Null for the first version. */
    changedAt: at("changed_at"),
  },
  (table) => [
    uniqueIndex("checkpoints_one_open").on(table.subject).where(sql`status = 'pending'`),
    index("checkpoints_by_goal").on(table.goalId, table.createdAt),
    // The checkpoints about a campaign (checkpointsOfCampaign).
    index("checkpoints_by_campaign").on(table.campaignId).where(sql`campaign_id is not null`),
    check("checkpoints_status", sql`status in ('pending', 'approved', 'rejected', 'expired', 'superseded')`),
    check("checkpoints_resolved", sql`(status = 'pending') = (resolved_at is null)`),
    check(
      "checkpoints_answered",
      sql`status not in ('approved', 'rejected') or (chosen_option is not null and resolved_by is not null)`,
    ),
  ],
);

/** The audit trail of answers: who, where, when, after how long. Append-only. One settling answer for a checkpoint (D10). */
export const decisions = cos.table(
  "decisions",
  {
    decisionId: bigserial("decision_id", { mode: "number" }).primaryKey(),
    checkpointId: text("checkpoint_id")
      .notNull()
      .references(() => checkpoints.checkpointId),
    version: integer("version").notNull(),
    choice: text("choice").notNull(),
    effect: text("effect").notNull(),
    settles: boolean("settles").notNull(),
    actor: text("actor").notNull(),
    /** The person's id on a chat platform (`slack:U…`). Null for the local person. */
    actorId: text("actor_id"),
    via: text("via").notNull(),
    notes: text("notes"),
    instructions: text("instructions"),
    criteria: text("criteria"),
    budgetMicroUsd: micro("budget_micro_usd"),
    waitedMs: bigint("waited_ms", { mode: "number" }).notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    uniqueIndex("decisions_one_settles").on(table.checkpointId).where(sql`settles`),
    // All answers to a checkpoint (listDecisions), and answers settled in a period (settledBetween).
    index("decisions_by_checkpoint").on(table.checkpointId),
    index("decisions_by_time").on(table.at).where(sql`settles`),
  ],
);

/** Votes to proceed, where several people have to agree (COS_QUORUM). One for each person and version of the checkpoint. */
export const votes = cos.table(
  "votes",
  {
    voteId: bigserial("vote_id", { mode: "number" }).primaryKey(),
    checkpointId: text("checkpoint_id")
      .notNull()
      .references(() => checkpoints.checkpointId),
    version: integer("version").notNull(),
    /** The person's name in COS_PEOPLE at that time, otherwise the account. */
    person: text("person").notNull(),
    /** The account first, then the groups that it was in when it voted. */
    accounts: jsonb("accounts").$type<readonly string[]>().notNull(),
    actor: text("actor").notNull(),
    via: text("via").notNull(),
    at: at("at").notNull(),
  },
  (table) => [unique("votes_once").on(table.checkpointId, table.version, table.person)],
);

/** One use of something that an agent may not do by itself, granted by a person (D29). */
export const grants = cos.table(
  "grants",
  {
    grantId: bigserial("grant_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    fingerprint: text("fingerprint").notNull(),
    checkpointId: text("checkpoint_id")
      .notNull()
      .unique()
      .references(() => checkpoints.checkpointId),
    usedAt: at("used_at"),
  },
  // Unused grants of a goal's agent (openGrants, useGrant).
  (table) => [index("grants_open").on(table.goalId).where(sql`used_at is null`)],
);

/** Replies that were read as a decision and wait for one press of Confirm. Replies with status `unread` wait for the model to read them. */
export const replies = cos.table(
  "replies",
  {
    replyId: text("reply_id").primaryKey(),
    checkpointId: text("checkpoint_id")
      .notNull()
      .references(() => checkpoints.checkpointId),
    /** The subject of the message under which it was written. */
    thread: text("thread").notNull(),
    /** The version of the checkpoint when it was written: an answer to an older version is refused. */
    version: integer("version").notNull(),
    actor: text("actor").notNull(),
    actorId: text("actor_id"),
    via: text("via").notNull(),
    /** The platform's id of the message: it may be edited or deleted there later. */
    message: text("message"),
    text: text("text").notNull(),
    compiled: jsonb("compiled").$type<CompiledReply>(),
    status: text("status").$type<ReadingStatus>().notNull(),
    settledBy: text("settled_by"),
    createdAt: at("created_at").notNull(),
    settledAt: at("settled_at"),
  },
  (table) => [
    index("replies_by_checkpoint").on(table.checkpointId, table.createdAt),
    index("replies_unread").on(table.createdAt).where(sql`status = 'unread'`),
    index("replies_by_message").on(table.message).where(sql`message is not null`),
  ],
);
