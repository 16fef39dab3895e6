import { sql } from "drizzle-orm";
import { bigserial, boolean, date, jsonb, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import type { PlaceSpace } from "../../core/space/free.ts";
import type { ScheduleName } from "../../core/schedules/schedule.ts";
import { at, cos } from "./base.ts";

/** Schedules, and shortages of space. */

/** What happens at certain local times (D7). A schedule that is off keeps its times. */
export const schedules = cos.table("schedules", {
  name: text("name").$type<ScheduleName>().primaryKey(),
  /** Its weekday may be `D`: the working days. */
  cron: text("cron").notNull(),
  onMissing: text("on_missing").$type<"once" | "skip">().notNull(),
  isOn: boolean("is_on").notNull(),
  /** Since when it has these times: no run from before is made up for. */
  createdAt: at("created_at").notNull(),
});

/** A schedule's run for a local date, claimed by inserting (D7). */
export const scheduleRuns = cos.table(
  "schedule_runs",
  {
    schedule: text("schedule").notNull(),
    runFor: date("run_for", { mode: "string" }).notNull(),
    at: at("at").notNull(),
  },
  (table) => [unique("schedule_runs_once").on(table.schedule, table.runFor)],
);

/** When a machine had too little space for goals to start. Open while `ended_at` is null; at most one open for each holder. */
export const shortages = cos.table(
  "shortages",
  {
    shortageId: bigserial("shortage_id", { mode: "number" }).primaryKey(),
    machine: text("machine").notNull(),
    /** The hash of the machine and its data directory. */
    holder: text("holder").notNull(),
    /** What was measured when it began. */
    places: jsonb("places").$type<PlaceSpace[]>().notNull(),
    since: at("since").notNull(),
    endedAt: at("ended_at"),
  },
  (table) => [uniqueIndex("shortages_one_open").on(table.holder).where(sql`ended_at is null`)],
);
