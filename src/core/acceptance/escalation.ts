import { idsIn } from "../text/bounds.ts";

/** Giving up with proof: what an agent must show before a person is asked (AC-8). */
export interface Escalation {
  readonly criterionId: string;
  readonly attempts: readonly { readonly what: string; readonly result: string }[];
  readonly hypothesis: string;
  /** What a person may choose between: as it was written, else what there always is. */
  readonly options: readonly string[];
}

export type EscalationVerdict =
  | { readonly type: "accepted"; readonly escalation: Escalation }
  /** What is missing, a line each. */
  | { readonly type: "refused"; readonly missing: readonly string[] };

const leastAttempts = 3;

/** What can always be decided about a criterion that does not come to hold. */
const usualOptions = [
  "Change the criterion",
  "Change what it assumes about the code",
  "Go on with another approach, which you name",
];

/**
 * Reads an escalation as seed 002 writes it (criterion, numbered attempts with their results, hypothesis, options) and
 * says what is missing: a criterion of the session that failed often enough, three attempts that differ and a hypothesis.
 * Options are welcome and not required: seed 002's own accepted escalation has none (F-210). AC-8, S2-ES-01…07, C-34.
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
  ];
  if (missing.length > 0) return { type: "refused", missing };
  return { type: "accepted", escalation: options.length > 0 ? escalation : { ...escalation, options: usualOptions } };
}

function readEscalation(text: string, criteria: readonly string[]): Escalation {
  const lines = text.slice(0, longest).split("\n");
  const named = idsIn(lines.slice(0, 6).join("\n"));
  const options = lines.findIndex((line) => /^[ \t]*Options?:/i.test(line));
  return {
    criterionId: criteria.find((id) => named.has(id)) ?? "",
    attempts: attemptsIn(options === -1 ? lines : lines.slice(0, options)),
    hypothesis: hypothesisIn(lines),
    options: optionsIn(lines),
  };
}

const longest = 100_000;

/** What follows "Hypothesis:", up to an empty line or the options. */
function hypothesisIn(lines: readonly string[]): string {
  const start = lines.findIndex((line) => /^[ \t]*Hypothesis/i.test(line));
  if (start === -1) return "";
  const rest = lines.slice(start);
  const end = rest.findIndex((line, index) => index > 0 && (line.trim() === "" || /^[ \t]*Options?:/i.test(line)));
  const said = rest.slice(0, end === -1 ? undefined : end).join(" ");
  return inWords(said.replace(/^[ \t]*Hypothesis:?/i, ""));
}

/** `1. Used EventEmitter → failed: …`, or `Attempt 1: …` with `Result: …` in the next line. */
function attemptsIn(lines: readonly string[]): { what: string; result: string }[] {
  const inline: { what: string; result: string }[] = [];
  const blocks: { what: string; result: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const [mark] = /^[ \t]*(?:\d+[.)]|Attempt \d+:)/i.exec(line) ?? [];
    if (mark === undefined) continue;
    const said = line.slice(mark.length).trim();
    const arrow = /→|->/.exec(said);
    const parts = arrow === null ? null : [said.slice(0, arrow.index), said.slice(arrow.index + arrow[0].length)];
    const [what = "", result = ""] = parts?.map((part) => part.trim()) ?? [];
    if (what !== "" && result !== "") inline.push({ what, result });
    const next = /^[ \t]*Result:(.*)$/i.exec(lines[index + 1] ?? "")?.[1]?.trim() ?? "";
    if (said !== "" && next !== "" && !/^\s*\d/.test(mark)) blocks.push({ what: said, result: next });
  }
  return [...inline, ...blocks];
}

/** The items below the line that speaks of options. */
function optionsIn(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => /\bOptions?:/i.test(line));
  return (start === -1 ? [] : lines.slice(start + 1)).flatMap((line) => {
    const item = /^[ \t]*(?:\d+[.)]|[-*])/.exec(line);
    const said = item === null ? "" : line.slice(item[0].length).trim();
    return said === "" ? [] : [said];
  });
}

function inWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** An escalation as a person reads it: as it was written, with what can be decided where it does not say so (S2-ES-07). */
export function escalationText(text: string, { options }: Escalation): string {
  const hasOptions = /^.*\bOptions?:/im.test(text);
  const asks = /requesting (?:a )?human decision/i.test(text);
  const added = [
    ...(hasOptions ? [] : ["", "Options:", ...options.map((option, index) => `  ${index + 1}. ${option}`)]),
    ...(asks ? [] : ["", "Requesting human decision on which path to take."]),
  ];
  return [text.trimEnd(), ...added].join("\n");
}
