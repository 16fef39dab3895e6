/** Money is a whole number of micro-dollars (D22): 1 USD = 1_000_000. */

/** Micro-dollars of an amount in dollars, rounded to the nearest. */
export function dollars(usd: number): number {
  return Math.round(usd * 1_000_000);
}

/** Dollars of an amount in micro-dollars, for JSON. */
export function toUsd(microUsd: number): number {
  return microUsd / 1_000_000;
}

/** Dollars as people write them, "7.50" or "7,50"; NaN for anything else: with three digits behind a comma it may be thousands. */
export function usdIn(words: string): number {
  const written = words.trim();
  return written === "" ? Number.NaN : Number(written.replace(/^(\d+),(\d{1,2})$/, "$1.$2"));
}

/** "$15.00": always two decimals (C-62). */
export function formatUsd(microUsd: number): string {
  const sign = microUsd < 0 ? "-" : "";
  return `${sign}$${(Math.abs(microUsd) / 1_000_000).toFixed(2)}`;
}

/** What time is taken to have cost where nobody says it, at a rate a minute, in micro-dollars; no time below nothing. */
export function assumedCost(durationMs: number, microUsdPerMinute: number): number {
  return Math.round((Math.max(0, durationMs) / 60_000) * microUsdPerMinute);
}
