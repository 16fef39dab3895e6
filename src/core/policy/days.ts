import { dollars } from "../money.ts";

/** What happens by itself: reports, campaigns, nights. */
export interface DaysPolicy {
  readonly schedules: {
    /** Cron texts of what is posted by itself; `D` stands for the working days, whichever they are when it is read. */
    readonly standup: string;
    readonly weekly: string;
    /** When a day of a campaign begins. */
    readonly campaigns: string;
    /** How late a run may be that is not made up for. */
    readonly graceMs: number;
  };
  readonly standup: {
    /** How old what was finished or left to a person may be to be looked at again. */
    readonly lookBackMs: number;
    /** A finished branch that nobody has merged for longer is late. */
    readonly lateMergeMs: number;
    /** For reading all repositories. */
    readonly readWithinMs: number;
  };
  readonly campaigns: {
    /** When nobody gives a budget: for the whole, and the most for a day (C-88). */
    readonly totalMicroUsd: number;
    readonly dayMicroUsd: number;
    /** The share of its days by which a campaign may be behind before it is planned anew (C-81). */
    readonly replanningThreshold: number;
    readonly automaticReplans: number;
    /** The longest plan, and the most goals of a day. */
    readonly longestDays: number;
    readonly goalsADay: number;
    /** Of goals whose minutes nobody gave, and of a day, for plans without days. */
    readonly goalMinutes: number;
    readonly dayMinutes: number;
  };
  readonly night: {
    readonly budgetMicroUsd: number;
    /** Minutes after midnight. */
    readonly untilMinute: number;
  };
}

export const defaultDaysPolicy: DaysPolicy = {
  schedules: { standup: "0 9 * * D", weekly: "0 16 * * 5", campaigns: "0 9 * * D", graceMs: 60 * 60_000 },
  standup: { lookBackMs: 30 * 24 * 60 * 60_000, lateMergeMs: 3 * 24 * 60 * 60_000, readWithinMs: 10_000 },
  campaigns: {
    totalMicroUsd: dollars(50),
    dayMicroUsd: dollars(15),
    replanningThreshold: 0.3,
    automaticReplans: 3,
    longestDays: 60,
    goalsADay: 20,
    goalMinutes: 60,
    dayMinutes: 360,
  },
  night: { budgetMicroUsd: dollars(15), untilMinute: 7 * 60 },
};
