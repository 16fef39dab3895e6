/** Calendar dates in a zone. Instants come in as `Date`; dates are `YYYY-MM-DD`. */

/** A formatter for each zone, made once: making one costs more than a hundred uses. Throws a RangeError for no zone. */
function byZone(locale: string, shape: Intl.DateTimeFormatOptions): (zone: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    const one = made.get(zone) ?? new Intl.DateTimeFormat(locale, { ...shape, timeZone: zone });
    made.set(zone, one);
    return one;
  };
}

const dates = byZone("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" });
const seconds = byZone("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const times = byZone("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The local date of an instant. */
export function localDate(at: Date, zone: string): string {
  return dates(zone).format(at);
}

/** The date that many days later (or earlier, when negative). */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** 1 is Monday, 7 Sunday. */
export function weekdayOf(date: string): number {
  return ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

/** The Monday of the week that holds the date (C-90). */
export function mondayOf(date: string): string {
  return addDays(date, 1 - weekdayOf(date));
}

/** "07:00": what clocks in the zone show. */
export function localTime(at: Date, zone: string): string {
  return times(zone).format(at);
}

/** Minutes since the midnight that clocks in the zone show: 420 at 07:00. */
export function minuteOfDay(at: Date, zone: string): number {
  const [hours = 0, minutes = 0] = localTime(at, zone).split(":").map(Number);
  return hours * 60 + minutes;
}

/** "2026-11-20 14:02" in a zone. */
export function formatTime(at: Date, zone: string): string {
  return `${localDate(at, zone)} ${localTime(at, zone)}`;
}

/** "2026-11-20 14:02:09" in a zone. */
export function formatSeconds(at: Date, zone: string): string {
  return `${localDate(at, zone)} ${seconds(zone).format(at)}`;
}

/** Monday to Sunday of the week that holds the date, both included (S4-WK-01, C-90). */
export function weekHolding(date: string): { readonly from: string; readonly to: string } {
  const from = mondayOf(date);
  return { from, to: addDays(from, 6) };
}

/** The week that a weekly of this date is about: its own, and on a Monday the one that is just over. */
export function weekToReport(date: string): { readonly from: string; readonly to: string } {
  return weekHolding(mondayOf(date) === date ? addDays(date, -1) : date);
}

/** The first instant of a local date, to the millisecond, whatever the clocks do that night. */
export function startOfDate(date: string, zone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // No zone is further than 14 hours from UTC.
  let before = midnight - 15 * 60 * 60_000;
  let from = midnight + 15 * 60 * 60_000;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDate(new Date(middle), zone) < date) before = middle;
    else from = middle;
  }
  return new Date(from);
}
