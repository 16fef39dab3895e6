/** Seeds 000 and 001: limits of the worklog, and how long it is kept. */
export interface WorklogPolicy {
  /** Number of entries, or time since the last write, after which the buffer is written. */
  readonly bufferSize: number;
  readonly bufferMs: number;
  /** Time limit of each operation. No goal ever waits for one of them. */
  readonly initTimeoutMs: number;
  readonly appendTargetMs: number;
  readonly appendTimeoutMs: number;
  readonly flushTimeoutMs: number;
  readonly listTimeoutMs: number;
  readonly verification: {
    readonly timeoutMs: number;
    readonly retryAfterMs: number;
    /** Failed reads, including those that a person asked for, after which reading stops for `cooldownMs`. */
    readonly attempts: number;
    readonly cooldownMs: number;
  };
  readonly summaryTimeoutMs: number;
  /** Time limit for all worklog work of one phase. When a phase used more than `adaptiveShare` of it, the next one skips optional work. */
  readonly phaseBudgetMs: number;
  readonly adaptiveShare: number;
  /** The share of its token limit at which a worklog warns. */
  readonly tokenWarningShare: number;
  /** How earlier work is detected, and the command that resumes it. */
  readonly detection: {
    readonly timeoutMs: number;
    readonly most: number;
    /** A worklog that was written within this time counts as active. */
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
  /** The share of goals with a flag that leaves something out, above which the weekly report mentions it. */
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
