import { firstLine } from "../text.ts";

/** A push is retried while its target does not answer, like a merge: for an hour in total. Then a person is asked. */

const minute = 60_000;
const waitsMs: readonly number[] = [1, 2, 4, 8, 15, 30].map((minutes) => minutes * minute);

/** Returns the delay before the next push, in milliseconds. Null after the last wait. `waits`: number of waits so far. */
export function pushWaitMs(waits: number): number | null {
  return waitsMs[waits] ?? null;
}

const between = " Its push waits and is tried again by itself: ";

/** Returns the outcome of a goal whose push waits: the outcome of its work, and why the push failed. */
export function waitingPushOutcome(outcome: string | null, reason: string): string {
  return `${outcomeOfWork(outcome) ?? unsaid}${between}${firstLine(reason, 300)}`;
}

const unsaid = "The work is done.";

/** Returns the outcome of the work without the part about its push. Null when there was none. */
export function outcomeOfWork(outcome: string | null): string | null {
  const [work] = outcome?.split(between) ?? [];
  return work === undefined || work === unsaid ? null : work;
}

/** Like `outcomeOfWork`, for an outcome with a waiting push. Null when no push waits. */
export function outcomeBeforePush(outcome: string | null): string | null {
  return outcome?.includes(between) === true ? outcomeOfWork(outcome) : null;
}
