import { standupCard } from "../../core/cards/standup-card.ts";
import { weeklyCard } from "../../core/cards/weekly-card.ts";
import { saidAlong, standupSince } from "../../core/reports/standup-facts.ts";
import { dueRuns, type ScheduledRun } from "../../core/schedules/schedule.ts";
import type { Db } from "../../db/connection/client.ts";
import { localDate } from "../../core/time.ts";
import { claimRun, lastRunAt, lastRunFor, type ScheduleRow } from "../../db/schedules.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { oneByOne } from "../shared/one-by-one.ts";
import { markReport } from "./post.ts";
import type { Deps, Doors } from "../../deps.ts";
import { type GitFacts, gatherGit, keepNews } from "../../facts/git-state.ts";
import { ensureSchedules } from "../../facts/ensure-schedules.ts";
import { endsUnsaid, gatherStandup } from "./standup.ts";
import { askAboutTuning } from "./tuning.ts";
import { gatherPosted } from "./week.ts";

/**
 * Posts the reports that are due: the standup on working days, the weekly on Fridays, as their rows say (D7). A run is claimed and its card
 * written in one transaction. So it is posted once, even if a process dies or several processes do this. A report that fails delays no
 * other one; it is tried again by the next call.
 */
export async function runSchedules(deps: Pick<Deps, "database" | "log"> & Posts): Promise<void> {
  const schedules = await ensureSchedules(deps.database.db, deps);
  await oneByOne(schedules.map((schedule) => () => runSchedule(deps, schedule)));
}

async function runSchedule(deps: Pick<Deps, "database" | "log"> & Posts, schedule: ScheduleRow): Promise<void> {
  const { name } = schedule;
  if (!schedule.isOn || name === "campaigns") return;
  const now = deps.now();
  const { timezone: zone } = deps.config;
  const lastFor = await lastRunFor(deps.database.db, name, localDate(now, zone));
  for (const run of dueRuns(schedule, lastFor, { now, zone, graceMs: deps.policy.schedules.graceMs })) {
    // Since the last run, so that weekends and days on which the machine slept are included.
    const since = standupSince(await lastRunAt(deps.database.db, name, now), now, "nothing");
    // Before the transaction, so that no row is locked while a repository is read.
    const git = name === "standup" ? await gatherGit(deps, since) : notAsked;
    const isPosted = await deps.database.transaction((tx) => post(tx, deps, name, { ...run, since, git }));
    if (isPosted) deps.log.info("schedule.run", { schedule: name, runFor: run.runFor });
  }
}

/** The weekly may open a checkpoint, which needs a new id. */
type Posts = Doors & Pick<Deps, "newId">;

/** Without campaigns: their days are started by turns/campaigns. */
type Report = Exclude<ScheduleRow["name"], "campaigns">;

/** A run, the start of the time it reports, and for a standup what git shows. */
interface ReportToPost extends ScheduledRun {
  readonly since: Date;
  readonly git: GitFacts;
}

const notAsked: GitFacts = { branches: [], news: [], troubles: [] };

/** Posts a report. False when another process has claimed the run. The whole report uses one time, from which the next report starts. */
async function post(tx: Db, deps: Posts, name: Report, run: ReportToPost): Promise<boolean> {
  const at = deps.now();
  const { runFor } = run;
  if (!(await claimRun(tx, name, runFor, at))) return false;
  const then: Posts = { ...deps, now: () => at };
  switch (name) {
    case "standup": {
      const { since, git } = run;
      const ends = await endsUnsaid(tx, since);
      await keepNews(tx, git.news, at);
      const facts = await gatherStandup(tx, then, { date: runFor, since, git, ends });
      markReport(tx, `${name}.${runFor}`, standupCard({ ...facts, isPosted: true }));
      await appendTimeline(tx, { event: "standup.posted", at, detail: { runFor, said: saidAlong(ends, at) } });
      return true;
    }
    case "weekly": {
      // For the date on which it was due, with the current facts.
      markReport(tx, `${name}.${runFor}`, weeklyCard(await gatherPosted(tx, then, runFor)));
      await askAboutTuning(tx, then);
      await appendTimeline(tx, { event: "weekly.posted", at, detail: { runFor } });
      return true;
    }
  }
}
