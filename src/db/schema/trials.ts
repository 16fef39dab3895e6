import { sql } from "drizzle-orm";
import { bigserial, check, index, integer, jsonb, text } from "drizzle-orm/pg-core";
import type { TestReport } from "../../core/trials/report.ts";
import { at, cos } from "./base.ts";
import { repositories } from "./repositories.ts";

/**
 * How a command ended on a tree in a trial, one row a run; append-only but for its end: the tick removes what is older than
 * `policy.verification.keepBaseResultsMs`. What a row says holds for this tree, this command and this environment (D38).
 */
export const trialResults = cos.table(
  "trial_results",
  {
    trialResultId: bigserial("trial_result_id", { mode: "number" }).primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    /** Of everything that lay there: the commits' trees, what was laid over, what was changed. */
    tree: text("tree").notNull(),
    /** Of the command with its condition and its time limit. */
    hash: text("hash").notNull(),
    /** Of the setup command, lock files, versions of tools, and variables. */
    environment: text("environment").notNull(),
    result: text("result").$type<"pass" | "fail">().notNull(),
    /** What its runner said of its tests; null when it said nothing. */
    report: jsonb("report").$type<TestReport>(),
    /** What makes two failures the same; empty for a pass. */
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
