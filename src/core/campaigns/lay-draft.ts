import { cleanText } from "../text.ts";
import type { Complain, Draft, DraftRequest } from "./draft.ts";
import { notesOf } from "./draft-notes.ts";
import { checkDays, checkDraft, checkSize } from "./draft-problems.ts";
import { placeGoals } from "./place.ts";
import { campaignName, lastDays } from "./plan-shape.ts";
import type { Plan, PlannedMilestone } from "./plan.ts";

/** Places a draft's goals on days. When that is not possible, reports the problems and returns null. */
export function planOfDraft(draft: Draft, { goal, days, policy }: DraftRequest, complain: Complain): Plan | null {
  const wanted = cleanText(goal ?? draft.goal ?? draft.name ?? "").trim();
  const name = campaignName(draft.name ?? wanted);
  const found: string[] = [];
  const say: Complain = (at, problem) => {
    found.push(problem);
    complain(at, problem);
  };
  for (const check of [checkSize, checkDraft]) {
    check(draft, { wanted, name, days, policy }, say);
    if (found.length > 0) return null;
  }
  const placed = placeGoals(toPlace(draft), days, policy);
  checkDays(draft, placed, policy, say);
  if (found.length > 0) return null;

  // Milestones whose goals are all marked done need no day and are left out.
  const isOver = draft.milestones.map(
    (each, index) => each.doneGoals > 0 && draft.goals.every((goal) => goal.milestone !== index),
  );
  const kept = draft.milestones.flatMap((each, index) => (isOver[index] === true ? [] : [{ ...each, index }]));
  const length = Math.max(...placed);
  const planned = Array.from({ length }, (_, index) =>
    draft.goals
      .filter((_, at) => placed[at] === index + 1)
      .map(({ request, milestone }) => ({ request, milestone: kept.findIndex((each) => each.index === milestone) })),
  );
  const dayOf = lastDays(planned);
  const milestones = kept.map(
    (each, at): PlannedMilestone => ({
      name: each.name ?? name,
      description: each.description,
      targetDay: Math.min(each.day ?? dayOf.get(at) ?? length, length),
      successCriteria: each.criteria,
    }),
  );
  const over = draft.milestones.flatMap((each, index) => (isOver[index] === true ? [each.name ?? name] : []));
  return { name, goal: wanted, milestones, days: planned, notes: notesOf({ draft, over, planned, days, policy }) };
}

function toPlace(draft: Draft): { minutes: number | null; day: number | null; dueDay: number | null }[] {
  return draft.goals.map(({ request, day, milestone }) => ({
    minutes: request.minutes,
    day,
    dueDay: draft.milestones[milestone]?.day ?? null,
  }));
}
