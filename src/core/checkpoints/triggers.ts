import { fileKinds } from "../files/kind.ts";
import type { Policy } from "../policy.ts";

/** Why a person is asked, in the order of importance in which a card shows them (S4-TG-07, S4-TG-10). */
export const triggers = [
  "hiccup",
  "ux_change",
  "cost_single",
  "cost_cumulative",
  "architecture",
  "scope_change",
] as const;

export type Trigger = (typeof triggers)[number];

/** What settings call them, besides their own names. */
const triggerWords: Readonly<Record<string, readonly Trigger[]>> = {
  cost: ["cost_single", "cost_cumulative"],
  ux: ["ux_change"],
  scope: ["scope_change"],
};

/** The triggers that a word of a setting means; null when it means none. */
export function namedTriggers(word: string): readonly Trigger[] | null {
  const named = triggers.filter((each) => each === word);
  return named.length > 0 ? named : (Object.entries(triggerWords).find(([name]) => name === word)?.[1] ?? null);
}

/** The shortest words of settings that mean these: "cost, architecture". */
export function settingWords(some: readonly Trigger[]): string {
  const whole = Object.entries(triggerWords).filter(([, named]) => named.every((each) => some.includes(each)));
  const left = some.filter((each) => !whole.some(([, named]) => named.includes(each)));
  return [...whole.map(([word]) => word), ...left].join(", ");
}

/** The words of settings, for a refused one. */
export const triggerWordsListed = "cost, ux, architecture, scope, hiccup or other";

/** What the triggers look at. Amounts in micro-dollars; `estimateMicroUsd` null means nobody estimated. */
export interface TriggerFacts {
  readonly tags: readonly string[];
  readonly estimateMicroUsd: number | null;
  /** Spent today by all sessions, by calendar day in the configured zone (C-67). */
  readonly spentTodayMicroUsd: number;
  readonly isUnplanned: boolean;
  readonly errorCount: number;
  readonly recoveryLevel: number;
  readonly isHiccup: boolean;
}

/** Whether it asks because of dollars, which nobody spends at a flat rate. */
export function isAboutMoney(trigger: Trigger): boolean {
  return trigger === "cost_single" || trigger === "cost_cumulative";
}

/**
 * The triggers that fire for a goal, each once, most important first. Thresholds are exceeded, not reached:
 * 5.00 USD does not ask, 5.01 does. S4-TG-01…11, C-61, C-68.
 */
export function firedTriggers(facts: TriggerFacts, policy: Pick<Policy, "thresholds" | "triggers">): Trigger[] {
  const tags = new Set(facts.tags.map(lettersOf));
  const fires: Record<Trigger, boolean> = {
    hiccup: facts.errorCount > 0 || facts.recoveryLevel >= 2 || facts.isHiccup,
    ux_change: policy.triggers.uxTags.some((tag) => tags.has(lettersOf(tag))),
    cost_single: (facts.estimateMicroUsd ?? 0) > policy.thresholds.singleMicroUsd,
    cost_cumulative: facts.spentTodayMicroUsd > policy.thresholds.dayMicroUsd,
    architecture: policy.triggers.architectureTags.some((tag) => tags.has(lettersOf(tag))),
    scope_change: facts.isUnplanned,
  };
  return triggers.filter((trigger) => fires[trigger]);
}

/** A tag as it is compared: "Front-End" is "frontend", "user_facing" is "user-facing", and so are letters of another width. */
function lettersOf(tag: string): string {
  return tag
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}

export interface DiffTrigger {
  readonly trigger: Trigger;
  /** The changed files that made it fire. */
  readonly files: readonly string[];
}

/** The triggers that the changed files fire after an agent has worked, whatever the goal's tags said (D28, F-206). */
export function diffTriggers(files: readonly string[], policy: Policy): DiffTrigger[] {
  const kindOf = fileKinds(policy);
  const found: DiffTrigger[] = [
    { trigger: "ux_change", files: files.filter((file) => kindOf(file).isUserFacing) },
    { trigger: "architecture", files: files.filter((file) => kindOf(file).isStructural) },
  ];
  return found.filter((each) => each.files.length > 0);
}
