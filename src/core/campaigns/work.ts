import type { Backing } from "../acceptance/backing.ts";
import type { GoalStatus } from "../goals/goal.ts";
import type { DayPlan, Milestone } from "./campaign.ts";
import { type AskedWhetherDone, hasNoGoals, haveEndedWell, type MilestoneWork } from "./step.ts";

/** The facts about an existing goal of a campaign that its milestone needs. */
export interface WorkedGoal extends Backing {
  readonly goalId: string;
  readonly milestoneId: string | null;
  readonly status: GoalStatus;
}

/**
 * The state of every milestone (C-82). A goal without a row is still to come. So is a failed or parked goal that is planned for another
 * day; it counts once.
 */
export function milestoneWork(
  milestones: readonly Pick<Milestone, "milestoneId" | "status" | "targetDay">[],
  days: readonly Pick<DayPlan, "dayNumber" | "status" | "goals">[],
  goals: readonly WorkedGoal[],
  asked: ReadonlyMap<string, AskedWhetherDone>,
): MilestoneWork[] {
  const planned = days.flatMap((day) =>
    day.goals.map((goal) => ({ ...goal, dayNumber: day.dayNumber, isOver: day.status === "done" })),
  );
  const ahead = new Set(planned.filter((goal) => !goal.isOver).map((goal) => goal.goalId));
  return milestones.map(({ milestoneId, status, targetDay }) => {
    const mine = goals.filter((goal) => goal.milestoneId === milestoneId);
    const known = new Set(mine.map((goal) => goal.goalId));
    const ofPlan = planned.filter((goal) => goal.milestoneId === milestoneId);
    const toCome = new Set(ofPlan.filter((goal) => !goal.isOver && !known.has(goal.goalId)).map((goal) => goal.goalId));
    const stands = (goal: WorkedGoal): "left" | "unfinished" | "unproven" | "verified" => {
      switch (goal.status) {
        case "pending":
        case "in_progress":
          return "left";
        case "blocked":
        case "failed":
          return ahead.has(goal.goalId) ? "left" : "unfinished";
        case "deferred":
        case "manual_followup":
          return "unproven";
        case "complete":
          return goal.tag === "verified" ? "verified" : "unproven";
      }
    };
    const count = (how: ReturnType<typeof stands>): number => mine.filter((goal) => stands(goal) === how).length;
    return {
      milestoneId,
      status,
      targetDay,
      left: count("left") + toCome.size,
      unfinished: count("unfinished"),
      unproven: count("unproven"),
      verified: count("verified"),
      firstDay: ofPlan.reduce(
        (first, goal) => Math.min(first, goal.dayNumber),
        ofPlan.length === 0 ? targetDay : Infinity,
      ),
      asked: asked.get(milestoneId) ?? "no",
    };
  });
}

/**
 * True when a milestone only waits for a person to say that it is done: all its goals have ended well, or it has none and its day is over
 * (C-82).
 */
export function waitsForWord(milestone: MilestoneWork, finishedDays: number): boolean {
  if (milestone.status === "done") return false;
  return haveEndedWell(milestone) || (hasNoGoals(milestone) && milestone.targetDay <= finishedDays);
}

/**
 * True when something that was due is missing: a milestone whose day is over, or a goal that was worked and not finished. A campaign whose
 * milestones are all still to come is on time, however few of them are done.
 */
export function isOverdue(milestones: readonly MilestoneWork[], finishedDays: number): boolean {
  return milestones.some(
    (each) =>
      each.status !== "done" &&
      !waitsForWord(each, finishedDays) &&
      (each.unfinished > 0 || each.targetDay <= finishedDays),
  );
}
