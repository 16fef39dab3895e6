/** Seeds 000 and 001: what the worklog may take, and how long it is kept. */
export interface WorklogPolicy {
  /** Entries, and time since the last write, after which a buffer is written. */
  readonly bufferSize: number;
  readonly bufferMs: number;
  /** How long each of them may take; none of them is ever waited for by a goal. */
  readonly initTimeoutMs: number;
  readonly appendTargetMs: number;
  readonly appendTimeoutMs: number;
  readonly flushTimeoutMs: number;
  readonly listTimeoutMs: number;
  readonly verification: {
    readonly timeoutMs: number;
    readonly retryAfterMs: number;
    /** Failed reads, those that a person asked for counted too, after which it is left alone for `cooldownMs`. */
    readonly attempts: number;
    readonly cooldownMs: number;
  };
  readonly summaryTimeoutMs: number;
  /** For everything of one phase; above `adaptiveShare` of it, what is optional is left out in the next one. */
  readonly phaseBudgetMs: number;
  readonly adaptiveShare: number;
  /** Tokens of its bound at which a worklog says so. */
  readonly tokenWarningShare: number;
  /** How earlier work is looked for, and the command that takes it up again. */
  readonly detection: {
    readonly timeoutMs: number;
    readonly most: number;
    /** Who wrote something within this time is at work. */
    readonly heartbeatMs: number;
    readonly restoreCommand: string;
  };
  readonly retention: {
    readonly rawMs: number;
    readonly summariesMs: number;
    readonly mostActive: number;
    readonly warnAt: number;
    readonly sessionBytes: number;
  };
  /** The share of goals with a flag that leaves something out, above which the weekly says so. */
  readonly skipTarget: number;
}

export const defaultWorklogPolicy: WorklogPolicy = {
  bufferSize: 10,
  bufferMs: 30_000,
  initTimeoutMs: 500,
  appendTargetMs: 50,
  appendTimeoutMs: 200,
  flushTimeoutMs: 300,
  listTimeoutMs: 5_000,
  verification: { timeoutMs: 1_000, retryAfterMs: 100, attempts: 3, cooldownMs: 300_000 },
  summaryTimeoutMs: 2_000,
  phaseBudgetMs: 3_000,
  adaptiveShare: 0.8,
  tokenWarningShare: 0.8,
  detection: {
    timeoutMs: 500,
    most: 10,
    heartbeatMs: 5 * 60_000,
    restoreCommand: "cos worklog resume {session_id}",
  },
  retention: {
    rawMs: 24 * 60 * 60_000,
    summariesMs: 30 * 24 * 60 * 60_000,
    mostActive: 50,
    warnAt: 40,
    sessionBytes: 51_200,
  },
  skipTarget: 0.12,
};
