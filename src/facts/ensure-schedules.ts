import { onWorkingDays } from "../core/schedules/schedule.ts";
import type { Db } from "../db/connection/client.ts";
import { ensureSchedule, listSchedules, type ScheduleRow } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";

type ScheduleDeps = Pick<Deps, "now" | "policy" | "config">;

const names = ["standup", "weekly", "campaigns"] as const;

/**
 * The schedules that every installation has: of reports, and of when days of campaigns begin. Returns all there are, with the
 * working days of now in those that are for working days. One that a person has changed stays so; writes nothing where none is
 * missing.
 */
export async function ensureSchedules(db: Db, { policy, config, now }: ScheduleDeps): Promise<readonly ScheduleRow[]> {
  const there = await listSchedules(db);
  const missing = names.filter((name) => there.every((schedule) => schedule.name !== name));
  for (const name of missing)
    await ensureSchedule(db, { name, cron: policy.schedules[name], onMissing: "once", isOn: true, createdAt: now() });
  const all = missing.length === 0 ? there : await listSchedules(db);
  return all.map((schedule) => ({ ...schedule, cron: onWorkingDays(schedule.cron, config.workingDays) }));
}
