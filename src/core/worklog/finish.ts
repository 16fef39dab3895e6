import { checkResults } from "./checks.ts";
import { type EntryOf, isOperation, type WorklogEntry } from "./entry.ts";
import { isTestEntry, modifiedFiles } from "./phases.ts";
import type { WorklogPhase } from "./phase.ts";
import { countTodos, type TodoCounts, todoStates } from "./todos.ts";

/** The outcomes of worklogs. Seed 000 FR-006 and §3.1. */

export const outcomes = ["success", "failure", "aborted", "abandoned", "in_progress"] as const;
export type WorklogOutcome = (typeof outcomes)[number];

export interface WorklogSummary extends Omit<TodoCounts, "todos_remaining"> {
  readonly total_operations: number;
  readonly files_modified: number;
  readonly verification_results: {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly user_accepted: number;
  };
  readonly checkpoints_generated: number;
  readonly total_tokens: number;
  readonly duration_seconds: number;
}

/**
 * The outcome of work whose agent has stopped, when nothing else decides it: failure if its last test run failed, aborted if a todo is
 * left.
 */
export function stoppedOutcome(entries: readonly WorklogEntry[]): "success" | "failure" | "aborted" {
  if (entries.findLast(isTestEntry)?.status === "failed") return "failure";
  return countTodos(todoStates(entries)).todos_remaining > 0 ? "aborted" : "success";
}

/** The summary of a session that has ended, counted from its entries alone. Duration in seconds. */
export function finalSummary(
  entries: readonly WorklogEntry[],
  { startedAt, endedAt, tokens }: { readonly startedAt: Date; readonly endedAt: Date; readonly tokens: number },
): WorklogSummary {
  const results = checkResults(entries);
  const { todos_remaining: _, ...todos } = countTodos(todoStates(entries));
  const times = (...wanted: readonly string[]): number => results.filter((each) => wanted.includes(each)).length;
  return {
    total_operations: entries.filter(isOperation).length,
    files_modified: modifiedFiles(entries).length,
    ...todos,
    verification_results: {
      passed: times("pass"),
      failed: times("fail"),
      skipped: times("timeout", "bypassed"),
      user_accepted: times("user_accepted"),
    },
    checkpoints_generated: entries.filter((each) => each.action === "Checkpoint" && each.status === "completed").length,
    total_tokens: tokens + entries.reduce((sum, entry) => sum + entry.tokens_consumed, 0),
    duration_seconds: Math.max(0, Math.round((endedAt.getTime() - startedAt.getTime()) / 1000)),
  };
}

/**
 * The entry for a summary that was not made, with the reason. At the end every phase then has an entry, so the record is complete and
 * honest (C-14).
 */
export function skippedSummary(phase: WorklogPhase, reason: string, at: Date): EntryOf<"Checkpoint"> {
  return {
    timestamp: at.toISOString(),
    action: "Checkpoint",
    status: "skipped",
    context: `${phase}: ${reason}`.slice(0, 400),
    details: { phase, operations_count: 0, deviations: [], reason },
    tokens_consumed: 0,
  };
}

/** Why a phase has no summary at the end. `unstored`: number of entries that could not be stored. */
export function whyMissing(phase: WorklogPhase, entries: readonly WorklogEntry[], unstored: number): string {
  if (unstored > 0) return "what was done in it could not be stored";
  const plans = entries.filter((entry) => entry.action === "TodoWrite").length;
  switch (phase) {
    case "planning_complete":
      return plans === 0 ? "the agent reported no plan" : "its first plan had fewer than 3 todos";
    case "execution_complete":
      return "its execution did not end";
    case "verification_complete":
      return "no test was run";
  }
}
