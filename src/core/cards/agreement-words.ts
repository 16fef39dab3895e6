import { platformTitle } from "../chat-platforms.ts";
import type { Mirrors } from "../checkpoints/mirrors.ts";
import { type Electorate, type Quorums, type QuorumRule, votersOf } from "../checkpoints/quorum.ts";
import { settingWords, type Trigger, triggers } from "../checkpoints/triggers.ts";
import { count } from "../text.ts";
import { whoseWords } from "./tally.ts";

/** Where questions are shown, in the words of `cos doctor`. Null when no setting restricts it. */
export function mirrorsWords(mirrors: Mirrors): string | null {
  const named = byValue(mirrors, (places) => places.join(","));
  if (named.length === 0) return null;
  const rules = named.map(([about, places]) => `${about} ${placesWords(places)}`);
  return [...rules, ...restWords(mirrors, "everything else on every platform")].join("; ");
}

function placesWords(places: readonly string[]): string {
  const others = places.filter((each) => each !== "console").map(platformTitle);
  return others.length === 0 ? "in the console only" : `in ${others.join(", ")} and the console`;
}

/** How many people have to agree, and how many can vote. Null when no setting asks for more than one person. */
export function quorumWords(quorums: Quorums, electorate: Electorate): string | null {
  const named = byValue(quorums, (rule) => JSON.stringify(rule));
  if (named.length === 0) return null;
  const rules = named.map(
    ([about, rule]) => `${about} needs ${rule.needed}${whoseWords(rule)}: ${canWords(rule, electorate)}`,
  );
  return [...rules, ...restWords(quorums, "everything else needs one person")].join("; ");
}

function canWords(rule: QuorumRule, electorate: Electorate): string {
  const most = votersOf(rule, electorate);
  return Number.isFinite(most)
    ? `${count(most, "person", "people")} can vote`
    : "who is in a group is looked up when somebody presses";
}

/** Each distinct rule, with the triggers that it applies to in the words of settings. Triggers with equal rules share one entry. */
function byValue<Rule>(
  rules: Readonly<Partial<Record<Trigger, Rule>>>,
  keyOf: (rule: Rule) => string,
): [string, Rule][] {
  const found = new Map<string, { readonly rule: Rule; readonly about: Trigger[] }>();
  for (const trigger of triggers) {
    const rule = rules[trigger];
    if (rule === undefined) continue;
    const same = found.get(keyOf(rule));
    if (same === undefined) found.set(keyOf(rule), { rule, about: [trigger] });
    else same.about.push(trigger);
  }
  return [...found.values()].map(({ rule, about }) => [settingWords(about), rule]);
}

function restWords(rules: Readonly<Partial<Record<Trigger, unknown>>>, words: string): string[] {
  return triggers.every((each) => rules[each] !== undefined) ? [] : [words];
}
