import type { Criterion } from "../../core/acceptance/spec.ts";
import type { TrialRun } from "../../core/trials/judge.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import type { ChangedLine, ChangedText } from "../../core/trials/lines.ts";

/** What lies in the place of a trial: a commit, with files of another one laid over it, some removed, some changed. */
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
  /** Its runner is asked for the names of its tests; else nothing of ours is given to it. */
  readonly isProbed: boolean;
  /** Changed lines of which it is looked at whether they run; none of a result that is kept. */
  readonly watched?: readonly ChangedText[];
  /** So many days its clock is on, as far as Node, Python and a shell ask for it; omitted: none. */
  readonly daysOn?: number;
  /** In a folder of another name, on a machine of another name, with what a terminal sets; omitted: where everything is verified. */
  readonly isElsewhere?: boolean;
  /** Variables that its environment has there, too. */
  readonly given?: Readonly<Record<string, string>>;
  /** How long its command took with the work, which limits it; omitted: it has its whole time. */
  readonly tookMs?: number;
  /** Results that are kept do, when there are as many; each further one is run. */
  readonly times: number;
}

export interface TrialEnd extends TrialRun {
  /** How often it ended like this; 1 for what says nothing. */
  readonly times: number;
  /** How often it was run in all, earlier looks at the same tree included, and how many of these passed. */
  readonly runs: number;
  readonly passes: number;
  readonly durationMs: number;
  /** Of all its runs now, what made their places ready. */
  readonly setupMs: number;
  readonly isKept: boolean;
  /** Of the watched lines, those that are known of. */
  readonly lines: readonly ChangedLine[];
}

/** What a trial is given beside its tree; nothing: it is asked for names, and no lines are looked at. */
export type TrialOptions = Partial<Pick<Trial, "isProbed" | "watched" | "daysOn" | "isElsewhere" | "given">>;

/** Runs one trial and notes it, in words. */
export type RunTrial = (
  what: string,
  tree: Partial<TrialTree>,
  times?: number,
  how?: TrialOptions,
) => Promise<TrialEnd>;
