import type { Tier } from "../goals/goal.ts";
import { isTestRun } from "./commands.ts";
import type { WorklogPhase } from "./phase.ts";

/** What each tier logs, verifies, summarises and may cost, in one table. Seed 000 FR-002, FR-004, FR-005, NFR-001, NFR-004. */

/** Operations of an agent, by their names in seed 000. */
export const operations = ["TodoWrite", "Edit", "MultiEdit", "Write", "Bash", "Task"] as const;
export type OperationName = (typeof operations)[number];

export interface TierRules {
  readonly logs: readonly OperationName[];
  /** True when the stored todos are read back after each change of the plan. */
  readonly verifies: boolean;
  readonly summaries: readonly WorklogPhase[];
  /** True when unfinished earlier work is searched for. */
  readonly looksBack: boolean;
  /** Tokens that may reach a model because of the worklog. Exceeding them raises an alarm and never stops anything (C-06). */
  readonly mostTokens: number;
  /** True when an outage of the store is posted in the thread. Else it is only written to the process log (C-22). */
  readonly tellsOutage: boolean;
}

/** The version of this table, as a worklog shows it. */
export const policyVersion = "1.0";

export const tierTable: Readonly<Record<Tier, TierRules>> = {
  STRICT: {
    logs: operations,
    verifies: true,
    summaries: ["planning_complete", "execution_complete", "verification_complete"],
    looksBack: true,
    mostTokens: 750,
    tellsOutage: true,
  },
  STANDARD: {
    logs: operations,
    verifies: false,
    summaries: ["execution_complete"],
    looksBack: true,
    mostTokens: 300,
    tellsOutage: true,
  },
  LIGHT: {
    logs: ["TodoWrite", "Task"],
    verifies: false,
    summaries: [],
    looksBack: false,
    mostTokens: 60,
    tellsOutage: false,
  },
  EXEMPT: {
    logs: ["TodoWrite", "Task"],
    verifies: false,
    summaries: [],
    looksBack: false,
    mostTokens: 0,
    tellsOutage: false,
  },
};

/** The facts about an agent's operation that the table needs. */
export interface LoggedOperation {
  readonly operation: string;
  /** The command of a Bash operation. */
  readonly command?: string | null;
  readonly hasFailed?: boolean;
}

/**
 * True when a tier logs the operation: an allow-list. Of commands, only test runs and failed commands are logged; without the failed ones
 * nobody understands what follows. S0-OL-01…08, S0-OL-15, C-08.
 */
export function isSignificant(tier: Tier, { operation, command = null, hasFailed = false }: LoggedOperation): boolean {
  if (!tierTable[tier].logs.some((each) => each === operation)) return false;
  return operation !== "Bash" || hasFailed || (command !== null && isTestRun(command));
}
