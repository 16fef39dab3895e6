/**
 * What a person leaves out of a goal's account, or wants more of. They concern the worklog, the verification of todos and the
 * summaries of phases only: never a question, never a criterion, never the done gate (C-98). Seed 000 App. B.
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

/** What was typed, as flags; null: none of them. */
export function flagsFrom(
  given: Readonly<Partial<Record<keyof WorklogFlags, boolean | undefined>>>,
): WorklogFlags | null {
  const { noWorklog = false, skipVerify = false, noCheckpoints = false } = given;
  const { verboseLog = false, retryMemory = false } = given;
  const flags = { noWorklog, skipVerify, noCheckpoints, verboseLog, retryMemory };
  return Object.values(flags).includes(true) ? flags : null;
}

/** What is set on either counts. */
export function withFlags(one: WorklogFlags, other: WorklogFlags): WorklogFlags {
  return {
    noWorklog: one.noWorklog || other.noWorklog,
    skipVerify: one.skipVerify || other.skipVerify,
    noCheckpoints: one.noCheckpoints || other.noCheckpoints,
    verboseLog: one.verboseLog || other.verboseLog,
    retryMemory: one.retryMemory || other.retryMemory,
  };
}

/** Whether one of them leaves something out: what the weekly counts. */
export function leavesOut(flags: WorklogFlags): boolean {
  return flags.noWorklog || flags.skipVerify || flags.noCheckpoints;
}

/** As they are typed: `--no-worklog`, `--skip-verify`. */
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
