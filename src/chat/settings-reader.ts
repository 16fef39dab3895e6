import type { SettingName } from "../core/settings.ts";

/** How a platform reads its settings out of the environment. */
export interface SettingsReader {
  /** Null where it is empty or not set. */
  value(name: SettingName): string | null;
  /** Says that a value is wrong, and what is expected. */
  problem(name: SettingName, expected: string): void;
  integer(name: SettingName, fallback: number, least: number, most: number): number;
  url(name: SettingName, protocols: readonly string[]): string | null;
}
