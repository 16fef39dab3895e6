import { z } from "zod";
import { mostOfPlan } from "../campaigns/plan-shape.ts";
import { priorities } from "../goals/goal.ts";
import type { Priority } from "../goals/goal.ts";
import type { Policy } from "../policy.ts";

/** A plan as a model gives it: seed 004 §5.2, with the dependencies that its text asks for, and the milestone of every goal. */
export interface ModelPlan {
  readonly milestones: readonly ModelMilestone[];
  readonly day_plans: readonly ModelDay<ModelGoal>[];
  readonly total_estimated_days: number | null;
  readonly total_estimated_cost_usd: number | null;
  readonly assumptions: readonly string[] | null;
}

/** The new remaining days of a running plan, as a model gives them. */
export interface ModelReplan {
  readonly day_plans: readonly ModelDay<ModelNextGoal>[];
  readonly assumptions: readonly string[] | null;
}

export interface ModelMilestone {
  readonly name: string;
  readonly description: string;
  readonly target_day: number;
  readonly success_criteria: readonly string[] | null;
  /** Names of milestones that come before it. */
  readonly depends_on: readonly string[] | null;
}

export interface ModelDay<Goal> {
  readonly day_number: number;
  readonly goals: readonly Goal[];
}

export interface ModelGoal {
  readonly content: string;
  readonly priority: Priority | null;
  readonly estimated_minutes: number | null;
  readonly estimated_cost_usd: number | null;
  /** The name of its milestone. */
  readonly milestone: string | null;
  readonly linked_feature: string | null;
  readonly linked_issue: string | null;
  readonly linked_bug: string | null;
  readonly linked_spec: string | null;
}

export interface ModelNextGoal extends ModelGoal {
  /** The id of an open goal, which is worked unchanged. */
  readonly take_up: string | null;
}

function goalShape(longest: number) {
  const link = orNull(z.string().max(300));
  return z.object({
    content: z.string().trim().min(2).max(Math.min(2000, longest)),
    priority: orNull(z.enum(priorities)),
    estimated_minutes: orNull(z.int().min(1).max(10_000)),
    estimated_cost_usd: orNull(z.number().min(0).max(100_000)),
    milestone: orNull(z.string().trim().max(mostOfPlan.name)),
    linked_feature: link,
    linked_issue: z.preprocess((value) => (typeof value === "number" ? String(value) : (value ?? null)), link),
    linked_bug: link,
    linked_spec: link,
  });
}

function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? null, schema.nullable());
}

const assumptions = orNull(z.array(z.string().trim().min(1).max(500)).max(20));

interface Limits {
  /** Maximum number of days in the answer. */
  readonly days: number;
  readonly policy: Policy;
}

/**
 * The schema of a plan. Every key is required, because providers with strict schemas refuse optional ones; a missing key counts as null.
 * What a schema cannot express is checked by `plan-checks.ts`.
 */
export function planShape({ days, policy }: Limits): z.ZodType<ModelPlan> {
  return z.object({
    milestones: z
      .array(
        z.object({
          name: z.string().trim().min(1).max(mostOfPlan.name),
          description: z.string().trim().max(mostOfPlan.description),
          target_day: z.int().min(1).max(days),
          success_criteria: orNull(
            z.array(z.string().trim().min(1).max(mostOfPlan.criterion)).max(mostOfPlan.criteria),
          ),
          depends_on: orNull(z.array(z.string().trim()).max(mostOfPlan.milestones)),
        }),
      )
      .min(1)
      .max(mostOfPlan.milestones),
    day_plans: dayPlans(goalShape(policy.text.longestInput), { days, policy }),
    total_estimated_days: orNull(z.number().min(0).max(100_000)),
    total_estimated_cost_usd: orNull(z.number().min(0).max(1_000_000)),
    assumptions,
  });
}

/** The schema of the remaining days of a plan. */
export function replanShape({ days, policy }: Limits): z.ZodType<ModelReplan> {
  // Models also write "" for none.
  const takeUp = z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? null : (value ?? null)),
    z.string().trim().max(100).nullable(),
  );
  const goal = goalShape(policy.text.longestInput).extend({ take_up: takeUp });
  return z.object({ day_plans: dayPlans(goal, { days, policy }), assumptions });
}

function dayPlans<Goal extends z.ZodType>(goal: Goal, { days, policy }: Limits) {
  const day = z.object({
    day_number: z.int().min(1).max(10_000),
    goals: z.array(goal).min(1).max(policy.campaigns.goalsADay),
  });
  return z.array(day).min(1).max(days);
}
