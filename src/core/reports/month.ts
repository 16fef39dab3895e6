import { addDays, localDate, startOfDate } from "../time.ts";
import { type GoalHistory, troubleIn } from "./outcomes.ts";

/** One day of the last weeks, for plots: which problems were solved without a person, and how long people took to answer. */
export interface MonthDay {
  /** "2026-01-27", local. */
  readonly date: string;
  /** Goals whose problem ended on this day: `mended` without a person, `helped` with one or not at all. */
  readonly mended: number;
  readonly helped: number;
  /** Number of settled questions, and their median waiting time. Null when none was settled. */
  readonly answers: number;
  readonly medianResponseMs: number | null;
}

/** All days from the first to the last local date, both included (F-412). */
export function monthOf(
  histories: readonly GoalHistory[],
  decisions: readonly { readonly at: Date; readonly waitedMs: number }[],
  { from, to, zone }: { readonly from: string; readonly to: string; readonly zone: string },
): MonthDay[] {
  const days: MonthDay[] = [];
  for (let date = from; date <= to && days.length < 100; date = addDays(date, 1)) {
    const span = { from: startOfDate(date, zone), to: startOfDate(addDays(date, 1), zone) };
    const troubles = histories.flatMap((history) => troubleIn(history, span) ?? []);
    const mended = troubles.filter(({ wasMended }) => wasMended).length;
    const waited = decisions.filter(({ at }) => localDate(at, zone) === date).map(({ waitedMs }) => waitedMs);
    days.push({
      date,
      mended,
      helped: troubles.length - mended,
      answers: waited.length,
      medianResponseMs: waited.toSorted((one, other) => one - other)[Math.floor((waited.length - 1) / 2)] ?? null,
    });
  }
  return days;
}
