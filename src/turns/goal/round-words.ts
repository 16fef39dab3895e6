import { isRepositoryCheck } from "../../core/acceptance/repository-check.ts";
import { criterionName } from "../../core/cards/criterion-words.ts";
import { acceptedWords } from "../../core/cards/tag-words.ts";
import { type LeftOutFiles, leftOutWords } from "../../core/cards/left-out-words.ts";
import type { VerifiedDecision } from "../../core/acceptance/after-verify.ts";
import type { AcceptedProof } from "../../core/acceptance/backing.ts";
import { manualWords } from "../../core/acceptance/manual.ts";
import { feedbackLines } from "../../core/acceptance/report.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import { programLacking } from "../../core/recovery/missing-program.ts";
import { evidenceTag } from "../../core/acceptance/tag.ts";
import { powerless } from "../../core/trials/tried.ts";
import type { VerifiedRound } from "./round.ts";

/** A round in words: for a goal's outcome, and for the agent that continues. */

/**
 * "2 of 2 criteria verified. 1 for a person to check." `accepted`: criteria that pass with the changed proof count, too. `judged`: people's
 * answers to criteria that only they can judge.
 */
export function verifiedWords(
  round: VerifiedRound,
  accepted: AcceptedProof | null,
  judged: readonly Pick<CriterionResult, "id" | "status">[],
): string {
  const own = round.results
    .filter((each) => !isRepositoryCheck(each.id))
    .map((each) =>
      accepted !== null && round.passAsCommitted.includes(each.id) ? { ...each, status: "pass" as const } : each,
    )
    .map((each) => (each.method === "manual" ? { ...each, ...judged.find(({ id }) => id === each.id) } : each));
  const there = own.filter((each) => each.method === "ci" && each.status !== "pass");
  const automated = own.filter((each) => each.method !== "manual" && !there.includes(each));
  const weak = powerless(round.trials).map(({ id }) => id);
  const counts = (each: CriterionResult): boolean => each.status === "pass" && !weak.includes(each.id);
  const tag = evidenceTag({
    criteria: own.map((each) => (weak.includes(each.id) ? { ...each, status: "not-checked" } : each)),
    saysDone: true,
  });
  const pass = automated.filter(counts).length;
  const isWeak = automated.some(({ id }) => weak.includes(id));
  const manual = manualWords(own);
  const failed = automated.filter((each) => each.status === "fail").length;
  const others = failed === 0 ? "the others are not checked" : `${failed} ${failed === 1 ? "fails" : "fail"}`;
  const rest = automated.every(counts) ? "pass" : `pass, ${others}`;
  const unblamed = round.results.filter((each) => isRepositoryCheck(each.id) && each.status === "not-checked");
  return [
    ...(automated.length === 0
      ? []
      : [
          isWeak
            ? `${pass} of ${automated.length} criteria verified, the others pass and prove nothing.`
            : `${pass} of ${automated.length} criteria ${tag === "verified" ? "verified" : rest}.`,
        ]),
    ...(accepted === null ? [] : [`The proof was ${acceptedWords(accepted)}.`]),
    ...there.map(({ id }) => `${id} is checked at its pull request.`),
    ...(manual === "" ? [] : [manual]),
    ...unblamed.map((each) => `${each.by} failed before the work began: not blamed on it.`),
  ].join(" ");
}

/** "Not verified: AC-1: exit code 1", for at most five criteria. */
export function failedOutcome(round: VerifiedRound, decision: Extract<VerifiedDecision, { type: "fail" }>): string {
  const lines = round.results
    .filter((each) => decision.failing.includes(each.id))
    .map((each) => `${criterionName(each.id)}: ${[each.details[0] ?? "failed", ...missingLine(each)].join("; ")}`);
  return `Not verified: ${lines.slice(0, 5).join("; ")}`;
}

/** The output line that names a missing program, because it says what helps. */
function missingLine({ exitCode = null, details }: CriterionResult): string[] {
  const names = (line: string): boolean =>
    programLacking({ end: "criteria", exitCode, error: "", output: line }) !== null;
  return details.slice(1).filter(names).slice(0, 1);
}

/** How many lines of a criterion an escalation shows: the cause can be the last of the lines that tell. */
const mostPrinted = 12;

/** The output lines of the first failing criterion. An exit code is left out when there are others, because the run's line names it. */
export function printedBy(round: Pick<VerifiedRound, "results">, [failing]: readonly string[]): string {
  const details = round.results.find((each) => each.id === failing)?.details ?? [];
  const [first = "", ...others] = details;
  const printed = others.filter((each) => !each.startsWith("expected exit code "));
  return (printed.length > 0 ? printed : others.length > 0 ? others : [first]).slice(0, mostPrinted).join("\n");
}

/** "AC-1 holds: Both (`test -f one.txt`)": a criterion for readers who see nothing else of it. */
export function shownCriterion(round: VerifiedRound, id: string): string {
  const criterion = round.criteria.find((each) => each.id === id) ?? null;
  if (criterion === null) return `${id} holds`;
  const { title, description, verification } = criterion;
  if (verification.method !== "bash")
    return `${id} holds: ${[title, description].filter((each) => each !== "").join(" - ")}`;
  const { command, condition } = verification;
  return `${id} holds: ${title === command ? "" : `${title} `}(\`${command}\`: ${condition.text})`;
}

/** The failures in detail, for the agent that continues. */
export function feedbackOf(
  round: VerifiedRound,
  failing: readonly string[],
  leftOut: LeftOutFiles | null = null,
): string {
  const found = round.results
    .filter((each) => failing.includes(each.id))
    .flatMap((each) => feedbackLines(each, round.criteria.find((criterion) => criterion.id === each.id) ?? null))
    .join("\n")
    .slice(0, 12_000);
  return leftOut === null ? found : `${found}\nNot in the commit: ${leftOutWords(leftOut.paths, leftOut.count)}.`;
}
