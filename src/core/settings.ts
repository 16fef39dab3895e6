import { dataSettings } from "./settings/data.ts";
import { traceSettings } from "./settings/traces.ts";
import { processSettings } from "./settings/processes.ts";
import { forgeSettings } from "./settings/forges.ts";
import { agentSettings } from "./settings/agents.ts";
import { chatSettings } from "./settings/chats.ts";
import { peopleSettings } from "./settings/people.ts";
import type { Setting, SettingGroup } from "./settings/setting.ts";

/**
 * Every setting, once, one file a subject: `.env.example` and docs/configuration.md are written from this table, and what is
 * read of the environment is named here or does not compile. Checked in `src/config.ts`, which says what is expected of a wrong
 * value.
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

/** By what other programs call the same, those that have such a name. */
export const otherNames: ReadonlyMap<string, string> = new Map(
  settingGroups.flatMap((group) =>
    (group.settings as readonly Setting[]).flatMap(({ name, alsoCalled }): [string, string][] =>
      alsoCalled === undefined ? [] : [[name, alsoCalled]],
    ),
  ),
);

/** Those whose values are never shown. */
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

/** The table as `cos init` goes through it. */
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
