import type { SettingName } from "../core/settings.ts";

/** Reads a platform's settings from the environment. */
export interface SettingsReader {
  /** Null when the setting is empty or missing. */
  value(name: SettingName): string | null;
  /** Reports that a value is wrong, and what is expected. */
  problem(name: SettingName, expected: string): void;
  integer(name: SettingName, fallback: number, least: number, most: number): number;
  url(name: SettingName, protocols: readonly string[]): string | null;
}
