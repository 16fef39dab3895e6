import type { Trigger } from "../checkpoints/triggers.ts";
import { dollars, formatUsd } from "../money.ts";
import type { Policy } from "../policy.ts";
import { count } from "../text.ts";

/**
 * Tuning of checkpoints: once a week it is looked at how the questions about cost were answered and what became of the goals
 * that went on. What follows is a proposal, a policy diff that a person approves or not; nothing is changed by itself. Only the
 * two thresholds that ask are ever proposed: ceilings, permissions and kinds of files are nobody's to learn. Micro-dollars.
 */
export const tunedTriggers = ["cost_single", "cost_cumulative"] as const satisfies readonly Trigger[];
export type TunedTrigger = (typeof tunedTriggers)[number];

/** The numbers of the policy that can be tuned, by their places in it. */
export const policyKeys = ["thresholds.singleMicroUsd", "thresholds.dayMicroUsd"] as const;
export type PolicyKey = (typeof policyKeys)[number];

/** The threshold that asks for this reason. */
export function thresholdOf(trigger: TunedTrigger): PolicyKey {
  switch (trigger) {
    case "cost_single":
      return "thresholds.singleMicroUsd";
    case "cost_cumulative":
      return "thresholds.dayMicroUsd";
  }
}

/** The reason of which a threshold is asked. */
export function triggerOf(key: PolicyKey): TunedTrigger {
  switch (key) {
    case "thresholds.singleMicroUsd":
      return "cost_single";
    case "thresholds.dayMicroUsd":
      return "cost_cumulative";
  }
}

/** One line of a policy diff. */
export interface PolicyChange {
  readonly key: PolicyKey;
  readonly wasMicroUsd: number;
  readonly nowMicroUsd: number;
}

/** Thresholds that a person approved; what is missing is as the policy says. */
export type Tuned = Readonly<Partial<Record<PolicyKey, number>>>;

/** The thresholds in effect. */
export function thresholdsWith({ thresholds }: Pick<Policy, "thresholds">, tuned: Tuned): Policy["thresholds"] {
  return {
    singleMicroUsd: tuned["thresholds.singleMicroUsd"] ?? thresholds.singleMicroUsd,
    dayMicroUsd: tuned["thresholds.dayMicroUsd"] ?? thresholds.dayMicroUsd,
  };
}

/** The value of a key among them. */
export function valueAt(thresholds: Policy["thresholds"], key: PolicyKey): number {
  switch (key) {
    case "thresholds.singleMicroUsd":
      return thresholds.singleMicroUsd;
    case "thresholds.dayMicroUsd":
      return thresholds.dayMicroUsd;
  }
}

/** What changes of the thresholds in effect where some are wanted. */
export function changesTo(wanted: Tuned, inEffect: Policy["thresholds"]): PolicyChange[] {
  return policyKeys.flatMap((key) => {
    const wasMicroUsd = valueAt(inEffect, key);
    const nowMicroUsd = wanted[key] ?? wasMicroUsd;
    return nowMicroUsd === wasMicroUsd ? [] : [{ key, wasMicroUsd, nowMicroUsd }];
  });
}

/** The ceiling that holds whatever is asked: a threshold above it asks nothing any more. */
export function ceilingOver(key: PolicyKey, { ceilings }: Pick<Policy, "ceilings">): number {
  switch (key) {
    case "thresholds.singleMicroUsd":
      return ceilings.sessionMicroUsd;
    case "thresholds.dayMicroUsd":
      return ceilings.dayMicroUsd;
  }
}

/** A question that was asked for this reason alone and answered, and what became of its goal when it went on. */
export interface TuningOutcome {
  readonly trigger: TunedTrigger;
  readonly wentOn: boolean;
  /** Done, and its branch was neither thrown away nor reverted; null: not over yet, or it did not go on. */
  readonly endedWell: boolean | null;
}

/** A proposed change with what it rests on, in words. */
export interface Proposed {
  readonly trigger: TunedTrigger;
  readonly change: PolicyChange;
  readonly why: string;
}

/** What is asked less when nearly all went on and ended well, and more when half did not; shares of one. */
const nearlyAll = 0.9;
const half = 0.5;

/**
 * What the outcomes of the last weeks propose, a change for each threshold at most: a fifth more when nine of ten questions
 * were answered with yes and nine of ten of those goals ended well; a fifth less when fewer than half were answered with yes,
 * or fewer than half ended well. Whole dollars, at least one, never above the ceiling that holds anyway. Too few answers
 * propose nothing.
 */
export function proposeTuning(
  outcomes: readonly TuningOutcome[],
  thresholds: Policy["thresholds"],
  policy: Pick<Policy, "tuning" | "ceilings">,
): Proposed[] {
  return tunedTriggers.flatMap((trigger) => {
    const told = outcomes.filter((each) => each.trigger === trigger);
    const direction = directionOf(told, policy.tuning.answers);
    if (direction === null) return [];
    const key = thresholdOf(trigger);
    const wasMicroUsd = valueAt(thresholds, key);
    const nowMicroUsd = movedBy(direction, wasMicroUsd, { most: ceilingOver(key, policy), step: policy.tuning.step });
    if ((nowMicroUsd - wasMicroUsd) * direction <= 0) return [];
    return [{ trigger, change: { key, wasMicroUsd, nowMicroUsd }, why: whyWords(told) }];
  });
}

/** 1: ask less often, -1: more often, null: as it is. */
function directionOf(told: readonly TuningOutcome[], fewest: number): 1 | -1 | null {
  if (told.length < fewest) return null;
  const yes = told.filter((each) => each.wentOn).length / told.length;
  const ended = told.filter((each) => each.endedWell !== null);
  const well = ended.filter((each) => each.endedWell).length / Math.max(1, ended.length);
  if (yes < half || (ended.length >= fewest && well < half)) return -1;
  return yes >= nearlyAll && ended.length >= fewest && well >= nearlyAll ? 1 : null;
}

function movedBy(
  direction: 1 | -1,
  wasMicroUsd: number,
  { most, step }: { readonly most: number; readonly step: number },
): number {
  const moved = Math.max(dollars(1), Math.round((wasMicroUsd * step) / dollars(1)) * dollars(1));
  return Math.max(dollars(1), Math.min(most, wasMicroUsd + direction * moved));
}

function whyWords(told: readonly TuningOutcome[]): string {
  const yes = told.filter((each) => each.wentOn).length;
  const ended = told.filter((each) => each.endedWell !== null);
  const well = ended.filter((each) => each.endedWell).length;
  const became =
    ended.length === 0 ? "none of those has ended" : `${well} of the ${ended.length} that ended were done and kept`;
  return `${yes} of ${count(told.length, "question")} went on, ${became}`;
}

/** A policy diff as its card shows it: two lines a change, which are exactly what an approval applies. */
export function policyDiffLines(changes: readonly PolicyChange[]): string[] {
  return changes.flatMap(({ key, wasMicroUsd, nowMicroUsd }) => [
    `- ${key}: ${formatUsd(wasMicroUsd)}`,
    `+ ${key}: ${formatUsd(nowMicroUsd)}`,
  ]);
}

/** Whether a diff was made of what is in effect; otherwise it says something that is not so any more. */
export function isCurrent(changes: readonly PolicyChange[], thresholds: Policy["thresholds"]): boolean {
  return changes.every(({ key, wasMicroUsd }) => valueAt(thresholds, key) === wasMicroUsd);
}

/** The threshold in words, with what speaks for another one. */
export function reasonWords({ trigger, change, why }: Proposed): string {
  const asks = trigger === "cost_single" ? "Ask about a goal" : "Ask once a day has cost";
  return `${asks} above ${formatUsd(change.nowMicroUsd)} instead of ${formatUsd(change.wasMicroUsd)}: ${why}`;
}
