import { Cron } from "croner";
import { localDate } from "../time.ts";

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
  if (newest === null || newest <= createdAt) return [];
  const run = { runFor: localDate(newest, zone), at: newest };
  if (lastFor !== null && run.runFor <= lastFor) return [];
  const isLate = now.getTime() - newest.getTime() > graceMs;
  return isLate && schedule.onMissing === "skip" ? [] : [run];
}

/** When it happens next. */
export function nextRunOf(schedule: Pick<Schedule, "cron">, now: Date, zone: string): Date | null {
  return new Cron(schedule.cron, { timezone: zone, paused: true }).nextRun(now);
}

/** The newest time that is not after `now`. Looked for among the last minutes first: there may be one in every minute. */
function newestUntil({ cron, createdAt }: Schedule, now: Date, zone: string): Date | null {
  const parsed = new Cron(cron, { timezone: zone, paused: true });
  const oldest = Math.max(createdAt.getTime(), now.getTime() - farthestMs);
  for (let backMs = 5 * 60_000; ; backMs *= 12) {
    const from = Math.max(oldest, now.getTime() - backMs);
    let newest: Date | null = null;
    for (let at = parsed.nextRun(new Date(from)); at !== null && at <= now; at = parsed.nextRun(at)) newest = at;
    if (newest !== null || from === oldest) return newest;
  }
}

/** The local dates of its next runs, the first one after `now`. */
export function nextDates(schedule: Pick<Schedule, "cron">, now: Date, zone: string, many: number): string[] {
  const runs = many === 0 ? [] : new Cron(schedule.cron, { timezone: zone, paused: true }).nextRuns(many, now);
  return runs.map((run) => localDate(run, zone));
}

/** The next moment at which clocks in the zone show this time of day. */
export function nextTimeOfDay(minuteOfDay: number, now: Date, zone: string): Date | null {
  return nextRunOf({ cron: `${minuteOfDay % 60} ${Math.floor(minuteOfDay / 60)} * * *` }, now, zone);
}
