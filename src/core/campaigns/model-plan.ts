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
 * Turns a checked answer into a plan. Small errors are corrected, with a note: sums, a milestone that is due before its last goal, links
 * that name no document. A model never decides what runs, which files may be changed, or what asks (D35). S4-PN-01, S4-PN-02, S4-PN-05.
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

/** A goal of the rest of a plan. `goalId` is null for a new goal, which has no id yet. */
export interface RestGoal {
  readonly goalId: string | null;
  readonly milestoneId: string | null;
  readonly request: GoalRequest;
}

/**
 * Removes goals from an answer that were settled while the model was asked, so that they are not worked a second time. `before`: the goals
 * that could be taken up when the model was asked; `open`: those that still can. `settled`: the texts of the removed goals.
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
 * Turns a checked answer into the coming days, after `elapsedDays`. The answer may number them on, or from 1. `open`: the goals that may be
 * taken up. They stay unchanged, with everything that a person specified for them.
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
      // A goal that is repeated in the same words is taken up too, because a model cannot repeat everything that a person specified.
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
  // The schema of the answer has checked the length, and a link is either complete or left out.
  if (check.type === "invalid") throw new Error(`a checked answer holds a goal that is none: ${check.problem}`);
  return { request: check.request, dropped };
}

/** A name that can be part of a path below `specs` or `bugs`. Null for anything else. */
function nameIn(link: string | null): string | null {
  const name = link?.trim() ?? "";
  return /^[\w#.-]{1,100}$/.test(name) && !name.includes("..") ? name : null;
}

/** A path inside the repository. Null for anything else. */
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
