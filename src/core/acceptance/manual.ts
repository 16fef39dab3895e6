import type { CriterionStatus } from "./results.ts";

/** Criteria that only a person can judge, as far as somebody has. */

interface ManualCriterion {
  readonly id: string;
  readonly method: string;
  readonly status: CriterionStatus;
}

/** "1 for a person to check. AC-3 does not hold." Empty: they all hold, or there are none. */
export function manualWords(criteria: readonly ManualCriterion[]): string {
  const manual = criteria.filter((each) => each.method === "manual");
  const left = manual.filter((each) => each.status !== "pass" && each.status !== "fail").length;
  return [
    ...(left === 0 ? [] : [`${left} for a person to check.`]),
    ...failedByPerson(criteria).map((id) => `${id} does not hold.`),
  ].join(" ");
}

/** Those of which a person said that they do not hold. */
export function failedByPerson(criteria: readonly ManualCriterion[]): string[] {
  return criteria.filter((each) => each.method === "manual" && each.status === "fail").map(({ id }) => id);
}

/** What a goal's outcome says after somebody has judged one more; `before` and `after` are all its criteria. */
export function judgedOutcome(
  outcome: string,
  before: readonly ManualCriterion[],
  after: readonly ManualCriterion[],
): string {
  const [said, says] = [manualWords(before), manualWords(after)];
  const at = said === "" ? -1 : outcome.lastIndexOf(said);
  if (at >= 0) return `${outcome.slice(0, at)}${says}${outcome.slice(at + said.length)}`.replaceAll("  ", " ").trim();
  return says === "" || outcome.endsWith(says) ? outcome : `${outcome} ${says}`.trim();
}
