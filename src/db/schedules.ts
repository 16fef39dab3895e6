import { and, desc, eq, lt, lte } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { scheduleRuns, schedules } from "./schema/index.ts";

export type ScheduleRow = typeof schedules.$inferSelect;

/** All schedules by name. */
export async function listSchedules(db: Db): Promise<ScheduleRow[]> {
  return await db.select().from(schedules).orderBy(schedules.name);
}

/** Creates a schedule if it does not exist. An existing one keeps what a person has set. */
export async function ensureSchedule(tx: Db, row: typeof schedules.$inferInsert): Promise<void> {
  await tx.insert(schedules).values(row).onConflictDoNothing();
}

/** Returns false when there is no schedule of that name. */
export async function updateSchedule(
  tx: Db,
  name: ScheduleRow["name"],
  changes: Partial<Pick<ScheduleRow, "cron" | "onMissing" | "isOn" | "createdAt">>,
): Promise<boolean> {
  const updated = await tx.update(schedules).set(changes).where(eq(schedules.name, name)).returning();
  return updated.length > 0;
}

/**
 * The newest date up to `today` for which a schedule has run. Runs for later dates, made while a clock was ahead, do not block it until
 * then.
 */
export async function lastRunFor(db: Db, name: string, today: string): Promise<string | null> {
  const found = await db
    .select({ runFor: scheduleRuns.runFor })
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.schedule, name), lte(scheduleRuns.runFor, today)))
    .orderBy(desc(scheduleRuns.runFor))
    .limit(1);
  return found[0]?.runFor ?? null;
}

/** The newest run for an earlier date that happened by `now`. Null when there was none. */
export async function lastRunBefore(
  db: Db,
  name: string,
  { runFor, now }: { readonly runFor: string; readonly now: Date },
): Promise<{ readonly runFor: string; readonly at: Date } | null> {
  const found = await db
    .select({ runFor: scheduleRuns.runFor, at: scheduleRuns.at })
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.schedule, name), lt(scheduleRuns.runFor, runFor), lte(scheduleRuns.at, now)))
    .orderBy(desc(scheduleRuns.runFor))
    .limit(1);
  return found[0] ?? null;
}

/** Claims a run by inserting it (D7). Returns false when another process was first. */
export async function claimRun(tx: Db, schedule: string, runFor: string, at: Date): Promise<boolean> {
  const claimed = await tx.insert(scheduleRuns).values({ schedule, runFor, at }).onConflictDoNothing().returning();
  return claimed.length > 0;
}

/** When a schedule ran last, by `now`. Runs that a clock ahead of time has recorded are left out. Null when it never ran. */
export async function lastRunAt(db: Db, schedule: string, now: Date): Promise<Date | null> {
  const found = await db
    .select({ at: scheduleRuns.at })
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.schedule, schedule), lte(scheduleRuns.at, now)))
    .orderBy(desc(scheduleRuns.runFor))
    .limit(1);
  return found[0]?.at ?? null;
}
