import type { DayPlan, Milestone, PlannedGoal } from "./campaign.ts";

/** A plan before or after a change. */
export interface PlanState {
  readonly days: readonly DayPlan[];
  readonly milestones: readonly Pick<Milestone, "name" | "targetDay">[];
}

export type GoalChange =
  | { readonly type: "added"; readonly goal: PlannedGoal }
  | { readonly type: "dropped"; readonly goal: PlannedGoal }
  | { readonly type: "moved"; readonly goal: PlannedGoal; readonly fromDay: number }
  /** It was on a day that is over, and is taken up again. */
  | { readonly type: "again"; readonly goal: PlannedGoal; readonly fromDay: number };

export interface DayChange {
  readonly dayNumber: number;
  readonly type: "added" | "dropped" | "kept";
  /** Null when it is unchanged. `from` is null for a new day; a dropped day has no budget. */
  readonly budgetMicroUsd: { readonly from: number | null; readonly to: number } | null;
  /** The goals that come to this day, then those that are dropped from it. A moved goal is listed only on its new day. */
  readonly goals: readonly GoalChange[];
}

export type MilestoneChange =
  | { readonly type: "added"; readonly name: string; readonly toDay: number }
  | { readonly type: "dropped"; readonly name: string; readonly fromDay: number }
  | { readonly type: "moved"; readonly name: string; readonly fromDay: number; readonly toDay: number };

/** Only the changes, in order. */
export interface PlanDiff {
  readonly days: readonly DayChange[];
  readonly milestones: readonly MilestoneChange[];
}

/**
 * The changes of a new plan, day by day. Days that are over are not compared. Two goals are the same if they have the same id, else if they
 * have the same text, because a new plan has new ids.
 */
export function planDiff(before: PlanState, after: PlanState): PlanDiff {
  const { arrivals, dropped } = goalChanges(before.days, after.days);
  const numbers = new Set([...before.days, ...after.days].map((day) => day.dayNumber));
  const days = [...numbers]
    .sort((one, other) => one - other)
    .flatMap((dayNumber): DayChange[] => {
      const from = before.days.find((day) => day.dayNumber === dayNumber);
      const to = after.days.find((day) => day.dayNumber === dayNumber);
      const goals = [...(arrivals.get(dayNumber) ?? []), ...(dropped.get(dayNumber) ?? [])];
      const type = from === undefined ? "added" : to === undefined ? "dropped" : "kept";
      const isSameBudget = to === undefined || from?.budgetMicroUsd === to.budgetMicroUsd;
      const budgetMicroUsd = isSameBudget ? null : { from: from?.budgetMicroUsd ?? null, to: to.budgetMicroUsd };
      if (type === "kept" && budgetMicroUsd === null && goals.length === 0) return [];
      return [{ dayNumber, type, budgetMicroUsd, goals }];
    });
  return { days, milestones: milestoneChanges(before.milestones, after.milestones) };
}

type ByDay = ReadonlyMap<number, readonly GoalChange[]>;

interface OnDay {
  readonly goal: PlannedGoal;
  readonly day: number;
}

function goalsOn(days: readonly DayPlan[], isOver: boolean): OnDay[] {
  return days
    .filter((day) => (day.status === "done") === isOver)
    .flatMap((day) => day.goals.map((goal) => ({ goal, day: day.dayNumber })));
}

function goalChanges(before: readonly DayPlan[], after: readonly DayPlan[]): { arrivals: ByDay; dropped: ByDay } {
  const open = new Set(goalsOn(before, false));
  const over = goalsOn(before, true);
  const next = goalsOn(after, false);
  const earlier = new Map<OnDay, OnDay>();
  const pair = (isSame: (one: PlannedGoal, other: PlannedGoal) => boolean): void => {
    for (const each of next) {
      if (earlier.has(each)) continue;
      const found = [...open].find((one) => isSame(one.goal, each.goal));
      if (found === undefined) continue;
      earlier.set(each, found);
      open.delete(found);
    }
  };
  pair((one, other) => one.goalId === other.goalId);
  pair((one, other) => one.request.content === other.request.content);

  const arrivals = next.flatMap(({ goal, day }, index): (readonly [number, GoalChange])[] => {
    const here = next[index];
    const fromDay = here === undefined ? undefined : earlier.get(here)?.day;
    if (fromDay !== undefined) return fromDay === day ? [] : [[day, { type: "moved", goal, fromDay }]];
    const last = over.findLast((each) => each.goal.goalId === goal.goalId);
    return [[day, last === undefined ? { type: "added", goal } : { type: "again", goal, fromDay: last.day }]];
  });
  const dropped = [...open].map(({ goal, day }) => [day, { type: "dropped", goal }] as const);
  return { arrivals: byDay(arrivals), dropped: byDay(dropped) };
}

function byDay(changes: readonly (readonly [number, GoalChange])[]): ByDay {
  const days = new Map<number, GoalChange[]>();
  for (const [day, change] of changes) days.set(day, [...(days.get(day) ?? []), change]);
  return days;
}

/** Compares milestones by name, because a new plan has new ids. */
function milestoneChanges(before: PlanState["milestones"], after: PlanState["milestones"]): MilestoneChange[] {
  const changed = after.flatMap(({ name, targetDay: toDay }): MilestoneChange[] => {
    const fromDay = before.find((each) => each.name === name)?.targetDay;
    if (fromDay === undefined) return [{ type: "added", name, toDay }];
    return fromDay === toDay ? [] : [{ type: "moved", name, fromDay, toDay }];
  });
  const dropped = before
    .filter(({ name }) => after.every((each) => each.name !== name))
    .map(({ name, targetDay }): MilestoneChange => ({ type: "dropped", name, fromDay: targetDay }));
  return [...changed, ...dropped];
}
