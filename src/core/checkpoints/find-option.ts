import type { Checkpoint, CheckpointOption, Effect } from "./checkpoint.ts";
import { adjustLabel, criterionLabel, pauseSessionOption } from "./options.ts";

/** Finds options of a question by label or by effect. */

/** Returns the options that may be chosen: those on the card, and Pause for the ladder's questions, which show no such button. */
export function answerable(checkpoint: Pick<Checkpoint, "kind" | "options">): readonly CheckpointOption[] {
  const isAboutRecovery = checkpoint.kind === "escalation" || checkpoint.kind === "clarify";
  return isAboutRecovery ? [...checkpoint.options, pauseSessionOption] : checkpoint.options;
}

/** Returns the option with that label, ignoring case. "modify" also matches the option that accepts changes. Null when not offered. */
export function findOption(options: readonly CheckpointOption[], label: string): CheckpointOption | null {
  const named = options.find((option) => sameWord(option.label, label));
  return named ?? (sameWord(label, "modify") ? optionWithEffect(options, "modify") : null);
}

/** True when an option that accepts changes also accepts a budget. */
export function takesBudget(label: string): boolean {
  return !sameWord(label, adjustLabel);
}

/** True when the question is about a proof that cannot fail, not about changed files. */
export function offersCriterion({ options }: Pick<Checkpoint, "options">): boolean {
  return options.some(({ label }) => label === criterionLabel);
}

/** True when both labels are the same word. Buttons carry a label in lower case with dashes. */
export function sameWord(one: string, other: string): boolean {
  const plain = (word: string): string => word.trim().toLowerCase().replaceAll("-", " ");
  return plain(one) === plain(other);
}

/**
 * Returns the option that `approve`, `reject` or `modify` means on this card (C-64). Null when there is none. Rejecting a
 * milestone pauses its campaign, because there is nothing to skip (C-83).
 */
export function optionMeant(options: readonly CheckpointOption[], effect: Effect): CheckpointOption | null {
  const same = optionWithEffect(options, effect);
  return same === null && effect === "skip" ? optionWithEffect(options, "pause") : same;
}

/** Returns the first option with that effect. Null when there is none. */
export function optionWithEffect(options: readonly CheckpointOption[], effect: Effect): CheckpointOption | null {
  return options.find((option) => option.effect === effect) ?? null;
}
