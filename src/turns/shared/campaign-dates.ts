import { nextDates } from "../../core/schedules/schedule.ts";
import { updateDay } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import type { ScheduleRow } from "../../db/schedules.ts";
import type { Doors } from "../../deps.ts";
import type { CampaignView } from "../../facts/campaign.ts";

export interface Projection {
  /** The first day whose date is written. */
  readonly from: number;
  /** The dates are later than this one: the date of the day before `from`, or of the schedule's run. Null when there is none. */
  readonly after: string | null;
  /** The date of the first of these days, if it is known. */
  readonly first?: string;
  readonly schedule: ScheduleRow;
}

/** Writes the dates on which the pending days will be worked according to the schedule (C-85). Days for which the schedule has no date get none. */
export async function projectDates(
  tx: Db,
  deps: Pick<Doors, "now" | "config">,
  { days }: Pick<CampaignView, "days">,
  { after, from, first, schedule }: Projection,
): Promise<void> {
  const ahead = days.filter((day) => day.dayNumber >= from && day.status === "pending");
  if (ahead.length === 0) return;
  const known = first === undefined ? [] : [first];
  const last = first ?? after;
  const coming = nextDates(schedule, deps.now(), deps.config.timezone, ahead.length + 2);
  const dates = [...known, ...coming.filter((date) => last === null || date > last)];
  for (const [index, day] of ahead.entries()) await updateDay(tx, day, { date: dates[index] ?? null });
}
