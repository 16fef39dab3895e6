import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Inside } from "../place/verification-rooms.ts";
import type { Enclosure } from "../process/guarded-process.ts";
import type { Runner, RunObserver } from "../process/runner.ts";
import type { ShellOptions } from "../process/shell.ts";
import type { Timers } from "../process/timers.ts";

/** What criteria are run with. */
export interface VerifyOptions {
  /** Where commands run, and what they are given. */
  readonly inside: Pick<ShellOptions, "cwd" | "environment" | "inherits" | "enclosure"> & Pick<Inside, "reaching">;
  /** A directory of its own for each sub-agent, with the same files; what it changes there is thrown away. */
  readonly copy: () => Promise<Copy>;
  /** Carried by every child, so that what escapes its process group is found and ended. */
  readonly runId: string;
  /** Absolute; kept output lies there as `AC-1.txt`. */
  readonly outputFolder: string;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** The clock of time limits. */
  readonly timers: Timers;
  readonly parallel: number;
  /** Who examines sub-agent criteria; null: they are not checked, because of `whyUnexamined`. */
  readonly examiner: Examiner | null;
  readonly whyUnexamined: string;
  /** Hears each result as it comes. Must not throw. */
  readonly onResult: (result: CriterionResult) => void;
}

export interface Copy {
  readonly directory: string;
  /** What shuts the sub-agent in; null: nothing does. */
  readonly enclosure: Enclosure | null;
  remove(): Promise<void>;
}

export interface Examiner {
  readonly runner: Runner;
  readonly label: string;
  /** What agents are given of our variables: its key lies there, where it has no login of its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Who hears what the examination of a criterion costs. */
  readonly purse?: (criterionId: string) => Pick<RunObserver, "onAgent" | "onSpend" | "onTokens" | "onOddCost">;
}
