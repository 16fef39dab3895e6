import { firstLine, shorten } from "../text.ts";
import type { Episode } from "./episode.ts";
import { type Candidate, isRelated, misleads, mostRelevant, type RelevanceQuery } from "./relevance.ts";

/** The lesson of one past run, as an agent or a model is told it. */
export interface Lesson {
  readonly episodeId: string;
  readonly goalId: string;
  /** At most `longestLesson` characters. */
  readonly words: string;
}

/** About 200 tokens. */
export const longestLesson = 800;

/**
 * At most `most` lessons for a goal: from related episodes that have a reflection and are not known to mislead. Runs with difficulties come
 * before runs that went well at once; otherwise a useful lesson would be displaced as soon as it had helped a few times. Within each group
 * the most relevant come first.
 */
export function lessonsFor(candidates: readonly Candidate[], wanted: RelevanceQuery, most: number): Lesson[] {
  const fit = candidates.filter(
    (each) => each.episode.reflection !== null && !misleads(each.episode) && isRelated(each, wanted),
  );
  const ranked = mostRelevant(fit, wanted, { most: fit.length });
  return [...ranked.filter(metSomething), ...ranked.filter((each) => !metSomething(each))].slice(0, most).map(lessonOf);
}

/** True when the run failed, took more than one attempt, or was changed by a person. */
function metSomething({ outcome, recoveryLevel, actions, humanModification }: Episode): boolean {
  const attempts = actions.filter((each) => each.type === "attempt").length;
  return !outcome.isSuccess || recoveryLevel > 1 || attempts > 1 || humanModification !== null;
}

function lessonOf({ episodeId, goalId, goal, outcome, reflection }: Episode): Lesson {
  const how = outcome.isSuccess ? "done" : "not done";
  const words = `“${firstLine(goal.content, 120)}” was ${how}. ${reflection ?? ""}`;
  return { episodeId, goalId, words: shorten(words, longestLesson) };
}
