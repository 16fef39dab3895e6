import type { Db } from "../db/connection/client.ts";
import { ensureSchedule, listSchedules, type ScheduleRow } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";

type Scheduling = Pick<Deps, "now" | "policy" | "config">;

const names = ["standup", "weekly", "campaigns"] as const;

/**
 * The schedules that every installation has: of reports, and of when days of campaigns begin. One that a person has changed
 * stays so. Returns all there are; writes nothing where none is missing.
 */
export async function ensureSchedules(db: Db, { policy, config, now }: Scheduling): Promise<readonly ScheduleRow[]> {
  const there = await listSchedules(db);
  const missing = names.filter((name) => there.every((schedule) => schedule.name !== name));
  if (missing.length === 0) return there;
  const days = config.workingDays.map((day) => day % 7).join(",");
  for (const name of missing) {
    const cron = policy.schedules[name].replace("D", days);
    await ensureSchedule(db, { name, cron, onMissing: "once", isOn: true, createdAt: now() });
  }
  return await listSchedules(db);
}
