import type { DayPlan, Milestone, PlannedGoal } from "../campaigns/campaign.ts";
import { dollars, formatUsd } from "../money.ts";
import { firstLine } from "../text.ts";
import type { Span } from "./card.ts";

/** A plan in words: one line for each day, one for each milestone. */
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

/** The sum of the goals' own estimates. Null when none has an estimate. */
export function planEstimate(goals: readonly Pick<PlannedGoal, "request">[]): number | null {
  const given = goals.flatMap(({ request }) => request.costUsd ?? []);
  return given.length === 0 ? null : given.reduce((sum, usd) => sum + dollars(usd), 0);
}

/** A goal's place in the plan of its campaign. */
export interface GoalDay {
  readonly campaignId: string;
  readonly name: string;
  /** The day on which it was worked last, from 1. */
  readonly day: number | null;
  /** The milestone's name. Null when it serves none. */
  readonly milestone: string | null;
}

/** "day 2 of Five days", with the campaign's name as a link. */
export function goalDaySpans(of: GoalDay): Span[] {
  return of.day === null ? [campaignLink(of)] : [`day ${of.day} of `, campaignLink(of)];
}

/** "Day 2 of Five days, for the milestone Both are there." */
export function goalDayLine(of: GoalDay): Span[] {
  const milestone = of.milestone === null ? "" : `, for the milestone ${firstLine(of.milestone, 100)}`;
  return [of.day === null ? "Part of " : `Day ${of.day} of `, campaignLink(of), `${milestone}.`];
}

function campaignLink({ campaignId, name }: GoalDay): Span {
  return { link: firstLine(name, 60), to: `/campaigns/${campaignId}` };
}
