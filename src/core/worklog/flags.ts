/**
 * What a person leaves out of a goal's worklog, or wants more of. The flags concern only the worklog, the verification of todos and the
 * summaries of phases; never a question, a criterion or the done gate (C-98). Seed 000 App. B.
 */
export interface WorklogFlags {
  readonly noWorklog: boolean;
  readonly skipVerify: boolean;
  readonly noCheckpoints: boolean;
  readonly verboseLog: boolean;
  readonly retryMemory: boolean;
}

export const noWorklogFlags: WorklogFlags = {
  noWorklog: false,
  skipVerify: false,
  noCheckpoints: false,
  verboseLog: false,
  retryMemory: false,
};

/** The flags that were typed. Null when none was. */
export function flagsFrom(
  given: Readonly<Partial<Record<keyof WorklogFlags, boolean | undefined>>>,
): WorklogFlags | null {
  const { noWorklog = false, skipVerify = false, noCheckpoints = false } = given;
  const { verboseLog = false, retryMemory = false } = given;
  const flags = { noWorklog, skipVerify, noCheckpoints, verboseLog, retryMemory };
  return Object.values(flags).includes(true) ? flags : null;
}

/** Sets every flag that is set in either. */
export function withFlags(one: WorklogFlags, other: WorklogFlags): WorklogFlags {
  return {
    noWorklog: one.noWorklog || other.noWorklog,
    skipVerify: one.skipVerify || other.skipVerify,
    noCheckpoints: one.noCheckpoints || other.noCheckpoints,
    verboseLog: one.verboseLog || other.verboseLog,
    retryMemory: one.retryMemory || other.retryMemory,
  };
}

/** True when a flag leaves something out, which the weekly counts. */
export function leavesOut(flags: WorklogFlags): boolean {
  return flags.noWorklog || flags.skipVerify || flags.noCheckpoints;
}

/** The flags as they are typed: `--no-worklog`, `--skip-verify`. */
export function flagWords(flags: WorklogFlags): readonly string[] {
  const names = {
    noWorklog: "--no-worklog",
    skipVerify: "--skip-verify",
    noCheckpoints: "--no-checkpoints",
    verboseLog: "--verbose-log",
    retryMemory: "--retry-memory",
  } as const satisfies Record<keyof WorklogFlags, string>;
  return Object.entries(names).flatMap(([key, name]) => (flags[key as keyof WorklogFlags] ? [name] : []));
}
