import { dollars } from "../money.ts";

/** Work that the system starts by itself: reports, campaigns, nights. */
export interface DaysPolicy {
  readonly schedules: {
    /** Cron expressions of scheduled reports. `D` stands for the configured working days at the time of reading. */
    readonly standup: string;
    readonly weekly: string;
    /** When a day of a campaign begins. */
    readonly campaigns: string;
    /** The maximum delay of a run when `onMissing` is `skip`; a later run is dropped. */
    readonly graceMs: number;
  };
  readonly standup: {
    /** Maximum age of goals that were finished or left to a person and are checked again. */
    readonly lookBackMs: number;
    /** A finished branch that is unmerged for longer is reported as late. */
    readonly lateMergeMs: number;
    /** Time limit for reading all repositories. */
    readonly readWithinMs: number;
  };
  readonly campaigns: {
    /** Budgets when nobody gives one: for the whole campaign, and the maximum for one day (C-88). */
    readonly totalMicroUsd: number;
    readonly dayMicroUsd: number;
    /** The share of its days that a campaign may be behind before it is replanned (C-81). */
    readonly replanningThreshold: number;
    readonly automaticReplans: number;
    /** Maximum length of a plan in days, and maximum number of goals in a day. */
    readonly longestDays: number;
    readonly goalsADay: number;
    /** Minutes assumed for a goal without an estimate, and minutes of one day, for plans without days. */
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
