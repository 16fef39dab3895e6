import { isRepositoryCheck } from "./repository-check.ts";
import type { Fault } from "../text/bounds.ts";
import { type Section, sectionsOf, labelledParts, isYaml } from "./spec-sections.ts";
import { slugOf } from "./slug.ts";
import { beginsLikeId, furtherBlocks, slipsOf } from "./spec-slips.ts";
import { inPlainYaml } from "./shell-not.ts";
import { type Verification, readVerification } from "./verification.ts";

/**
 * Acceptance criteria in a Markdown file, in the format of seed 002: a heading `#### AC-1: Title`, a description, a `yaml` block that says
 * how the criterion is verified, and accepted and rejected examples. AC-1, AC-2, AC-27.
 */
export interface Spec {
  /** In the order of the file; at least one. */
  readonly criteria: readonly Criterion[];
  /** Sub-agents that the file defines, by name. */
  readonly agents: Readonly<Record<string, string>>;
}

export interface Criterion {
  readonly id: string;
  readonly title: string;
  /** The title as a slug: "tests-pass". */
  readonly slug: string;
  /** Line of its heading, counted from 1. */
  readonly line: number;
  readonly description: string;
  readonly verification: Verification;
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
}

export type SpecResult =
  | { readonly type: "ok"; readonly spec: Spec }
  /** Sorted by line. */
  | { readonly type: "invalid"; readonly problems: readonly Fault[] };

const limits = {
  characters: 1_000_000,
  criteria: 500,
  title: 1_000,
  /** All verification blocks of the file together. */
  blocks: 300_000,
} as const;

/** The problem that is reported for a file that does not begin with valid UTF-8. */
const otherEncoding = "this is no text in UTF-8: save it as UTF-8";

/** Parses a criteria file after `inPlainYaml`. Every problem names its line. S2-IN-01…03. */
export function parseSpec(text: string): SpecResult {
  return text.startsWith("\uFFFD") ? invalid(1, otherEncoding) : readSpec(inPlainYaml(text), []);
}

/**
 * Parses criteria that a goal was given earlier, stored as `inPlainYaml` returned them. Slips that are reported for new criteria today are
 * ignored here, so the contract of the goal stays as it was.
 */
export function keptSpec(text: string): SpecResult {
  return readSpec(text, null);
}

/** `slips` collects text that does not mean what it seems to say. Null ignores such text. */
function readSpec(text: string, slips: Fault[] | null): SpecResult {
  if (text.length > limits.characters) {
    return invalid(1, `the file has ${text.length} characters, at most ${limits.characters} are read`);
  }
  const sections = sectionsOf(text);
  if ("problem" in sections) return { type: "invalid", problems: [sections] };
  const found = sections.flatMap((section): Found[] => {
    const heading = criterionHeading(section.title);
    return heading === null ? [] : [{ ...heading, section }];
  });
  if (found.length > limits.criteria)
    return invalid(1, `${found.length} criteria, at most ${limits.criteria} are taken`);
  const problems: Fault[] = [];
  let left: number = limits.blocks;
  const criteria = found.flatMap((each) => {
    const read = readCriterion(each, left);
    if ("problem" in read) {
      problems.push({ line: read.line, problem: `${each.id}: ${read.problem}` });
      return [];
    }
    left -= read.length;
    slips?.push(...read.slips.map(({ line, problem }) => ({ line, problem: `${each.id}: ${problem}` })));
    return [read.criterion];
  });
  const agents = agentsOf(sections);

  const seen = new Map<string, number>();
  for (const { id, line } of criteria) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, line);
    else problems.push({ line, problem: `${id} is already defined in line ${first}` });
  }
  if (slips !== null)
    problems.push(
      ...slips,
      ...criteria.flatMap(({ id, line }) =>
        isRepositoryCheck(id)
          ? [{ line, problem: `${id}: the checks of a repository are called so; give it another id` }]
          : [],
      ),
      ...slipsOf(
        sections,
        new Set(found.map(({ section }) => section)),
        found.map(({ id }) => id),
      ),
    );
  if (problems.length > 0) return { type: "invalid", problems: problems.sort((a, b) => a.line - b.line) };
  if (criteria.length === 0) {
    return invalid(1, 'invalid format: no criterion found; each begins with a heading such as "#### AC-1: Title"');
  }
  return { type: "ok", spec: { criteria, agents } };
}

function invalid(line: number, problem: string): SpecResult {
  return { type: "invalid", problems: [{ line, problem }] };
}

/** The problems of text that is meant as a criteria file, one per line. Null for a valid file and for plain words. */
export function specProblems(text: string | null, file: string): string | null {
  if (text?.startsWith("\uFFFD") === true) return `${file}:1: ${otherEncoding}`;
  if (text === null || !looksLikeSpec(text)) return null;
  const parsed = parseSpec(text);
  const problems = parsed.type === "invalid" ? parsed.problems : neverRun(parsed.spec);
  return problems.length === 0 ? null : problems.map(({ line, problem }) => `${file}:${line}: ${problem}`).join("\n");
}

/** Criteria that can never be run. They are reported to the author before an agent starts, because the agent could not fix them. */
function neverRun({ criteria }: Spec): Fault[] {
  return criteria.flatMap(({ id, line, verification }) =>
    verification.method === "unknown" ? [{ line, problem: `${id}: ${unknownMethod(verification)}` }] : [],
  );
}

/** The problem that is reported for an unknown method (S2-DN-11). */
export function unknownMethod({ named }: Extract<Verification, { readonly method: "unknown" }>): string {
  return `unknown method ${JSON.stringify(named)}: use bash, subagent, manual or ci`;
}

/** True when a text is meant as a criteria file: a heading names a criterion, well formed or not. */
export function looksLikeSpec(text: string): boolean {
  // In another encoding, only the characters of the byte order mark are unreadable.
  const sections = sectionsOf(text.replace(/^\uFFFD+/, ""));
  if (!("problem" in sections)) {
    if (sections.some((section) => criterionHeading(section.title) !== null)) return true;
    return slipsOf(sections, new Set(), []).length > 0;
  }
  // When the Markdown cannot be parsed, its lines decide.
  return text.split("\n").some((line) => {
    const heading = /^#{1,6}\s*(\S.*)$/.exec(line)?.[1] ?? "";
    return criterionHeading(heading) !== null || beginsLikeId(heading, new Set());
  });
}

interface Heading {
  readonly id: string;
  readonly title: string;
}

/** `AC-1: Title`: an id of capitals and digits joined by dashes, whose last piece is a number. Null when the heading names no criterion. */
function criterionHeading(heading: string): Heading | null {
  const [pieces = ""] = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+/.exec(heading.slice(0, limits.title)) ?? [];
  for (let end = pieces.length; end > 0; end = pieces.lastIndexOf("-", end - 1)) {
    const piece = pieces.slice(pieces.lastIndexOf("-", end - 1) + 1, end);
    const title = /^\s*[:–—-]\s*(\S.*)$/.exec(heading.slice(end, limits.title))?.[1];
    if (title !== undefined && pieces.lastIndexOf("-", end - 1) !== -1 && /^\d+$/.test(piece))
      return { id: pieces.slice(0, end), title };
  }
  return null;
}

interface Found extends Heading {
  readonly section: Section;
}

/** A criterion with the length of its yaml block and its slips; or the problem and its line. */
function readCriterion(
  { id, title, section }: Found,
  left: number,
): { readonly criterion: Criterion; readonly length: number; readonly slips: readonly Fault[] } | Fault {
  const labelled = labelledParts(section.parts);
  const description = labelled
    .filter(({ label, part }) => part.type === "text" && (label === null || label === "description"))
    .map(({ part }) => (part.type === "text" ? part.text : ""))
    .join("\n\n");
  // Usually under **Verification**; a short file may omit the label.
  const blocks = labelled.filter(({ part }) => isYaml(part));
  const block = (
    blocks.find(({ label }) => label === "verification") ??
    blocks.find(({ label }) => label === null || label === "description")
  )?.part;
  const examples = (word: string) =>
    labelled.flatMap(({ label, part }) =>
      part.type === "code" && label?.startsWith("example") === true && label.includes(word) ? [part.text] : [],
    );
  const { line } = section;
  if (block?.type !== "code") return { line, problem: "has no verification: a yaml block under **Verification**" };
  if (block.text.length > left)
    return { line: block.line, problem: `the yaml blocks have more than ${limits.blocks} characters in all` };
  const read = readVerification(block, description);
  if (typeof read === "string") return { line: block.line, problem: read };
  const { verification } = read;
  const criterion = {
    id,
    title,
    slug: slugOf(title),
    line,
    description,
    verification,
    accepted: examples("accepted"),
    rejected: examples("rejected"),
  };
  const slips = [...read.slips, ...furtherBlocks(section, block)];
  return { criterion, length: block.text.length, slips };
}

/** True when at least one criterion is checked at a forge. */
export function asksForge(criteria: readonly Pick<Criterion, "verification">[]): boolean {
  return criteria.some(({ verification }) => verification.method === "ci");
}

/** Sub-agents: each heading in code style below a heading that begins with "sub-agents", with the text below it. */
function agentsOf(sections: readonly Section[]): Record<string, string> {
  const agents: Record<string, string> = Object.create(null);
  let depth = 0;
  for (const section of sections) {
    if (depth > 0 && section.depth <= depth) depth = 0;
    if (/^sub-?agents?\b/i.test(section.title)) ({ depth } = section);
    const name = /^`([\w.-]+)`$/.exec(section.title)?.[1];
    if (depth > 0 && name !== undefined) {
      agents[name] = section.parts
        .map((part) => (part.type === "label" ? `${part.label}: ${part.rest}` : part.text))
        .join("\n\n");
    }
  }
  return agents;
}
