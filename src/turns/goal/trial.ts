import type { Criterion } from "../../core/acceptance/spec.ts";
import type { TrialRun } from "../../core/trials/judge.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import type { ChangedLine, ChangedText } from "../../core/trials/lines.ts";

/** The files of a trial: a commit, with files of another commit over it, some removed and some changed. */
export interface TrialTree {
  readonly commit: string;
  readonly from: string;
  readonly laid: readonly string[];
  readonly removed: readonly string[];
  readonly edits: readonly Edit[];
}

/** A trial: a command on a tree. */
export interface Trial {
  readonly tree: TrialTree;
  readonly criterion: Criterion;
  /** True when the test runner is asked to report its tests. Otherwise nothing of ours is set. */
  readonly isProbed: boolean;
  /** Changed lines whose execution is measured. Not available for kept results. */
  readonly watched?: readonly ChangedText[];
  /** Number of days by which the clock is advanced for Node, Python and shells. Not at all when omitted. */
  readonly daysOn?: number;
  /** True for a run in a folder and on a machine with other names, with a terminal's variables. Otherwise in the usual place. */
  readonly isElsewhere?: boolean;
  /** Additional environment variables. */
  readonly given?: Readonly<Record<string, string>>;
  /** How long the command took with the work, in milliseconds, which limits this run. The criterion's own limit when omitted. */
  readonly tookMs?: number;
  /** Required number of equal results. Kept results count; only the others run. */
  readonly times: number;
}

export interface TrialEnd extends TrialRun {
  /** How often it ended like this. 1 for a result that says nothing. */
  readonly times: number;
  /** Number of all runs of the same tree, including earlier ones, and how many of these passed. */
  readonly runs: number;
  readonly passes: number;
  readonly durationMs: number;
  /** Time for the setup of the places of its new runs, in milliseconds. */
  readonly setupMs: number;
  readonly isKept: boolean;
  /** The watched lines with known execution. */
  readonly lines: readonly ChangedLine[];
}

/** Options of a trial besides its tree. By default it is probed and no lines are measured. */
export type TrialOptions = Partial<Pick<Trial, "isProbed" | "watched" | "daysOn" | "isElsewhere" | "given">>;

/** Runs one trial and records it, described by `what`. */
export type RunTrial = (
  what: string,
  tree: Partial<TrialTree>,
  times?: number,
  how?: TrialOptions,
) => Promise<TrialEnd>;
