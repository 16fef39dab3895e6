import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import type { CheckpointKind } from "../../core/checkpoints/checkpoint.ts";
import type { Trigger } from "../../core/checkpoints/triggers.ts";
import type { Action, ApprovalResponse, EpisodeOutcome, RememberedGoal } from "../../core/memory/episode.ts";
import type { PreferenceKey } from "../../core/memory/preferences.ts";
import type { PolicyKey } from "../../core/memory/tuning.ts";
import { at, cos, micro } from "./base.ts";

/** What is remembered. Readers of the timeline write it, never a turn. */

const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });
const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** The place of each reader of the timeline. Everything up to it was processed in the transaction that moved it. */
export const readers = cos.table("readers", {
  reader: text("reader").primaryKey(),
  xid: xid8("xid").notNull(),
  timelineId: bigint("timeline_id", { mode: "number" }).notNull(),
});

/** One row for each ended run (S4-EP-02, C-76). Its reflection is filled in later; the rest is written once. */
export const episodes = cos.table(
  "episodes",
  {
    episodeNo: bigserial("episode_no", { mode: "number" }).primaryKey(),
    episodeId: text("episode_id").notNull().unique(),
    // No foreign keys: each would lock the goal's row until a whole batch is stored, and the goal's turns would wait for that.
    runId: text("run_id").notNull().unique(),
    goalId: text("goal_id").notNull(),
    repositoryId: text("repository_id").notNull(),
    at: at("at").notNull(),
    goal: jsonb("goal").$type<RememberedGoal>().notNull(),
    actions: jsonb("actions").$type<readonly Action[]>().notNull(),
    outcome: jsonb("outcome").$type<EpisodeOutcome>().notNull(),
    reflection: text("reflection"),
    reflectedBy: text("reflected_by"),
    /** True while it has no reflection yet. */
    isPending: boolean("is_pending").notNull(),
    recoveryLevel: integer("recovery_level").notNull(),
    costMicroUsd: micro("cost_micro_usd").notNull(),
    costIsEstimated: boolean("cost_is_estimated").notNull(),
    durationSeconds: integer("duration_seconds").notNull(),
    tags: jsonb("tags").$type<readonly string[]>().notNull(),
    approvalResponse: text("approval_response").$type<ApprovalResponse>(),
    originalRecommendation: text("original_recommendation"),
    humanModification: text("human_modification"),
    toldDone: integer("told_done").notNull().default(0),
    toldInVain: integer("told_in_vain").notNull().default(0),
    /** The words of its goal for full text search. */
    words: tsvector("words").notNull().generatedAlwaysAs(sql`to_tsvector('english', left(goal ->> 'content', 2000))`),
  },
  (table) => [
    // The newest episodes of a goal (matchingEpisode, episodesOf, recentEpisodes), and those without a reflection (pendingEpisodes).
    index("episodes_by_goal").on(table.goalId, table.episodeNo),
    index("episodes_pending").on(table.episodeNo).where(sql`is_pending`),
    check("episodes_level", sql`recovery_level between 1 and 4`),
    check(
      "episodes_response",
      sql`approval_response is null or approval_response in ('accepted', 'modified', 'rejected')`,
    ),
    check("episodes_reflected", sql`(reflection is null) = (reflected_by is null)`),
  ],
);

/** The keys under which an episode is found (`keysOfEpisode`). The newest episodes of a key are one range of the primary key. */
export const episodeKeys = cos.table(
  "episode_keys",
  {
    repositoryId: text("repository_id").notNull(),
    key: text("key").notNull(),
    episodeNo: bigint("episode_no", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.key, table.episodeNo] })],
);

/** What approvers prefer, one row for each key (S4-PL). Values in thousandths. */
export const preferences = cos.table(
  "preferences",
  {
    key: text("key").$type<PreferenceKey>().primaryKey(),
    valueMilli: integer("value_milli").notNull(),
    samples: integer("samples").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  () => [check("preferences_value", sql`value_milli between 0 and 1000 and samples >= 0`)],
);

/** All changes of preferences, append-only: by an answer, once for each key, or by a person who rolled back. */
export const preferenceChanges = cos.table(
  "preference_changes",
  {
    changeNo: bigserial("change_no", { mode: "number" }).primaryKey(),
    key: text("key").$type<PreferenceKey>().notNull(),
    wasMilli: integer("was_milli").notNull(),
    nowMilli: integer("now_milli").notNull(),
    wasSamples: integer("was_samples").notNull(),
    nowSamples: integer("now_samples").notNull(),
    /** The answer that caused it. Null for a rollback: then `rolledBackTo` is the number of the change. */
    decisionId: bigint("decision_id", { mode: "number" }),
    rolledBackTo: bigint("rolled_back_to", { mode: "number" }),
    /** The latest episode of the goal among the last ten of all goals (S4-CK-18). */
    episodeId: text("episode_id"),
    actor: text("actor").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    unique("preference_changes_once").on(table.decisionId, table.key),
    check("preference_changes_why", sql`(decision_id is null) <> (rolled_back_to is null)`),
  ],
);

/** Answers that were learnt from, by kind and trigger of the checkpoint. The newest of one kind and trigger are one range of an index. */
export const precedents = cos.table(
  "precedents",
  {
    decisionId: bigint("decision_id", { mode: "number" }).primaryKey(),
    checkpointId: text("checkpoint_id").notNull(),
    kind: text("kind").$type<CheckpointKind>().notNull(),
    trigger: text("trigger").$type<Trigger>().notNull(),
    choice: text("choice").notNull(),
    /** True when it settled the checkpoint. A pause is learnt from, but is not a precedent. */
    settles: boolean("settles").notNull(),
    actor: text("actor").notNull(),
    notes: text("notes"),
    at: at("at").notNull(),
  },
  (table) => [index("precedents_alike").on(table.kind, table.trigger, table.decisionId).where(sql`settles`)],
);

/** Thresholds that a person approved instead of the policy's, one row for each key. */
export const tunedPolicy = cos.table("tuned_policy", {
  key: text("key").$type<PolicyKey>().primaryKey(),
  microUsd: micro("micro_usd").notNull(),
  updatedAt: at("updated_at").notNull(),
});

/** All changes of such thresholds, append-only: by an approved proposal, by a rollback, or set by a person. */
export const policyChanges = cos.table(
  "policy_changes",
  {
    changeNo: bigserial("change_no", { mode: "number" }).primaryKey(),
    key: text("key").$type<PolicyKey>().notNull(),
    wasMicroUsd: micro("was_micro_usd").notNull(),
    nowMicroUsd: micro("now_micro_usd").notNull(),
    /** The checkpoint of the approved proposal, or the number of the change that was rolled back to. Both null when a person set it. */
    checkpointId: text("checkpoint_id"),
    rolledBackTo: bigint("rolled_back_to", { mode: "number" }),
    actor: text("actor").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    unique("policy_changes_once").on(table.checkpointId, table.key),
    check("policy_changes_why", sql`checkpoint_id is null or rolled_back_to is null`),
    check("policy_changes_amounts", sql`was_micro_usd > 0 and now_micro_usd > 0`),
  ],
);
