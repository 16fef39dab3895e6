/** Money is a whole number of micro-dollars (D22): 1 USD = 1_000_000. */

/** Converts dollars to micro-dollars, rounded to the nearest. */
export function dollars(usd: number): number {
  return Math.round(usd * 1_000_000);
}

/** Converts micro-dollars to dollars, for JSON. */
export function toUsd(microUsd: number): number {
  return microUsd / 1_000_000;
}

/** Parses dollars as people write them, "7.50" or "7,50". NaN for "7,500" and other texts: it may mean thousands. */
export function usdIn(words: string): number {
  const written = words.trim();
  return written === "" ? Number.NaN : Number(written.replace(/^(\d+),(\d{1,2})$/, "$1.$2"));
}

/** Formats micro-dollars as "$15.00", always with two decimals (C-62). */
export function formatUsd(microUsd: number): string {
  const sign = microUsd < 0 ? "-" : "";
  return `${sign}$${(Math.abs(microUsd) / 1_000_000).toFixed(2)}`;
}

/** Returns the assumed cost of a duration when nobody reports one, at a rate per minute, in micro-dollars. Never negative. */
export function assumedCost(durationMs: number, microUsdPerMinute: number): number {
  return Math.round((Math.max(0, durationMs) / 60_000) * microUsdPerMinute);
}
