import { fileKinds } from "../files/kind.ts";
import type { Policy } from "../policy.ts";

/** Why a person is asked, in the order of importance in which a card shows the reasons (S4-TG-07, S4-TG-10). */
export const triggers = [
  "hiccup",
  "ux_change",
  "cost_single",
  "cost_cumulative",
  "architecture",
  "scope_change",
] as const;

export type Trigger = (typeof triggers)[number];

/** Short words for triggers in settings, besides the triggers' own names. */
const triggerWords: Readonly<Record<string, readonly Trigger[]>> = {
  cost: ["cost_single", "cost_cumulative"],
  ux: ["ux_change"],
  scope: ["scope_change"],
};

/** Returns the triggers that a word in a setting means. Null when it is unknown. */
export function namedTriggers(word: string): readonly Trigger[] | null {
  const named = triggers.filter((each) => each === word);
  return named.length > 0 ? named : (Object.entries(triggerWords).find(([name]) => name === word)?.[1] ?? null);
}

/** Returns the shortest setting words for these triggers: "cost, architecture". */
export function settingWords(some: readonly Trigger[]): string {
  const whole = Object.entries(triggerWords).filter(([, named]) => named.every((each) => some.includes(each)));
  const left = some.filter((each) => !whole.some(([, named]) => named.includes(each)));
  return [...whole.map(([word]) => word), ...left].join(", ");
}

/** The words that settings accept, for error messages. */
export const triggerWordsListed = "cost, ux, architecture, scope, hiccup or other";

/** The facts that triggers depend on. Amounts in micro-dollars; `estimateMicroUsd` is null when there is no estimate. */
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

/** True for triggers about dollars. They do not apply at a flat rate. */
export function isAboutMoney(trigger: Trigger): boolean {
  return trigger === "cost_single" || trigger === "cost_cumulative";
}

/**
 * Returns the triggers that fire for a goal, without duplicates, the most important first. A threshold must be exceeded:
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

/** Normalises a tag for comparison: "Front-End" equals "frontend", "user_facing" equals "user-facing". Ignores full-width forms. */
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

/** Returns the triggers that the changed files fire after an agent has worked, independent of the goal's tags (D28, F-206). */
export function diffTriggers(files: readonly string[], policy: Policy): DiffTrigger[] {
  const kindOf = fileKinds(policy);
  const found: DiffTrigger[] = [
    { trigger: "ux_change", files: files.filter((file) => kindOf(file).isUserFacing) },
    { trigger: "architecture", files: files.filter((file) => kindOf(file).isStructural) },
  ];
  return found.filter((each) => each.files.length > 0);
}
