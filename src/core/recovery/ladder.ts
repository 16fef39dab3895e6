import type { Policy } from "../policy.ts";
import { formatTime } from "../time.ts";
import { saysNoMoney } from "./agent-words.ts";
import type { Failure } from "./failure.ts";
import { longestWaitMs } from "./reset-time.ts";

/**
 * The recovery ladder of a goal with an agent (S4-RM-01, D19): six executions, then a person is asked.
 *
 *   1 same approach ×3 ──► 2 an alternative ×2 ──► 3 clarify ×1 ──► 4 escalate: a person is asked
 *        5 s, 10 s               0 s, 10 s              0 s
 *
 * The second attempt of rung 2 uses another alternative than the first, so no approach meets the same failure twice there.
 * Delays come from `policy.recovery`. Failures that a machine cannot fix skip the ladder; a provider's limit costs no rung.
 *
 * A goal's own command has no ladder (D50): it is run once more, in a fresh worktree, and then a person is asked.
 */
export type Rung = 1 | 2 | 3 | 4;

export const rungNames: Readonly<Record<Rung, string>> = {
  1: "same approach",
  2: "alternate approach",
  3: "clarified",
  4: "escalated to a person",
};

/** The position of a goal's run on the ladder: the attempt that is running or has just ended. */
export interface LadderPosition {
  readonly rung: Rung;
  /** Attempt within this rung, from 1. */
  readonly attempt: number;
}

export interface LadderFacts {
  readonly position: LadderPosition;
  /** True when the goal runs a fixed command, which takes no instructions. */
  readonly isOwnCommand: boolean;
  /** Consecutive waits for a provider's limit, without this one. */
  readonly limitWaits: number;
  /** What the session does at a provider's limit. */
  readonly onLimit: "wait" | "pause";
  readonly now: Date;
}

export type AttemptVerdict = { readonly type: "passed" } | { readonly type: "failed"; readonly failure: Failure };

export type NextStep =
  | { readonly type: "done" }
  /** The next attempt, due after `delayMs`. */
  | { readonly type: "retry"; readonly position: LadderPosition; readonly delayMs: number }
  /** Repeat the same attempt after the provider's limit resets. */
  | { readonly type: "wait"; readonly until: Date; readonly isKnown: boolean }
  /** `reason` is null when every rung was climbed. */
  | { readonly type: "escalate"; readonly reason: string | null }
  /** No goal of the session can continue before a person acts outside the system. The goal keeps its place. */
  | { readonly type: "pause-session"; readonly reason: string }
  /** The goal fails without a question to a person (D18). */
  | { readonly type: "fail"; readonly reason: string };

/**
 * Decides what follows an attempt. Pure; every kind of failure has its branch. S4-RM-01…06, C-59, C-75, D8, D19.
 */
export function decideNext(facts: LadderFacts, verdict: AttemptVerdict, policy: Policy): NextStep {
  if (verdict.type === "passed") return { type: "done" };
  const { failure } = verdict;
  switch (failure.kind) {
    case "ceiling":
    case "setup":
      return { type: "fail", reason: failure.error };
    case "login":
      return { type: "pause-session", reason: `${whatIsMissing(failure.error)}: ${failure.error}` };
    case "limit":
      return afterLimit(facts, failure, policy);
    case "refusal":
      return { type: "escalate", reason: "the agent declined, and asking again does not change that" };
    case "invalid-criteria":
      return { type: "escalate", reason: "the criteria cannot be examined as they are" };
    case "work":
    case "criteria":
    case "crash":
    case "timeout":
    case "unavailable":
    case "boundary":
    case "push":
      return facts.isOwnCommand ? runAgain(facts.position, policy) : climb(facts.position, policy);
  }
}

function whatIsMissing(error: string): string {
  return saysNoMoney(error) ? "the account of the agent's model has no money left" : "agent needs login";
}

/** D50: a command that failed twice, the second time in a fresh worktree, has failed. */
function runAgain({ rung, attempt }: LadderPosition, policy: Policy): NextStep {
  if (rung > 1 || attempt >= commandRuns(policy)) return { type: "escalate", reason: null };
  return { type: "retry", position: { rung, attempt: attempt + 1 }, delayMs: policy.recovery.commandBackoffMs };
}

/** Returns how often a goal's own command is run before a person is asked: at most as often as an agent would try. */
function commandRuns({ recovery }: Policy): number {
  return Math.min(
    recovery.commandRuns,
    recovery.rungs.reduce((sum, { attempts }) => sum + attempts, 0),
  );
}

function climb({ rung, attempt }: LadderPosition, policy: Policy): NextStep {
  const { rungs } = policy.recovery;
  const here = rungs[rung - 1];
  if (here !== undefined && attempt < here.attempts) {
    // C-75: the base delay before the second attempt, doubled for each further one.
    return { type: "retry", position: { rung, attempt: attempt + 1 }, delayMs: here.backoffMs * 2 ** (attempt - 1) };
  }
  for (let next = nextRung(rung); next !== 4; next = nextRung(next)) {
    const isTried = (rungs[next - 1]?.attempts ?? 0) > 0;
    if (isTried) return { type: "retry", position: { rung: next, attempt: 1 }, delayMs: 0 };
  }
  return { type: "escalate", reason: null };
}

/** Returns the next rung. */
export function nextRung(rung: Rung): 2 | 3 | 4 {
  if (rung === 1) return 2;
  return rung === 2 ? 3 : 4;
}

/** Outages end sooner than limits, and their end is never announced. */
const outageWaitMs = { first: 60_000, longest: 30 * 60_000 } as const;

function afterLimit({ limitWaits, onLimit, now }: LadderFacts, failure: Failure, policy: Policy): NextStep {
  const { limitWaitMs, longestLimitWaitMs, limitWaitsBeforePause } = policy.recovery;
  if (failure.isOutage === true) {
    if (limitWaits >= limitWaitsBeforePause)
      return { type: "pause-session", reason: `the agent's provider does not answer: ${failure.error}` };
    const waitMs = Math.min(outageWaitMs.first * 2 ** limitWaits, outageWaitMs.longest);
    return { type: "wait", until: new Date(now.getTime() + waitMs), isKnown: false };
  }
  const paused = { type: "pause-session", reason: `the provider's limit is reached: ${failure.error}` } as const;
  if (onLimit === "pause" || limitWaits >= limitWaitsBeforePause) return paused;
  if (failure.resetsAt !== null && failure.resetsAt > now) {
    if (failure.resetsAt.getTime() - now.getTime() > longestWaitMs) {
      const until = `${formatTime(failure.resetsAt, "UTC")} UTC`;
      return { type: "pause-session", reason: `the provider's limit lasts until ${until}: ${failure.error}` };
    }
    return { type: "wait", until: failure.resetsAt, isKnown: true };
  }
  const waitMs = Math.min(limitWaitMs * 2 ** limitWaits, longestLimitWaitMs);
  return { type: "wait", until: new Date(now.getTime() + waitMs), isKnown: false };
}

/**
 * True when a person is notified of a limit now: after several waits, or when this wait is longer than any wait for an unknown
 * reset time. `waits` includes the newest wait, which takes `waitMs`.
 */
export function tellsOfLimit(waits: number, waitMs: number, { recovery }: Policy): boolean {
  const isLong = waitMs > recovery.longestLimitWaitMs && waits < recovery.limitWaitsBeforeNotice;
  return isLong || waits === recovery.limitWaitsBeforeNotice;
}

/**
 * True when the agent's own session is resumed after a wait. After a second limit without a reset time the session itself may
 * be what is full, so it is not resumed. `waits` includes the newest wait.
 */
export function keepsSession(
  waits: number,
  { isKnown }: Extract<NextStep, { readonly type: "wait" }>,
  { isOutage }: Failure,
): boolean {
  return waits === 1 || isKnown || isOutage === true;
}

/** The name shown as the pauser of a session that the system paused. */
export const breakerName = "the circuit breaker";

/** True when a session must pause because goals failed in a row (D20). `streak` includes the newest one. */
export function tripsBreaker(streak: number, policy: Policy): boolean {
  return streak >= policy.recovery.breakerAfter;
}
