/** How a platform reads its settings out of the environment. */
export interface SettingsReader {
  /** Null where it is empty or not set. */
  value(name: string): string | null;
  /** Says that a value is wrong, and what is expected. */
  problem(name: string, expected: string): void;
  integer(name: string, fallback: number, least: number, most: number): number;
  url(name: string, protocols: readonly string[]): string | null;
}
