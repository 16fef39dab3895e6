import { type SettingName, settingGroups } from "./settings.ts";

/** Names that look like settings of ours and are none, with the setting that was meant, where one is near. */
export function unknownSettings(
  names: readonly string[],
): readonly { readonly name: string; readonly meant: SettingName | null }[] {
  return names.flatMap((name) => {
    if (!name.startsWith("COS_") || ours.test(name) || known.some((each) => each === name)) return [];
    const near = known.map((each) => ({ each, steps: stepsBetween(name, each) })).sort((a, b) => a.steps - b.steps)[0];
    return [{ name, meant: near !== undefined && near.steps <= 3 ? near.each : null }];
  });
}

const known: readonly SettingName[] = settingGroups.flatMap(({ settings }) => settings.map(({ name }) => name));

/** What our own processes are told, and tests. */
const ours = /^COS_(?:RUN|CHILD|CALLS|INSTALLED|PROMPT_FILE|TEST_\w+)$/;

/** How many letters have to be added, left out or changed (Levenshtein). */
function stepsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
