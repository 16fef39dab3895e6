import { idsIn } from "../text/bounds.ts";

/**
 * Parses an escalation as agents write it: plain, or with usual Markdown (headings, lists, bold, a table). An attempt must say what was
 * tried and how it failed. `escalationForm` is the shortest form.
 */

export interface Attempted {
  readonly what: string;
  readonly result: string;
}

/** An escalation: the evidence that an agent must give before a person is asked (AC-8). */
export interface Escalation {
  readonly criterionId: string;
  readonly attempts: readonly Attempted[];
  readonly hypothesis: string;
  /** The options for a person, as written; may be empty. */
  readonly options: readonly string[];
}

/** How an escalation is written, in one line. Refusals, the help and the pages repeat it. */
export const escalationForm =
  'Criterion: ID; three items "1. what was tried → how it failed"; "Hypothesis: what may be wrong" (Markdown is read, and "Attempt 1: …" with "Result: …" below it)';

const longest = 100_000;

/** A line without its Markdown marks. `depth` is the level of a heading, 7 for a line that is all bold, 0 otherwise. */
interface Line {
  readonly text: string;
  readonly indent: number;
  readonly depth: number;
  readonly mark: "number" | "bullet" | null;
}

const bold = 7;

/** Parses an escalation; missing parts are empty. */
export function readEscalation(text: string, criteria: readonly string[]): Escalation {
  const written = text.slice(0, longest);
  const read = partsOf(linesOf(written, true), criteria);
  // Some agents put the whole escalation into a code fence.
  return read.attempts.length > 0 ? read : partsOf(linesOf(written, false), criteria);
}

function partsOf(lines: readonly Line[], criteria: readonly string[]): Escalation {
  const options = lines.findIndex(isOptions);
  const before = options === -1 ? lines : lines.slice(0, options);
  return {
    criterionId: criterionIn(lines, criteria),
    attempts: attemptsIn(before, criteria),
    hypothesis: hypothesisIn(lines),
    options: lines
      .slice(options === -1 ? lines.length : options + 1)
      .flatMap(({ mark, text }) => (mark && text ? [text] : [])),
  };
}

/** True when a text has options of its own. */
export function hasOptions(text: string): boolean {
  return linesOf(text.slice(0, longest), false).some(isOptions);
}

/** With `knowsCode`, lines in a code fence are output and cannot begin an attempt or a section. */
function linesOf(text: string, knowsCode: boolean): Line[] {
  let isCode = false;
  return text.split("\n").flatMap((raw): Line[] => {
    const trimmed = raw.trim();
    const isFence = trimmed.startsWith("```");
    if (isFence && knowsCode) isCode = !isCode;
    if (isFence) return [];
    const indent = raw.length - raw.trimStart().length;
    if (isCode) return [{ text: trimmed, indent, depth: 0, mark: null }];
    const heading = /^#{1,6}(?=[ \t])/.exec(trimmed)?.[0].length ?? 0;
    const isBold = /^\*\*[^*]+\*\*:?$/.test(trimmed);
    const said = plain(trimmed.slice(heading));
    const bullet = /^(?:[-*+•][ \t]+)?/.exec(said)?.[0] ?? "";
    const item = plain(said.slice(bullet.length));
    const number = /^\d{1,3}[.)](?=\s|$)/.exec(item)?.[0] ?? "";
    const mark = number === "" ? (bullet === "" ? null : "bullet") : "number";
    return [{ text: plain(item.slice(number.length)), indent, depth: heading || (isBold ? bold : 0), mark }];
  });
}

/** Removes the marks for bold. */
function plain(text: string): string {
  return text.replaceAll("**", "").trim();
}

const isHypothesisLabel = /^(?:(?:my|the|working|main|current|root|cause|root-cause) ){0,3}hypothes[ie]s\b/i;

function isHypothesis({ text }: Line): boolean {
  return isHypothesisLabel.test(text) || /^what I think\b/i.test(text);
}

function isOptions({ text, depth }: Line): boolean {
  return depth > 0 ? /^options?\b/i.test(text) : /^options?\b[^:]{0,60}:|\boptions?:$/i.test(text);
}

/** The first known criterion id near the word "criterion", or in the first lines. */
function criterionIn(lines: readonly Line[], criteria: readonly string[]): string {
  const said = lines.filter(({ text }) => text !== "");
  const about = said.findIndex(({ text }) => /^criterion\b/i.test(text));
  const looked = [...(about === -1 ? [] : said.slice(about, about + 2)), ...said.slice(0, 6)];
  return [...idsIn(looked.map(({ text }) => text).join("\n"))].find((id) => criteria.includes(id)) ?? "";
}

/** The text after "Hypothesis", to the end of its paragraph. */
function hypothesisIn(lines: readonly Line[]): string {
  const start = lines.findIndex(isHypothesis);
  const [label, ...below] = start === -1 ? [] : lines.slice(start);
  if (label === undefined) return "";
  const colon = label.text.indexOf(":");
  const said =
    colon === -1 ? label.text.replace(isHypothesisLabel, "").replace(/^\s*[-–—]+/, "") : label.text.slice(colon + 1);
  const isBare = label.depth > 0 || said.trim() === "";
  const from = isBare ? below.findIndex(({ text }) => text !== "") : 0;
  const rest = from === -1 ? [] : below.slice(from);
  const end = rest.findIndex((line) => line.text === "" || line.depth > 0 || isOptions(line));
  const words = rest.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
  const own = isBare && colon === -1 ? "" : said;
  return inWords([own, ...words].join(" "));
}

/** Words that begin an attempt: "Attempt 2", "Second approach". */
const worded =
  /^(?:(?:attempt|approach)[ \t]*#?\d{1,3}(?!\d)|(?:the )?(?:first|second|third|fourth|fifth|sixth) (?:attempt|approach)\b)[ \t:.)–—-]*/i;

function attemptsIn(lines: readonly Line[], criteria: readonly string[]): Attempted[] {
  const starts = startsIn(lines, (line) => isAboutCriterion(line, criteria));
  const items = starts.flatMap((start, index) => {
    const rest = lines.slice(start + 1, starts[index + 1] ?? lines.length);
    const depth = lines[start]?.depth || 6;
    const end = rest.findIndex((line) => isHypothesis(line) || (line.depth > 0 && line.depth <= depth));
    const said = (lines[start]?.text ?? "").replace(worded, "");
    const below = rest.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
    return attempted([said, ...below].join("\n"));
  });
  return [...items, ...tableIn(lines)];
}

/** True for an item that only names a criterion or its state, and nothing that was tried. */
function isAboutCriterion({ text }: Line, criteria: readonly string[]): boolean {
  if (/^(?:the )?(?:acceptance )?criteri(?:on|a)\b/i.test(text)) return true;
  const first = /^[`'"([]{0,3}([\w.-]+)/.exec(text)?.[1] ?? "";
  return [...idsIn(first)].some((id) => criteria.includes(id));
}

/**
 * The lines at which attempts begin. Words such as "Attempt 2" come first, then numbers. Below a heading for attempts, subheadings follow,
 * then bullets. Without such a heading, bullets above the hypothesis count.
 */
function startsIn(lines: readonly Line[], isOther: (line: Line) => boolean): number[] {
  const where = (is: (line: Line) => boolean): number[] => lines.flatMap((line, index) => (is(line) ? [index] : []));
  const named = where(({ text }) => worded.test(text));
  if (named.length > 1) return named;
  const heading = lines.findIndex(({ text }) =>
    /^(?:(?:attempts|approaches|what (?:I|we|was) (?:have )?tried)\b|tried:?$)/i.test(text),
  );
  const depth = lines[heading]?.depth ?? 0;
  const after = lines.findIndex(
    (line, index) => index > heading && (isHypothesis(line) || (line.depth > 0 && line.depth <= depth)),
  );
  const last = heading === -1 || after === -1 ? lines.length : after;
  const inside = (is: (line: Line) => boolean, end: number): number[] => {
    const found = where((line) => is(line) && (heading !== -1 || !isOther(line))).filter(
      (index) => index > heading && index < end,
    );
    const least = Math.min(...found.map((index) => lines[index]?.indent ?? 0));
    return found.filter((index) => lines[index]?.indent === least);
  };
  const numbered = inside(({ mark }) => mark === "number", last);
  if (numbered.length > 0) return numbered;
  const isBullet = ({ mark }: Line): boolean => mark === "bullet";
  if (heading === -1) {
    const end = lines.findIndex(isHypothesis);
    return inside(isBullet, end === -1 ? last : end);
  }
  const headed = inside((line) => line.depth > depth, last);
  return headed.length > 0 ? headed : inside(isBullet, last);
}

/** Marks between what was tried and how it failed. */
const turning = /→|->|\n|[.;,:](?=\s)|\s[-–—]\s|\(|\bbut\b/g;

const outcome =
  /^(?:(?:and|but|it|this|that|which|then|still|the|tests?|how|why|what|actual) ){0,3}(?:results?|outcomes?|errors?(?=:)|happened|failed|fails|failure|failing|broke|breaks|rejected|refused|got|gave|gives|hung|hangs|timed out|crashed|crashes|threw|throws|raised|raises|(?:did|does)(?: not|n't) (?:work|pass|hold|help|compile|build))\b/i;

/** An item as an attempt, if it says what was tried and then how it failed. */
function attempted(item: string): Attempted[] {
  for (const turn of item.matchAll(turning)) {
    const rest = item.slice(turn.index + turn[0].length, turn.index + turn[0].length + longestResult).trim();
    if (!["→", "->"].includes(turn[0]) && !outcome.test(rest.slice(0, 60))) continue;
    const what = inWords(item.slice(0, turn.index));
    const result = inWords(rest.replace(/^(?:results?|outcomes?)\b[ \t]*:?/i, ""));
    return what === "" || !/\p{L}/u.test(result) ? [] : [{ what, result }];
  }
  return [];
}

const longestResult = 2000;

/** Attempts in the rows of a table that has a column for their outcome. */
function tableIn(lines: readonly Line[]): Attempted[] {
  const rows = lines.flatMap(({ text }) =>
    text.startsWith("|")
      ? [
          text
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ]
      : [],
  );
  const column = rows[0]?.findIndex((cell) => outcome.test(cell)) ?? -1;
  if (column === -1) return [];
  return rows.slice(1).flatMap((cells) => {
    const result = cells[column] ?? "";
    const what = inWords(cells.filter((cell, index) => index !== column && /\p{L}/u.test(cell)).join(", "));
    return what === "" || !/\p{L}/u.test(result) ? [] : [{ what, result }];
  });
}

function inWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}
