import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Inside } from "../place/verification-rooms.ts";
import type { Enclosure } from "../process/guarded-process.ts";
import type { Runner, RunObserver } from "../process/runner.ts";
import type { ShellOptions } from "../process/shell.ts";
import type { Timers } from "../process/timers.ts";

/** Options for the verification of criteria. */
export interface VerifyOptions {
  /** Working directory and environment of commands. */
  readonly inside: Pick<ShellOptions, "cwd" | "environment" | "inherits" | "enclosure"> & Pick<Inside, "reaching">;
  /** Creates a separate directory with the same files for a subagent; its changes are discarded. */
  readonly copy: () => Promise<Copy>;
  /** Marks every child, so that one that escapes its process group is found and ended. */
  readonly runId: string;
  /** Absolute path; kept output lies there as `AC-1.txt`. */
  readonly outputFolder: string;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** The clock of the time limits. */
  readonly timers: Timers;
  readonly parallel: number;
  /** Examines criteria with method subagent. Null when they are not checked, for the reason in `whyUnexamined`. */
  readonly examiner: Examiner | null;
  readonly whyUnexamined: string;
  /** Gets each result as it comes. Must not throw. */
  readonly onResult: (result: CriterionResult) => void;
}

export interface Copy {
  readonly directory: string;
  /** Isolates the subagent; null when nothing does. */
  readonly enclosure: Enclosure | null;
  remove(): Promise<void>;
}

export interface Examiner {
  readonly runner: Runner;
  readonly label: string;
  /** The variables that agents get; an agent without its own login finds its key there. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gets what the examination of a criterion costs. */
  readonly purse?: (criterionId: string) => Pick<RunObserver, "onAgent" | "onSpend" | "onTokens" | "onOddCost">;
}
