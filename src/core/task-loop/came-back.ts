import type { Goal } from "../goals/goal.ts";

/** The parts of a goal that people change and that its worker must follow. The caller hashes the text. */
export function askedOfWorker({
  content,
  linkedText,
  instructions,
}: Pick<Goal, "content" | "linkedText" | "instructions">) {
  return JSON.stringify([content, linkedText, instructions.map(({ by, text }) => [by, text])]);
}

/** A task for work that came back: its title, its criteria, and the findings. */
export interface CameBack {
  readonly title: string;
  readonly criteria: readonly string[];
  readonly found: string;
}

/**
 * Work for a run that its task list does not contain. Either something came back to the run (remarks, failed checks, conflicts, work that a
 * person sent back), or a person changed the goal after every task had passed. Null when there is none.
 */
export function whatCameBack(now: {
  readonly goal: Pick<Goal, "instructions">;
  /** The feedback that came back to the run; null when there is none. */
  readonly feedback: string | null;
  /** True when some tasks have not passed; these get the goal's current text anyway. */
  readonly isOpen: boolean;
  /** True when the goal's text differs from the text its tasks were worked for. */
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
