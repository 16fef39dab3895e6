/** Giving up with proof: what an agent must show before a person is asked (AC-8). */
export interface Escalation {
  readonly criterionId: string;
  readonly attempts: readonly { readonly what: string; readonly result: string }[];
  readonly hypothesis: string;
  /** What a person may choose between. */
  readonly options: readonly string[];
}

export type EscalationVerdict =
  | { readonly type: "accepted"; readonly escalation: Escalation }
  /** What is missing, a line each. */
  | { readonly type: "refused"; readonly missing: readonly string[] };

const leastAttempts = 3;

/**
 * Reads an escalation as seed 002 writes it (criterion, numbered attempts with their results, hypothesis, options) and
 * says what is missing: a criterion of the session that failed often enough, three attempts that differ, a hypothesis
 * and what a person may decide. AC-8, S2-ES-01…07, C-34.
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
    ...(options.length === 0 ? ["options that a person may decide between"] : []),
  ];
  return missing.length === 0 ? { type: "accepted", escalation } : { type: "refused", missing };
}

function readEscalation(text: string, criteria: readonly string[]): Escalation {
  const named = criteria.find((id) =>
    new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text.split("\n").slice(0, 6).join("\n")),
  );
  const hypothesis =
    /^[ \t]*Hypothesis:?[ \t]*([\s\S]*?)(?=^[ \t]*Options?:|\n\s*\n|(?![\s\S]))/im.exec(text)?.[1] ?? "";
  return {
    criterionId: named ?? "",
    attempts: attemptsIn(text),
    hypothesis: hypothesis.replace(/\s+/g, " ").trim(),
    options: optionsIn(text),
  };
}

/** `1. Used EventEmitter → failed: …`, or `Attempt 1: …` with `Result: …` in the next line. */
function attemptsIn(text: string): { what: string; result: string }[] {
  const before = text.split(/^[ \t]*Options?:/im)[0] ?? text;
  const inline = [...before.matchAll(/^[ \t]*(?:\d+[.)]|Attempt \d+:)[ \t]*(.+?)[ \t]*(?:→|->)[ \t]*(.+)$/gim)];
  const blocks = [...before.matchAll(/^[ \t]*Attempt \d+:[ \t]*(.+)\n[ \t]*Result:[ \t]*(.+)$/gim)];
  return [...inline, ...blocks].map((match) => ({ what: (match[1] ?? "").trim(), result: (match[2] ?? "").trim() }));
}

function optionsIn(text: string): string[] {
  const after = text.split(/^[^\n]*\bOptions?:/im)[1] ?? "";
  return [...after.matchAll(/^[ \t]*(?:\d+[.)]|[-*])[ \t]*(\S.*)$/gm)].map((match) => (match[1] ?? "").trim());
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
