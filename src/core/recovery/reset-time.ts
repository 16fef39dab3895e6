import { ends } from "../text/bounds.ts";
import { durationMs, inFigures, zoneByLetters, zoneLetters } from "./spelled-times.ts";
import { addDays, localDate, minuteOfDay, startOfDate, weekdayOf } from "../time.ts";

/** Parses the reset time of a provider's limit from the provider's text. */

const dayMs = 24 * 60 * 60_000;

/** The longest wait for a limit. Later resets need a person. */
export const longestWaitMs = 8 * dayMs;

/** A date further ahead is a misreading. */
const furthestMs = 100 * dayMs;

/** A time of day that has just passed means today, not tomorrow: the provider's clock is behind, or the text is old. */
const recentMs = 60 * 60_000;

/**
 * Returns a moment after `now` that the text names: seconds of Retry-After, "in 2 h 5 min", `"retryDelay": "38s"`, epoch seconds, an
 * ISO or HTTP time, a day ("Dec 1, 9am", "Monday at 9am") or a time of day ("resets 3am", "resets at 15:00 (Europe/Berlin)") in its
 * own zone or in `zone`. Null when it names none, or only past ones. A time of day counts as past for one hour.
 * More than 8 days ahead only ISO times and dates are accepted, as monthly spending limits use them.
 */
export function resetTimeIn(said: string, now: Date, zone: string): Date | null {
  const text = inFigures(ends(said, longest));
  const moments = iso(text);
  const days = onDate(text, now, zone);
  const named = [
    retryAfter(text, now),
    epoch(text),
    ...moments,
    ...http(text),
    delay(text, now),
    ...days,
    ...onWeekday(text, now, zone),
    relative(text, now),
    timeOfDay(text, now, zone),
  ];
  const firstOf = (moments: readonly (Date | null)[], mostMs: number): Date | null =>
    moments.find((each) => each !== null && isAhead(each, now, mostMs)) ?? null;
  return firstOf(named, longestWaitMs) ?? firstOf([...moments, ...days], furthestMs);
}

function isAhead(at: Date, now: Date, mostMs: number): boolean {
  const awayMs = at.getTime() - now.getTime();
  return awayMs > 0 && awayMs <= mostMs;
}

const longest = 20_000;

function retryAfter(text: string, now: Date): Date | null {
  const seconds =
    /retry[-_]?after(?:[-_]seconds)?["']?\s{0,3}[:=]\s{0,3}["']?(\d{1,7}(?:\.\d{1,9})?)(?![\d.]|\s?[a-z])/i.exec(
      text,
    )?.[1];
  return seconds === undefined ? null : new Date(now.getTime() + Number(seconds) * 1000);
}

/** Parses epoch seconds: `limit reached|1735689600`. */
function epoch(text: string): Date | null {
  const seconds = /\|\s*(\d{10})\b|reset[^\n]{0,20}?\b(\d{10})\b/i.exec(text);
  const found = seconds?.[1] ?? seconds?.[2];
  return found === undefined ? null : new Date(Number(found) * 1000);
}

/** Returns all ISO times: the first one may belong to a log line. */
function iso(text: string): readonly Date[] {
  const found = text.matchAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})/g);
  return [...found].map(([at]) => new Date(at));
}

/** Returns HTTP times such as "Sat, 28 Nov 2026 23:00:00 GMT", without those of Date and Last-Modified headers. */
function http(text: string): readonly Date[] {
  const found = text.matchAll(
    /(?<!\b(?:date|last-modified)["']?\s{0,3}[:=]\s{0,3}["']?)\b[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT\b/gi,
  );
  return [...found].map(([at]) => new Date(at)).filter((at) => !Number.isNaN(at.getTime()));
}

const amount = String.raw`\d{1,9}(?:\.\d{1,9})?\s{0,3}(?:w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?![a-z])`;
const amounts = new RegExp(
  String.raw`\b(?:(?:again|retry|resets?|available|wait|renews?|regain access)\b[^.\n]{0,30}?\b(?:in|after|for)|wait)\s{1,3}(?:(?:~|about|around|approximately|roughly|another|at least)\s{0,3})?((?:${amount}[\s,]{0,3}(?:and\s{1,3})?){1,6})`,
  "i",
);

const delays = new RegExp(
  String.raw`\b(?:retry[-_]?(?:delay|after)|\w{0,30}reset[-_]?delay|x-ratelimit-reset(?:-\w{1,20})?)\W{1,6}((?:${amount}\s{0,3}){1,4})`,
  "gi",
);

/** Parses `"retryDelay": "38s"`, `x-ratelimit-reset-requests: 6m0s`. Of several it takes the longest: which one applies is unknown. */
function delay(text: string, now: Date): Date | null {
  const longestMs = Math.max(0, ...[...text.matchAll(delays)].map(([, said = ""]) => durationMs(said)));
  return longestMs === 0 ? null : new Date(now.getTime() + longestMs);
}

/** Parses "try again in 2h 5m", "reset after 3h12m9s", "resets in ~20 minutes", "wait 30 s"; not "failed after 3 s". */
function relative(text: string, now: Date): Date | null {
  const found = amounts.exec(text)?.[1];
  if (found === undefined) return null;
  const totalMs = durationMs(found);
  return totalMs === 0 ? null : new Date(now.getTime() + totalMs);
}

const lead = String.raw`\b(?:resets?|again|until|available|renews?|regain access)\b[^.\n\d]{0,20}?`;
const month = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}";
/** The time and zone after a day: five groups, empty when only a day is named. A bare number is a time only after "at". */
const clock = String.raw`(?:,?(?:T|\s{1,3})(?:at\s{1,3}|(?=\d{1,2}(?::\d|\s{0,3}[ap]m\b)))(\d{1,2})(?::(\d{2})(?::\d{2})?(?!\d))?\s{0,3}([ap]m)?\s{0,3}(?:\(([\w+/-]{1,60})\)|\b(${zoneLetters})\b)?)?`;
const dates: readonly RegExp[] = [
  // "Nov 30th, 2026 3:12 PM", "Dec 1, 9am (Europe/Berlin)"
  String.raw`\b(?<month>${month})\.?\s{1,3}(?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,?\s{1,3}(?<year>\d{4})\b)?`,
  // "30 November 2026, 15:12"
  String.raw`\b(?<day>\d{1,2})(?:st|nd|rd|th)?\s{1,3}(?:of\s{1,3})?(?<month>${month})\b\.?(?:,?\s{1,3}(?<year>\d{4})\b)?`,
  // "2026-11-30 15:12"
  String.raw`\b(?<year>\d{4})-(?<month>(\d{2}))-(?<day>\d{2})`,
].map((shape) => new RegExp(`${lead}${shape}${clock}`, "i"));
const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Parses a day by its date. Without a year it returns this year's and next year's date. */
function onDate(text: string, now: Date, zone: string): readonly (Date | null)[] {
  return dates.flatMap((shape) => {
    const found = shape.exec(text);
    if (found?.groups === undefined) return [];
    const { year, month: named = "", day = "" } = found.groups;
    const number = /^\d/.test(named) ? Number(named) : monthNames.indexOf(named.slice(0, 3).toLowerCase()) + 1;
    const thisYear = now.getUTCFullYear();
    return (year === undefined ? [thisYear, thisYear + 1] : [Number(year)]).map((each) => {
      const date = `${each}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
      const isDate = number >= 1 && number <= 12 && addDays(`${date.slice(0, 8)}01`, Number(day) - 1) === date;
      return isDate ? momentOn(date, found.slice(-5), zone) : null;
    });
  });
}

const weekdays = new RegExp(
  String.raw`${lead}\b(today|tomorrow|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b${clock}`,
  "i",
);
const weekdayNames = "mon tue wed thu fri sat sun".split(" ");

/** Parses "resets Monday at 9am", "again tomorrow, 15:00": the next such day, today included. */
function onWeekday(text: string, now: Date, zone: string): readonly (Date | null)[] {
  const found = weekdays.exec(text);
  if (found === null) return [];
  const [, name = "", ...rest] = found;
  const today = localDate(now, zoneOf(rest, zone));
  const days = [0, 1, 2, 3, 4, 5, 6, 7].map((later) => addDays(today, later));
  const meant = name.toLowerCase();
  if (meant === "today" || meant === "tomorrow")
    return [momentOn(days[meant === "today" ? 0 : 1] ?? today, rest, zone)];
  const number = weekdayNames.indexOf(meant.slice(0, 3)) + 1;
  const moments = days.filter((date) => weekdayOf(date) === number).map((date) => momentOn(date, rest, zone));
  const isJustOver = moments.some((at) => at !== null && at <= now && now.getTime() - at.getTime() < recentMs);
  return isJustOver ? [] : moments;
}

/** Returns that day at the time found by `clock`, in 24-hour form without am or pm. Without a time, the start of the day. */
function momentOn(date: string, told: readonly (string | undefined)[], zone: string): Date | null {
  const [hours, minutes, half] = told;
  const where = zoneOf(told, zone);
  const begin = startOfDate(date, where);
  if (hours === undefined) return begin;
  const minute = minuteIn(hours, minutes, half);
  return minute === null ? null : nextLocal(new Date(begin.getTime() - 60_000), minute, where);
}

/** Returns the zone found by `clock`, else the given one. */
function zoneOf(told: readonly (string | undefined)[], zone: string): string {
  const [, , , named, universal] = told;
  const where = universal === undefined ? (named ?? zone) : zoneByLetters(universal);
  return isZone(where) ? where : zone;
}

/** Returns minutes since midnight. Null when it is not a valid time. */
function minuteIn(hours: string, minutes: string | undefined, half: string | undefined): number | null {
  if (Number(hours) > 24 || Number(minutes ?? 0) > 59) return null;
  const hour = (Number(hours) % (half === undefined ? 24 : 12)) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return hour * 60 + Number(minutes ?? 0);
}

const times = new RegExp(
  String.raw`(?:resets?|again|until|available|regain access)\s{0,3}(?:at|on|after|:)?\s{0,3}(\d{1,2})(?::(\d{2}))?\s{0,3}(am|pm)?\s{0,3}(?:\(([\w+/-]{1,60})\)|\b(${zoneLetters})\b)?`,
  "i",
);

/** Parses "resets 3am", "resets at 03:00", "again at 3:15 PM (Europe/Berlin)": the next such time, counted from an hour ago. */
function timeOfDay(text: string, now: Date, zone: string): Date | null {
  const found = times.exec(text);
  if (found === null) return null;
  const [, hours = "", minutes, half] = found;
  // A bare number is not a time of day.
  if (minutes === undefined && half === undefined) return null;
  const minute = minuteIn(hours, minutes, half);
  return minute === null ? null : nextLocal(new Date(now.getTime() - recentMs), minute, zoneOf(found.slice(1), zone));
}

function isZone(name: string): boolean {
  try {
    return minuteOfDay(new Date(0), name) >= 0;
  } catch {
    return false;
  }
}

/** Returns the first moment after `from` with that local time. On a day without it, the moment after the clock change. */
function nextLocal(from: Date, wanted: number, zone: string): Date {
  const startMs = Math.ceil(from.getTime() / 60_000) * 60_000;
  const first = startMs === from.getTime() ? startMs + 60_000 : startMs;
  let before = minuteOfDay(new Date(first - 60_000), zone);
  for (let atMs = first; atMs <= first + 26 * 3_600_000; atMs += 60_000) {
    const shown = minuteOfDay(new Date(atMs), zone);
    if (shown === wanted) return new Date(atMs);
    // Clocks went forward over it.
    if (shown > before + 1 && wanted > before && wanted < shown) return new Date(atMs);
    before = shown;
  }
  return new Date(first + 24 * 3_600_000);
}
