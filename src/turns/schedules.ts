import type { Card } from "../core/cards/card.ts";
import { standupCard, weeklyCard } from "../core/reports/standup.ts";
import { dueRuns, type ScheduledRun } from "../core/schedules/schedule.ts";
import { addDays, localDate } from "../core/time.ts";
import type { Db } from "../db/client.ts";
import { claimRun, ensureSchedule, lastRunFor, listSchedules, type ScheduleRow } from "../db/schedules.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { gatherReport } from "./reports.ts";
import { sayReport, type Saying } from "./say.ts";
import { gatherWeekly } from "./week.ts";

/**
 * What happens by itself: the standup on working days, the weekly on Fridays, as their rows say (D7). A run is claimed
 * and its card written in one transaction, so it is posted once whatever dies and however many processes look.
 */
export async function runSchedules(deps: Pick<Deps, "database" | "log"> & Saying): Promise<void> {
  await ensureSchedules(deps);
  const now = deps.now();
  const { timezone: zone } = deps.config;
  for (const schedule of await listSchedules(deps.database.db)) {
    const { name } = schedule;
    if (!schedule.isOn || name === "campaigns") continue;
    const lastFor = await lastRunFor(deps.database.db, name);
    for (const run of dueRuns(schedule, lastFor, { now, zone, graceMs: deps.policy.schedules.graceMs })) {
      const isPosted = await deps.database.transaction((tx) => post(tx, deps, name, { ...run, lastFor }));
      if (isPosted) deps.log.info("schedule.run", { schedule: name, runFor: run.runFor });
    }
  }
}

/** The schedules that every installation has: of reports, and of when days of campaigns begin. One that a person has changed stays so. */
export async function ensureSchedules(deps: Pick<Deps, "database"> & Saying): Promise<void> {
  const { policy, config } = deps;
  const days = config.workingDays.map((day) => day % 7).join(",");
  for (const name of ["standup", "weekly", "campaigns"] as const) {
    const cron = policy.schedules[name].replace("D", days);
    await ensureSchedule(deps.database.db, { name, cron, onMissing: "once", isOn: true, createdAt: deps.now() });
  }
}

/** Days of campaigns begin at the times of theirs (turns/campaigns). */
type Report = Exclude<ScheduleRow["name"], "campaigns">;

/** A run with the date of the one before it. */
interface Posting extends ScheduledRun {
  readonly lastFor: string | null;
}

async function post(tx: Db, deps: Saying, name: Report, run: Posting): Promise<boolean> {
  if (!(await claimRun(tx, name, run.runFor, deps.now()))) return false;
  await sayReport(tx, deps, `${name}.${run.runFor}`, await cardFor(tx, deps, name, run));
  await appendTimeline(tx, { event: `${name}.posted`, at: deps.now(), detail: { runFor: run.runFor } });
  return true;
}

/** A report for the day on which it should have been posted, with what is true now. */
async function cardFor(tx: Db, deps: Saying, name: Report, run: Posting): Promise<Card> {
  const today = localDate(deps.now(), deps.config.timezone);
  switch (name) {
    case "standup":
      // Since the last one: what a weekend or a sleeping machine left out is in it.
      return standupCard(await gatherReport(tx, deps, run.lastFor ?? addDays(run.runFor, -1), today), run.runFor);
    case "weekly":
      return weeklyCard(await gatherWeekly(tx, deps, run.runFor));
  }
}
