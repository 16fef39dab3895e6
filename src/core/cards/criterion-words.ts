import { coveredWords } from "../critics/coverage.ts";

const checkPrefix = "CHECK-";

/** What people call a criterion: its own id, but no id that we give to a check of its repository. */
export function criterionName(id: string): string {
  return id.startsWith(checkPrefix) ? `check ${id.slice(checkPrefix.length)} of the repository` : id;
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
