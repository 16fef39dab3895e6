/** Calendar dates in a zone. Instants come in as `Date`; dates are `YYYY-MM-DD`. */

/** Returns a formatter for each zone, cached: creating one costs more than a hundred uses. Throws a RangeError for an invalid zone. */
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

/** Returns the local date of an instant. */
export function localDate(at: Date, zone: string): string {
  return dates(zone).format(at);
}

/** Returns the date that many days later, or earlier when negative. */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Returns the weekday: 1 is Monday, 7 is Sunday. */
export function weekdayOf(date: string): number {
  return ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

/** Returns the Monday of the week that contains the date (C-90). */
export function mondayOf(date: string): string {
  return addDays(date, 1 - weekdayOf(date));
}

/** Returns the local time, such as "07:00". */
export function localTime(at: Date, zone: string): string {
  return times(zone).format(at);
}

/** Returns the minutes since local midnight by the clock: 420 at 07:00. */
export function minuteOfDay(at: Date, zone: string): number {
  const [hours = 0, minutes = 0] = localTime(at, zone).split(":").map(Number);
  return hours * 60 + minutes;
}

/** Returns the local date and time, such as "2026-11-20 14:02". */
export function formatTime(at: Date, zone: string): string {
  return `${localDate(at, zone)} ${localTime(at, zone)}`;
}

/** Returns the local date and time with seconds, such as "2026-11-20 14:02:09". */
export function formatSeconds(at: Date, zone: string): string {
  return `${localDate(at, zone)} ${seconds(zone).format(at)}`;
}

/** Returns Monday and Sunday of the week that contains the date, both inclusive (S4-WK-01, C-90). */
export function weekHolding(date: string): { readonly from: string; readonly to: string } {
  const from = mondayOf(date);
  return { from, to: addDays(from, 6) };
}

/** Returns the week that a weekly report of this date covers: its own week, or on a Monday the week before. */
export function weekToReport(date: string): { readonly from: string; readonly to: string } {
  return weekHolding(mondayOf(date) === date ? addDays(date, -1) : date);
}

/** Returns the first instant of a local date, to the millisecond, whatever clock changes happen that night. */
export function startOfDate(date: string, zone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // No zone is more than 14 hours from UTC.
  let before = midnight - 15 * 60 * 60_000;
  let from = midnight + 15 * 60 * 60_000;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDate(new Date(middle), zone) < date) before = middle;
    else from = middle;
  }
  return new Date(from);
}
