import type { DayPlan, Milestone } from "./campaign.ts";

/** One difference between two plans of the same campaign. */
export type PlanChange =
  | { readonly type: "day-added" | "day-dropped"; readonly day: number }
  | { readonly type: "goal-added" | "goal-dropped" | "goal-again"; readonly day: number; readonly content: string }
  | { readonly type: "goal-moved"; readonly from: number; readonly to: number; readonly content: string }
  | { readonly type: "milestone-moved"; readonly name: string; readonly from: number; readonly to: number };

interface PlanSides {
  readonly days: readonly Pick<DayPlan, "dayNumber" | "status" | "goals">[];
  readonly milestones: readonly Pick<Milestone, "milestoneId" | "name" | "targetDay">[];
}

/** What a replan changed, by day (C-87). A goal of a day that is over which is planned again is taken up again. */
export function planDiff(before: PlanSides, after: PlanSides): PlanChange[] {
  const ahead = (side: PlanSides) =>
    side.days
      .filter((day) => day.status === "pending")
      .flatMap((day) =>
        day.goals.map((goal) => ({ goalId: goal.goalId, content: goal.request.content, day: day.dayNumber })),
      );
  const was = ahead(before);
  const is = ahead(after);
  const worked = new Set(
    before.days.filter((day) => day.status !== "pending").flatMap((day) => day.goals.map((goal) => goal.goalId)),
  );
  const goals = is.flatMap(({ goalId, content, day }): PlanChange[] => {
    const earlier = was.find((each) => each.goalId === goalId);
    if (earlier === undefined) return [{ type: worked.has(goalId) ? "goal-again" : "goal-added", day, content }];
    return earlier.day === day ? [] : [{ type: "goal-moved", from: earlier.day, to: day, content }];
  });
  const dropped = was
    .filter((each) => !is.some((one) => one.goalId === each.goalId))
    .map(({ day, content }): PlanChange => ({ type: "goal-dropped", day, content }));
  const numbers = (side: PlanSides): number[] => side.days.map((day) => day.dayNumber);
  const added = numbers(after).filter((day) => !numbers(before).includes(day));
  const gone = numbers(before).filter((day) => !numbers(after).includes(day));
  const moved = after.milestones.flatMap(({ milestoneId, name, targetDay: to }): PlanChange[] => {
    const from = before.milestones.find((each) => each.milestoneId === milestoneId)?.targetDay ?? to;
    return from === to ? [] : [{ type: "milestone-moved", name, from, to }];
  });
  return [
    ...added.map((day): PlanChange => ({ type: "day-added", day })),
    ...gone.map((day): PlanChange => ({ type: "day-dropped", day })),
    ...goals,
    ...dropped,
    ...moved,
  ];
}
