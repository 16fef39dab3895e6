import { firstLine, shorten } from "../text.ts";
import type { Text } from "./card.ts";
import type { CheckFacts, GoalCardFacts } from "./goal-facts.ts";

/** What a goal's criteria and the checks of its repository say of it. */

/** "5/7 verified", and what is left to a person. */
export function criteriaWords(criteria: GoalCardFacts["criteria"]): string {
  const automated = criteria.filter((each) => each.method !== "manual");
  const left = criteria.filter((each) => each.status === "requires-human").length;
  const pass = automated.filter((each) => each.status === "pass").length;
  const words = [
    ...(automated.length === 0 ? [] : [`${pass}/${automated.length} verified`]),
    ...(left === 0 ? [] : [`${left} for a person`]),
  ];
  return words.length === 0 ? "checked by a person" : words.join(", ");
}

const criterionWords = {
  pass: "verified",
  fail: "fails",
  "requires-human": "for a person",
  "not-checked": "not checked",
} as const;

export function criterionLine(criterion: GoalCardFacts["criteria"][number]): Text {
  const { id, title, status, method, details, evidenceId } = criterion;
  const name = `${id}: ${shorten(title, 100)}`;
  const isPersons = method === "manual" && status === "pass";
  const why = (status === "pass" && !isPersons) || details[0] === undefined ? "" : `: ${shorten(details[0], 200)}`;
  return [
    { strong: `${isPersons ? "holds" : criterionWords[status]} ` },
    evidenceId === null || method === "manual" ? name : { link: name, to: `/evidence/${evidenceId}` },
    why,
  ];
}

/** "passed npm test (exit code 0)": run by the system beside the goal's own criteria. */
export function checkLine({ command, status, exitCode, failedBefore, evidenceId }: CheckFacts): Text {
  const words = { pass: "passed", fail: "failed", "requires-human": "for a person", "not-checked": "not run" } as const;
  const exit = exitCode === null ? "" : ` (exit code ${exitCode})`;
  const before = failedBefore ? ", as before the work began: not blamed on it" : "";
  return [
    { strong: `${words[status]} ` },
    { link: firstLine(command, 100), to: `/evidence/${evidenceId}` },
    `${exit}, a check of the repository${before}`,
  ];
}

/** What the tag of a complete goal rests on (D27). */
export function backingWords({ tag, criteria, checks }: Pick<GoalCardFacts, "tag" | "criteria" | "checks">): string {
  const passed = checks.filter((each) => each.status === "pass").map((each) => firstLine(each.command, 60));
  const some = passed.length < 4 ? passed.join(", ") : `${passed.slice(0, 2).join(", ")} and ${passed.length - 2} more`;
  // What a check shows, and what it does not (F-209).
  const shown =
    passed.length === 0 ? "" : `; ${some} passed: what that tests still holds, not that the goal is reached`;
  switch (tag) {
    case "verified":
      return "verified: by the evidence kept for this goal";
    case "claimed":
      return criteria.length === 0
        ? `claimed: the executor says so; no acceptance criterion was run${shown}`
        : `claimed: not every criterion was run by the system${shown}`;
    case "not checked":
      return `not checked: no criterion was run, and not even its executor says that it is done${shown}`;
  }
}
