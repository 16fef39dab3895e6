import type { CheckpointKind, CheckpointOption } from "../checkpoints/checkpoint.ts";
import type { Trigger } from "../checkpoints/triggers.ts";
import { firstLine } from "../text.ts";
import { type PreferenceKey, readWeight, type Weight } from "./preferences.ts";

/** An earlier answer to a similar question. */
export interface Precedent {
  readonly choice: string;
  /** Who answered, and what they wrote. */
  readonly by: string;
  readonly notes: string | null;
}

/** The knowledge with which a question is composed. */
export interface Learnt {
  readonly weights: ReadonlyMap<PreferenceKey, Weight>;
  /** The last ten answers to questions of this kind and trigger with the same choices, newest first. */
  readonly precedents: readonly Precedent[];
}

/** Number of answers that count as current practice. */
export const mostPrecedents = 10;

/** Below `low`, a preference speaks against a yes; above `high`, clearly for it. */
const low = 0.4;
const high = 0.6;

/**
 * The choices, with the recommendation changed if people's answers suggest it. The recommended choice comes first. All choices stay:
 * preferences only mark and order them (C-77). Questions that widen permissions or count as proof, and those about a ceiling, a paused
 * session or missing facts, keep their recommendation.
 */
export function markLearnt(
  kind: CheckpointKind,
  trigger: Trigger,
  options: readonly CheckpointOption[],
  learnt: Learnt,
): CheckpointOption[] {
  const label = learntLabel(kind, trigger, options, learnt);
  const isNew = label !== null && !options.some((each) => each.isRecommended && each.label === label);
  if (!isNew) return [...options];
  const marked = options.map((option) => ({ ...option, isRecommended: option.label === label }));
  return [...marked.filter((each) => each.isRecommended), ...marked.filter((each) => !each.isRecommended)];
}

/** The label to recommend. Null when nothing suggests a choice other than the usual one. */
function learntLabel(
  kind: CheckpointKind,
  trigger: Trigger,
  options: readonly CheckpointOption[],
  { weights, precedents }: Learnt,
): string | null {
  // When a push was refused or a fixed command failed, the right choice is known and is recommended, whatever people prefer.
  const isUsual = options.some((each) => each.isRecommended && each.label === "Skip");
  if (kind === "escalation") return isUsual ? strongest(options, weights) : null;
  if (kind !== "start" && kind !== "continue" && kind !== "diff") return null;
  const key = tolerances.get(trigger);
  if (key === undefined || readWeight(weights.get(key)) >= low) return null;
  return mostChosen(options, precedents);
}

const tolerances: ReadonlyMap<Trigger, PreferenceKey> = new Map([
  ["cost_single", "cost_tolerance"],
  ["cost_cumulative", "daily_cost_tolerance"],
  ["architecture", "risk_tolerance"],
  ["ux_change", "risk_tolerance"],
]);

const tendencies: ReadonlyMap<string, PreferenceKey> = new Map([
  ["Retry", "retry_tolerance"],
  ["Skip", "skip_tendency"],
  ["Manual", "manual_preference"],
]);

/** The choice at a ladder's end that people clearly prefer. Null when two are equal or none is clear. */
function strongest(options: readonly CheckpointOption[], weights: Learnt["weights"]): string | null {
  const ranked = options
    .flatMap(({ label }) => {
      const key = tendencies.get(label);
      return key === undefined ? [] : [{ label, weight: readWeight(weights.get(key)) }];
    })
    .toSorted((one, other) => other.weight - one.weight);
  const [first, second] = ranked;
  if (first === undefined || first.weight <= high || first.weight === second?.weight) return null;
  return first.label;
}

/** The choice that people made most often instead of going on. Of equal ones, the most recent. */
function mostChosen(options: readonly CheckpointOption[], precedents: readonly Precedent[]): string | null {
  const others = options.filter((each) => each.effect !== "continue").map((each) => each.label);
  const counted = others.map((label) => ({ label, times: precedents.filter((each) => each.choice === label).length }));
  const order = precedents.map((each) => each.choice);
  const [most] = counted
    .filter((each) => each.times > 0)
    .toSorted((one, other) => other.times - one.times || order.indexOf(one.label) - order.indexOf(other.label));
  return most?.label ?? null;
}

/**
 * Why a choice is recommended, in words: how people answered similar questions, and the last different answer. Says so when there is no
 * answer yet.
 */
export function learntWords(options: readonly CheckpointOption[], { precedents }: Learnt): string {
  if (precedents.length === 0) return "nothing like it has been decided here yet.";
  const recommended = options.find((each) => each.isRecommended)?.label ?? null;
  const total = precedents.length;
  const times = recommended === null ? 0 : precedents.filter((each) => each.choice === recommended).length;
  const last = total === 1 ? "the last one" : `the last ${total}`;
  const other = precedents.find((each) => each.choice !== recommended);
  if (times === 0 && recommended !== null && other !== undefined)
    return total === 1
      ? `the last one like it got ${answerWords(other)}.`
      : `${recommended} was chosen for none of ${last} like it; the last got ${answerWords(other)}.`;
  const said =
    times === total
      ? `${recommended} was chosen ${total === 1 ? "for the last one" : `for all of ${last}`} like it`
      : recommended === null
        ? `of ${last} like it ${choices(precedents)}`
        : `${recommended} was chosen for ${times} of ${last} like it`;
  return `${said}${other === undefined ? "" : `; the last that was not got ${answerWords(other)}`}.`;
}

function choices(precedents: readonly Precedent[]): string {
  const counts = new Map<string, number>();
  for (const { choice } of precedents) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  return [...counts].map(([choice, times]) => `${choice} was chosen for ${times}`).join(", ");
}

function answerWords({ choice, by, notes }: Precedent): string {
  const why = notes === null || notes.trim() === "" ? "" : `: “${firstLine(notes, 120)}”`;
  return `${choice} from ${by}${why}`;
}
