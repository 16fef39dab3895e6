import type { WorklogPolicy } from "../policy/worklog.ts";
import { count } from "../text.ts";
import type { Todo } from "./todos.ts";

/**
 * Checks whether the stored todos equal the plan that the agent wrote:
 *
 *   plan written ──► read ──► equal ───────────────────────────► pass
 *                     │  └──► different ─┐
 *                     └─────► too slow ──┴─► read again after 100 ms ──► equal ─────► pass
 *                                                │  └──► too slow ────────────────► skipped
 *                                                └─────► different ───────────────► ask ──► Retry, while the breaker is closed
 *                                                                                     └──► Accept · Abort · Continue
 *
 * Seed 000 FR-004 and §3.3, C-11 (by id, never by words), C-12, C-13.
 */
export type TodoState = readonly Pick<Todo, "id" | "status">[];

export type MismatchType = "status_mismatch" | "count_mismatch" | "missing_todo";

export type Comparison =
  | { readonly type: "match" }
  | { readonly type: "mismatch"; readonly mismatch: MismatchType; readonly details: string };

/**
 * Compares todos by id, or by place if the actual ones have no ids. Texts and order do not matter. `total`: how many were expected, if not
 * all of them were stored.
 */
export function compareTodos(expected: TodoState, actual: TodoState, total = expected.length): Comparison {
  if (total !== actual.length) {
    const details = `expected ${count(total, "todo")}, found ${actual.length}`;
    return { type: "mismatch", mismatch: "count_mismatch", details };
  }
  const byPlace = actual.every((todo) => todo.id === "");
  const found = new Map(actual.map((todo) => [todo.id, todo]));
  for (const [index, todo] of expected.entries()) {
    const there = byPlace ? actual[index] : found.get(todo.id);
    if (there === undefined) return { type: "mismatch", mismatch: "missing_todo", details: `${todo.id} is not there` };
    if (there.status !== todo.status) {
      const details = `${todo.id}: expected ${todo.status}, found ${there.status}`;
      return { type: "mismatch", mismatch: "status_mismatch", details };
    }
  }
  return { type: "match" };
}

/** The result of one read. */
export type ReadResult = Comparison | { readonly type: "timeout" };

export type AfterRead =
  | { readonly type: "pass" }
  | { readonly type: "retry"; readonly afterMs: number }
  /** Neither read was answered in time: the goal goes on without confirmation. */
  | { readonly type: "skip" }
  | { readonly type: "ask" };

/** What follows from the first or the second read of a verification. A person's Retry counts as a second one. */
export function afterRead(
  read: ReadResult,
  attempt: "first" | "second",
  policy: Pick<WorklogPolicy["verification"], "retryAfterMs">,
): AfterRead {
  if (read.type === "match") return { type: "pass" };
  if (attempt === "first") return { type: "retry", afterMs: policy.retryAfterMs };
  return read.type === "timeout" ? { type: "skip" } : { type: "ask" };
}

/** The circuit breaker: failed reads in a row. While it is open, nothing is read automatically until the cooldown is over. */
export interface Breaker {
  readonly failures: number;
  readonly openedAtMs: number | null;
}

export const closedBreaker: Breaker = { failures: 0, openedAtMs: null };

type BreakerPolicy = Pick<WorklogPolicy["verification"], "attempts" | "cooldownMs">;

/** The breaker after a read. A match resets it; a mismatch counts, and the third one opens it (S0-CB-02, S0-CB-05). */
export function afterAttempt(breaker: Breaker, read: ReadResult, nowMs: number, policy: BreakerPolicy): Breaker {
  if (read.type === "match") return closedBreaker;
  if (read.type === "timeout") return breaker;
  const failures = breaker.failures + 1;
  return failures >= policy.attempts ? { failures, openedAtMs: nowMs } : { failures, openedAtMs: null };
}

/** True when a read is allowed now: one is, 300 s after the breaker opened (S0-CB-03, S0-CB-04). */
export function mayAttempt(breaker: Breaker, nowMs: number, policy: BreakerPolicy): boolean {
  // The absolute value, because a clock that was set back would otherwise keep it open for that long.
  return breaker.openedAtMs === null || Math.abs(nowMs - breaker.openedAtMs) >= policy.cooldownMs;
}

export const resolutions = ["accept", "abort", "continue"] as const;
export type Resolution = (typeof resolutions)[number];

export const resolutionLabels: Readonly<Record<Resolution | "retry", string>> = {
  retry: "Retry",
  accept: "Accept current state as correct",
  abort: "Abort task with partial worklog",
  continue: "Continue without verification (log risk)",
};

/** The choices for a person. Retry only while the breaker is closed (C-13). */
export function optionsFor(breaker: Breaker): readonly (Resolution | "retry")[] {
  return breaker.openedAtMs === null ? ["retry", ...resolutions] : resolutions;
}
