import { idsIn } from "../text/bounds.ts";
import type { CriterionStatus } from "./results.ts";

/** One entry of an agent's own plan, as it reports it. */
export interface PlanEntry {
  readonly text: string;
  readonly isDone: boolean;
}

export interface JudgedEntry extends PlanEntry {
  /**
   * `planned` names a criterion; `unplanned` names none; `claimed` is ticked although its criterion does not pass.
   */
  readonly judgement: "planned" | "unplanned" | "claimed";
  readonly criterionId: string | null;
}

/**
 * Compares an agent's plan with the goal's criteria. Entries name a criterion ("Verify AC-2: tests-pass") and are done only when it passes.
 * Nothing is refused; the judgement is only shown. S2-EX-02, S2-EX-03, AC-5.
 */
export function judgePlan(
  entries: readonly PlanEntry[],
  criteria: readonly { readonly id: string; readonly status: CriterionStatus }[],
): readonly JudgedEntry[] {
  return entries.map((entry): JudgedEntry => {
    const ids = idsIn(entry.text);
    const named = criteria.find(({ id }) => ids.has(id));
    if (named === undefined) return { ...entry, judgement: "unplanned", criterionId: null };
    const holds = named.status === "pass" || named.status === "requires-human";
    return { ...entry, judgement: entry.isDone && !holds ? "claimed" : "planned", criterionId: named.id };
  });
}

/**
 * The subject of a commit, with its criteria: "Round prices up (AC-2, AC-5)" (AC-28, S2-RJ-04). `ids` is empty when the goal has no
 * criteria.
 */
export function commitSubject(ids: readonly string[], goal: string): string {
  const named = ids.length > 3 ? `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more` : ids.join(", ");
  return named === "" ? goal : `${goal} (${named})`;
}

/** The criteria that a feedback text is about: each begins a line with its id and slug. */
export function idsInFeedback(feedback: string): string[] {
  return [...feedback.matchAll(/^([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+) \(/gm)].map((match) => match[1] ?? "");
}
