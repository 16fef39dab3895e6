import type { Checkpoint, CheckpointOption, Effect } from "./checkpoint.ts";
import { adjustLabel, criterionLabel, pauseSessionOption } from "./options.ts";

/** Options of a question as they are looked for: by their label, by what they do. */

/** What may be answered: what the card offers, and Pause in the middle of a ladder and at its end, where it has no button. */
export function answerable(checkpoint: Pick<Checkpoint, "kind" | "options">): readonly CheckpointOption[] {
  const isAboutRecovery = checkpoint.kind === "escalation" || checkpoint.kind === "clarify";
  return isAboutRecovery ? [...checkpoint.options, pauseSessionOption] : checkpoint.options;
}

/** The option with that label, whatever its case; "modify" also means the one that takes changes. Null: not offered. */
export function findOption(options: readonly CheckpointOption[], label: string): CheckpointOption | null {
  const named = options.find((option) => sameWord(option.label, label));
  return named ?? (sameWord(label, "modify") ? optionWithEffect(options, "modify") : null);
}

/** Whether a choice that takes changes takes another budget as well. */
export function takesBudget(label: string): boolean {
  return !sameWord(label, adjustLabel);
}

/** Whether it is asked about a proof that cannot fail, and not about changed files. */
export function offersCriterion({ options }: Pick<Checkpoint, "options">): boolean {
  return options.some(({ label }) => label === criterionLabel);
}

/** Buttons carry a label in lower case with dashes. */
export function sameWord(one: string, other: string): boolean {
  const plain = (word: string): string => word.trim().toLowerCase().replaceAll("-", " ");
  return plain(one) === plain(other);
}

/**
 * The option that `approve`, `reject` or `modify` means on this card (C-64); null when it has none. A milestone that is rejected
 * pauses its campaign: it has nothing to skip (C-83).
 */
export function optionMeant(options: readonly CheckpointOption[], effect: Effect): CheckpointOption | null {
  const same = optionWithEffect(options, effect);
  return same === null && effect === "skip" ? optionWithEffect(options, "pause") : same;
}

/** The first option that does that; null when there is none. */
export function optionWithEffect(options: readonly CheckpointOption[], effect: Effect): CheckpointOption | null {
  return options.find((option) => option.effect === effect) ?? null;
}
