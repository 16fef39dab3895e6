import type { Policy } from "../policy.ts";
import { count, shorten } from "../text.ts";
import type { Complain, Draft, DraftMilestone } from "./draft.ts";
import { mostOfPlan } from "./plan-shape.ts";

interface Checked {
  readonly wanted: string;
  readonly name: string;
  readonly days: number | null;
  readonly policy: Policy;
}

const noGoals = 'it has no goals: they are list items of an outline ("- Add a switch"), or a YAML or JSON list';

/** Checks the size of a plan. Called first, because the other checks take longer for a larger plan. */
export function checkSize(draft: Draft, { wanted, days, policy }: Checked, complain: Complain): void {
  const { longestDays, goalsADay } = policy.campaigns;
  const lastDay = days ?? longestDays;
  if (wanted === "") {
    complain(
      "the plan",
      'it has no goal: give it a title ("# Title", or "goal:" in a list), or say the goal beside the file',
    );
  }
  if (wanted.length > policy.text.longestInput) {
    complain("the plan", `its goal has ${wanted.length} characters, at most ${policy.text.longestInput} are taken`);
  }
  if (!Number.isInteger(lastDay) || lastDay < 1 || lastDay > longestDays) {
    return complain("the plan", `it takes a whole number of days from 1 to ${longestDays}, not ${days}`);
  }
  if (draft.milestones.length > mostOfPlan.milestones) {
    complain("the plan", `it has ${draft.milestones.length} milestones, at most ${mostOfPlan.milestones} are taken`);
  }
  if (draft.goals.length > lastDay * goalsADay) {
    const room = `no more than ${lastDay * goalsADay} fit in ${count(lastDay, "day")}`;
    complain("the plan", `it has ${draft.goals.length} goals: ${room}`);
  }
  if (draft.goals.length === 0) {
    const done = draft.milestones.reduce((sum, each) => sum + each.doneGoals, 0);
    complain("the plan", done > 0 ? "every goal is marked done: nothing is left to plan" : noGoals);
  }
}

/** Checks a plan of acceptable size before its goals are placed on days. */
export function checkDraft(draft: Draft, { name, days, policy }: Checked, complain: Complain): void {
  const { longestDays } = policy.campaigns;
  for (const { day, ...where } of [...draft.goals, ...draft.milestones]) {
    const at = "dayAt" in where && where.dayAt !== undefined ? where.dayAt : where.at;
    if (day === null || (Number.isInteger(day) && day >= 1 && day <= (days ?? longestDays))) continue;
    if (days === null || day <= days || day > longestDays) {
      complain(at, `day ${day} is not there: days are whole numbers from 1 to ${longestDays}`);
    } else complain(at, `day ${day} is after the last of the ${count(days, "day")} given`);
  }
  const names = draft.milestones.map((each) => each.name ?? name);
  for (const [index, each] of draft.milestones.entries()) {
    const shown = `"${shorten(names[index] ?? name, 80)}"`;
    if (names.indexOf(names[index] ?? name) !== index) complain(each.at, `a second milestone named ${shown}`);
    for (const problem of textProblems(each)) complain(each.at, problem);
    const isEmpty = each.doneGoals === 0 && draft.goals.every((goal) => goal.milestone !== index);
    if (isEmpty && each.day === null) {
      complain(each.at, `the milestone ${shown} has neither goals nor a day: give it one of them`);
    }
  }
}

/** Checks that need the goals' places on days. */
export function checkDays(draft: Draft, placed: readonly number[], { campaigns }: Policy, complain: Complain): void {
  const { longestDays, goalsADay } = campaigns;
  const last = placed.reduce((most, day) => Math.max(most, day), 0);
  if (last > longestDays) complain("the plan", `it needs ${last} days, at most ${longestDays} are taken`);
  for (let day = 1; day <= last; day += 1) {
    const goals = placed.filter((each) => each === day).length;
    if (goals > goalsADay) complain(`day ${day}`, `has ${goals} goals, at most ${goalsADay} a day are taken`);
  }
  for (const [index, goal] of draft.goals.entries()) {
    const due = draft.milestones[goal.milestone]?.day ?? null;
    const day = placed[index] ?? 1;
    if (due === null || day <= due) continue;
    complain(goal.at, `lies on day ${day}, and its milestone is due on day ${due}: move one of them`);
  }
}

function textProblems({ name, description, criteria }: DraftMilestone): string[] {
  const long = criteria.find((each) => each.length > mostOfPlan.criterion);
  return [
    ...tooLong("its name", name ?? "", mostOfPlan.name),
    ...tooLong("its description", description, mostOfPlan.description),
    ...tooLong("what must hold", long ?? "", mostOfPlan.criterion),
    ...(criteria.length > mostOfPlan.criteria
      ? [`${criteria.length} things must hold, at most ${mostOfPlan.criteria} are taken`]
      : []),
  ];
}

function tooLong(what: string, text: string, most: number): string[] {
  return text.length > most ? [`${what} has ${text.length} characters, at most ${most} are taken`] : [];
}
