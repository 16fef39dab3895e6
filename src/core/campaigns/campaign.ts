import type { GoalRequest } from "../goals/new-goal.ts";

/**
 * A campaign: days of work towards a goal, with milestones.
 *
 *   planning ──start──► active ⇄ paused ──► completed | failed
 *
 * A day of it is a session of goals. `paused` with `pausedBy` waits for a person's word; without, for the answers its day
 * waits for (C-84). Seed 004 §5.1, S4-CM.
 */
export const campaignStates = ["planning", "active", "paused", "completed", "failed"] as const;
export type CampaignState = (typeof campaignStates)[number];

export const milestoneStatuses = ["pending", "in_progress", "done", "blocked"] as const;
export type MilestoneStatus = (typeof milestoneStatuses)[number];

export const dayStatuses = ["pending", "in_progress", "done"] as const;
export type DayStatus = (typeof dayStatuses)[number];

export interface Campaign {
  readonly campaignId: string;
  readonly repositoryId: string;
  readonly name: string;
  readonly goal: string;
  readonly state: CampaignState;
  /** The day that is worked or comes next, from 1. */
  readonly currentDay: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The person who stopped it, or gave its plan up; its state is `failed` then. Null: it ended by itself, or has not. */
  readonly endedBy: string | null;
  readonly totalBudgetMicroUsd: number;
  readonly dailyBudgetMicroUsd: number;
  /** The days of the plan that was approved; the plan's own length follows replans (C-87). */
  readonly originalDurationDays: number;
  /** A share of the planned days; being further behind asks for another plan. */
  readonly replanningThreshold: number;
  readonly replanCount: number;
  /** Replans that nobody asked for: at most three, never two days running (C-87). */
  readonly automaticReplans: number;
  /** The day after which it was replanned by itself last. */
  readonly lastAutomaticDay: number | null;
  readonly pausedBy: string | null;
}

export interface Milestone {
  /** `ms-1`, `ms-2` … in its campaign. */
  readonly milestoneId: string;
  readonly name: string;
  readonly description: string;
  readonly targetDay: number;
  readonly successCriteria: readonly string[];
  readonly status: MilestoneStatus;
  readonly completedAt: Date | null;
  /** The person who called it done; null: its goals did. */
  readonly completedBy: string | null;
}

/** A goal of a plan. The row is made, with this id, when its day begins; one that is there is taken up again. */
export interface PlannedGoal {
  readonly goalId: string;
  readonly milestoneId: string | null;
  readonly request: GoalRequest;
}

export interface DayPlan {
  /** From 1. */
  readonly dayNumber: number;
  /** The local date on which it is worked, or will be as the schedule stood; null before the campaign has started. */
  readonly date: string | null;
  readonly goals: readonly PlannedGoal[];
  readonly budgetMicroUsd: number;
  readonly status: DayStatus;
  readonly actualCostMicroUsd: number;
  readonly notes: string;
}

/** The date that people are shown of a day; null: it is not known, as where one has passed and the day is still to come. */
export function shownDate({ date, status }: Pick<DayPlan, "date" | "status">, today: string): string | null {
  return status === "pending" && date !== null && date < today ? null : date;
}

/** Whether a campaign is over for good: nothing of it is to come. */
export function isCampaignOver(state: CampaignState): boolean {
  return state === "completed" || state === "failed";
}

/** Whether it is over without having begun: a person gave its plan up, or stopped it. Its row says `failed`. */
export function neverBegan({ state, startedAt }: Pick<Campaign, "state" | "startedAt">): boolean {
  return isCampaignOver(state) && startedAt === null;
}

/** Whether a milestone begins with the first day of a plan: who approves the plan has approved it too (C-85). */
export function comesWithPlan(
  { milestoneId, targetDay }: Pick<Milestone, "milestoneId" | "targetDay">,
  days: readonly Pick<DayPlan, "dayNumber" | "goals">[],
): boolean {
  const first = days.find((day) => day.goals.some((goal) => goal.milestoneId === milestoneId));
  return (first?.dayNumber ?? targetDay) <= 1;
}

/** How far a campaign is, in whole numbers. `elapsedDays` are days that are over (C-80). */
export interface Pace {
  readonly state: CampaignState;
  readonly elapsedDays: number;
  readonly plannedDays: number;
  readonly milestonesDone: number;
  readonly milestones: number;
}

/** Whole days behind the plan; 0 unless it is active or there is no plan. Exact. S4-CM-04…07, C-80. */
export function daysBehind({ state, elapsedDays, plannedDays, milestonesDone, milestones }: Pace): number {
  if (state !== "active" || plannedDays === 0) return 0;
  if (milestones === 0) return elapsedDays;
  return Math.max(0, Math.floor((elapsedDays * milestones - milestonesDone * plannedDays) / milestones));
}

/** Whether it is strictly further behind than its threshold, not counted in whole days. S4-CM-08, S4-CM-09, C-81. */
export function needsReplan(pace: Pace, threshold: number): boolean {
  const { elapsedDays, plannedDays, milestonesDone, milestones } = pace;
  if (milestones === 0 || plannedDays === 0) return false;
  const gap = (elapsedDays * milestones - milestonesDone * plannedDays) / (plannedDays * milestones);
  return gap > threshold + 1e-9;
}

/** How many of the milestones that are done a person called done: no evidence says so of them. */
export function doneOnWord(milestones: readonly Pick<Milestone, "status" | "completedBy">[]): number {
  return milestones.filter((each) => each.status === "done" && each.completedBy !== null).length;
}

/** From 0 to 1; 0 without milestones (S4-CX-12). */
export function progressOf(milestones: readonly Pick<Milestone, "status">[]): number {
  if (milestones.length === 0) return 0;
  return milestones.filter((each) => each.status === "done").length / milestones.length;
}

/** How far a campaign is, in days and milestones. */
export function paceOf(
  campaign: Pick<Campaign, "state">,
  milestones: readonly Pick<Milestone, "status">[],
  days: readonly Pick<DayPlan, "status">[],
): Pace {
  return {
    state: campaign.state,
    elapsedDays: days.filter((day) => day.status === "done").length,
    plannedDays: days.length,
    milestonesDone: milestones.filter((each) => each.status === "done").length,
    milestones: milestones.length,
  };
}
