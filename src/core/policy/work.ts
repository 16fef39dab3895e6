import { dollars } from "../money.ts";

/** What a goal's work may cost and take, and what follows when it fails. */
export interface WorkPolicy {
  readonly ceilings: {
    /** The least a goal's ceiling can be; otherwise the approved estimate times `estimateFactor` (D22). */
    readonly goalMicroUsd: number;
    readonly estimateFactor: number;
    readonly sessionMicroUsd: number;
    readonly dayMicroUsd: number;
  };
  readonly goals: {
    /** Below this much left, nothing is started (`min_execution_budget`). */
    readonly minimumTurnMicroUsd: number;
    /** A goal that waits for what others have reserved is looked at again after this long. */
    readonly reservedMoneyMs: number;
    /** Charged per minute to agents that report no cost; every figure that holds it says estimated (D22). */
    readonly assumedMicroUsdPerMinute: number;
    /** Interruptions of one phase without progress before a person is asked (D8). */
    readonly interruptionsBeforeHiccup: number;
    readonly timeoutMs: number;
    readonly inactivityMs: number;
    /** How long an agent may take to say that it is one: the first start of some downloads something (F-305). */
    readonly startMs: number;
    /** An agent that says nothing of a model or a tool for this long is called silent on the card (F-307). */
    readonly quietMs: number;
    /** What a goal may take of an agent at a flat rate (D48). */
    readonly flatMinutes: number;
    readonly flatTurns: number;
    readonly setupTimeoutMs: number;
  };
  readonly recovery: {
    /** How often each rung is tried, and the wait before its second attempt; each further one waits twice as long. */
    readonly rungs: readonly { readonly attempts: number; readonly backoffMs: number }[];
    /** How often a goal's own command is run before a person is asked, and the wait in between (D50). */
    readonly commandRuns: number;
    readonly commandBackoffMs: number;
    /** How long the question of rung 3 waits for an answer before its attempt runs without one. */
    readonly clarifyWaitMs: number;
    /** Further ladders that Retry on an escalation gives a goal. */
    readonly retriesOfEscalation: number;
    /** Goals in a row that may end failed before their session is paused. */
    readonly breakerAfter: number;
    /** The first wait for a provider's limit whose end is not known; each further one is twice as long. */
    readonly limitWaitMs: number;
    readonly longestLimitWaitMs: number;
    /** Waits in a row, with nothing done in between, after which a person is told; and after which the session pauses. */
    readonly limitWaitsBeforeNotice: number;
    readonly limitWaitsBeforePause: number;
    /** What a session does at a provider's limit when nobody said otherwise. */
    readonly onLimit: "wait" | "pause";
    /** A person is asked within this time of an escalation; `cos status` says whether that was kept. */
    readonly escalateWithinMs: number;
  };
  readonly tasks: {
    /** Attempts of one task before its goal's attempt has failed. */
    readonly attempts: number;
    /** The most that may be worked side by side (C-97). */
    readonly parallel: number;
    /** Rounds in which a result that cannot be pushed is given back before a person is asked (C-47). */
    readonly fixRounds: number;
    /** How often a check that ended without a verdict, or the examination of a criterion, is made again, before the ladder says what follows. */
    readonly checksAgain: number;
  };
  readonly model: {
    /** For one call. */
    readonly timeoutMs: number;
    /** Further tries after limits, 5xx and lost connections. */
    readonly retries: number;
    /** A provider that asks for a longer wait is not waited for. */
    readonly longestWaitMs: number;
  };
  readonly memory: {
    /** How many lessons of past runs an agent or a model is told at most; 0: none. */
    readonly lessons: number;
  };
  readonly critics: {
    /** How often a run's work is given back by critics before a person is asked. */
    readonly rounds: number;
    /** When critics whose model cannot be asked look again. */
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
