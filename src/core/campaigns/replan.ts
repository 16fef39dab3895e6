import type { Policy } from "../policy.ts";
import type { Campaign, DayPlan, Milestone, PlannedGoal } from "./campaign.ts";

/** A goal of a day that is over. The goal has not ended well, and its milestone is not done. */
export interface UnfinishedGoal extends PlannedGoal {
  readonly why: "failed" | "parked" | "not started";
  /** The last lines of its last failure. Null when there is none. */
  readonly error: string | null;
}

export interface ToRevise {
  /** All days of the plan, in order. */
  readonly days: readonly DayPlan[];
  readonly milestones: readonly Milestone[];
  readonly unfinished: readonly UnfinishedGoal[];
  /** The days that a model planned. Null without a model. */
  readonly rest: readonly (readonly PlannedGoal[])[] | null;
  /** Number of goals that were completed on the days that are over: the pace of a plan without a model. */
  readonly completedGoals: number;
  readonly dailyBudgetMicroUsd: number;
  readonly policy: Policy;
}

export interface Revision {
  readonly days: readonly DayPlan[];
  readonly milestones: readonly Milestone[];
  /** Goals for which the longest allowed plan has no day. */
  readonly leftOut: readonly PlannedGoal[];
}

/**
 * The plan with new remaining days. Days that are over or being worked stay unchanged. New days are numbered on. Each has the daily budget
 * (capped by the remaining money when it begins), and the date of the old day with its number. Without a model, unfinished goals come
 * first, then the planned ones, at the actual pace, in more days if needed. Milestones keep their ids and move to the last day with one of
 * their goals. S4-PN-07, C-87.
 */
export function revisedDays({ days, milestones, unfinished, rest, ...given }: ToRevise): Revision {
  const { dailyBudgetMicroUsd, policy } = given;
  const kept = days.filter((day) => day.status !== "pending");
  const room = Math.max(0, policy.campaigns.longestDays - kept.length);
  const planned = rest?.filter((goals) => goals.length > 0) ?? restAtPace({ days, milestones, unfinished, ...given });
  const added = planned.slice(0, room).map((goals, index): DayPlan => {
    const dayNumber = kept.length + index + 1;
    return {
      dayNumber,
      date: days.find((day) => day.dayNumber === dayNumber)?.date ?? null,
      goals,
      budgetMicroUsd: dailyBudgetMicroUsd,
      status: "pending",
      actualCostMicroUsd: 0,
      notes: "",
    };
  });
  const revised = [...kept, ...added];
  return {
    days: revised,
    milestones: milestones.map((each) => ({ ...each, targetDay: targetDayOf(each, revised) })),
    leftOut: planned.slice(room).flat(),
  };
}

/** The remaining goals, as many a day as were completed on the days that are over. */
function restAtPace(given: Omit<ToRevise, "rest" | "dailyBudgetMicroUsd">): PlannedGoal[][] {
  const { days, milestones, unfinished, completedGoals, policy } = given;
  const { longestDays, goalsADay } = policy.campaigns;
  const pending = days.filter((day) => day.status === "pending");
  const underWay = new Set(
    days.filter((day) => day.status === "in_progress").flatMap((day) => day.goals.map((goal) => goal.goalId)),
  );
  const over = new Set(milestones.filter((each) => each.status === "done").map((each) => each.milestoneId));
  const again = unfinished.map(({ goalId, milestoneId, request }) => ({ goalId, milestoneId, request }));
  const left = new Map<string, PlannedGoal>();
  for (const goal of [...again, ...pending.flatMap((day) => day.goals)]) {
    const isOver = goal.milestoneId !== null && over.has(goal.milestoneId);
    if (!isOver && !underWay.has(goal.goalId) && !left.has(goal.goalId)) left.set(goal.goalId, goal);
  }

  const goals = [...left.values()];
  const finishedDays = days.filter((day) => day.status === "done").length;
  const pace =
    finishedDays === 0
      ? Math.ceil(goals.length / Math.max(1, pending.length))
      : Math.floor(completedGoals / finishedDays);
  // Days are filled more rather than leaving goals out of the longest allowed plan.
  const least = Math.ceil(goals.length / Math.max(1, longestDays - (days.length - pending.length)));
  const aDay = Math.min(goalsADay, Math.max(1, pace, least));
  return Array.from({ length: Math.ceil(goals.length / aDay) }, (_, day) => goals.slice(day * aDay, (day + 1) * aDay));
}

function targetDayOf(milestone: Milestone, days: readonly DayPlan[]): number {
  if (milestone.status === "done") return milestone.targetDay;
  const last = days.findLast((day) => day.goals.some((goal) => goal.milestoneId === milestone.milestoneId));
  return last?.dayNumber ?? Math.max(1, Math.min(milestone.targetDay, days.length));
}

export type MayReplan =
  | { readonly type: "automatic" }
  /** A person is asked: it has replanned too often, or after the day before. */
  | { readonly type: "ask"; readonly reason: "too-often" | "day-before" };

/** Whether a late campaign replans without asking: at most three times, and never after two consecutive days. C-87. */
export function mayReplan(
  {
    automaticReplans,
    lastAutomaticDay,
    finishedDay,
  }: Pick<Campaign, "automaticReplans" | "lastAutomaticDay"> & { readonly finishedDay: number },
  policy: Policy,
): MayReplan {
  if (automaticReplans >= policy.campaigns.automaticReplans) return { type: "ask", reason: "too-often" };
  if (lastAutomaticDay !== null && lastAutomaticDay >= finishedDay - 1) return { type: "ask", reason: "day-before" };
  return { type: "automatic" };
}
