import type { Trigger } from "../checkpoints/triggers.ts";
import { dollars, formatUsd } from "../money.ts";
import type { Policy } from "../policy.ts";
import { count } from "../text.ts";

/**
 * Tuning of checkpoints: once a week the bot looks at how questions about cost were answered and how the goals that went on ended. The
 * result is a proposal, a change of the policy that a person approves or not; nothing changes by itself. Only the two thresholds that ask
 * are ever proposed, never ceilings, permissions or kinds of files. Micro-dollars.
 */
export const tunedTriggers = ["cost_single", "cost_cumulative"] as const satisfies readonly Trigger[];
export type TunedTrigger = (typeof tunedTriggers)[number];

/** The numbers of the policy that can be tuned, by their paths in it. */
export const policyKeys = ["thresholds.singleMicroUsd", "thresholds.dayMicroUsd"] as const;
export type PolicyKey = (typeof policyKeys)[number];

/** The threshold behind a trigger. */
export function thresholdOf(trigger: TunedTrigger): PolicyKey {
  switch (trigger) {
    case "cost_single":
      return "thresholds.singleMicroUsd";
    case "cost_cumulative":
      return "thresholds.dayMicroUsd";
  }
}

/** The trigger that a threshold causes. */
export function triggerOf(key: PolicyKey): TunedTrigger {
  switch (key) {
    case "thresholds.singleMicroUsd":
      return "cost_single";
    case "thresholds.dayMicroUsd":
      return "cost_cumulative";
  }
}

/** One line of a policy change. */
export interface PolicyChange {
  readonly key: PolicyKey;
  readonly wasMicroUsd: number;
  readonly nowMicroUsd: number;
}

/** Thresholds that a person approved. A missing one has the policy's value. */
export type Tuned = Readonly<Partial<Record<PolicyKey, number>>>;

/** The thresholds in effect. */
export function thresholdsWith({ thresholds }: Pick<Policy, "thresholds">, tuned: Tuned): Policy["thresholds"] {
  return {
    singleMicroUsd: tuned["thresholds.singleMicroUsd"] ?? thresholds.singleMicroUsd,
    dayMicroUsd: tuned["thresholds.dayMicroUsd"] ?? thresholds.dayMicroUsd,
  };
}

/** The value of a threshold by its key. */
export function valueAt(thresholds: Policy["thresholds"], key: PolicyKey): number {
  switch (key) {
    case "thresholds.singleMicroUsd":
      return thresholds.singleMicroUsd;
    case "thresholds.dayMicroUsd":
      return thresholds.dayMicroUsd;
  }
}

/** The changes from the thresholds in effect to the wanted ones. */
export function changesTo(wanted: Tuned, inEffect: Policy["thresholds"]): PolicyChange[] {
  return policyKeys.flatMap((key) => {
    const wasMicroUsd = valueAt(inEffect, key);
    const nowMicroUsd = wanted[key] ?? wasMicroUsd;
    return nowMicroUsd === wasMicroUsd ? [] : [{ key, wasMicroUsd, nowMicroUsd }];
  });
}

/** The ceiling that always holds: a threshold above it would never ask. */
export function ceilingOver(key: PolicyKey, { ceilings }: Pick<Policy, "ceilings">): number {
  switch (key) {
    case "thresholds.singleMicroUsd":
      return ceilings.sessionMicroUsd;
    case "thresholds.dayMicroUsd":
      return ceilings.dayMicroUsd;
  }
}

/** An answered question that was asked for this reason alone, and how its goal ended if it went on. */
export interface TuningOutcome {
  readonly trigger: TunedTrigger;
  readonly wentOn: boolean;
  /** True when it is done and its branch was neither discarded nor reverted. Null when it has not ended, or did not go on. */
  readonly endedWell: boolean | null;
}

/** A proposed change with its reason, in words. */
export interface Proposed {
  readonly trigger: TunedTrigger;
  readonly change: PolicyChange;
  readonly why: string;
}

/** Ask less often when nearly all went on and ended well, and more often when fewer than half did. Shares of one. */
const nearlyAll = 0.9;
const half = 0.5;

/**
 * The proposals from the outcomes of the last weeks, at most one change for each threshold. A fifth more when nine of ten questions were
 * answered with yes and nine of ten of those goals ended well. A fifth less when fewer than half were answered with yes, or fewer than half
 * ended well. Whole dollars, at least one, never above the ceiling that always holds. Too few answers propose nothing.
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

/** 1: ask less often; -1: ask more often; null: no change. */
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

const askedAbout: Readonly<Record<PolicyKey, string>> = {
  "thresholds.singleMicroUsd": "a goal that is estimated above",
  "thresholds.dayMicroUsd": "a goal on a day that has cost more than",
};
const wordsByKey = new Map<string, string>(Object.entries(askedAbout));

/** What a number decides, worded to precede the number. A key of another version is returned as it is. */
export function askedAboutWords(key: string): string {
  return wordsByKey.get(key) ?? key;
}

/** A policy change as its card shows it: "- ask about a goal that is estimated above $5.00", then the new number with "+". */
export function policyDiffWords(changes: readonly PolicyChange[]): string[] {
  return changes.flatMap(({ key, wasMicroUsd, nowMicroUsd }) => [
    `- ask about ${askedAboutWords(key)} ${formatUsd(wasMicroUsd)}`,
    `+ ask about ${askedAboutWords(key)} ${formatUsd(nowMicroUsd)}`,
  ]);
}

/** "a goal that is estimated above $10.00 is asked about, instead of $5.00" */
export function policySetWords(change: Omit<PolicyChange, "key"> & { readonly key: string }): string {
  const { key, wasMicroUsd, nowMicroUsd } = change;
  return `${askedAboutWords(key)} ${formatUsd(nowMicroUsd)} is asked about, instead of ${formatUsd(wasMicroUsd)}`;
}

/** A policy change as its question stores it: two lines for each number. An approval applies exactly these. */
export function policyDiffLines(changes: readonly PolicyChange[]): string[] {
  return changes.flatMap(({ key, wasMicroUsd, nowMicroUsd }) => [
    `- ${key}: ${formatUsd(wasMicroUsd)}`,
    `+ ${key}: ${formatUsd(nowMicroUsd)}`,
  ]);
}

/** True when a proposed change still starts from the thresholds in effect. */
export function isCurrent(changes: readonly PolicyChange[], thresholds: Policy["thresholds"]): boolean {
  return changes.every(({ key, wasMicroUsd }) => valueAt(thresholds, key) === wasMicroUsd);
}

/** The proposed threshold in words, with its reason. */
export function reasonWords({ trigger, change, why }: Proposed): string {
  const asks = trigger === "cost_single" ? "Ask about a goal" : "Ask once a day has cost";
  return `${asks} above ${formatUsd(change.nowMicroUsd)} instead of ${formatUsd(change.wasMicroUsd)}: ${why}`;
}
