import { asc, eq, gte, lt, sql } from "drizzle-orm";
import type { WorklogOutcome } from "../core/worklog/finish.ts";
import type { Db } from "./connection/client.ts";
import { worklogDays } from "./schema/index.ts";

export type WorklogDay = typeof worklogDays.$inferSelect;

/** The numbers that are summed up for each day. */
export type DayNumbers = Omit<WorklogDay, "day" | "outcomes">;

/** Adds to the row of a day, `YYYY-MM-DD`. */
export async function addToDay(tx: Db, day: string, outcome: WorklogOutcome, numbers: DayNumbers): Promise<void> {
  const plus = Object.fromEntries(
    Object.entries(numbers).map(([name, number]) => [name, sql`${sql.raw(`"worklog_days"."${name}"`)} + ${number}`]),
  );
  const outcomes = sql`jsonb_set("worklog_days"."outcomes", array[${outcome}::text],
    to_jsonb(coalesce(("worklog_days"."outcomes"->>${outcome}::text)::int, 0) + 1))`;
  await tx
    .insert(worklogDays)
    .values({ day, ...numbers, outcomes: { [outcome]: 1 } })
    .onConflictDoUpdate({ target: worklogDays.day, set: { ...plus, outcomes } });
}

/** Adds to a day's missing entries: those found to be missing after its worklogs were counted. */
export async function addUnstored(tx: Db, day: string, unstored: number): Promise<void> {
  await tx
    .update(worklogDays)
    .set({ unstored: sql`${worklogDays.unstored} + ${unstored}` })
    .where(eq(worklogDays.day, day));
}

/** The rows from a day on, oldest first. */
export async function daysSince(db: Db, day: string): Promise<WorklogDay[]> {
  return await db.select().from(worklogDays).where(gte(worklogDays.day, day)).orderBy(asc(worklogDays.day));
}

/** Deletes the rows before a day. Returns how many. */
export async function deleteDaysBefore(tx: Db, day: string): Promise<number> {
  const gone = await tx.delete(worklogDays).where(lt(worklogDays.day, day)).returning({ day: worklogDays.day });
  return gone.length;
}
