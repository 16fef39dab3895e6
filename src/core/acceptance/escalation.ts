import { type Escalation, escalationForm, hasOptions, readEscalation } from "./escalation-text.ts";

/** Decides whether an escalation is put to a person or sent back to the agent (AC-8). */

export type EscalationVerdict =
  | { readonly type: "accepted"; readonly escalation: Escalation }
  /** What is missing, one line each. */
  | { readonly type: "refused"; readonly missing: readonly string[] };

const leastAttempts = 3;

/** Options that always exist for a criterion that keeps failing. */
const usualOptions = [
  "Change the criterion",
  "Change what it assumes about the code",
  "Go on with another approach, which you name",
];

/**
 * Parses an escalation in seed 002's format (criterion, numbered attempts with their results, hypothesis, options) and says what is
 * missing. It needs a criterion of the session that failed often enough, three different attempts and a hypothesis. Options are not
 * required: seed 002's own accepted escalation has none (F-210). AC-8, S2-ES-01…07, C-34.
 */
export function judgeEscalation(
  text: string,
  session: {
    readonly criteria: readonly string[];
    readonly counts: Readonly<Record<string, number>>;
    readonly threshold: number;
  },
): EscalationVerdict {
  const escalation = readEscalation(text, session.criteria);
  const { criterionId, attempts, hypothesis, options } = escalation;
  const failures = session.counts[criterionId] ?? 0;
  const different = new Set(attempts.map((attempt) => normal(attempt.what))).size;
  const isOfForm = criterionId === "" || attempts.length < leastAttempts || hypothesis === "";
  const missing = [
    ...(criterionId === "" ? [`name the criterion: one of ${session.criteria.join(", ")}`] : []),
    ...(criterionId !== "" && failures < session.threshold
      ? [`${criterionId} has failed ${failures} verification runs in a row, ${session.threshold} are needed`]
      : []),
    ...(attempts.length < leastAttempts
      ? [`at least ${leastAttempts} attempts, each with how it failed; found ${attempts.length}`]
      : []),
    ...(attempts.length >= leastAttempts && different < leastAttempts
      ? [`${leastAttempts} attempts that differ; found ${different}`]
      : []),
    ...(hypothesis === "" ? ["a hypothesis: what may be wrong with the criterion or the code"] : []),
  ];
  if (missing.length > 0)
    return { type: "refused", missing: isOfForm ? [...missing, `how it is written: ${escalationForm}`] : missing };
  return { type: "accepted", escalation: options.length > 0 ? escalation : { ...escalation, options: usualOptions } };
}

/** Letters and digits only, without repeat counts: "Retried 2." and "retried, a third time" become "retried". */
function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(howOften, "")
    .replace(whichAttempt, "$1");
}

const howOften =
  / (?:once(?: more)?|twice|again|(?:\d{1,3}|two|three|four|five|several) (?:more )?times|(?:a |the |for a |for the )?(?:first|second|third|fourth|fifth|\d{1,3}(?:st|nd|rd|th)) (?:time|attempt|try))$/;
const whichAttempt = /(?<=^| )(attempt|attempted|try|tried|retry|retried|retrying|rerun|reran|again|no) \d{1,3}$/;

/**
 * The escalation as a person reads it: the original text, with the usual options and the request for a decision where they are missing
 * (S2-ES-07).
 */
export function escalationText(text: string, { options }: Escalation): string {
  const asks = /requesting (?:a )?human decision/i.test(text);
  const added = [
    ...(hasOptions(text) ? [] : ["", "Options:", ...options.map((option, index) => `  ${index + 1}. ${option}`)]),
    ...(asks ? [] : ["", "Requesting human decision on which path to take."]),
  ];
  return [text.trimEnd(), ...added].join("\n");
}
