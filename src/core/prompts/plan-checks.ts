import type { ModelDay, ModelGoal, ModelMilestone, ModelNextGoal, ModelPlan, ModelReplan } from "./plan-answer.ts";

/** What is wrong with an answer that matches its schema, and where, in words with which a model can repair it. */
export interface AnswerProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** True when two names are equal apart from case, which models do not keep. */
export function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** The index of a goal's milestone: the one that it names, or else the one that is due next. -1 when it names one that does not exist. */
export function milestoneOf(
  goal: Pick<ModelGoal, "milestone">,
  day: number,
  milestones: readonly Pick<ModelMilestone, "name" | "target_day">[],
): number {
  const { milestone } = goal;
  if (milestone !== null && milestone !== "") return milestones.findIndex(({ name }) => sameName(name, milestone));
  const byDay = milestones.toSorted((one, other) => one.target_day - other.target_day);
  const next = byDay.find((each) => each.target_day >= day) ?? byDay.at(-1);
  return milestones.findIndex((each) => each === next);
}

/**
 * Problems of a plan: days must have no gaps; milestones must have unique names, be in order, each have a goal, and not depend on each
 * other in a circle. S4-PN-01, C-88.
 */
export function planProblems({ milestones, day_plans: days }: ModelPlan): AnswerProblem[] {
  const names = milestones.map((each) => each.name);
  const covered = new Set(
    days.flatMap((day) => day.goals.map((goal) => milestoneOf(goal, day.day_number, milestones))),
  );
  return [
    ...dayProblems(days, 1),
    ...milestones.flatMap((each, index) => milestoneProblems(each, index, { milestones, days, covered })),
    ...circleProblems(milestones),
    ...goalProblems(days, names),
  ];
}

interface Around {
  readonly milestones: readonly ModelMilestone[];
  readonly days: readonly ModelDay<ModelGoal>[];
  /** Indexes of the milestones that have a goal. */
  readonly covered: ReadonlySet<number>;
}

function milestoneProblems(
  { name, target_day: targetDay, depends_on: dependsOn }: ModelMilestone,
  index: number,
  { milestones, days, covered }: Around,
): AnswerProblem[] {
  const problem = (key: string, message: string): AnswerProblem => ({ path: ["milestones", index, key], message });
  const problems: AnswerProblem[] = [];
  if (milestones.findIndex((each) => sameName(each.name, name)) !== index) {
    problems.push(problem("name", `a second milestone named "${name}"; every name is there once`));
  } else if (!covered.has(index)) {
    problems.push(problem("name", `no goal belongs to "${name}": give at least one goal "milestone": "${name}"`));
  }
  if (targetDay > days.length) {
    problems.push(problem("target_day", `day ${targetDay} is after the last of the ${days.length} days in day_plans`));
  }
  for (const wanted of dependsOn ?? []) {
    const before = milestones.find((each) => sameName(each.name, wanted));
    if (before === undefined) problems.push(problem("depends_on", `"${wanted}" is the name of no milestone`));
    else if (before.target_day > targetDay) {
      const words = `depends on "${wanted}", which is due later (day ${before.target_day}, this one day ${targetDay})`;
      problems.push(problem("depends_on", words));
    }
  }
  return problems;
}

function circleProblems(milestones: readonly ModelMilestone[]): AnswerProblem[] {
  const free = new Set<ModelMilestone>();
  // Removes milestones that wait for nothing until none is left. The remaining ones wait for each other.
  for (let round = 0; round < milestones.length; round += 1) {
    for (const each of milestones) {
      const isFree = (each.depends_on ?? []).every((wanted) =>
        milestones.every((other) => !sameName(other.name, wanted) || free.has(other)),
      );
      if (isFree) free.add(each);
    }
  }
  const names = milestones.filter((each) => !free.has(each)).map((each) => `"${each.name}"`);
  if (names.length === 0) return [];
  return [{ path: ["milestones"], message: `depends_on goes in a circle: ${names.join(", ")} wait for each other` }];
}

function dayProblems(days: readonly ModelDay<ModelGoal>[], first: number): AnswerProblem[] {
  const numbers = days.map((day) => day.day_number).toSorted((one, other) => one - other);
  if (numbers.every((number, index) => number === first + index)) return [];
  const wanted = `each of ${first} to ${first + days.length - 1} once`;
  return [{ path: ["day_plans"], message: `day_number must be ${wanted}; they are ${numbers.join(", ")}` }];
}

function goalProblems(days: readonly ModelDay<ModelGoal>[], names: readonly string[]): AnswerProblem[] {
  return days.flatMap((day, at) =>
    day.goals.flatMap((goal, index): AnswerProblem[] => {
      const { milestone } = goal;
      if (milestone === null || milestone === "" || names.some((name) => sameName(name, milestone))) return [];
      const known = names.map((name) => `"${name}"`).join(", ");
      const path = ["day_plans", at, "goals", index, "milestone"];
      return [{ path, message: `"${milestone}" is no milestone; they are ${known}` }];
    }),
  );
}

/** What the remaining days of a plan are checked against. */
export interface UnderWay {
  readonly elapsedDays: number;
  /** Names of the milestones that are not done. */
  readonly remaining: readonly string[];
  /** Goals that may be taken up, with the names of their milestones. */
  readonly open: readonly { readonly goalId: string; readonly milestone: string | null }[];
}

/** True when the coming days are numbered after those that are over, not from 1. */
export function isNumberedOn(days: readonly { readonly day_number: number }[], elapsedDays: number): boolean {
  return days.every((day) => day.day_number > elapsedDays);
}

/**
 * Problems of a replan: days must be numbered on, or from 1; only open goals may be taken up, each once; a milestone with open goals must
 * keep a goal.
 */
export function replanProblems({ day_plans: days }: ModelReplan, underWay: UnderWay): AnswerProblem[] {
  const { elapsedDays, remaining, open } = underWay;
  const goals = days.flatMap((day) => day.goals);
  const taken = goals.flatMap((goal) => goal.take_up ?? []);
  const belongs = (goal: ModelNextGoal): string | null =>
    open.find((each) => each.goalId === goal.take_up)?.milestone ?? goal.milestone;
  const lost = remaining.filter(
    (name) =>
      open.some((each) => each.milestone !== null && sameName(each.milestone, name)) &&
      goals.every((goal) => !sameName(belongs(goal) ?? "", name)),
  );
  return [
    ...dayProblems(days, isNumberedOn(days, elapsedDays) ? elapsedDays + 1 : 1),
    ...goalProblems(days, remaining),
    ...takeUpProblems(days, open),
    ...[...new Set(taken.filter((id, index) => taken.indexOf(id) !== index))].map(
      (id): AnswerProblem => ({ path: ["day_plans"], message: `take_up "${id}" is there twice` }),
    ),
    ...lost.map(
      (name): AnswerProblem => ({
        path: ["day_plans"],
        message: `the milestone "${name}" has open goals and none in this plan: take one up, or give it another goal`,
      }),
    ),
  ];
}

function takeUpProblems(
  days: readonly ModelDay<ModelNextGoal>[],
  open: readonly { readonly goalId: string }[],
): AnswerProblem[] {
  const ids = open.map((each) => each.goalId);
  return days.flatMap((day, at) =>
    day.goals.flatMap((goal, index): AnswerProblem[] => {
      if (goal.take_up === null || ids.includes(goal.take_up)) return [];
      const known = ids.length === 0 ? "there are none" : `they are ${ids.join(", ")}`;
      const path = ["day_plans", at, "goals", index, "take_up"];
      return [{ path, message: `"${goal.take_up}" is none of the goals above; ${known}` }];
    }),
  );
}
