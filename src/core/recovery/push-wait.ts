import { firstLine } from "../text.ts";

/** A push waits where the place that it goes to does not answer, as a merge does: an hour in all, then a person is asked. */

const minute = 60_000;
const waitsMs: readonly number[] = [1, 2, 4, 8, 15, 30].map((minutes) => minutes * minute);

/** In how many milliseconds it is pushed again; null: it was waited for long enough. `waits`: how often it was waited for. */
export function pushWaitMs(waits: number): number | null {
  return waitsMs[waits] ?? null;
}

const between = " Its push waits and is tried again by itself: ";

/** What is said of a goal while its push waits: what was said of its work, and why it is not there. */
export function waitingPushOutcome(outcome: string | null, reason: string): string {
  return `${outcomeOfWork(outcome) ?? unsaid}${between}${firstLine(reason, 300)}`;
}

const unsaid = "The work is done.";

/** What was said of its work, without what was said of its push; null: nothing was. */
export function outcomeOfWork(outcome: string | null): string | null {
  const [work] = outcome?.split(between) ?? [];
  return work === undefined || work === unsaid ? null : work;
}

/** The same where a push waits; null where none does. */
export function outcomeBeforePush(outcome: string | null): string | null {
  return outcome?.includes(between) === true ? outcomeOfWork(outcome) : null;
}
