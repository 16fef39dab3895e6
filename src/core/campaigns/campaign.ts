import type { GoalRequest } from "../goals/new-goal.ts";

/**
 * A campaign: days of work towards a goal, with milestones.
 *
 *   planning ──start──► active ⇄ paused ──► completed | failed
 *
 * Each day is a session of goals. A `paused` campaign with `pausedBy` waits until a person resumes it. Without `pausedBy` it waits for the
 * answers that its day needs (C-84). Seed 004 §5.1, S4-CM.
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
  /** The day that is being worked or comes next, from 1. */
  readonly currentDay: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The person who stopped it or gave up its plan; its state is then `failed`. Null when it ended by itself, or has not ended. */
  readonly endedBy: string | null;
  readonly totalBudgetMicroUsd: number;
  readonly dailyBudgetMicroUsd: number;
  /** The number of days in the approved plan. Replans change the plan's length, but not this number (C-87). */
  readonly originalDurationDays: number;
  /** A share of the planned days. A campaign that is further behind asks for another plan. */
  readonly replanningThreshold: number;
  readonly replanCount: number;
  /** Replans that nobody asked for: at most three, never on two consecutive days (C-87). */
  readonly automaticReplans: number;
  /** The day after which it last replanned by itself. */
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
  /** The person who said that it is done. Null when its goals completed it. */
  readonly completedBy: string | null;
}

/** A goal of a plan. Its row is created with this id when its day begins. An existing row is taken up again. */
export interface PlannedGoal {
  readonly goalId: string;
  readonly milestoneId: string | null;
  readonly request: GoalRequest;
}

export interface DayPlan {
  /** From 1. */
  readonly dayNumber: number;
  /** The local date on which it is worked, or will be by the current schedule. Null before the campaign has started. */
  readonly date: string | null;
  readonly goals: readonly PlannedGoal[];
  readonly budgetMicroUsd: number;
  readonly status: DayStatus;
  readonly actualCostMicroUsd: number;
  readonly notes: string;
}

/** The date of a day for people. Null when it is unknown, such as when the date has passed and the day is still pending. */
export function shownDate({ date, status }: Pick<DayPlan, "date" | "status">, today: string): string | null {
  return status === "pending" && date !== null && date < today ? null : date;
}

/** True when a campaign has ended for good. */
export function isCampaignOver(state: CampaignState): boolean {
  return state === "completed" || state === "failed";
}

/** True when it ended without having begun, because a person gave up its plan or stopped it. Its row says `failed`. */
export function neverBegan({ state, startedAt }: Pick<Campaign, "state" | "startedAt">): boolean {
  return isCampaignOver(state) && startedAt === null;
}

/** True when a milestone begins with the first day of a plan. Approving the plan then approves the milestone too (C-85). */
export function comesWithPlan(
  { milestoneId, targetDay }: Pick<Milestone, "milestoneId" | "targetDay">,
  days: readonly Pick<DayPlan, "dayNumber" | "goals">[],
): boolean {
  const first = days.find((day) => day.goals.some((goal) => goal.milestoneId === milestoneId));
  return (first?.dayNumber ?? targetDay) <= 1;
}

/** How far a campaign is, in whole numbers. `elapsedDays`: days that are over (C-80). */
export interface Pace {
  readonly state: CampaignState;
  readonly elapsedDays: number;
  readonly plannedDays: number;
  readonly milestonesDone: number;
  readonly milestones: number;
}

/** Whole days behind the plan. 0 unless the campaign is active and has a plan. Exact arithmetic. S4-CM-04…07, C-80. */
export function daysBehind({ state, elapsedDays, plannedDays, milestonesDone, milestones }: Pace): number {
  if (state !== "active" || plannedDays === 0) return 0;
  if (milestones === 0) return elapsedDays;
  return Math.max(0, Math.floor((elapsedDays * milestones - milestonesDone * plannedDays) / milestones));
}

/** True when it is further behind than its threshold, in fractions of a day. S4-CM-08, S4-CM-09, C-81. */
export function needsReplan(pace: Pace, threshold: number): boolean {
  const { elapsedDays, plannedDays, milestonesDone, milestones } = pace;
  if (milestones === 0 || plannedDays === 0) return false;
  const gap = (elapsedDays * milestones - milestonesDone * plannedDays) / (plannedDays * milestones);
  return gap > threshold + 1e-9;
}

/** How many of the done milestones a person said are done, without evidence. */
export function doneOnWord(milestones: readonly Pick<Milestone, "status" | "completedBy">[]): number {
  return milestones.filter((each) => each.status === "done" && each.completedBy !== null).length;
}

/** The share of done milestones, from 0 to 1. 0 without milestones (S4-CX-12). */
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
