import type { CriterionStatus } from "./results.ts";

/** Words about criteria that only a person can judge. */

interface ManualCriterion {
  readonly id: string;
  readonly method: string;
  readonly status: CriterionStatus;
}

/** "1 for a person to check. AC-3 does not hold." Empty when all of them hold, or there are none. */
export function manualWords(criteria: readonly ManualCriterion[]): string {
  const manual = criteria.filter((each) => each.method === "manual");
  const left = manual.filter((each) => each.status !== "pass" && each.status !== "fail").length;
  return [
    ...(left === 0 ? [] : [`${left} for a person to check.`]),
    ...failedByPerson(criteria).map((id) => `${id} does not hold.`),
  ].join(" ");
}

/** The criteria that a person judged as not holding. */
export function failedByPerson(criteria: readonly ManualCriterion[]): string[] {
  return criteria.filter((each) => each.method === "manual" && each.status === "fail").map(({ id }) => id);
}

/** A goal's outcome after a person judged one more criterion. `before` and `after` are all criteria of the goal. */
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
