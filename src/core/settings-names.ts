import { nearest, onlyNear } from "./text/nearest.ts";
import { otherNames, type SettingName, settingGroups } from "./settings.ts";

/** A name that looks like a setting of ours but is none, with the setting that was probably meant. */
interface UnknownSetting {
  readonly name: string;
  readonly meant: SettingName | null;
}

/** Returns names in an environment or settings file that begin like our settings but are unknown. */
export function unknownSettings(names: readonly string[]): readonly UnknownSetting[] {
  return names.flatMap((name) => {
    if (!name.startsWith("COS_") || ours.test(name) || known.some((each) => each === name)) return [];
    return [{ name, meant: nearest(name, known, 3) }];
  });
}

/**
 * Returns names in a settings file that nearly match one of our settings, so the setting was probably meant. `given`: variables of
 * the file that agents get by name. Short names match too many others and are skipped.
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

/** Variables that only our own processes and tests set. */
const ours = /^COS_(?:RUN|CHILD|CALLS|INSTALLED|PROMPT_FILE|TEST_\w+)$/;
