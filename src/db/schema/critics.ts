import { sql } from "drizzle-orm";
import { bigserial, boolean, check, index, integer, jsonb, text } from "drizzle-orm/pg-core";
import type { ArtifactType, Score } from "../../core/critics/critic.ts";
import { at, cos } from "./base.ts";
import { goals, runs } from "./goals.ts";

/** Weights that people have given to critics, in thousandths. A critic without a row has the usual weight (C-92). */
export const criticWeights = cos.table(
  "critic_weights",
  {
    critic: text("critic").primaryKey(),
    weightMilli: integer("weight_milli").notNull(),
    changedBy: text("changed_by").notNull(),
    changedAt: at("changed_at").notNull(),
  },
  () => [check("critic_weights_range", sql`weight_milli between 100 and 1000`)],
);

/** The verdicts of critics on a goal's work, append-only: one row for each kind of artefact and commit. */
export const reviews = cos.table(
  "reviews",
  {
    reviewId: bigserial("review_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    runId: text("run_id")
      .notNull()
      .references(() => runs.runId),
    artifactType: text("artifact_type").$type<ArtifactType>().notNull(),
    commit: text("commit").notNull(),
    isApproved: boolean("is_approved").notNull(),
    isVetoed: boolean("is_vetoed").notNull(),
    needsPerson: boolean("needs_person").notNull(),
    summary: text("summary").notNull(),
    scores: jsonb("scores").$type<readonly Score[]>().notNull(),
    blockingIssues: jsonb("blocking_issues").$type<readonly string[]>().notNull(),
    at: at("at").notNull(),
  },
  (table) => [index("reviews_by_goal").on(table.goalId, table.reviewId)],
);
