import { nearest, onlyNear } from "./text/nearest.ts";
import { otherNames, type SettingName, settingGroups } from "./settings.ts";

/** A name that looks like a setting of ours and is none, with the setting that was meant, where one is near. */
interface UnknownSetting {
  readonly name: string;
  readonly meant: SettingName | null;
}

/** Names of an environment or a file of settings that begin as ours do and say nothing. */
export function unknownSettings(names: readonly string[]): readonly UnknownSetting[] {
  return names.flatMap((name) => {
    if (!name.startsWith("COS_") || ours.test(name) || known.some((each) => each === name)) return [];
    return [{ name, meant: nearest(name, known, 3) }];
  });
}

/**
 * Names of a file of settings that are nearly one of ours: whoever wrote them there meant it. `given`: what agents are given of that
 * file by name. Short names are like too many others.
 */
export function misspelledSettings(names: readonly string[], given: readonly string[]): readonly UnknownSetting[] {
  const others = new Set<string>([...known, ...otherNames.values(), ...given]);
  return names.flatMap((name) => {
    if (name.startsWith("COS_") || others.has(name)) return [];
    const meant = name.length < 8 && !isKnownInCapitals(name) ? null : onlyNear(name, known);
    return meant === null ? [] : [{ name, meant }];
  });
}

function isKnownInCapitals(name: string): boolean {
  return known.some((each) => each === name.toUpperCase());
}

const known: readonly SettingName[] = settingGroups.flatMap(({ settings }) => settings.map(({ name }) => name));

/** What our own processes are told, and tests. */
const ours = /^COS_(?:RUN|CHILD|CALLS|INSTALLED|PROMPT_FILE|TEST_\w+)$/;
