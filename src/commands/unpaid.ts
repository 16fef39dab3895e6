import { leftWords } from "../turns/goal/ask-to-start.ts";
import type { UnpaidGoal } from "../turns/goal/unpaid.ts";

/** Returns goals that a session has too little money for, with what is left and needed. */
export function unpaidValues(unpaid: readonly UnpaidGoal[]): { readonly goalId: string; readonly reason: string }[] {
  return unpaid.map(({ goalId, refusal }) => ({ goalId, reason: leftWords(refusal) }));
}
