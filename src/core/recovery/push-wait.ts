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
  return `${pushedOutcome(outcome) ?? "The work is done."}${between}${firstLine(reason, 300)}`;
}

/** What is said of it when it has arrived. */
export function pushedOutcome(outcome: string | null): string | null {
  return outcome?.split(between)[0] ?? null;
}
