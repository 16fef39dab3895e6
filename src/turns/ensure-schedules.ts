import type { Db } from "../db/client.ts";
import { ensureSchedule } from "../db/schedules.ts";
import type { Saying } from "./say.ts";

/**
 * The schedules that every installation has: of reports, and of when days of campaigns begin. One that a person has changed
 * stays so.
 */
export async function ensureSchedules(db: Db, { policy, config, now }: Saying): Promise<void> {
  const days = config.workingDays.map((day) => day % 7).join(",");
  for (const name of ["standup", "weekly", "campaigns"] as const) {
    const cron = policy.schedules[name].replace("D", days);
    await ensureSchedule(db, { name, cron, onMissing: "once", isOn: true, createdAt: now() });
  }
}
