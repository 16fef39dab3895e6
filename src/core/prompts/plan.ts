import { z } from "zod";
import type { DayPlan, Milestone } from "../campaigns/campaign.ts";
import type { Plan, PlanGoal } from "../campaigns/plan.ts";
import { checkRequest, type GoalRequest } from "../goals/new-goal.ts";
import { formatUsd } from "../money.ts";
import type { Policy } from "../policy.ts";
import { firstLine, shorten } from "../text.ts";
import { fenced, fenceRule } from "./fence.ts";
import type { ModelQuestion } from "./question.ts";

const priority = z.enum(["high", "medium", "low"]);
const name = z.string().trim().min(1).max(200);

const goalSchema = z.object({
  content: z.string().trim().min(1).max(4000),
  priority: priority.default("medium"),
  estimated_minutes: z.number().int().min(1).max(10_000).nullish(),
  estimated_cost_usd: z.number().nonnegative().max(10_000).nullish(),
  /** The name of a milestone. */
  milestone: name.nullish(),
  linked_feature: z.string().max(200).nullish(),
  linked_issue: z.union([z.string(), z.number()]).transform(String).nullish(),
  linked_bug: z.string().max(200).nullish(),
  linked_spec: z.string().max(500).nullish(),
  /** In a replan: the unfinished goal that it takes up again. */
  take_up: z.string().max(50).nullish(),
});

const milestoneSchema = z.object({
  name,
  description: z.string().max(4000).default(""),
  target_day: z.number().int().min(1),
  success_criteria: z.array(z.string().max(1000)).max(20).default([]),
  depends_on: z.array(name).max(20).default([]),
});

const assumptions = z.array(z.string().max(500)).max(20).default([]);

function daySchema(policy: Policy, longest: number) {
  const { goalsADay } = policy.campaigns;
  return z
    .array(z.object({ day_number: z.number().int().min(1), goals: z.array(goalSchema).min(1).max(goalsADay) }))
    .min(1)
    .max(longest);
}

/** What the model answers when it plans a campaign (S4-PN-01). */
export type ModelPlan = z.infer<ReturnType<typeof planSchema>>;

function planSchema(policy: Policy, longest: number) {
  return z
    .object({
      milestones: z.array(milestoneSchema).min(1).max(20),
      day_plans: daySchema(policy, longest),
      total_estimated_days: z.number().nonnegative().optional(),
      total_estimated_cost_usd: z.number().nonnegative().optional(),
      assumptions,
    })
    .superRefine((plan, context) => {
      for (const problem of planProblems(plan)) context.addIssue({ code: "custom", message: problem });
    });
}

interface CheckedPlan {
  readonly milestones: readonly z.infer<typeof milestoneSchema>[];
  readonly day_plans: readonly { readonly day_number: number; readonly goals: readonly z.infer<typeof goalSchema>[] }[];
}

/** What does not fit together, in words by which it can be repaired (C-88). */
function planProblems({ milestones, day_plans: days }: CheckedPlan): string[] {
  const problems = dayProblems(days);
  const names = milestones.map((each) => each.name);
  for (const [index, each] of milestones.entries()) {
    if (names.indexOf(each.name) !== index) problems.push(`two milestones are called ${JSON.stringify(each.name)}`);
    if (each.target_day > days.length)
      problems.push(
        `milestone ${JSON.stringify(each.name)} is due on day ${each.target_day}, the plan has ${days.length} days`,
      );
    for (const other of each.depends_on) {
      const needed = milestones.find((one) => one.name === other);
      if (needed === undefined)
        problems.push(
          `milestone ${JSON.stringify(each.name)} depends on ${JSON.stringify(other)}, which does not exist`,
        );
      else if (needed === each || needed.target_day > each.target_day)
        problems.push(
          `milestone ${JSON.stringify(each.name)} depends on ${JSON.stringify(other)}, which is not due before it`,
        );
    }
  }
  const goals = days.flatMap((day) => day.goals);
  for (const { milestone } of goals)
    if (milestone != null && !names.includes(milestone))
      problems.push(`a goal belongs to the milestone ${JSON.stringify(milestone)}, which does not exist`);
  for (const each of names)
    if (!goals.some((goal) => goal.milestone === each))
      problems.push(`the milestone ${JSON.stringify(each)} has no goal`);
  if (hasCycle(milestones)) problems.push("the milestones depend on each other in a circle");
  return problems;
}

function dayProblems(days: CheckedPlan["day_plans"]): string[] {
  const isCounted = days.every((day, index) => day.day_number === index + 1);
  return isCounted ? [] : ["day_number must count 1, 2, 3 … without holes"];
}

function hasCycle(milestones: CheckedPlan["milestones"]): boolean {
  let left = [...milestones];
  while (left.length > 0) {
    const names = new Set(left.map((each) => each.name));
    const next = left.filter((each) => each.depends_on.some((other) => names.has(other)));
    if (next.length === left.length) return true;
    left = next;
  }
  return false;
}

export interface PlanWish {
  readonly goal: string;
  /** Null: no fixed deadline. */
  readonly days: number | null;
  readonly budgetMicroUsd: number;
  readonly repositoryName: string;
  /** What a person wants different from the earlier plan. */
  readonly instructions: string | null;
  readonly earlier: readonly Pick<DayPlan, "dayNumber" | "goals">[] | null;
  readonly policy: Policy;
}

/** Asks for a plan backward from the goal: milestones, days, goals (S4-PN-01). */
export function planQuestion(wish: PlanWish): ModelQuestion<ModelPlan> {
  const { policy } = wish;
  const longest = wish.days ?? policy.campaigns.longestDays;
  return {
    use: "plan",
    version: "plan-1",
    schema: planSchema(policy, longest),
    maxOutputTokens: 8000,
    system: `You plan work for coding agents over several days. ${fenceRule}`,
    prompt: [
      `The goal, for the repository ${wish.repositoryName}:`,
      fenced("goal", shorten(wish.goal, 8000)),
      wish.days === null ? "No fixed deadline." : `Deadline: ${wish.days} days.`,
      `Budget: ${formatUsd(wish.budgetMicroUsd)}.`,
      ...(wish.earlier === null ? [] : ["The plan so far:", fenced("plan", earlierWords(wish.earlier))]),
      ...(wish.instructions === null
        ? []
        : ["What a person wants different:", fenced("instruction", shorten(wish.instructions, 4000))]),
      [
        "Plan backward from the goal:",
        "1. Define the end state: what does success look like?",
        "2. Identify the milestones needed to reach it.",
        "3. Sequence them with their dependencies.",
        "4. Estimate the days each needs.",
        "5. Decompose each into goals of a day, each one piece of work that a coding agent can finish and prove.",
      ].join("\n"),
      shapeWords(policy, longest),
    ].join("\n\n"),
  };
}

function earlierWords(days: readonly Pick<DayPlan, "dayNumber" | "goals">[]): string {
  return days
    .map((day) => `Day ${day.dayNumber}: ${day.goals.map((goal) => firstLine(goal.request.content, 200)).join("; ")}`)
    .join("\n");
}

function shapeWords({ campaigns }: Policy, longest: number): string {
  return [
    "Answer with one JSON object:",
    "- milestones: [{name, description, target_day, success_criteria: [], depends_on: [names]}], each with at least one goal",
    `- day_plans: [{day_number (1, 2, 3 …), goals: [{content, priority (high, medium, low), estimated_minutes, estimated_cost_usd, milestone (its name), linked_feature and linked_issue, or linked_bug, or linked_spec}]}], at most ${longest} days with 1 to ${campaigns.goalsADay} goals`,
    "- total_estimated_days, total_estimated_cost_usd, assumptions: [what you took for granted]",
  ].join("\n");
}

/** A model's plan as ours: texts cleaned, links resolved; never a command or a permission (D35). S4-PN-01, S4-PN-02. */
export function planOfModel(
  answer: ModelPlan,
  { goal, policy }: { readonly goal: string; readonly policy: Policy },
): Plan {
  const names = answer.milestones.map((each) => each.name);
  const notes = [...answer.assumptions.map((each) => `assumed: ${each}`), ...differences(answer)];
  const days = answer.day_plans.map((day) =>
    day.goals.flatMap((each): PlanGoal[] => {
      const request = requestOf(each, policy);
      if (request === null) return [];
      const milestone = each.milestone == null ? -1 : names.indexOf(each.milestone);
      return [{ request, milestone: milestone === -1 ? null : milestone }];
    }),
  );
  const milestones = answer.milestones.map((each) => ({
    name: each.name,
    description: each.description,
    targetDay: each.target_day,
    successCriteria: each.success_criteria,
  }));
  return { name: goal.slice(0, 50), goal, milestones, days, notes };
}

/** Where its own sums do not agree with its days. */
function differences({
  day_plans: days,
  total_estimated_days: total,
  total_estimated_cost_usd: usd,
}: ModelPlan): string[] {
  const cost = days.flatMap((day) => day.goals).reduce((sum, goal) => sum + (goal.estimated_cost_usd ?? 0), 0);
  return [
    ...(total !== undefined && total !== days.length ? [`it estimated ${total} days and planned ${days.length}`] : []),
    ...(usd !== undefined && cost > 0 && Math.abs(usd - cost) > 0.01
      ? [`it estimated $${usd.toFixed(2)} in all; its goals add up to $${cost.toFixed(2)}`]
      : []),
  ];
}

/** Null when nothing is left of its text. */
function requestOf(goal: z.infer<typeof goalSchema>, policy: Policy): GoalRequest | null {
  const feature = goal.linked_issue == null ? null : (goal.linked_feature ?? null);
  const checked = checkRequest(
    {
      content: goal.content,
      tags: [],
      costUsd: goal.estimated_cost_usd ?? null,
      priority: goal.priority,
      minutes: goal.estimated_minutes ?? null,
      feature,
      issue: feature === null ? null : (goal.linked_issue ?? null),
      bug: goal.linked_bug ?? null,
      spec: goal.linked_spec ?? null,
      criteriaPath: null,
      tier: null,
      run: null,
      isUnplanned: false,
      allow: [],
      allowProof: [],
      tasksPath: null,
      parallel: 1,
    },
    policy.text.longestInput,
  );
  return checked.type === "ok" ? checked.request : null;
}

/** A goal of a replan: a new one, or one that is taken up again. */
export interface ReplannedGoal {
  readonly takesUp: string | null;
  readonly request: GoalRequest;
  /** The name of its milestone. */
  readonly milestone: string | null;
}

export interface ReplanWish {
  readonly name: string;
  readonly goal: string;
  readonly milestones: readonly Pick<Milestone, "name" | "status">[];
  readonly elapsedDays: number;
  readonly spentMicroUsd: number;
  readonly leftMicroUsd: number;
  readonly unfinished: readonly {
    readonly goal: { readonly goalId: string; readonly request: GoalRequest };
    readonly why: string;
    readonly lastWords: string | null;
  }[];
  /** The days that were to come. */
  readonly planned: readonly Pick<DayPlan, "dayNumber" | "goals">[];
  readonly instructions: string | null;
  readonly policy: Policy;
}

/** What the model answers when it plans the rest of a campaign anew. */
export type ModelReplan = z.infer<ReturnType<typeof replanSchema>>;

function replanSchema(policy: Policy, names: readonly string[], ids: readonly string[]) {
  return z
    .object({ day_plans: daySchema(policy, policy.campaigns.longestDays), assumptions })
    .superRefine(({ day_plans: days }, context) => {
      const problems = dayProblems(days);
      for (const goal of days.flatMap((day) => day.goals)) {
        if (goal.milestone != null && !names.includes(goal.milestone))
          problems.push(`there is no milestone ${JSON.stringify(goal.milestone)}; there are ${names.join(", ")}`);
        if (goal.take_up != null && !ids.includes(goal.take_up))
          problems.push(`take_up ${JSON.stringify(goal.take_up)} is none of the unfinished goals: ${ids.join(", ")}`);
      }
      for (const problem of problems) context.addIssue({ code: "custom", message: problem });
    });
}

/** Asks for the remaining days of a campaign under way: what is done and left, days, money (S4-PN-08). */
export function replanQuestion(wish: ReplanWish): ModelQuestion<ModelReplan> {
  const done = wish.milestones.filter((each) => each.status === "done").map((each) => each.name);
  const left = wish.milestones.filter((each) => each.status !== "done").map((each) => each.name);
  const unfinished = wish.unfinished.map(
    ({ goal, why, lastWords }) =>
      `${goal.goalId} (${why}): ${firstLine(goal.request.content, 300)}${lastWords === null ? "" : ` | ${firstLine(lastWords, 200)}`}`,
  );
  return {
    use: "plan",
    version: "replan-1",
    schema: replanSchema(
      wish.policy,
      wish.milestones.map((each) => each.name),
      wish.unfinished.map((each) => each.goal.goalId),
    ),
    maxOutputTokens: 6000,
    system: `You plan work for coding agents over several days. ${fenceRule}`,
    prompt: [
      "A campaign is under way and is planned anew:",
      fenced("campaign", `${wish.name}\n${shorten(wish.goal, 8000)}`),
      `Completed milestones: ${done.join(", ") || "none"}`,
      `Remaining milestones: ${left.join(", ") || "none"}`,
      `Days elapsed: ${wish.elapsedDays}`,
      `Budget spent: ${formatUsd(wish.spentMicroUsd)}`,
      `Budget remaining: ${formatUsd(wish.leftMicroUsd)}`,
      "Goals that were worked and not finished:",
      fenced("unfinished", unfinished.join("\n") || "none"),
      "What was planned for the days to come:",
      fenced("plan", earlierWords(wish.planned) || "nothing"),
      ...(wish.instructions === null
        ? []
        : ["What a person wants different:", fenced("instruction", shorten(wish.instructions, 4000))]),
      [
        "Create a revised plan for the remaining milestones, at the pace so far. Goals you do not name are dropped.",
        "Answer with one JSON object: day_plans: [{day_number (1 is the first day to come), goals: [{content, priority, estimated_minutes, estimated_cost_usd, milestone (its name), take_up (the id of an unfinished goal that it takes up again, when it does)}]}], assumptions: [].",
      ].join("\n"),
    ].join("\n\n"),
  };
}

/** The days of a replan by the model, texts cleaned. */
export function daysOfReplan(answer: ModelReplan, policy: Policy): ReplannedGoal[][] {
  return answer.day_plans.map((day) =>
    day.goals.flatMap((goal): ReplannedGoal[] => {
      const request = requestOf(goal, policy);
      return request === null ? [] : [{ takesUp: goal.take_up ?? null, request, milestone: goal.milestone ?? null }];
    }),
  );
}

/**
 * What a campaign and a day of it may cost: what a person gave, else 50; a day its part, at most 15, whole cents.
 * S4-PN-03, S4-PN-04, C-88.
 */
export function budgetsOf(given: {
  readonly budgetMicroUsd: number | null;
  readonly days: number;
  readonly policy: Policy;
}): { totalMicroUsd: number; dailyMicroUsd: number } {
  const { campaigns } = given.policy;
  const totalMicroUsd = given.budgetMicroUsd ?? campaigns.totalMicroUsd;
  const part = Math.floor(totalMicroUsd / Math.max(1, given.days) / 10_000) * 10_000;
  return { totalMicroUsd, dailyMicroUsd: Math.max(10_000, Math.min(campaigns.dayMicroUsd, part)) };
}
