import { Cron } from "croner";
import { addDays, localDate, localTime, minuteOfDay, startOfDate } from "../time.ts";

/** Standups and weeklies are posted, days of campaigns begin. */
export type ScheduleName = "standup" | "weekly" | "campaigns";

/** Something that happens at certain local times; a row (D7). The queue only rings the bell. */
export interface Schedule {
  readonly name: string;
  /** Five fields: minute, hour, day of the month, month, weekday. */
  readonly cron: string;
  /** A run whose time has passed unseen: `once` makes up for the newest, `skip` lets it be after `graceMs`. */
  readonly onMissing: "once" | "skip";
  readonly createdAt: Date;
}

/** One run of a schedule: at most one for a local date, whatever the clocks do. */
export interface ScheduledRun {
  /** The local date that it is for: the day on which it should have happened. */
  readonly runFor: string;
  readonly at: Date;
}

/** How far back anybody looks: a machine that slept longer makes up for the newest run only, as ever. */
const farthestMs = 40 * 24 * 60 * 60_000;

const longestCron = 200;

/** A cron text with the working days (1 is Monday) where its weekday is `D`. */
export function onWorkingDays(cron: string, workingDays: readonly number[]): string {
  return cron.replace(/(?<=\s)D$/, workingDays.map((day) => day % 7).join(","));
}

/** What is wrong with a cron text; null when nothing is. */
export function cronProblem(cron: string): string | null {
  if (cron.length > longestCron) return `has ${cron.length} characters, at most ${longestCron} are taken`;
  if (cron.trim().split(/\s+/).length !== 5) return "expected five fields: minute, hour, day, month, weekday";
  try {
    const parsed = new Cron(cron, { paused: true });
    return parsed.nextRun(new Date("2026-01-01T00:00:00Z")) === null ? "it never happens" : null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
  }
}

/**
 * The runs that are due: none, or the newest of those whose time has come since the last one. Pure: time enters as `now`.
 * `lastFor` is the date of the last claimed run; dates, not instants, keep a change of the zone and a clock that is put
 * back from doubling a run. D7, S4-WK, C-90.
 */
export function dueRuns(
  schedule: Schedule,
  lastFor: string | null,
  { now, zone, graceMs }: { readonly now: Date; readonly zone: string; readonly graceMs: number },
): ScheduledRun[] {
  // What was set by a clock that was ahead counts from now on.
  const createdAt = schedule.createdAt > now ? new Date(now.getTime() - graceMs) : schedule.createdAt;
  const newest = newestUntil({ ...schedule, createdAt }, now, zone);
  if (newest === null || newest.at <= createdAt) return [];
  if (lastFor !== null && newest.runFor <= lastFor) return [];
  const isLate = now.getTime() - newest.at.getTime() > graceMs;
  return isLate && schedule.onMissing === "skip" ? [] : [newest];
}

/** When it happens next: after `now`, and for a later date than it has run for already. */
export function nextRunOf(
  { cron }: Pick<Schedule, "cron">,
  now: Date,
  zone: string,
  lastFor: string | null = null,
): Date | null {
  const over = lastFor === null ? 0 : startOfDate(addDays(lastFor, 1), zone).getTime() - 1;
  for (const run of runsAfter(cron, new Date(Math.max(now.getTime(), over)), zone))
    if (lastFor === null || run.runFor > lastFor) return run.at;
  return null;
}

/** Whether a cron text that is right names several times of one date, of which the first one counts. */
export function hasSeveralTimes(cron: string): boolean {
  const parsed = new Cron(cron, { timezone: "UTC", paused: true });
  const first = parsed.nextRun(new Date("2025-12-31T23:59:59Z"));
  const second = first === null ? null : parsed.nextRun(first);
  return first !== null && second !== null && localDate(first, "UTC") === localDate(second, "UTC");
}

/** The newest run that is not after `now`. Looked for among the last minutes first: there may be one in every minute. */
function newestUntil({ cron, createdAt }: Schedule, now: Date, zone: string): ScheduledRun | null {
  const oldest = Math.max(createdAt.getTime(), now.getTime() - farthestMs);
  for (let backMs = 5 * 60_000; ; backMs *= 12) {
    const from = Math.max(oldest, now.getTime() - backMs);
    let newest: ScheduledRun | null = null;
    for (const run of runsAfter(cron, new Date(from), zone)) {
      if (run.at > now) break;
      newest = run;
    }
    if (newest !== null || from === oldest) return newest;
  }
}

/** The local dates of its next runs, each once, however often a day it comes; the first run is after `now`. */
export function nextDates({ cron }: Pick<Schedule, "cron">, now: Date, zone: string, many: number): string[] {
  const dates: string[] = [];
  for (let from = now; dates.length < many; ) {
    const last = dates.at(-1) ?? "";
    const next = firstLater(runsAfter(cron, from, zone), last);
    if (next === null) break;
    dates.push(next);
    from = new Date(startOfDate(addDays(next, 1), zone).getTime() - 1);
  }
  return dates;
}

function firstLater(runs: Iterable<ScheduledRun>, date: string): string | null {
  for (const { runFor } of runs) if (runFor > date) return runFor;
  return null;
}

/** Its runs after an instant, in their order. */
function* runsAfter(cron: string, after: Date, zone: string): Generator<ScheduledRun> {
  const parsed = new Cron(cron, { timezone: zone, paused: true });
  for (let from = after, next = parsed.nextRun(from); next !== null; from = next, next = parsed.nextRun(from)) {
    yield* leftOut(cron, { from, to: next }, zone);
    yield { runFor: localDate(next, zone), at: next };
  }
}

/**
 * Runs at times that no clock shows, because it goes on from there to the next date: 23:00 in America/Nuuk on the evening before
 * summer time. Each comes when its date is over. Of other times that are left out the next one counts (croner does that).
 */
function* leftOut(
  cron: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  zone: string,
): Generator<ScheduledRun> {
  const last = localDate(to, zone);
  for (let date = localDate(from, zone); date < last; date = addDays(date, 1)) {
    if (noonIn(date, zone) === noonIn(addDays(date, 1), zone)) continue;
    const end = startOfDate(addDays(date, 1), zone);
    const before = new Date(end.getTime() - 1);
    const shown = localTime(before, zone);
    if (localDate(before, zone) !== date || shown === "23:59") continue;
    const missed = new Cron(cron, { timezone: "UTC", paused: true }).nextRun(new Date(`${date}T${shown}:59Z`));
    if (missed !== null && missed.toISOString().startsWith(date)) yield { runFor: date, at: end };
  }
}

/** What clocks show at noon of UTC: another time than the day before where they were changed. */
function noonIn(date: string, zone: string): number {
  return minuteOfDay(new Date(`${date}T12:00:00Z`), zone);
}

/** The next moment at which clocks in the zone show this time of day. */
export function nextTimeOfDay(minuteOfDay: number, now: Date, zone: string): Date | null {
  return nextRunOf({ cron: `${minuteOfDay % 60} ${Math.floor(minuteOfDay / 60)} * * *` }, now, zone);
}
