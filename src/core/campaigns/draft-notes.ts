import type { GoalRequest } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";
import { count, shorten } from "../text.ts";
import type { Draft } from "./draft.ts";

interface Planned {
  readonly draft: Draft;
  /** Names of milestones whose goals are all marked done. */
  readonly over: readonly string[];
  readonly planned: readonly (readonly { readonly request: GoalRequest }[])[];
  readonly days: number | null;
  readonly policy: Policy;
}

/** The assumptions behind the plan, for its card. */
export function notesOf({ draft, over, planned, days, policy }: Planned): string[] {
  const { goalMinutes, dayMinutes } = policy.campaigns;
  const minutesOf = ({ request }: { readonly request: GoalRequest }): number => request.minutes ?? goalMinutes;
  const unsized = draft.goals.filter((goal) => goal.request.minutes === null && goal.day === null).length;
  const daysWith = (is: (minutes: number) => boolean): number[] =>
    planned
      .map((goals, index) => ({ day: index + 1, minutes: goals.reduce((sum, goal) => sum + minutesOf(goal), 0) }))
      .filter(({ minutes }) => is(minutes))
      .map(({ day }) => day);
  const empty = daysWith((minutes) => minutes === 0);
  const full = daysWith((minutes) => minutes > dayMinutes);
  const dueLater = draft.milestones.filter((each) => (each.day ?? 0) > planned.length);
  return [
    ...draft.notes,
    ...over.map((name) => `Everything of the milestone "${shorten(name, 80)}" is marked done: it is left out.`),
    ...(unsized === 0 ? [] : [`${count(unsized, "goal")} without minutes: ${goalMinutes} each are assumed.`]),
    ...(days === null || planned.length >= days
      ? []
      : [`The goals fill ${planned.length} of the ${count(days, "day")} given.`]),
    ...dueLater.map(({ name, day }) => `"${shorten(name ?? "", 80)}" is due on day ${day}, after the last goal.`),
    ...(empty.length === 0 ? [] : [`Nothing is planned on ${dayWords(empty)}.`]),
    ...(full.length === 0 ? [] : [`More than ${dayMinutes} minutes of work on ${dayWords(full)}.`]),
  ];
}

/** "day 2", "days 1, 2 and 5" */
function dayWords(days: readonly number[]): string {
  const last = days.at(-1) ?? 0;
  return days.length === 1 ? `day ${last}` : `days ${days.slice(0, -1).join(", ")} and ${last}`;
}
