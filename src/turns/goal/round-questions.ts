import { isRepositoryCheck } from "../../core/acceptance/repository-check.ts";
import type { VerifiedDecision } from "../../core/acceptance/after-verify.ts";
import { trialEnds } from "../../core/cards/proof-words.ts";
import { decidesChecks } from "../../core/files/kind.ts";
import { guardsOnly, powerless } from "../../core/trials/tried.ts";
import { shownPath } from "../../core/text.ts";
import { globOfPath } from "../../core/text/globs.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import type { Question } from "../shared/ask-about.ts";
import type { VerifiedRound } from "./round.ts";

/** Questions about the proof of a round, with their reasons. */

/** The question when criteria pass only with changed proof files. */
export function aboutProof(
  round: VerifiedRound,
  { files, criteria }: Extract<VerifiedDecision, { type: "ask-about-proof" }>,
): Question {
  const context = `${criteria.join(", ")} ${criteria.length === 1 ? "passes" : "pass"} only because files that prove something were changed: ${files.slice(0, 5).map(shownPath).join(", ")}`;
  return {
    kind: "proof",
    reasons: [{ trigger: "hiccup", context }],
    details: [...files.slice(0, 50).map(shownPath), allowingWords(files)],
    diff: round.proofDiff,
    fingerprint: round.commit,
    changed: null,
  };
}

/** How to allow such a change when a goal is added. */
function allowingWords(files: readonly string[]): string {
  const globs = files.slice(0, 5).flatMap((path) => (shownPath(path) === path ? [shellWord(globOfPath(path))] : []));
  const options = globs.length === 0 ? "--allow-proof GLOB" : globs.map((glob) => `--allow-proof ${glob}`).join(" ");
  return `Where that is wanted, a goal says so when it is added, and nobody is asked: ${options}`;
}

/** The question when criteria pass, but the trials of the proof do not support them. */
export function aboutTrials(round: VerifiedRound, reasons: readonly string[]): Question {
  const details = round.trials.flatMap(({ trials }) =>
    trials.map(({ what, result }) => `${trialEnds[result]}: ${what}`),
  );
  return {
    kind: "proof",
    reasons: reasons.map((context) => ({ trigger: "hiccup", context })),
    details: details.slice(0, 50),
    fingerprint: round.commit,
    changed: null,
    isWeakProof: powerless(round.trials).length > 0 || guardsOnly(round.trials),
  };
}

/** The question when the forge's checks have not passed. */
export function aboutForge(
  round: VerifiedRound,
  { reasons, criteria }: Extract<VerifiedDecision, { type: "ask-about-forge" }>,
): Question {
  const details = round.results.filter(({ id }) => criteria.includes(id)).flatMap((each) => each.details);
  return {
    kind: "proof",
    reasons: reasons.map((context) => ({ trigger: "hiccup", context })),
    details: details.slice(0, 50),
    fingerprint: round.commit,
    changed: null,
    isWeakProof: true,
  };
}

/** True when a round asks about checks at the forge. */
export function isAskedThere(round: VerifiedRound): boolean {
  return round.results.some(({ asks }) => asks != null);
}

/** Reasons to ask about checks at the forge: their definition is part of the work, and they cannot run with the base's files or without the work. */
export function forgeReasons(round: VerifiedRound, aboutGuards: boolean): string[] {
  const there = round.results.filter(({ method }) => method === "ci");
  if (there.length === 0) return [];
  const commands = round.criteria.filter(({ verification }) => verification.method === "bash");
  const proof = commands.length === 0 ? round.touched : [];
  const own = [...new Set([...round.files.filter(decidesChecks), ...proof])];
  const names = there.map(({ id }) => id).join(", ");
  const isAlone = commands.every(({ id }) => isRepositoryCheck(id));
  return [
    ...(own.length === 0
      ? []
      : [
          `${names} is checked at the forge with files that prove something as the work left them: ${own.slice(0, 5).map(shownPath).join(", ")}`,
        ]),
    ...(aboutGuards && isAlone ? ["Guards only: checks at the forge are not tried without the work"] : []),
  ];
}
