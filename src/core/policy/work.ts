import { dollars } from "../money.ts";

/** What a goal's work may cost, how long it may take, and what follows when it fails. */
export interface WorkPolicy {
  readonly ceilings: {
    /** The minimum ceiling of a goal; otherwise the approved estimate times `estimateFactor` (D22). */
    readonly goalMicroUsd: number;
    readonly estimateFactor: number;
    readonly sessionMicroUsd: number;
    readonly dayMicroUsd: number;
  };
  readonly goals: {
    /** With less money left, nothing starts (`min_execution_budget`). */
    readonly minimumTurnMicroUsd: number;
    /** A goal that waits for money reserved by others is checked again after this time. */
    readonly reservedMoneyMs: number;
    /** Charged per minute for agents that report no cost. Every amount that contains it is marked as estimated (D22). */
    readonly assumedMicroUsdPerMinute: number;
    /** Interruptions of one phase without progress before a person is asked (D8). */
    readonly interruptionsBeforeHiccup: number;
    readonly timeoutMs: number;
    readonly inactivityMs: number;
    /** How long an agent may take for its first protocol answer: the first start of some agents downloads files (F-305). */
    readonly startMs: number;
    /** An agent without a sign of a model or tool call for this long is shown as silent on the card (F-307). */
    readonly quietMs: number;
    /** Limits for one run of a goal with a flat-rate agent (D48). */
    readonly flatMinutes: number;
    readonly flatTurns: number;
    readonly setupTimeoutMs: number;
  };
  readonly recovery: {
    /** Attempts on each rung, and the delay before the second one; each further delay is doubled. */
    readonly rungs: readonly { readonly attempts: number; readonly backoffMs: number }[];
    /** How often a goal's own command is run before a person is asked, and the delay in between (D50). */
    readonly commandRuns: number;
    readonly commandBackoffMs: number;
    /** How long the question of rung 3 waits before its attempt runs without an answer. */
    readonly clarifyWaitMs: number;
    /** Maximum number of further ladders that Retry on an escalation gives a goal. */
    readonly retriesOfEscalation: number;
    /** Number of goals in a row that may fail before their session pauses. */
    readonly breakerAfter: number;
    /** The first wait for a provider's limit without a known reset time; each further wait is doubled. */
    readonly limitWaitMs: number;
    readonly longestLimitWaitMs: number;
    /** Consecutive waits without progress after which a person is notified, and after which the session pauses. */
    readonly limitWaitsBeforeNotice: number;
    readonly limitWaitsBeforePause: number;
    /** What a session does at a provider's limit by default. */
    readonly onLimit: "wait" | "pause";
    /** Time within which a person must be asked after an escalation; `cos status` reports whether it was kept. */
    readonly escalateWithinMs: number;
  };
  readonly tasks: {
    /** Attempts of one task before its goal's attempt fails. */
    readonly attempts: number;
    /** Maximum number of tasks worked in parallel (C-97). */
    readonly parallel: number;
    /** Rounds in which a result that cannot be pushed goes back to the agent before a person is asked (C-47). */
    readonly fixRounds: number;
    /** How often a check or an examination without a verdict is repeated before the ladder decides. */
    readonly checksAgain: number;
  };
  readonly model: {
    /** Time limit for one call. */
    readonly timeoutMs: number;
    /** Retries after limits, 5xx and lost connections. */
    readonly retries: number;
    /** When a provider asks for a longer wait, the call is given up. */
    readonly longestWaitMs: number;
  };
  readonly memory: {
    /** Maximum number of lessons of past runs in the prompt of an agent or model; 0: none. */
    readonly lessons: number;
  };
  readonly critics: {
    /** How often critics send a run's work back before a person is asked. */
    readonly rounds: number;
    /** When a review is retried after the critics' model could not be reached. */
    readonly retryMs: number;
  };
}

export const defaultWorkPolicy: WorkPolicy = {
  ceilings: {
    goalMicroUsd: dollars(5),
    estimateFactor: 1.5,
    sessionMicroUsd: dollars(15),
    dayMicroUsd: dollars(30),
  },
  goals: {
    minimumTurnMicroUsd: dollars(0.5),
    reservedMoneyMs: 60_000,
    assumedMicroUsdPerMinute: dollars(0.05),
    interruptionsBeforeHiccup: 3,
    timeoutMs: 60 * 60_000,
    inactivityMs: 15 * 60_000,
    startMs: 120_000,
    quietMs: 5 * 60_000,
    flatMinutes: 120,
    flatTurns: 30,
    setupTimeoutMs: 10 * 60_000,
  },
  recovery: {
    rungs: [
      { attempts: 3, backoffMs: 5_000 },
      { attempts: 2, backoffMs: 10_000 },
      { attempts: 1, backoffMs: 0 },
    ],
    commandRuns: 2,
    commandBackoffMs: 5_000,
    clarifyWaitMs: 30 * 60_000,
    retriesOfEscalation: 2,
    breakerAfter: 3,
    limitWaitMs: 15 * 60_000,
    longestLimitWaitMs: 2 * 60 * 60_000,
    limitWaitsBeforeNotice: 3,
    limitWaitsBeforePause: 20,
    onLimit: "wait",
    escalateWithinMs: 30 * 60_000,
  },
  tasks: { attempts: 5, parallel: 8, fixRounds: 3, checksAgain: 2 },
  model: { timeoutMs: 60_000, retries: 3, longestWaitMs: 20_000 },
  memory: { lessons: 3 },
  critics: { rounds: 3, retryMs: 60_000 },
};
