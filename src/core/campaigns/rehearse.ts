import { firedTriggers, type Trigger } from "../checkpoints/triggers.ts";
import { estimateOf } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";
import { comesWithPlan, type DayPlan, type Milestone, type PlannedGoal } from "./campaign.ts";
import { basesFrom, type Basis, type CostRange, costOf } from "./rehearse-cost.ts";
import { type DuringWork, duringWork } from "./rehearse-questions.ts";
import type { PastRun } from "./rehearse-runs.ts";

export interface ToRehearse {
  /** True when it has not started. The approval of its plan then also approves the milestones of its first day (C-85). */
  readonly isPlanning: boolean;
  /** Days that are not over, in order. A day that is being worked has only the goals that are still to do. */
  readonly days: readonly DayPlan[];
  readonly milestones: readonly Milestone[];
  readonly spentMicroUsd: number;
  readonly totalBudgetMicroUsd: number;
  /** Runs that have ended, of any goal. */
  readonly history: readonly PastRun[];
  readonly policy: Policy;
}

export interface Rehearsal {
  /** The cost of the coming days. The range contains it in four of five cases. */
  readonly cost: CostRange;
  readonly days: readonly RehearsedDay[];
  readonly total: TotalReached;
  /** Questions that will certainly be asked, day by day: first milestones that begin, then goals. */
  readonly certain: readonly CertainQuestion[];
  readonly during: DuringWork;
  readonly sure: Sure;
}

export interface RehearsedDay {
  readonly dayNumber: number;
  readonly cost: CostRange;
  readonly budgetMicroUsd: number;
  /** Whether its budget will end the day: the likely cost reaches it, only the high end does, or neither. */
  readonly reached: "likely" | "possible" | "unlikely";
}

/** Whether the total budget will be used up, and the first day on which that happens. */
export type TotalReached =
  | { readonly type: "likely" | "possible"; readonly dayNumber: number }
  | { readonly type: "unlikely" };

export type CertainQuestion =
  | { readonly type: "milestone"; readonly dayNumber: number; readonly milestoneId: string; readonly name: string }
  | {
      readonly type: "goal";
      readonly dayNumber: number;
      readonly goalId: string;
      readonly content: string;
      readonly triggers: readonly Trigger[];
    };

/**
 * How sure a rehearsal is. It depends on `runs`, the number of recorded runs behind the goal with the fewest. Fewer than 2: a guess; fewer
 * than 5: rough; fewer than 20, or some runs of other kinds of goals: fair; else good.
 */
export interface Sure {
  readonly level: "guess" | "rough" | "fair" | "good";
  readonly runs: number;
  /** True when every goal is predicted from runs with its kind of executor and of link. */
  readonly isAlike: boolean;
}

/** Predicts the cost and the questions of the coming days from past runs. Nothing is executed. */
export function rehearse({ days, history, policy, ...campaign }: ToRehearse): Rehearsal {
  const milestones = campaign.milestones.filter((each) => !(campaign.isPlanning && comesWithPlan(each, days)));
  const goals = days.flatMap((day) => day.goals);
  const baseOf = basesFrom(history);
  const cost: Cost = (some) => costOf(some, baseOf, policy);
  return {
    cost: cost(goals),
    days: days.map((day) => rehearseDay(day, cost(day.goals))),
    total: totalReached(days, campaign.totalBudgetMicroUsd - campaign.spentMicroUsd, cost),
    certain: days.flatMap((day, index) => [
      ...milestoneQuestions(day, days.slice(0, index), milestones),
      ...goalQuestions(day, policy),
    ]),
    during: duringWork(goals, history),
    sure: sureOf(goals.map((goal) => baseOf(goal.request))),
  };
}

type Cost = (goals: readonly PlannedGoal[]) => CostRange;

function rehearseDay({ dayNumber, budgetMicroUsd, actualCostMicroUsd }: DayPlan, cost: CostRange): RehearsedDay {
  const leftMicroUsd = budgetMicroUsd - actualCostMicroUsd;
  const reached =
    cost.likelyMicroUsd >= leftMicroUsd ? "likely" : cost.highMicroUsd >= leftMicroUsd ? "possible" : "unlikely";
  return { dayNumber, cost, budgetMicroUsd, reached };
}

function totalReached(days: readonly DayPlan[], leftMicroUsd: number, cost: Cost): TotalReached {
  const until = days.map(({ dayNumber }, index) => ({
    dayNumber,
    cost: cost(days.slice(0, index + 1).flatMap((day) => day.goals)),
  }));
  const likely = until.find((each) => each.cost.likelyMicroUsd >= leftMicroUsd);
  if (likely !== undefined) return { type: "likely", dayNumber: likely.dayNumber };
  const possible = until.find((each) => each.cost.highMicroUsd >= leftMicroUsd);
  return possible === undefined ? { type: "unlikely" } : { type: "possible", dayNumber: possible.dayNumber };
}

/** One question for each milestone that begins on the day, that is, whose first goal is on it (C-83). */
function milestoneQuestions(
  day: DayPlan,
  earlier: readonly DayPlan[],
  milestones: readonly Milestone[],
): CertainQuestion[] {
  return milestones
    .filter(({ milestoneId, status }) => {
      const isOn = (each: DayPlan): boolean => each.goals.some((goal) => goal.milestoneId === milestoneId);
      return status === "pending" && isOn(day) && !earlier.some(isOn);
    })
    .map(({ milestoneId, name }) => ({ type: "milestone", dayNumber: day.dayNumber, milestoneId, name }));
}

/** One question for each goal that asks before it starts, with all its reasons (S4-TG-07). */
function goalQuestions({ dayNumber, goals }: DayPlan, policy: Policy): CertainQuestion[] {
  return goals.flatMap(({ goalId, request }): CertainQuestion[] => {
    const facts = {
      tags: request.tags,
      estimateMicroUsd: estimateOf(request),
      spentTodayMicroUsd: 0,
      isUnplanned: request.isUnplanned,
      errorCount: 0,
      recoveryLevel: 0,
      isHiccup: false,
    };
    const triggers = firedTriggers(facts, policy);
    return triggers.length === 0 ? [] : [{ type: "goal", dayNumber, goalId, content: request.content, triggers }];
  });
}

function sureOf(bases: readonly Basis[]): Sure {
  const runs = bases.length === 0 ? 0 : Math.min(...bases.map((basis) => basis.sample.count));
  const isAlike = bases.every((basis) => basis.isAlike);
  if (runs < 2) return { level: "guess", runs, isAlike };
  if (runs < 5) return { level: "rough", runs, isAlike };
  return { level: runs >= 20 && isAlike ? "good" : "fair", runs, isAlike };
}
