import { type Campaign, type DayPlan, doneOnWord, type Milestone } from "../campaigns/campaign.ts";
import { endedStatuses, type GoalStatus } from "../goals/goal.ts";
import { localDate } from "../time.ts";
import type { Week } from "./week.ts";

/** The facts about a campaign that the weekly needs. */
export interface WeeklyCampaign {
  readonly campaign: Pick<Campaign, "name" | "state" | "currentDay" | "startedAt" | "endedAt" | "pausedBy">;
  readonly milestones: readonly Pick<Milestone, "status" | "completedAt" | "completedBy">[];
  readonly days: readonly Pick<DayPlan, "dayNumber" | "goals">[];
  /** The status of each goal of its days that already exists. Goals of later days are only planned. */
  readonly statuses: ReadonlyMap<string, GoalStatus>;
}

/** The weekly summary of seed 004 §5.4. Money in micro-dollars, dates local and both included. */
export interface WeeklySummary {
  readonly weekStart: string;
  readonly weekEnd: string;
  /** Names, oldest campaign first. Includes campaigns that only wait for an answer. */
  readonly campaignsActive: readonly string[];
  readonly campaignsCompleted: readonly string[];
  /** Campaigns that go on only when a person resumes them. Absent when there are none. */
  readonly campaignsPaused?: readonly string[];
  readonly milestonesCompleted: number;
  /** How many of the completed milestones a person said are done. */
  readonly milestonesOnWord: number;
  readonly milestonesRemaining: number;
  readonly totalCostMicroUsd: number;
  readonly goalsCompleted: number;
  readonly goalsFailed: number;
  /** "[campaign] goal", at most ten. */
  readonly nextWeekProjection: readonly string[];
}

const projected = { days: 5, goalsADay: 2, lines: 10 };

/**
 * The summary of a week. Goals and cost come from the week's own numbers, the rest from the campaigns' current state. A week is Monday
 * 00:00 to the next Monday in `zone`. Paused campaigns count as remaining work. A campaign that only waits for an answer goes on by itself,
 * so it is active. S4-WK-02…09, C-82, C-90.
 */
export function summaryOf(week: Week, campaigns: readonly WeeklyCampaign[], zone: string): WeeklySummary {
  const isInWeek = (at: Date | null): boolean => {
    if (at === null) return false;
    const date = localDate(at, zone);
    return date >= week.from && date <= week.to;
  };
  const active = campaigns.filter(({ campaign }) => isUnderWay(campaign));
  const completed = campaigns.filter(({ campaign }) => campaign.state === "completed" && isInWeek(campaign.endedAt));
  const paused = campaigns.filter(({ campaign }) => campaign.state === "paused" && campaign.pausedBy !== null);
  const open = campaigns.filter(({ campaign }) => campaign.state === "active" || campaign.state === "paused");
  const completedNow = campaigns
    .flatMap(({ milestones }) => milestones)
    .filter(({ status, completedAt }) => status === "done" && isInWeek(completedAt));
  return {
    weekStart: week.from,
    weekEnd: week.to,
    campaignsActive: active.map(({ campaign }) => campaign.name),
    campaignsCompleted: completed.map(({ campaign }) => campaign.name),
    ...(paused.length === 0 ? {} : { campaignsPaused: paused.map(({ campaign }) => campaign.name) }),
    milestonesCompleted: completedNow.length,
    milestonesOnWord: doneOnWord(completedNow),
    milestonesRemaining: open.flatMap(({ milestones }) => milestones).filter(({ status }) => status !== "done").length,
    totalCostMicroUsd: week.spentMicroUsd,
    goalsCompleted: week.complete,
    goalsFailed: week.failed,
    nextWeekProjection: active.flatMap(projectionOf).slice(0, projected.lines),
  };
}

/** True when a campaign goes on by itself, at once or after an answer. */
export function isUnderWay({ state, pausedBy }: Pick<Campaign, "state" | "pausedBy">): boolean {
  return state === "active" || (state === "paused" && pausedBy === null);
}

/** The next goals of a campaign: the first unfinished goals of its next days. Empty when no day is left (S4-WK-08, S4-WK-09). */
function projectionOf({ campaign, days, statuses }: WeeklyCampaign): string[] {
  const isOver = (goalId: string): boolean => endedStatuses.some((ended) => ended === statuses.get(goalId));
  const next = days
    .filter((day) => day.dayNumber >= campaign.currentDay)
    .sort((one, other) => one.dayNumber - other.dayNumber)
    .slice(0, projected.days);
  return next.flatMap((day) =>
    day.goals
      .filter((goal) => !isOver(goal.goalId))
      .slice(0, projected.goalsADay)
      .map((goal) => `[${campaign.name}] ${goal.request.content}`),
  );
}
