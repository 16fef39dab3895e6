import { firstLine, shorten } from "../text.ts";
import { backingIn, isByForgeAlone } from "../acceptance/backing.ts";
import { saysFailure } from "../acceptance/telling-lines.ts";
import { triedName, powerless } from "../trials/tried.ts";
import { acceptedWords } from "./tag-words.ts";
import type { Text } from "./card.ts";
import type { CheckFacts, CriterionFacts, GoalCardFacts } from "./goal-facts.ts";

/** What a goal's criteria and its repository's checks show. */

/** "5/7 verified", then how many of the others prove nothing, wait for the forge or are left to a person. */
export function criteriaWords(criteria: GoalCardFacts["criteria"]): string {
  const automated = criteria.filter((each) => each.method !== "manual");
  const waits = criteria.filter((each) => each.method === "ci" && each.status === "not-checked").length;
  const left = criteria.filter((each) => each.status === "requires-human").length;
  const weak = automated.filter((each) => each.provesNothing === true).length;
  const pass = automated.filter((each) => each.status === "pass").length - weak;
  const words = [
    ...(automated.length === 0 ? [] : [`${pass}/${automated.length} verified`]),
    ...(weak === 0 ? [] : [`${weak} ${weak === 1 ? "proves" : "prove"} nothing`]),
    ...(waits === 0 ? [] : [`${waits} ${waits === 1 ? "waits" : "wait"} for the forge`]),
    ...(left === 0 ? [] : [`${left} for a person`]),
  ];
  return words.length === 0 ? "checked by a person" : words.join(", ");
}

const statusWords = {
  pass: "verified",
  fail: "fails",
  "requires-human": "for a person",
  "not-checked": "not checked",
} as const;

/** The result of a criterion that was checked by a command, an agent or the forge. */
export function criterionWords({
  status,
  provesNothing,
  method,
}: Pick<CriterionFacts, "status" | "provesNothing"> & { readonly method: string }): string {
  if (method === "ci" && status === "not-checked") return "waits";
  if (method === "ci" && status === "pass") return "passed there";
  return provesNothing === true ? "passes, proves nothing" : statusWords[status];
}

/** One criterion: its state, its name as a link to the evidence, and the reason if it did not pass. */
export function criterionLine(criterion: GoalCardFacts["criteria"][number]): Text {
  const { id, title, status, method, details, evidenceId } = criterion;
  const isPersons = method === "manual" && status === "pass";
  const why =
    (status === "pass" && !isPersons) || details[0] === undefined ? "" : shorten(details[0].replace(/^[-*] /, ""), 200);
  const printed = status === "fail" && method === "bash" ? printedLine(details) : "";
  // When the title is the command itself, the reason already contains it, whole or cut at an ellipsis.
  const cut = why.indexOf("…");
  const isSaid = why.startsWith(title) || (cut >= 40 && title.startsWith(why.slice(0, cut)));
  const name = isSaid ? `${id}: ${why}` : `${id}: ${shorten(title, 100)}`;
  return [
    { strong: `${isPersons ? "holds" : criterionWords(criterion)} ` },
    evidenceId === null || method === "manual" ? name : { link: name, to: `/evidence/${evidenceId}` },
    why === "" || isSaid ? "" : `: ${why}`,
    printed === "" ? "" : `: ${printed}`,
  ];
}

/** The first line that its command printed about a failure, else its first line; not the exit code and the expected one. */
function printedLine(details: readonly string[]): string {
  const lines = details.slice(1).filter((each) => !each.startsWith("expected exit code "));
  const printed = lines.find(saysFailure) ?? lines[0];
  return printed === undefined ? "" : firstLine(printed, 160);
}

/** "passed npm test (exit code 0)": a check that the system runs in addition to the goal's criteria. */
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

/** The worth of a pass of `ci: required checks`. */
export const forgeWorth =
  "its forge passed it with the tests and settings of the work itself, and nobody saw these checks fail without the work";

/** The evidence behind a complete goal's tag (D27). */
export function backingWords(
  facts: Pick<GoalCardFacts, "tag" | "criteria" | "checks" | "trials" | "accepted">,
): string {
  const { tag, criteria, checks } = facts;
  const { provesNothing, guardsOnly, accepted } = backingIn(facts);
  const passed = checks.filter((each) => each.status === "pass").map((each) => firstLine(each.command, 60));
  const some = passed.length < 4 ? passed.join(", ") : `${passed.slice(0, 2).join(", ")} and ${passed.length - 2} more`;
  // What a check proves, and what it does not (F-209).
  const shown =
    passed.length === 0 ? "" : `; ${some} passed: what that tests still holds, not that the goal is reached`;
  if (accepted !== undefined) {
    if (provesNothing !== undefined) {
      const weak = powerless(facts.trials).map((each) => triedName(each));
      return `${acceptedWords(accepted)}: ${weak.join(", ")} ${weak.length === 1 ? "passes" : "pass"} whatever is broken, and ${weak.length === 1 ? "proves" : "prove"} nothing${shown}`;
    }
    if (guardsOnly === true)
      return `${acceptedWords(accepted)}: what passed only guards what was there; nothing proves the change`;
  }
  const by = accepted === undefined ? "" : `, with a proof that was ${acceptedWords(accepted)}`;
  switch (tag) {
    case "verified":
      if (guardsOnly === true && isByForgeAlone(facts)) return `verified, guards only: ${forgeWorth}`;
      if (guardsOnly === true) return "verified, guards only: nothing proves the change";
      return `verified: by the evidence kept for this goal${by}`;
    case "claimed":
      if (criteria.some((each) => each.method === "ci" && each.status === "not-checked"))
        return `claimed: the required checks of its pull request are not in yet${shown}`;
      return criteria.length === 0
        ? `claimed: the executor says so; no acceptance criterion was run${shown}`
        : `claimed: not every criterion was run by the system${shown}`;
    case "not checked":
      return `not checked: no criterion was run, and not even its executor says that it is done${shown}`;
  }
}
