import { isRepositoryCheck } from "./repository-check.ts";
import type { Fault } from "../text/bounds.ts";
import { type Section, sectionsOf, labelledParts, isYaml } from "./spec-sections.ts";
import { slugOf } from "./slug.ts";
import { beginsLikeId, furtherBlocks, slipsOf } from "./spec-slips.ts";
import { inPlainYaml } from "./shell-not.ts";
import { type Verification, readVerification } from "./verification.ts";

/**
 * Acceptance criteria in a Markdown file, as seed 002 writes them: a heading `#### AC-1: Title`, a description, a `yaml`
 * block that says how the criterion is verified, and examples of what is accepted and rejected. AC-1, AC-2, AC-27.
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
  /** The title as one word: "tests-pass". */
  readonly slug: string;
  /** Of its heading, counted from 1. */
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
  /** Of all blocks that say how something is verified. */
  blocks: 300_000,
} as const;

/** What is said of a file whose first bytes are none of UTF-8. */
const otherEncoding = "this is no text in UTF-8: save it as UTF-8";

/** Reads a criteria file as `inPlainYaml` has it; every problem names its line. S2-IN-01…03. */
export function parseSpec(text: string): SpecResult {
  return text.startsWith("\uFFFD") ? invalid(1, otherEncoding) : readSpec(inPlainYaml(text), []);
}

/**
 * Criteria that a goal was given: what it is held to stays as it was when they were taken, also where something in them
 * would be told to somebody who gave them today. They are kept as `inPlainYaml` has them.
 */
export function keptSpec(text: string): SpecResult {
  return readSpec(text, null);
}

/** `slips`: where what means something else than it says is put; null: that is passed over. */
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

/** What is wrong with criteria that mean to be a criteria file, a line each; null for good ones and for plain words. */
export function specProblems(text: string | null, file: string): string | null {
  if (text?.startsWith("\uFFFD") === true) return `${file}:1: ${otherEncoding}`;
  if (text === null || !looksLikeSpec(text)) return null;
  const parsed = parseSpec(text);
  const problems = parsed.type === "invalid" ? parsed.problems : neverRun(parsed.spec);
  return problems.length === 0 ? null : problems.map(({ line, problem }) => `${file}:${line}: ${problem}`).join("\n");
}

/** Criteria that nothing can ever run: whoever gives them is told, before an agent works for what it cannot mend. */
function neverRun({ criteria }: Spec): Fault[] {
  return criteria.flatMap(({ id, line, verification }) =>
    verification.method === "unknown" ? [{ line, problem: `${id}: ${unknownMethod(verification)}` }] : [],
  );
}

/** What is said of a method that is none (S2-DN-11). */
export function unknownMethod({ named }: Extract<Verification, { readonly method: "unknown" }>): string {
  return `unknown method ${JSON.stringify(named)}: use bash, subagent, manual or ci`;
}

/** Whether a text means to be a criteria file: it has a heading that names a criterion, well formed or not. */
export function looksLikeSpec(text: string): boolean {
  // In another encoding than ours only its first marks are not read.
  const sections = sectionsOf(text.replace(/^\uFFFD+/, ""));
  if (!("problem" in sections)) {
    if (sections.some((section) => criterionHeading(section.title) !== null)) return true;
    return slipsOf(sections, new Set(), []).length > 0;
  }
  // What cannot be read is told by its lines.
  return text.split("\n").some((line) => {
    const heading = /^#{1,6}\s*(\S.*)$/.exec(line)?.[1] ?? "";
    return criterionHeading(heading) !== null || beginsLikeId(heading, new Set());
  });
}

interface Heading {
  readonly id: string;
  readonly title: string;
}

/** `AC-1: Title`: capitals and digits in pieces, the last one a number. Null when the heading names no criterion. */
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

/** A criterion with the length of its yaml block and what in it means something else than it says; or what is wrong with it and where. */
function readCriterion(
  { id, title, section }: Found,
  left: number,
): { readonly criterion: Criterion; readonly length: number; readonly slips: readonly Fault[] } | Fault {
  const labelled = labelledParts(section.parts);
  const description = labelled
    .filter(({ label, part }) => part.type === "text" && (label === null || label === "description"))
    .map(({ part }) => (part.type === "text" ? part.text : ""))
    .join("\n\n");
  // Usually under **Verification**; a short file may leave the label away.
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

/** Whether some of these criteria are checked at a forge. */
export function asksForge(criteria: readonly Pick<Criterion, "verification">[]): boolean {
  return criteria.some(({ verification }) => verification.method === "ci");
}

/** Sub-agents: headings in code under a heading that speaks of sub-agents, with the text below each. */
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
