import { dataSettings } from "./settings/data.ts";
import { traceSettings } from "./settings/traces.ts";
import { processSettings } from "./settings/processes.ts";
import { forgeSettings } from "./settings/forges.ts";
import { agentSettings } from "./settings/agents.ts";
import { chatSettings } from "./settings/chats.ts";
import { peopleSettings } from "./settings/people.ts";
import type { Setting, SettingGroup } from "./settings/setting.ts";

/**
 * Every setting, in one table, with one file for each subject. `.env.example` and docs/configuration.md are generated from it. Reading
 * a variable that is not listed here does not compile. `src/config.ts` validates values and reports what is expected instead of a
 * wrong one.
 */
export const settingGroups = [
  ...dataSettings,
  ...traceSettings,
  ...processSettings,
  ...forgeSettings,
  ...agentSettings,
  ...chatSettings,
  ...peopleSettings,
] as const satisfies readonly SettingGroup[];

export type SettingName = (typeof settingGroups)[number]["settings"][number]["name"];

/** The name that other programs use for the same setting, for settings that have one. */
export const otherNames: ReadonlyMap<string, string> = new Map(
  settingGroups.flatMap((group) =>
    (group.settings as readonly Setting[]).flatMap(({ name, alsoCalled }): [string, string][] =>
      alsoCalled === undefined ? [] : [[name, alsoCalled]],
    ),
  ),
);

/** Settings whose values are never shown. */
export const secretSettings: readonly SettingName[] = settingGroups.flatMap((group) =>
  (group.settings as readonly (Setting & { readonly name: SettingName })[]).flatMap(({ name, isSecret }) =>
    isSecret === true ? [name] : [],
  ),
);

export interface SettingToAsk {
  readonly name: SettingName;
  readonly about: string;
  readonly usual: string | null;
  readonly isSecret: boolean;
  readonly isAsked: boolean;
}

/** The table in the form that `cos init` uses. */
export const groupsToAsk: readonly { readonly title: string; readonly settings: readonly SettingToAsk[] }[] =
  settingGroups.map(({ title, settings }) => ({
    title,
    settings: (settings as readonly (Setting & { readonly name: SettingName })[]).map((each) => ({
      name: each.name,
      about: each.about,
      usual: each.usual,
      isSecret: each.isSecret === true,
      isAsked: each.isAsked === true,
    })),
  }));
