/** Spellings of times in providers' texts that the parser does not read directly. */

const spelled: readonly (readonly [RegExp, string])[] = [
  // "9 a.m.", "9:30 p.m."
  [/(?<=\d\s{0,3})([ap])\.\s?m\b\.?/gi, "$1m"],
  [/\b(?:12(?::00)?\s{0,3})?noon\b/gi, "12:00"],
  [/\b(?:12(?::00)?\s{0,3})?midnight\b/gi, "00:00"],
  [/\bhalf an hour\b/gi, "30 minutes"],
  [/\b(?:an|one) hour\b/gi, "1 hour"],
  [/\b(?:a|one) (minute|day|week)\b/gi, "1 $1"],
  [/\ba few minutes\b/gi, "5 minutes"],
  [/\b(Pacific|Mountain|Central|Eastern)(?: (?:standard|daylight))? time\b/gi, "$1"],
];

/** Returns the text with times in digits: "at 00:00" for "at midnight", "9 am" for "9 a.m.", "in 30 minutes" for "in half an hour". */
export function inFigures(text: string): string {
  return spelled.reduce((said, [words, figures]) => said.replace(words, figures), text);
}

/** Abbreviations and names of time zones that may follow a time. */
export const zoneLetters = "UTC|GMT|Pacific|Mountain|Central|Eastern|[PMCE][SD]?T|CEST|CET|BST|JST|KST|AE[SD]T";

const zones: Readonly<Record<string, string>> = {
  utc: "UTC",
  gmt: "UTC",
  p: "America/Los_Angeles",
  m: "America/Denver",
  c: "America/Chicago",
  e: "America/New_York",
  cet: "Europe/Paris",
  cest: "Europe/Paris",
  bst: "Europe/London",
  jst: "Asia/Tokyo",
  kst: "Asia/Seoul",
  aest: "Australia/Sydney",
  aedt: "Australia/Sydney",
};

/** Returns the zone of an abbreviation. American ones mean the zone's present local time, whether they say standard or daylight. */
export function zoneByLetters(letters: string): string {
  const known = letters.toLowerCase();
  return zones[known] ?? zones[known.slice(0, 1)] ?? "UTC";
}

const unitMs: Readonly<Record<string, number>> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** Returns a duration such as "2h 5m", "1h12m3.5s" or "20 minutes" in milliseconds. */
export function durationMs(said: string): number {
  const parts = [...said.matchAll(/(?<![\d.])(\d{1,9}(?:\.\d{1,9})?)\s{0,3}([a-z])/gi)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitMs[unit?.toLowerCase() ?? ""] ?? 0), 0);
}
