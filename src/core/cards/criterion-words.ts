import { repositoryCheckPlace } from "../acceptance/repository-check.ts";
import { coveredWords } from "../critics/coverage.ts";

/** What people call a criterion: its own id, but no id that we give to a check of its repository. */
export function criterionName(id: string): string {
  const place = repositoryCheckPlace(id);
  return place === null ? id : `check ${place} of the repository`;
}

interface RoundSaid {
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly coverage?: number | undefined;
}

/** "AC-1 pass, check 1 of the repository fail": what a round came to, and how much of the lines its tests covered. */
export function roundWords({ pass, fail, coverage }: RoundSaid): string {
  const named = (ids: readonly string[]): string => ids.map(criterionName).join(", ");
  const failed = fail.length === 0 ? "" : `, ${named(fail)} fail`;
  const covered = coverage === undefined ? "" : `; ${coveredWords(coverage)} of lines are covered`;
  return `${pass.length === 0 ? "nothing passes" : `${named(pass)} pass`}${failed}${covered}`;
}
