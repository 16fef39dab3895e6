import type { Goal } from "../goals/goal.ts";

/** What a goal asks of whoever works it, as far as people change it: hashed by the caller. */
export function askedOfWorker({
  content,
  linkedText,
  instructions,
}: Pick<Goal, "content" | "linkedText" | "instructions">) {
  return JSON.stringify([content, linkedText, instructions.map(({ by, text }) => [by, text])]);
}

/** A task for what came back: its title, its criteria, and what was found. */
export interface CameBack {
  readonly title: string;
  readonly criteria: readonly string[];
  readonly found: string;
}

/**
 * What a run is to work although its list does not say so: what came back to it (remarks, failed checks, conflicts, work that a
 * person sent back), or what a person changed after every task had passed. Null: nothing.
 */
export function whatCameBack(now: {
  readonly goal: Pick<Goal, "instructions">;
  /** What came back to the run; null: nothing. */
  readonly feedback: string | null;
  /** Tasks that have not passed are told what the goal asks now. */
  readonly isOpen: boolean;
  /** What the goal asks now is not what its tasks were worked for. */
  readonly isChanged: boolean;
}): CameBack | null {
  if (now.feedback !== null)
    return { title: "What came back", criteria: ["What came back is put right"], found: now.feedback };
  if (now.isOpen || !now.isChanged) return null;
  const added = now.goal.instructions.map(({ by, text }) => `Instruction by ${by}: ${text}`);
  return {
    title: "What was changed",
    criteria: ["The work does what the goal, the document it refers to and its instructions ask now"],
    found: ["The goal was changed, or added to, after its tasks had passed.", ...added].join("\n"),
  };
}
