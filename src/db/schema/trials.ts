import { sql } from "drizzle-orm";
import { bigserial, check, index, integer, jsonb, text } from "drizzle-orm/pg-core";
import type { TestReport } from "../../core/trials/report.ts";
import { at, cos } from "./base.ts";
import { repositories } from "./repositories.ts";

/**
 * Results of a command on a tree in a trial, one row for each execution. Append-only until the tick removes rows older than
 * `policy.verification.keepBaseResultsMs`. A row is valid for its tree, command and environment (D38).
 */
export const trialResults = cos.table(
  "trial_results",
  {
    trialResultId: bigserial("trial_result_id", { mode: "number" }).primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    /** Hash of everything in the tree: the commits' trees, what was overlaid, and what was changed. */
    tree: text("tree").notNull(),
    /** Hash of the command with its condition and its timeout. */
    hash: text("hash").notNull(),
    /** Hash of the setup command, lock files, versions of tools, and variables. */
    environment: text("environment").notNull(),
    result: text("result").$type<"pass" | "fail">().notNull(),
    /** The report of its test runner. Null when there is none. */
    report: jsonb("report").$type<TestReport>(),
    /** What makes two failures the same. Empty for a pass. */
    fingerprint: text("fingerprint").notNull(),
    durationMs: integer("duration_ms").notNull(),
    runId: text("run_id").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    index("trial_results_by_key").on(table.repositoryId, table.tree, table.hash, table.environment),
    index("trial_results_by_age").on(table.at),
    check("trial_results_result", sql`result in ('pass', 'fail')`),
  ],
);
