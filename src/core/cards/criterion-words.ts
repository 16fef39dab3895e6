import { repositoryCheckPlace } from "../acceptance/repository-check.ts";
import { coveredWords } from "../critics/coverage.ts";

/** A criterion's name for people: its own id, or the number of a repository check, whose id is ours. */
export function criterionName(id: string): string {
  const place = repositoryCheckPlace(id);
  return place === null ? id : `check ${place} of the repository`;
}

interface RoundSaid {
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly coverage?: number | undefined;
}

/** "AC-1 pass, check 1 of the repository fail": the result of a round, and the share of lines that its tests covered. */
export function roundWords({ pass, fail, coverage }: RoundSaid): string {
  const named = (ids: readonly string[]): string => ids.map(criterionName).join(", ");
  const failed = fail.length === 0 ? "" : `, ${named(fail)} fail`;
  const covered = coverage === undefined ? "" : `; ${coveredWords(coverage)} of lines are covered`;
  return `${pass.length === 0 ? "nothing passes" : `${named(pass)} pass`}${failed}${covered}`;
}
