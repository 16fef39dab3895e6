import type { DayPlan, Milestone, PlannedGoal } from "../campaigns/campaign.ts";
import type { UnfinishedGoal } from "../campaigns/replan.ts";
import type { Lesson } from "../memory/lesson.ts";
import { formatUsd } from "../money.ts";
import type { Policy } from "../policy.ts";
import { count, firstLine, shorten } from "../text.ts";
import { fenced, fenceRule } from "./fence.ts";
import { lessonParts } from "./lessons.ts";
import { type ModelPlan, type ModelReplan, planShape, replanShape } from "./plan-answer.ts";
import { type AnswerProblem, planProblems, replanProblems } from "./plan-checks.ts";
import type { ModelQuestion } from "./question.ts";

/** What a person added when they asked for a plan. Data, like all their text (D35). */
export interface PlanInstruction {
  readonly by: string;
  readonly text: string;
}

export interface ToPlan {
  readonly goal: string;
  /** The deadline that a person gave. Null: as many days as it takes. */
  readonly days: number | null;
  readonly budgetMicroUsd: number | null;
  readonly repositoryName: string;
  readonly instructions: PlanInstruction | null;
  /** The plan that should be changed. Null for the first one. */
  readonly earlier: { readonly milestones: readonly Milestone[]; readonly days: readonly DayPlan[] } | null;
  readonly lessons: readonly Lesson[];
}

const system = `You plan days of work for coding agents, backwards from the goal. ${fenceRule}`;

const goalKeys = [
  "Of a goal, `content` says what an agent is to do, so that one agent can finish it within hours and somebody can check it; `milestone` is the name of its milestone;",
  "`priority` is high, medium or low; `estimated_minutes` and `estimated_cost_usd` are what one agent needs;",
  "`linked_feature` (with `linked_issue`), `linked_bug` and `linked_spec` only name documents that the goal's text names, else null.",
].join(" ");

/** Asks for the whole plan of a goal, planned backwards. S4-PN-01, C-88. */
export function planQuestion(wanted: ToPlan, policy: Policy): ModelQuestion<ModelPlan> {
  const { goal, days, budgetMicroUsd, repositoryName, instructions, earlier, lessons } = wanted;
  const { longestDays, goalsADay } = policy.campaigns;
  const shape = planShape({ days: Math.min(days ?? longestDays, longestDays), policy });
  return {
    use: "plan",
    version: "plan-3",
    schema: shape.superRefine((plan, context) => addProblems(planProblems(plan), context)),
    maxOutputTokens: 8000,
    system,
    prompt: [
      "The goal:",
      fenced("goal", goal),
      "The repository:",
      fenced("repository", firstLine(repositoryName)),
      [
        days === null ? `No fixed deadline; at most ${longestDays} days` : `Deadline: ${count(days, "day")}`,
        budgetMicroUsd === null ? "No fixed budget" : `Budget: ${formatUsd(budgetMicroUsd)}`,
      ].join("\n"),
      ...(earlier === null
        ? []
        : ["Change this earlier plan as far as it is asked:", fenced("plan", planWords(earlier))]),
      ...lessonParts(lessons),
      ...instructionParts(instructions),
      [
        "Using backward planning from the goal state:",
        "1. Define the END STATE (what does success look like?)",
        "2. Identify MILESTONES needed to reach the end state",
        "3. Sequence the milestones with their dependencies",
        "4. Estimate the days needed for each milestone",
        "5. Decompose each milestone into daily goals",
      ].join("\n"),
      [
        "`milestones`: each with `name`, `description`, `target_day` (the day on which it is reached), `success_criteria` and `depends_on` (names of milestones that come before it, due no later).",
        `\`day_plans\`: every day from 1 on, with \`day_number\` and 1 to ${goalsADay} \`goals\`. ${goalKeys}`,
        "`total_estimated_days` and `total_estimated_cost_usd` are the sums. `assumptions`: what you took for granted, else null.",
        "Every milestone has at least one goal. Answer with one JSON object.",
      ].join("\n"),
    ].join("\n\n"),
  };
}

export interface ToReplan {
  readonly name: string;
  readonly goal: string;
  readonly milestones: readonly Milestone[];
  /** All days of the plan. */
  readonly days: readonly DayPlan[];
  readonly elapsedDays: number;
  readonly spentMicroUsd: number;
  readonly leftMicroUsd: number;
  readonly unfinished: readonly UnfinishedGoal[];
  readonly instructions: PlanInstruction | null;
  readonly lessons: readonly Lesson[];
}

/** Asks for the remaining days of a running campaign, at its actual pace. S4-PN-08, C-87. */
export function replanQuestion(campaign: ToReplan, policy: Policy): ModelQuestion<ModelReplan> {
  const { milestones, days, elapsedDays, unfinished } = campaign;
  const done = milestones.filter((each) => each.status === "done");
  const remaining = milestones.filter((each) => each.status !== "done");
  const nameOf = (id: string | null): string | null => milestones.find((each) => each.milestoneId === id)?.name ?? null;
  const underWay = {
    elapsedDays,
    remaining: remaining.map((each) => each.name),
    open: goalsToTakeUp(campaign).map(({ goalId, milestoneId }) => ({ goalId, milestone: nameOf(milestoneId) })),
  };
  const pending = days.filter((day) => day.status === "pending");
  const most = Math.max(1, policy.campaigns.longestDays - elapsedDays);
  const unfinishedWords = unfinished.map((each) =>
    [
      `${goalWords(each)} (${each.why}${each.milestoneId === null ? "" : `, milestone ${nameOf(each.milestoneId)}`})`,
      ...(each.error === null ? [] : [`  It failed with: ${lastLines(each.error)}`]),
    ].join("\n"),
  );
  return {
    use: "plan",
    version: "replan-2",
    schema: replanShape({ days: most, policy }).superRefine((rest, context) =>
      addProblems(replanProblems(rest, underWay), context),
    ),
    maxOutputTokens: 8000,
    system,
    prompt: [
      "A campaign of several days is under way and needs another plan for its rest:",
      fenced("campaign", firstLine(campaign.name)),
      "Its goal:",
      fenced("goal", campaign.goal),
      "Completed milestones:",
      fenced("done", done.map((each) => `- ${each.name}`).join("\n") || "none"),
      "Remaining milestones:",
      fenced("remaining", remaining.map(milestoneWords).join("\n") || "none"),
      [
        `Days elapsed: ${elapsedDays}`,
        `Budget spent: ${formatUsd(campaign.spentMicroUsd)}`,
        `Budget remaining: ${formatUsd(campaign.leftMicroUsd)}`,
      ].join("\n"),
      "Goals that were not finished:",
      fenced("unfinished", unfinishedWords.join("\n") || "none"),
      "What was planned for the days to come:",
      fenced("planned", daysWords(pending) || "nothing"),
      ...lessonParts(campaign.lessons),
      ...instructionParts(campaign.instructions),
      [
        "Create a revised plan for the remaining milestones. Adjust the estimates to the pace so far.",
        `\`day_plans\`: the days to come, with \`day_number\` from ${elapsedDays + 1} on, at most ${most}, and 1 to ${policy.campaigns.goalsADay} \`goals\` each.`,
        "A goal from above that is still right is taken up as it is, whatever else you say of it: `take_up` is its id, else null.",
        `${goalKeys} Only remaining milestones have goals.`,
        "`assumptions`: what you took for granted, else null. Answer with one JSON object.",
      ].join("\n"),
    ].join("\n\n"),
  };
}

/** Goals that a new plan may take up: those that were not finished, and those that were still planned. */
export function goalsToTakeUp({ unfinished, days }: Pick<ToReplan, "unfinished" | "days">): PlannedGoal[] {
  const planned = days.filter((day) => day.status === "pending").flatMap((day) => day.goals);
  const known = new Set(unfinished.map((each) => each.goalId));
  return [...unfinished, ...planned.filter((each) => !known.has(each.goalId))].map(
    ({ goalId, milestoneId, request }) => ({ goalId, milestoneId, request }),
  );
}

interface Issues {
  addIssue(issue: { code: "custom"; path: PropertyKey[]; message: string }): void;
}

function addProblems(problems: readonly AnswerProblem[], context: Issues): void {
  for (const { path, message } of problems) context.addIssue({ code: "custom", path: [...path], message });
}

function instructionParts(instructions: PlanInstruction | null): string[] {
  if (instructions === null) return [];
  return [fenced(`instruction by ${instructions.by}`, instructions.text)];
}

function planWords({ milestones, days }: { milestones: readonly Milestone[]; days: readonly DayPlan[] }): string {
  return [...milestones.map(milestoneWords), daysWords(days)].join("\n");
}

function milestoneWords({ name, targetDay, description }: Milestone): string {
  return `- ${name} (by day ${targetDay}): ${firstLine(description, 300)}`;
}

function daysWords(days: readonly DayPlan[]): string {
  return days
    .map((day) => [`Day ${day.dayNumber}:`, ...day.goals.map(goalWords)])
    .flat()
    .join("\n");
}

function goalWords({ goalId, request }: PlannedGoal): string {
  return `- ${goalId}: ${firstLine(request.content, 300)}`;
}

function lastLines(error: string): string {
  const lines = error.split("\n").filter((line) => line.trim() !== "");
  return shorten(lines.slice(-3).join(" / "), 400);
}
