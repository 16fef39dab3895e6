import type { DayPlan, Milestone, PlannedGoal } from "../campaigns/campaign.ts";
import { dollars, formatUsd } from "../money.ts";
import { firstLine } from "../text.ts";

/** A plan in words, a line a day and a line a milestone. */
export function daysWords(
  days: readonly Pick<DayPlan, "dayNumber" | "goals" | "budgetMicroUsd">[],
  milestones: readonly Pick<Milestone, "name" | "targetDay">[],
): string[] {
  return [
    ...days.map((day) => {
      const goals = day.goals.map(({ request }) => firstLine(request.content, 60));
      return `Day ${day.dayNumber} (up to ${formatUsd(day.budgetMicroUsd)}): ${goals.length === 0 ? "nothing yet" : goals.join("; ")}`;
    }),
    ...milestones.map((each) => `Milestone by day ${each.targetDay}: ${firstLine(each.name, 100)}`),
  ];
}

/** What the goals' own estimates add up to; null when none has one. */
export function planEstimate(goals: readonly Pick<PlannedGoal, "request">[]): number | null {
  const given = goals.flatMap(({ request }) => request.costUsd ?? []);
  return given.length === 0 ? null : given.reduce((sum, usd) => sum + dollars(usd), 0);
}
