import { type LeftOut, leftOutEventWords } from "../../../core/worklog/waiting.ts";
import type { Worklog } from "../../../db/worklogs.ts";
import type { Deps } from "../../../deps.ts";

/**
 * How many entries of each run are missing and could not be noted: this process knows it until it can be written, also when another
 * one works the goal by then.
 */
export interface Gap {
  readonly goalId: string;
  readonly runId: string;
  readonly unstored: number;
  /** Of these, what there was no room for. */
  readonly leftOut: LeftOut;
}

const gaps = new WeakMap<Deps["database"]["pool"], Gap[]>();

/** Remembers what a worklog could not keep, in this process, until it can be written. */
export function rememberGap({ pool }: Deps["database"], gap: Gap): void {
  gaps.set(pool, [...(gaps.get(pool) ?? []), gap]);
}

/** What worklogs could not keep so far, oldest first. */
export function rememberedGaps({ pool }: Deps["database"]): readonly Gap[] {
  return gaps.get(pool) ?? [];
}

/** It is in its worklog now. */
export function forgetGap({ pool }: Deps["database"], told: Gap): void {
  gaps.set(
    pool,
    (gaps.get(pool) ?? []).filter((gap) => gap !== told),
  );
}

/** What a worklog says of more entries that are missing, in words and numbers. */
export function gapChanges(
  stored: Pick<Worklog, "unstored">,
  { unstored: more, leftOut }: Pick<Gap, "unstored" | "leftOut">,
): { unstored: number; gap: string } {
  const unstored = stored.unstored + more;
  const why = leftOutEventWords(leftOut);
  const words = `${unstored} entries could not be stored while the goal was worked`;
  return { unstored, gap: why === "" ? words : `${words}: ${why}` };
}

/** What a worklog says whose execution before this one was cut: a killed process takes what it had not written yet (C-01). */
export const cutShort =
  "an execution was cut short: what was not written yet may be missing (fewer than ten entries, less than thirty seconds)";
