import type { Policy } from "../policy.ts";
import { daysOfReplan, type ModelReplan } from "../prompts/plan.ts";
import { count } from "../text.ts";
import type { DayPlan, Milestone, PlannedGoal } from "./campaign.ts";

/** A goal that was worked, or was to be, and is not complete. */
export interface UnfinishedGoal {
  readonly goal: PlannedGoal;
  readonly why: "failed" | "parked" | "not started";
  /** How it ended, in a line. */
  readonly lastWords: string | null;
}

export interface RevisedDays {
  /** The new rest: every day after those that are over or being worked. */
  readonly days: readonly Pick<DayPlan, "dayNumber" | "goals" | "budgetMicroUsd">[];
  /** Milestones whose target day has moved. */
  readonly milestones: readonly { readonly milestoneId: string; readonly targetDay: number }[];
  readonly notes: readonly string[];
}

export interface Revising {
  readonly days: readonly DayPlan[];
  readonly milestones: readonly Milestone[];
  readonly unfinished: readonly UnfinishedGoal[];
  readonly completedGoals: number;
  readonly dailyBudgetMicroUsd: number;
  /** What the model planned; null: the built-in rule plans. */
  readonly answer: ModelReplan | null;
  /** Makes an id for a new goal. */
  readonly newGoalIds: () => string;
  readonly policy: Policy;
}

/**
 * The rest of a plan anew. Days that are over or being worked stay; what follows is numbered on, each day with the daily
 * budget (S4-PN-07, C-87). Without a model: unfinished goals first, then what was planned, at the pace there really was: the
 * completed goals of a finished day, at least one.
 */
export function revisedDays(given: Revising): RevisedDays {
  const kept = given.days.filter((day) => day.status !== "pending");
  const room = given.policy.campaigns.longestDays - kept.length;
  const made = given.answer === null ? byPace(given, room) : byModel(given, given.answer);
  const days = made.goals.slice(0, Math.max(0, room)).map((goals, index) => ({
    dayNumber: kept.length + index + 1,
    goals,
    budgetMicroUsd: given.dailyBudgetMicroUsd,
  }));
  return { days, milestones: targetsOf(given.milestones, days), notes: made.notes };
}

interface Rest {
  readonly goals: readonly (readonly PlannedGoal[])[];
  readonly notes: readonly string[];
}

function byPace({ days, unfinished, completedGoals }: Revising, room: number): Rest {
  const finished = days.filter((day) => day.status === "done").length;
  const planned = days.filter((day) => day.status === "pending").flatMap((day) => day.goals);
  const again = unfinished
    .map((each) => each.goal)
    .filter((goal) => !planned.some((each) => each.goalId === goal.goalId));
  const rest = [...again, ...planned];
  const pace = Math.max(
    1,
    Math.floor(completedGoals / Math.max(1, finished)),
    Math.ceil(rest.length / Math.max(1, room)),
  );
  const goals: PlannedGoal[][] = [];
  for (let at = 0; at < rest.length; at += pace) goals.push(rest.slice(at, at + pace));
  return { goals, notes: [`planned at ${count(pace, "goal")} a day, the pace so far, by the built-in rule`] };
}

function byModel({ milestones, unfinished, newGoalIds, policy }: Revising, answer: ModelReplan): Rest {
  const taken = new Set<string>();
  const goals = daysOfReplan(answer, policy).map((day) =>
    day.map(({ takesUp, request, milestone }): PlannedGoal => {
      const milestoneId = milestones.find((each) => each.name === milestone)?.milestoneId ?? null;
      const again = unfinished.find((each) => each.goal.goalId === takesUp)?.goal;
      if (again === undefined || taken.has(again.goalId)) return { goalId: newGoalIds(), milestoneId, request };
      taken.add(again.goalId);
      return { ...again, milestoneId: milestoneId ?? again.milestoneId };
    }),
  );
  return { goals, notes: answer.assumptions.map((each) => `assumed: ${each}`) };
}

/** Milestones that are not done are due on the last day with one of their goals. */
function targetsOf(milestones: readonly Milestone[], days: RevisedDays["days"]): RevisedDays["milestones"] {
  return milestones.flatMap(({ milestoneId, status, targetDay }) => {
    const own = days.filter((day) => day.goals.some((goal) => goal.milestoneId === milestoneId));
    const last = own.at(-1)?.dayNumber ?? targetDay;
    return status === "done" || last === targetDay ? [] : [{ milestoneId, targetDay: last }];
  });
}

export type MayReplan = { readonly type: "automatic" } | { readonly type: "ask"; readonly reason: string };

/** Whether a late campaign may be planned anew by itself: at most three times, never after two days running (C-87). */
export function mayReplan(given: {
  readonly automaticReplans: number;
  readonly lastAutomaticDay: number | null;
  readonly finishedDay: number;
  readonly policy: Policy;
}): MayReplan {
  const { automaticReplans: most } = given.policy.campaigns;
  if (given.automaticReplans >= most) return { type: "ask", reason: `it did so ${count(most, "time")} already.` };
  if (given.lastAutomaticDay !== null && given.finishedDay - given.lastAutomaticDay <= 1)
    return { type: "ask", reason: "it did so the day before." };
  return { type: "automatic" };
}
