import { nearest } from "./text/nearest.ts";
import { type SettingName, settingGroups } from "./settings.ts";

/** Names that look like settings of ours and are none, with the setting that was meant, where one is near. */
export function unknownSettings(
  names: readonly string[],
): readonly { readonly name: string; readonly meant: SettingName | null }[] {
  return names.flatMap((name) => {
    if (!name.startsWith("COS_") || ours.test(name) || known.some((each) => each === name)) return [];
    return [{ name, meant: nearest(name, known, 3) }];
  });
}

const known: readonly SettingName[] = settingGroups.flatMap(({ settings }) => settings.map(({ name }) => name));

/** What our own processes are told, and tests. */
const ours = /^COS_(?:RUN|CHILD|CALLS|INSTALLED|PROMPT_FILE|TEST_\w+)$/;
