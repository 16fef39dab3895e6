import { namedTriggers, type Trigger, triggers, triggerWordsListed } from "./triggers.ts";

/**
 * On which platforms questions are shown (COS_MIRRORS): `cost=slack,discord;architecture=discord;other=slack`. The console shows all.
 * Triggers without a rule are shown on every platform. This does not change who may answer: every copy is the same question.
 */
export type Mirrors = Readonly<Partial<Record<Trigger, readonly string[]>>>;

export type ReadMirrors =
  | { readonly type: "read"; readonly mirrors: Mirrors }
  | { readonly type: "wrong"; readonly expected: string };

/** Parses the setting. `platforms`: the configured platforms, without the console. */
export function parseMirrors(text: string, platforms: readonly string[]): ReadMirrors {
  const expected = `rules such as cost=${platforms.join(",") || "console"}, separated by ";": ${triggerWordsListed}, each with places of ${["console", ...platforms].join(", ")}`;
  const mirrors: Partial<Record<Trigger, readonly string[]>> = {};
  const rules = text.split(";").map((each) => each.trim());
  // "other" applies to all triggers without a rule, wherever it stands in the text.
  const isOther = (rule: string): boolean => rule.split("=", 1)[0]?.trim() === "other";
  if (rules.filter(isOther).length > 1) return { type: "wrong", expected };
  for (const rule of [...rules.filter((each) => !isOther(each)), ...rules.filter(isOther)]) {
    if (rule === "") continue;
    const [word = "", named, more] = rule.split("=").map((each) => each.trim());
    const shown = (named ?? "").split(",").map((each) => each.trim());
    const left = triggers.filter((each) => mirrors[each] === undefined);
    const about = word === "other" ? left : namedTriggers(word);
    const isKnown = shown.every((each) => each === "console" || platforms.includes(each));
    const isTwice = about?.some((each) => mirrors[each] !== undefined) ?? false;
    if (about === null || !isKnown || isTwice || more !== undefined) return { type: "wrong", expected };
    for (const trigger of about) mirrors[trigger] = shown;
  }
  return { type: "read", mirrors };
}

/** Returns the platforms that show a question with these reasons: the union over its reasons. Null means all platforms. */
export function shownOn(reasons: readonly { readonly trigger: Trigger }[], mirrors: Mirrors): readonly string[] | null {
  const places = new Set(["console"]);
  for (const { trigger } of reasons) {
    const named = mirrors[trigger];
    if (named === undefined) return null;
    for (const place of named) places.add(place);
  }
  return reasons.length === 0 ? null : [...places];
}
