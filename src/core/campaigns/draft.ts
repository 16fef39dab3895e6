import type { GoalRequest } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";
import { cleanText } from "../text.ts";
import { notesOf } from "./draft-notes.ts";
import { checkDays, checkDraft, checkSize } from "./draft-problems.ts";
import { placeGoals } from "./place.ts";
import { campaignName, lastDays } from "./plan-shape.ts";
import type { Plan, PlannedMilestone } from "./plan.ts";

/** What a file says of a plan, before its goals lie on days. `at` says where: "line 7", "goal 3 (line 12)". */
export interface Draft {
  /** The title or name; null: it has none. */
  readonly name: string | null;
  readonly goal: string | null;
  readonly milestones: readonly DraftMilestone[];
  /** In their order; those of a milestone together, in the order of the milestones. */
  readonly goals: readonly DraftGoal[];
  readonly notes: readonly string[];
}

export interface DraftMilestone {
  readonly at: string;
  /** Null: named like the campaign, for goals that name none. */
  readonly name: string | null;
  readonly description: string;
  readonly day: number | null;
  readonly criteria: readonly string[];
  /** Goals that are marked done and left out. */
  readonly doneGoals: number;
}

export interface DraftGoal {
  readonly at: string;
  /** An index into the draft's milestones. */
  readonly milestone: number;
  readonly day: number | null;
  readonly request: GoalRequest;
}

/** What a person gave beside the file. */
export interface Given {
  readonly goal: string | null;
  readonly days: number | null;
  readonly policy: Policy;
}

/** Keeps a problem, with the place it is found at. */
export type Complain = (at: string, problem: string) => void;

/** Lays a draft's goals on days; null, with problems, when it cannot. */
export function planOfDraft(draft: Draft, { goal, days, policy }: Given, complain: Complain): Plan | null {
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

  // Milestones of which everything is done already have nothing to wait for.
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
