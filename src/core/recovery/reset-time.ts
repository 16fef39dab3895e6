import { ends } from "../text/bounds.ts";
import { minuteOfDay } from "../time.ts";

/** When a provider's limit is over, read from its words. */

const longestMs = 8 * 24 * 60 * 60_000;

/** A time of day that clocks have just shown is meant, not tomorrow's: the provider's clock is behind, or the words are old. */
const recentMs = 60 * 60_000;

/**
 * A moment after `now` that the text names: seconds of a Retry-After, "in 2 h 5 min", epoch seconds, an ISO
 * time, or a time of day ("resets 3am", "resets at 15:00 (Europe/Berlin)") in its own zone or in `zone`. Null when it
 * names none, one that is over, as a time of day is for an hour, or one that is more than 8 days away: such a wait is nobody's
 * intention.
 */
export function resetTimeIn(said: string, now: Date, zone: string): Date | null {
  const text = ends(said, longest);
  const named = [retryAfter(text, now), epoch(text), ...iso(text), relative(text, now), timeOfDay(text, now, zone)];
  return named.find((each) => each !== null && isAhead(each, now)) ?? null;
}

function isAhead(at: Date, now: Date): boolean {
  const awayMs = at.getTime() - now.getTime();
  return awayMs > 0 && awayMs <= longestMs;
}

const longest = 20_000;

function retryAfter(text: string, now: Date): Date | null {
  const seconds = /retry-after\s*[:=]\s*"?(\d{1,7}(?:\.\d+)?)\b/i.exec(text)?.[1];
  return seconds === undefined ? null : new Date(now.getTime() + Number(seconds) * 1000);
}

/** `limit reached|1735689600` */
function epoch(text: string): Date | null {
  const seconds = /\|\s*(\d{10})\b|reset[^\n]{0,20}?\b(\d{10})\b/i.exec(text);
  const found = seconds?.[1] ?? seconds?.[2];
  return found === undefined ? null : new Date(Number(found) * 1000);
}

/** Every one: the first may be the time of a log line. */
function iso(text: string): readonly Date[] {
  const found = text.matchAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})/g);
  return [...found].map(([at]) => new Date(at));
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

const amount = String.raw`\d{1,9}(?:\.\d{1,9})?\s{0,3}(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)\b`;
const amounts = new RegExp(
  String.raw`\b(?:again|retry|resets?|available|wait|renews?)\b[^.\n]{0,30}?\b(?:in|after|for)\s{1,3}((?:${amount}[\s,]{0,3}(?:and\s{1,3})?){1,6})`,
  "i",
);

/** "try again in 2h 5m", "resets in 20 minutes", "retry after 30 s"; not "failed after 3 s". */
function relative(text: string, now: Date): Date | null {
  const found = amounts.exec(text)?.[1];
  if (found === undefined) return null;
  const parts = [...found.matchAll(/\b(\d{1,9}(?:\.\d{1,9})?)\s{0,3}([a-z])/gi)];
  const totalMs = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (unitMs[unit?.toLowerCase() ?? ""] ?? 0),
    0,
  );
  return totalMs === 0 ? null : new Date(now.getTime() + totalMs);
}

/** "resets 3am", "resets at 03:00", "again at 3:15 PM (Europe/Berlin)": the next such time, counted from an hour ago. */
function timeOfDay(text: string, now: Date, zone: string): Date | null {
  const found =
    /(?:resets?|again|until|available)\s{0,3}(?:at|on|after|:)?\s{0,3}(\d{1,2})(?::(\d{2}))?\s{0,3}(am|pm)?\s{0,3}(?:\(([\w+/-]{1,60})\)|\b(UTC|GMT)\b)?/i.exec(
      text,
    );
  if (found === null) return null;
  const [, hours = "", minutes, half, named, universal] = found;
  // A bare number is no time of day.
  if (minutes === undefined && half === undefined) return null;
  const hour = (Number(hours) % (half === undefined ? 24 : 12)) + (half?.toLowerCase() === "pm" ? 12 : 0);
  if (Number(hours) > 24 || Number(minutes ?? 0) > 59) return null;
  const where = universal === undefined ? (named ?? zone) : "UTC";
  return nextLocal(new Date(now.getTime() - recentMs), hour, Number(minutes ?? 0), isZone(where) ? where : zone);
}

function isZone(name: string): boolean {
  try {
    return minuteOfDay(new Date(0), name) >= 0;
  } catch {
    return false;
  }
}

/** The first moment after `from` at which clocks in the zone show that time; on a day without it, the moment after the gap. */
function nextLocal(from: Date, hour: number, minute: number, zone: string): Date {
  const wanted = hour * 60 + minute;
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
