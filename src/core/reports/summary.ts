import { type Campaign, type DayPlan, doneOnWord, type Milestone } from "../campaigns/campaign.ts";
import { endedStatuses, type GoalStatus } from "../goals/goal.ts";
import { localDate } from "../time.ts";
import type { Week } from "./week.ts";

/** A campaign as the weekly looks at it. */
export interface WeeklyCampaign {
  readonly campaign: Pick<Campaign, "name" | "state" | "currentDay" | "startedAt" | "endedAt" | "pausedBy">;
  readonly milestones: readonly Pick<Milestone, "status" | "completedAt" | "completedBy">[];
  readonly days: readonly Pick<DayPlan, "dayNumber" | "goals">[];
  /** Of its days' goals, those that there are already; a later day's are only planned. */
  readonly statuses: ReadonlyMap<string, GoalStatus>;
}

/** The weekly summary of seed 004 §5.4. Money in micro-dollars, dates local and both included. */
export interface WeeklySummary {
  readonly weekStart: string;
  readonly weekEnd: string;
  /** Names, the oldest campaign first, those included that only wait for an answer. */
  readonly campaignsActive: readonly string[];
  readonly campaignsCompleted: readonly string[];
  /** Those that go on only when a person says so; absent: none. */
  readonly campaignsPaused?: readonly string[];
  readonly milestonesCompleted: number;
  /** Those of them that a person called done. */
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
 * The summary of a week: its goals and cost from the week's own numbers, the rest from the campaigns as they stand. A
 * week is Monday 00:00 to the next Monday in `zone`; paused campaigns count as remaining work. One that is only held until
 * somebody answers goes on by itself then: it is active. S4-WK-02…09, C-82, C-90.
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

/** It goes on by itself, at once or when somebody has answered. */
export function isUnderWay({ state, pausedBy }: Pick<Campaign, "state" | "pausedBy">): boolean {
  return state === "active" || (state === "paused" && pausedBy === null);
}

/**
 * What a campaign means to do next: the first goals of its next days that are not over. None once its plan is (S4-WK-08,
 * S4-WK-09).
 */
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
