import { onWorkingDays } from "../core/schedules/schedule.ts";
import type { Db } from "../db/connection/client.ts";
import { ensureSchedule, listSchedules, type ScheduleRow } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";

type ScheduleDeps = Pick<Deps, "now" | "policy" | "config">;

const names = ["standup", "weekly", "campaigns"] as const;

/**
 * Creates the schedules that every installation has: those of reports, and the one by which days of campaigns begin. Returns all schedules.
 * Those for working days contain the working days of the current settings. A schedule that a person has changed is kept. Writes nothing
 * when none is missing.
 */
export async function ensureSchedules(db: Db, { policy, config, now }: ScheduleDeps): Promise<readonly ScheduleRow[]> {
  const there = await listSchedules(db);
  const missing = names.filter((name) => there.every((schedule) => schedule.name !== name));
  for (const name of missing)
    await ensureSchedule(db, { name, cron: policy.schedules[name], onMissing: "once", isOn: true, createdAt: now() });
  const all = missing.length === 0 ? there : await listSchedules(db);
  return all.map((schedule) => ({ ...schedule, cron: onWorkingDays(schedule.cron, config.workingDays) }));
}
