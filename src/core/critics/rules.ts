import { count } from "../text.ts";
import { coveredWords } from "./coverage.ts";
import type { ArtifactType, Critic, Score } from "./critic.ts";
import { dangersIn } from "./dangers.ts";
import { type Artifact, issueAt, type Line } from "./lines.ts";
import { emptyTests, lacksTests, removedTests, skippedTests } from "./tests.ts";

/** The name of the built-in rules as a reviewer. They run with and without a model, and no model can overrule them. */
export const rulesBy = "the built-in rules";

/** Findings of tools that run elsewhere. */
export interface ToolFindings {
  /** Secrets, each with its place, masked. */
  readonly secrets: readonly string[];
  /** Covered lines from 0 to 1, from the repository's own report; null when there is none. */
  readonly coverage: number | null;
}

/** Maximum number of issues of one critic that are shown. */
const mostIssues = 30;

/** The score of the rules for one critic. Pure, linear in the artefact. */
export function ruleScore(type: ArtifactType, critic: Critic, artifact: Artifact, found: ToolFindings): Score {
  const { issues, limit, reasoning, measured } = findings(type, critic, artifact, found);
  const shown = issues.slice(0, mostIssues);
  const more = issues.length - shown.length;
  const lowered = Math.max(0, 1 - 0.2 * issues.length);
  return {
    critic: critic.name,
    focus: critic.focus,
    score: Math.min(lowered, limit ?? 1),
    isApproved: issues.length === 0,
    issues: more === 0 ? shown : [...shown, `and ${more} more`],
    suggestions: [],
    reasoning: reasoning ?? (issues.length === 0 ? "" : `${count(issues.length, "finding")} of ${critic.focus}.`),
    by: rulesBy,
    ...(measured === undefined ? {} : { measured }),
  };
}

/** The scores for a document that was not written. It is not approved, and there is no veto, so the agent can fix it. */
export function absentScores(critics: readonly Critic[], path: string): Score[] {
  return critics.map(({ name, focus, hasVeto }) => ({
    critic: name,
    focus,
    score: hasVeto ? 1 : 0,
    isApproved: hasVeto,
    issues: hasVeto ? [] : [`${path} is not there`],
    suggestions: [],
    reasoning: hasVeto ? "" : "There is nothing to look at.",
    by: rulesBy,
  }));
}

interface Findings {
  readonly issues: readonly string[];
  /** Maximum of the score. */
  readonly limit?: number;
  readonly reasoning?: string;
  readonly measured?: number;
}

function findings(type: ArtifactType, { focus }: Critic, artifact: Artifact, found: ToolFindings): Findings {
  switch (focus) {
    case "security":
      return { issues: [...found.secrets, ...dangersIn(artifact)] };
    case "style":
      return { issues: artifact.added.flatMap(styleIssue) };
    case "completeness":
      return { issues: missingParts(artifact) };
    case "feasibility":
      return { issues: isUnwritten(artifact) ? ["nothing is written in it"] : artifact.added.flatMap(openIssue) };
    case "coverage":
      return coverageOf(artifact, found, type);
    case "edge_cases":
      return { issues: emptyTests(artifact) };
  }
}

function coverageOf(artifact: Artifact, { coverage }: ToolFindings, type: ArtifactType): Findings {
  const issues = [...removedTests(artifact), ...skippedTests(artifact)];
  if (type === "test" && lacksTests(artifact)) return { issues: [...issues, "no tests were found in it"], limit: 0 };
  if (coverage === null) return { issues };
  return {
    issues,
    limit: coverage,
    measured: coverage,
    reasoning: `The repository's own report: ${coveredWords(coverage)} of lines.`,
  };
}

/** Files made by tools, whose lines may have any length. */
const generated = /(?:\.(?:min\.\w+|lock|snap|svg|map|csv|json|ya?ml|md|txt|html?)|lock\.json)$/i;
const longestCodeLine = 300;

function styleIssue(line: Line): string[] {
  if (/^(?:<{7} |>{7} |={7}$)/.test(line.text)) return [issueAt(line, "a conflict that was not resolved")];
  if (/^\s*debugger;?\s*$/.test(line.text)) return [issueAt(line, "a stop of the debugger")];
  const isLong = line.text.length > longestCodeLine && !generated.test(line.path);
  return isLong ? [issueAt(line, `a line of ${line.text.length} characters`)] : [];
}

function missingParts(artifact: Artifact): string[] {
  const lines = artifact.added.map((line) => line.text);
  const words = wordsOf(artifact);
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  return [
    ...(words < 30 ? [`it says too little to be built: ${count(words, "word")}`] : []),
    ...(has(/^#{1,6}\s\S|^[\p{Lu}\p{Lo}][^.。]{2,60}:?$/u) ? [] : ["it has no headings"]),
    ...(has(saysWhenDone) ? [] : ["it does not say how anybody sees that it is done (acceptance criteria)"]),
  ];
}

/** Words for acceptance criteria, in the languages of most specs. */
const saysWhenDone =
  /acceptance|definition of done|[ck]r[iyí]t[eéè]+r|кр[иы]т[еэ]р|κριτήρι|akzeptanz|abnahme|aceptación|aceitação|מדדי קבלה|קריטריונ|معايير|معیار|मानदंड|tiêu chí|เกณฑ์|验收|驗收|受け?入れ?(?:基準|条件|要件|テスト)|完了(?:条件|の定義)|인수|수락|완료 조건|\bAC-\d|^\s{0,10}[-*]\s\[[ x]\]|\bdone when\b|\bshall\b|\bmust\b|\bgiven\b.{1,200}\bthen\b/i;

/** Scripts without spaces between words. */
const withoutBlanks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The approximate number of words. In scripts without spaces, two characters count as a word. */
function wordsOf({ added }: Artifact): number {
  const text = added.map((line) => line.text).join(" ");
  const apart = text.replace(withoutBlanks, " ");
  const characters = text.match(withoutBlanks)?.length ?? 0;
  return apart.split(/\s+/).filter((word) => word !== "").length + Math.ceil(characters / 2);
}

/** True when nothing was added and nothing was removed. */
function isUnwritten(artifact: Artifact): boolean {
  return artifact.removed.length === 0 && wordsOf(artifact) === 0;
}

function openIssue(line: Line): string[] {
  const isOpen = /\bTBD\b|\bTODO\b|\bFIXME\b|\?\?\?|\bto be (?:decided|defined|determined)\b/.test(line.text);
  return isOpen ? [issueAt(line, "not decided yet")] : [];
}
