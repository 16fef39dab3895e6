import { checkRequest, estimateOf, type GoalRequest } from "../goals/new-goal.ts";
import { formatUsd } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { ModelGoal, ModelNextGoal, ModelPlan, ModelReplan } from "../prompts/plan-answer.ts";
import { isNumberedOn, milestoneOf, sameName } from "../prompts/plan-checks.ts";
import { cleanText, count, firstLine, shorten } from "../text.ts";
import type { Milestone, PlannedGoal } from "./campaign.ts";
import { campaignName, lastDays } from "./plan-shape.ts";
import type { Plan, PlanGoal, PlannedMilestone } from "./plan.ts";

/**
 * A checked answer as a plan. What is only a little wrong is put right, with a note: sums, a milestone that is due before
 * its last goal, links that name no document. A model never says what runs, which files may be changed, or what asks
 * (D35). S4-PN-01, S4-PN-02, S4-PN-05.
 */
export function planOfModel(answer: ModelPlan, { goal, policy }: { goal: string; policy: Policy }): Plan {
  const notes = (answer.assumptions ?? []).map(oneLine);
  const days = inOrder(answer.day_plans).map((day) =>
    day.goals.map((each): PlanGoal => {
      const { request, dropped } = requestOf(each, policy);
      notes.push(...dropped.map((what) => `Day ${day.day_number}: ${what}`));
      return { request, milestone: milestoneOf(each, day.day_number, answer.milestones) };
    }),
  );
  const dayOf = lastDays(days);
  const milestones = answer.milestones.map((each, index): PlannedMilestone => {
    const targetDay = Math.max(each.target_day, dayOf.get(index) ?? 1);
    const name = oneLine(each.name);
    if (targetDay !== each.target_day) {
      notes.push(`"${shorten(name, 80)}" has goals until day ${targetDay}: due then, not on day ${each.target_day}.`);
    }
    return {
      name,
      description: cleanText(each.description).trim(),
      targetDay,
      successCriteria: (each.success_criteria ?? []).map(oneLine),
    };
  });
  notes.push(...sumNotes(answer, days));
  return { name: campaignName(goal), goal: cleanText(goal).trim(), milestones, days, notes };
}

/** A goal of the rest of a plan. `goalId` null: a new one, which has no id yet. */
export interface RestGoal {
  readonly goalId: string | null;
  readonly milestoneId: string | null;
  readonly request: GoalRequest;
}

/**
 * What of an answer still holds where the goals that may be taken up were `before` when the model was asked and are `open` now:
 * one that was settled meanwhile is not worked a second time. `settled`: their texts.
 */
export function stillOpenGoals(
  answer: ModelReplan,
  { before, open }: { readonly before: readonly PlannedGoal[]; readonly open: readonly PlannedGoal[] },
): { readonly answer: ModelReplan; readonly settled: readonly string[] } {
  const ids = new Set(open.map(({ goalId }) => goalId));
  const gone = before.filter(({ goalId }) => !ids.has(goalId));
  const isGone = (goal: ModelNextGoal): boolean =>
    goal.take_up === null
      ? gone.some((one) => isToldAgain(one, goal)) && !open.some((one) => isToldAgain(one, goal))
      : !ids.has(goal.take_up);
  const days = answer.day_plans.map((day) => ({ ...day, goals: day.goals.filter((goal) => !isGone(goal)) }));
  return {
    answer: { ...answer, day_plans: days.filter((day) => day.goals.length > 0) },
    settled: answer.day_plans.flatMap((day) => day.goals.filter(isGone).map(({ content }) => oneLine(content))),
  };
}

/**
 * A checked answer as the days to come, after `elapsedDays`: numbered on, or from 1. `open` are the goals that may be taken up:
 * they stay as they are, with all that a person said of them.
 */
export function restOfModel(
  answer: ModelReplan,
  {
    open,
    milestones,
    elapsedDays,
    policy,
  }: {
    readonly open: readonly PlannedGoal[];
    readonly milestones: readonly Milestone[];
    readonly elapsedDays: number;
    readonly policy: Policy;
  },
): RestGoal[][] {
  const remaining = milestones.filter((each) => each.status !== "done");
  const free = new Set(open);
  const take = (is: (one: PlannedGoal) => boolean): PlannedGoal | undefined => {
    const found = [...free].find(is);
    if (found !== undefined) free.delete(found);
    return found;
  };
  const byId = new Map(answer.day_plans.flatMap((day) => day.goals).map((each) => [each, takenById(each, take)]));
  const before = isNumberedOn(answer.day_plans, elapsedDays) ? 0 : elapsedDays;
  const named = remaining.map(({ name, targetDay }) => ({ name, target_day: targetDay }));
  return inOrder(answer.day_plans).map((day) =>
    day.goals.map((each): RestGoal => {
      // One that is told again in its own words is taken up too: a model cannot say all that a person said of it.
      const again = byId.get(each) ?? take((one) => isToldAgain(one, each));
      if (again !== undefined) return again;
      const { milestone } = each;
      const mine = milestone === null ? undefined : remaining.find(({ name }) => sameName(name, milestone));
      const milestoneId = (mine ?? remaining[milestoneOf({ milestone: null }, before + day.day_number, named)])
        ?.milestoneId;
      return { goalId: null, milestoneId: milestoneId ?? null, request: requestOf(each, policy).request };
    }),
  );
}

function takenById(
  goal: ModelNextGoal,
  take: (is: (one: PlannedGoal) => boolean) => PlannedGoal | undefined,
): PlannedGoal | undefined {
  return goal.take_up === null ? undefined : take((one) => one.goalId === goal.take_up);
}

function isToldAgain({ request }: PlannedGoal, { content }: ModelGoal): boolean {
  return firstLine(request.content, 300) === firstLine(cleanText(content), 300);
}

function inOrder<Day extends { readonly day_number: number }>(days: readonly Day[]): Day[] {
  return days.toSorted((one, other) => one.day_number - other.day_number);
}

function oneLine(text: string): string {
  return cleanText(text).trim().replace(/\s+/g, " ");
}

interface Requested {
  readonly request: GoalRequest;
  /** What was left out, and why. */
  readonly dropped: readonly string[];
}

function requestOf(goal: ModelGoal, policy: Policy): Requested {
  const [feature, issue, bug] = [goal.linked_feature, goal.linked_issue, goal.linked_bug].map(nameIn);
  const spec = pathIn(goal.linked_spec);
  const isWhole = feature != null && issue != null;
  const given = [goal.linked_feature, goal.linked_issue, goal.linked_bug, goal.linked_spec];
  const kept = [isWhole ? feature : null, isWhole ? issue : null, bug ?? null, spec];
  const dropped = given.flatMap((link, at) =>
    link === null || link.trim() === "" || kept[at] != null
      ? []
      : [`the link to "${shorten(oneLine(link), 60)}" is left out.`],
  );
  const check = checkRequest(
    {
      content: goal.content,
      tags: [],
      costUsd: goal.estimated_cost_usd,
      priority: goal.priority ?? "medium",
      minutes: goal.estimated_minutes,
      feature: kept[0] ?? null,
      issue: kept[1] ?? null,
      bug: kept[2] ?? null,
      spec: kept[3] ?? null,
      criteriaPath: null,
      tier: null,
      worklogFlags: null,
      run: null,
      isUnplanned: false,
      allow: [],
      allowProof: [],
      tasksPath: null,
      parallel: 1,
    },
    policy.text.longestInput,
  );
  // The answer's shape has seen to the length, and a link is whole or not there.
  if (check.type === "invalid") throw new Error(`a checked answer holds a goal that is none: ${check.problem}`);
  return { request: check.request, dropped };
}

/** What can be part of a path below `specs` or `bugs`; null for anything else. */
function nameIn(link: string | null): string | null {
  const name = link?.trim() ?? "";
  return /^[\w#.-]{1,100}$/.test(name) && !name.includes("..") ? name : null;
}

/** A path inside the repository; null for anything else. */
function pathIn(link: string | null): string | null {
  const path = link?.trim() ?? "";
  return /^[\w.-][\w./ -]{0,200}$/.test(path) && !path.split("/").includes("..") ? path : null;
}

function sumNotes(answer: ModelPlan, days: readonly (readonly PlanGoal[])[]): string[] {
  const { total_estimated_days: saidDays, total_estimated_cost_usd: saidUsd } = answer;
  const sumMicroUsd = days.flat().reduce((sum, goal) => sum + (estimateOf(goal.request) ?? 0), 0);
  const saidMicroUsd = estimateOf({ costUsd: saidUsd });
  return [
    ...(saidDays === null || saidDays === days.length
      ? []
      : [`It was said to take ${count(saidDays, "day")}; its days are ${days.length}.`]),
    ...(saidMicroUsd === null || formatUsd(saidMicroUsd) === formatUsd(sumMicroUsd)
      ? []
      : [
          `It was said to cost ${formatUsd(saidMicroUsd)}; the estimates of its goals come to ${formatUsd(sumMicroUsd)}.`,
        ]),
  ];
}
