import type { Deviation } from "./entry.ts";
import type { TodoCounts } from "./todos.ts";

/** The phases of a worklog and their summaries. Seed 000 FR-005. */

export const worklogPhases = ["planning_complete", "execution_complete", "verification_complete"] as const;
export type WorklogPhase = (typeof worklogPhases)[number];

/** The phases in words for people. */
export const phaseWords: Readonly<Record<WorklogPhase, string>> = {
  planning_complete: "planning",
  execution_complete: "execution",
  verification_complete: "verification",
};

export interface PhaseSummary extends TodoCounts {
  readonly phase: WorklogPhase;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly operations_since_last: number;
  readonly files_modified: readonly string[];
  readonly deviations: readonly Deviation[];
  readonly verification_results: { readonly passed: number; readonly failed: number; readonly skipped: number };
}
