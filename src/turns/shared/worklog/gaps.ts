import { type LeftOut, leftOutEventWords } from "../../../core/worklog/waiting.ts";
import type { Worklog } from "../../../db/worklogs.ts";
import type { Deps } from "../../../deps.ts";

/**
 * Missing entries of a run whose number could not be stored. This process remembers it until it can be stored, also if another
 * process works the goal by then.
 */
export interface Gap {
  readonly goalId: string;
  readonly runId: string;
  readonly unstored: number;
  /** Those of them that were left out for lack of room. */
  readonly leftOut: LeftOut;
}

const gaps = new WeakMap<Deps["database"]["pool"], Gap[]>();

/** Remembers missing entries of a worklog in this process until their number can be stored. */
export function rememberGap({ pool }: Deps["database"], gap: Gap): void {
  gaps.set(pool, [...(gaps.get(pool) ?? []), gap]);
}

/** Returns the remembered gaps of worklogs, oldest first. */
export function rememberedGaps({ pool }: Deps["database"]): readonly Gap[] {
  return gaps.get(pool) ?? [];
}

/** Removes a gap that is stored in its worklog now. */
export function forgetGap({ pool }: Deps["database"], told: Gap): void {
  gaps.set(
    pool,
    (gaps.get(pool) ?? []).filter((gap) => gap !== told),
  );
}

/** Returns a worklog's new count and text for additional missing entries. */
export function gapChanges(
  stored: Pick<Worklog, "unstored">,
  { unstored: more, leftOut }: Pick<Gap, "unstored" | "leftOut">,
): { unstored: number; gap: string } {
  const unstored = stored.unstored + more;
  const why = leftOutEventWords(leftOut);
  const words = `${unstored} entries could not be stored while the goal was worked`;
  return { unstored, gap: why === "" ? words : `${words}: ${why}` };
}

/** The text of a worklog whose previous execution was interrupted: a killed process loses its unwritten entries (C-01). */
export const cutShort =
  "an execution was interrupted: what was not written yet may be missing (fewer than ten entries, less than thirty seconds)";
