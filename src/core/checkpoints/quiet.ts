import { minuteOfDay } from "../time.ts";

/**
 * Quiet hours: no notifications, and the time until a reminder does not run. Deadlines do run: quiet hours hold
 * delivery, not evaluation.
 */
export interface QuietHours {
  /** Minutes after local midnight. When `from` is after `to`, the quiet hours cross midnight. */
  readonly from: number;
  readonly to: number;
}

const minuteMs = 60_000;

/** Parses `22:00-07:00`. Null when it is malformed or covers no time. */
export function parseQuietHours(text: string): QuietHours | null {
  const found = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (found === null) return null;
  const [, fromHour, fromMinute, toHour, toMinute] = found.map(Number);
  const from = (fromHour ?? 0) * 60 + (fromMinute ?? 0);
  const to = (toHour ?? 0) * 60 + (toMinute ?? 0);
  return from === to ? null : { from, to };
}

/** True when the local time in the zone is within quiet hours. */
export function isQuiet(at: Date, quiet: QuietHours | null, zone: string): boolean {
  if (quiet === null) return false;
  const minute = minuteOfDay(at, zone);
  return quiet.from < quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to;
}

/** Returns the first moment from `at` on that is not quiet. */
export function nextAwake(at: Date, quiet: QuietHours | null, zone: string): Date {
  if (!isQuiet(at, quiet, zone)) return at;
  // Time zone offsets change by whole minutes, so quiet hours end on a whole minute.
  let atMs = Math.floor(at.getTime() / minuteMs) * minuteMs;
  for (let minutes = 0; minutes < 26 * 60; minutes += 1) {
    atMs += minuteMs;
    if (!isQuiet(new Date(atMs), quiet, zone)) break;
  }
  return new Date(atMs);
}

/** Returns since when it has not been quiet, even across clock changes. Null when it is quiet. */
export function awakeSince(at: Date, quiet: QuietHours | null, zone: string): Date | null {
  if (quiet === null) return new Date(0);
  if (isQuiet(at, quiet, zone)) return null;
  // Time zone offsets change by whole minutes, so quiet hours end on a whole minute.
  let atMs = Math.floor(at.getTime() / minuteMs) * minuteMs;
  for (let minutes = 0; minutes < 26 * 60; minutes += 1) {
    if (isQuiet(new Date(atMs - minuteMs), quiet, zone)) break;
    atMs -= minuteMs;
  }
  return new Date(atMs);
}

/** Returns when `waitMs` have passed outside quiet hours. Steps by minutes, so meant for waits of at most a few days. */
export function awakeAfter(from: Date, waitMs: number, quiet: QuietHours | null, zone: string): Date {
  if (quiet === null) return new Date(from.getTime() + waitMs);
  let at = nextAwake(from, quiet, zone);
  let leftMs = waitMs;
  while (leftMs > 0) {
    const nextMinuteMs = (Math.floor(at.getTime() / minuteMs) + 1) * minuteMs;
    const stepMs = Math.min(leftMs, nextMinuteMs - at.getTime());
    leftMs -= stepMs;
    at = new Date(at.getTime() + stepMs);
    if (leftMs > 0) at = nextAwake(at, quiet, zone);
  }
  return at;
}

/** Returns the time between two moments that was not quiet. Reads the local time once per quarter-hour: offsets never change within one. */
export function awakeBetween(from: Date, to: Date, quiet: QuietHours | null, zone: string): number {
  const wholeMs = Math.max(0, to.getTime() - from.getTime());
  if (quiet === null) return wholeMs;
  let quietMs = 0;
  let atMs = from.getTime();
  while (atMs < to.getTime()) {
    const nextMs = Math.min(to.getTime(), (Math.floor(atMs / quarterMs) + 1) * quarterMs);
    const localMs = minuteOfDay(new Date(atMs), zone) * minuteMs + (atMs % minuteMs);
    quietMs += quietWithin(quiet, localMs, localMs + nextMs - atMs);
    atMs = nextMs;
  }
  return wholeMs - quietMs;
}

const quarterMs = 15 * minuteMs;

/** Returns the quiet milliseconds between two times of a local day. `endMs` may be a little after midnight. */
function quietWithin(quiet: QuietHours, startMs: number, endMs: number): number {
  const [fromMs, toMs] = [quiet.from * minuteMs, quiet.to * minuteMs];
  const dayMs = 24 * 60 * minuteMs;
  const spans =
    fromMs < toMs
      ? [[fromMs, toMs]]
      : [
          [0, toMs],
          [fromMs, dayMs],
        ];
  const both = [...spans, ...spans.map(([one = 0, other = 0]) => [one + dayMs, other + dayMs])];
  return both.reduce(
    (sum, [one = 0, other = 0]) => sum + Math.max(0, Math.min(endMs, other) - Math.max(startMs, one)),
    0,
  );
}
