import { Cron } from "croner";
import { addDays, localDate, localTime, minuteOfDay, startOfDate } from "../time.ts";

/** The scheduled actions: standups and weeklies are posted, days of campaigns begin. */
export type ScheduleName = "standup" | "weekly" | "campaigns";

/** An action at certain local times; a row (D7). The queue only triggers the look at what is due. */
export interface Schedule {
  readonly name: string;
  /** Five fields: minute, hour, day of the month, month, weekday. */
  readonly cron: string;
  /** What happens to a run that was missed: `once` makes up for the newest one, `skip` drops it after `graceMs`. */
  readonly onMissing: "once" | "skip";
  readonly createdAt: Date;
}

/** One run of a schedule: at most one for each local date, even if clocks are changed. */
export interface ScheduledRun {
  /** The local date that it is for: the day on which it should have happened. */
  readonly runFor: string;
  readonly at: Date;
}

/** Maximum time to look back. A machine that slept longer makes up for the newest run only, as always. */
const farthestMs = 40 * 24 * 60 * 60_000;

const longestCron = 200;

/** A cron expression whose weekday `D` is replaced by the working days (1 is Monday). */
export function onWorkingDays(cron: string, workingDays: readonly number[]): string {
  return cron.replace(/(?<=\s)D$/, workingDays.map((day) => day % 7).join(","));
}

/** What is wrong with a cron expression. Null when nothing is. */
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
 * Returns the runs that are due: none, or the newest one whose time has come since the last run. Pure: time enters as `now`.
 * `lastFor`: the date of the last claimed run. Comparing dates, not instants, prevents a duplicate run after a change of the zone or
 * a clock that is set back. D7, S4-WK, C-90.
 */
export function dueRuns(
  schedule: Schedule,
  lastFor: string | null,
  { now, zone, graceMs }: { readonly now: Date; readonly zone: string; readonly graceMs: number },
): ScheduledRun[] {
  // A schedule that was created in the future, by a clock that was ahead, counts from now on.
  const createdAt = schedule.createdAt > now ? new Date(now.getTime() - graceMs) : schedule.createdAt;
  const newest = newestUntil({ ...schedule, createdAt }, now, zone);
  if (newest === null || newest.at <= createdAt) return [];
  if (lastFor !== null && newest.runFor <= lastFor) return [];
  const isLate = now.getTime() - newest.at.getTime() > graceMs;
  return isLate && schedule.onMissing === "skip" ? [] : [newest];
}

/** The next run after `now`, for a later date than `lastFor`. */
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

/** True when a valid cron expression has several times on one date. Only the first one counts. */
export function hasSeveralTimes(cron: string): boolean {
  const parsed = new Cron(cron, { timezone: "UTC", paused: true });
  const first = parsed.nextRun(new Date("2025-12-31T23:59:59Z"));
  const second = first === null ? null : parsed.nextRun(first);
  return first !== null && second !== null && localDate(first, "UTC") === localDate(second, "UTC");
}

/** The newest run that is not after `now`. Searches the last minutes first, because there may be a run in every minute. */
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

/** The local dates of the next runs, each once, even if there are several runs a day. The first run is after `now`. */
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

/** The runs after an instant, in order. */
function* runsAfter(cron: string, after: Date, zone: string): Generator<ScheduledRun> {
  const parsed = new Cron(cron, { timezone: zone, paused: true });
  for (let from = after, next = parsed.nextRun(from); next !== null; from = next, next = parsed.nextRun(from)) {
    yield* leftOut(cron, { from, to: next }, zone);
    yield { runFor: localDate(next, zone), at: next };
  }
}

/**
 * Runs at times that no clock shows, because the clock skips from there to the next date: 23:00 in America/Nuuk on the evening before
 * summer time. Each happens when its date is over. Other skipped times move to the next time that exists (croner does that).
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

/** Returns the local minute of the day at noon UTC. It differs from the day before when clocks were changed. */
function noonIn(date: string, zone: string): number {
  return minuteOfDay(new Date(`${date}T12:00:00Z`), zone);
}

/** Returns the next moment with this local time of day. */
export function nextTimeOfDay(minuteOfDay: number, now: Date, zone: string): Date | null {
  return nextRunOf({ cron: `${minuteOfDay % 60} ${Math.floor(minuteOfDay / 60)} * * *` }, now, zone);
}
