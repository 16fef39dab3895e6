import { z } from "zod";
import { shorten } from "../text.ts";
import { parseReach, type Reach } from "../isolation/network.ts";
import { type Block, readBlocks } from "../text/blocks.ts";
import type { Fault } from "../text/bounds.ts";
import { readYaml } from "../text/yaml.ts";
import { parsePassCondition, type PassCondition } from "./pass-condition.ts";

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

export type Verification =
  | {
      readonly method: "bash";
      readonly command: string;
      readonly condition: PassCondition;
      readonly timeoutSeconds: number;
      /** What it reaches beside its own loopback (D39); not there: nothing. */
      readonly network?: Reach;
    }
  | {
      readonly method: "subagent";
      readonly agent: string | null;
      readonly checks: readonly string[];
      readonly contextFiles: readonly string[];
      readonly timeoutSeconds: number;
    }
  | { readonly method: "manual"; readonly instructions: string }
  /** At the forge, on the pull request of the work: `ci: required checks`. */
  | { readonly method: "ci"; readonly checks: "required" }
  /** Reported as a failure and never skipped (S2-DN-11). */
  | { readonly method: "unknown"; readonly named: string };

export type SpecResult =
  | { readonly type: "ok"; readonly spec: Spec }
  /** Sorted by line. */
  | { readonly type: "invalid"; readonly problems: readonly Fault[] };

const limits = {
  characters: 1_000_000,
  criteria: 500,
  title: 1_000,
  block: { characters: 30_000, line: 25_000 },
  /** Of all blocks that say how something is verified. */
  blocks: 300_000,
  command: 20_000,
  checks: 100,
  seconds: 3600,
} as const;
const defaultTimeoutSeconds = { bash: 60, subagent: 600 } as const;

/** Reads a criteria file; every problem names its line. S2-IN-01…03. */
export function parseSpec(text: string): SpecResult {
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
    return [read.criterion];
  });
  const agents = agentsOf(sections);

  const seen = new Map<string, number>();
  for (const { id, line } of criteria) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, line);
    else problems.push({ line, problem: `${id} is already defined in line ${first}` });
  }
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
  if (text === null || !looksLikeSpec(text)) return null;
  const parsed = parseSpec(text);
  if (parsed.type === "ok") return null;
  return parsed.problems.map(({ line, problem }) => `${file}:${line}: ${problem}`).join("\n");
}

/** Whether a text means to be a criteria file: it has a heading that names a criterion, well formed or not. */
export function looksLikeSpec(text: string): boolean {
  const sections = sectionsOf(text);
  if (!("problem" in sections)) return sections.some((section) => criterionHeading(section.title) !== null);
  // What cannot be read is told by its lines.
  return text.split("\n").some((line) => criterionHeading(/^#{1,6}\s+(\S.*)$/.exec(line)?.[1] ?? "") !== null);
}

/** A heading and everything up to the next one. */
interface Section {
  readonly depth: number;
  readonly title: string;
  readonly line: number;
  readonly parts: readonly Part[];
}

type Part =
  | { readonly type: "label"; readonly label: string; readonly rest: string }
  | { readonly type: "code"; readonly language: string; readonly text: string; readonly line: number }
  | { readonly type: "text"; readonly text: string };

function sectionsOf(text: string): readonly Section[] | Fault {
  const read = readBlocks(text.replaceAll("\r\n", "\n"));
  if (read.type === "wrong") return read.fault;
  const sections: { depth: number; title: string; line: number; parts: Part[] }[] = [];
  for (const block of read.blocks) {
    if (block.type === "heading") sections.push({ depth: block.depth, title: block.text, line: block.line, parts: [] });
    else sections.at(-1)?.parts.push(partOf(block));
  }
  return sections;
}

function partOf(block: Exclude<Block, { readonly type: "heading" }>): Part {
  if (block.type === "code") {
    return { type: "code", language: block.language.toLowerCase(), text: block.text, line: block.line };
  }
  const raw = block.raw.trim();
  return (block.type === "words" ? labelOf(raw) : null) ?? { type: "text", text: raw };
}

/** `**Label**: words`, the colon before or behind the marks. */
function labelOf(raw: string): Part | null {
  const end = raw.startsWith("**") ? raw.indexOf("**", 2) : -1;
  const inside = raw.slice(2, Math.max(2, end));
  const label = (inside.endsWith(":") ? inside.slice(0, -1) : inside).trim().toLowerCase();
  if (label === "" || /[*\n]/.test(inside)) return null;
  const rest = raw.slice(end + 2);
  return { type: "label", label, rest: (rest.startsWith(":") ? rest.slice(1) : rest).trim() };
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

/** A criterion with the length of its yaml block, or what is wrong with it and where. */
function readCriterion(
  { id, title, section }: Found,
  left: number,
): { readonly criterion: Criterion; readonly length: number } | Fault {
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
  const verification = readVerification(block, description);
  if (typeof verification === "string") return { line: block.line, problem: verification };
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
  return { criterion, length: block.text.length };
}

/** Every part with the bold label that it stands under; a label's own words count as its first part. */
function labelledParts(parts: readonly Part[]): { label: string | null; part: Part }[] {
  let label: string | null = null;
  const labelled: { label: string | null; part: Part }[] = [];
  for (const part of parts) {
    if (part.type !== "label") {
      labelled.push({ label, part });
      continue;
    }
    ({ label } = part);
    if (part.rest !== "") labelled.push({ label, part: { type: "text", text: part.rest } });
  }
  return labelled;
}

function isYaml(part: Part): boolean {
  return part.type === "code" && (part.language === "yaml" || part.language === "yml");
}

const list = z
  .union([z.string(), z.array(z.coerce.string())])
  .transform((value) => (typeof value === "string" ? [value] : value));
const blockSchema = z.object({
  method: z.string().min(1).optional(),
  ci: z.string().optional(),
  command: z.string().optional(),
  pass_condition: z.string().optional(),
  timeout_seconds: z.number().min(1).max(limits.seconds).optional(),
  network: list.optional(),
  agent: z.string().optional(),
  checks: list.optional(),
  context_files: list.optional(),
  instructions: z.string().optional(),
});

/** The verification that a block describes, or what is wrong with it, with the line where that is known. */
function readVerification(
  { text, line }: { readonly text: string; readonly line: number },
  description: string,
): Verification | string {
  const read = readYaml(text, limits.block);
  if (read.type === "wrong") {
    const [fault] = read.faults;
    return `its yaml block cannot be read: ${fault?.problem ?? ""} (line ${line + (fault?.line ?? 0)})`;
  }
  const at = (path: readonly PropertyKey[]): string => {
    const found = read.lineOf(path);
    return found === null ? "" : ` (line ${line + found})`;
  };
  const parsed = blockSchema.safeParse(read.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    return `${path.join(".") || "its yaml block"}: ${issue?.message ?? "not valid"}${at(path)}`;
  }
  const block = parsed.data;
  const method = block.method ?? (block.ci === undefined ? undefined : "ci");
  if (method === undefined) return `method: is missing${at(["method"])}`;
  switch (method.trim().toLowerCase()) {
    case "ci":
      if (!isRequiredChecks(block.ci ?? "required checks")) return `ci: knows "required checks" alone${at(["ci"])}`;
      return { method: "ci", checks: "required" };
    case "bash": {
      const bash = readBash(block);
      return typeof bash === "string"
        ? `${bash}${at([bash.startsWith("network") ? "network" : "pass_condition"])}`
        : bash;
    }
    case "subagent":
      return readSubagent(block);
    case "manual": {
      const checks = (block.checks ?? []).map((check) => `- ${check}`).join("\n");
      const instructions = [block.instructions ?? "", checks].filter((each) => each.trim() !== "").join("\n");
      return { method: "manual", instructions: instructions === "" ? description : instructions };
    }
    default:
      return { method: "unknown", named: shorten(method, 40) };
  }
}

/** "required checks", however it is spaced. */
function isRequiredChecks(text: string): boolean {
  return text.trim().toLowerCase().split(/\s+/).join(" ") === "required checks";
}

/** Whether a line is the criterion itself in short, `ci: required checks`, and no command. */
export function isRequiredChecksLine(line: string): boolean {
  const text = line.trim();
  return /^ci:/i.test(text) && isRequiredChecks(text.slice(3));
}

/** Whether some of these criteria are checked at a forge. */
export function asksForge(criteria: readonly Pick<Criterion, "verification">[]): boolean {
  return criteria.some(({ verification }) => verification.method === "ci");
}

type VerificationBlock = z.infer<typeof blockSchema>;

function readBash(block: VerificationBlock): Verification | string {
  const command = block.command ?? "";
  if (command.trim() === "") return "method bash needs a command";
  if (command.length > limits.command)
    return `its command has ${command.length} characters, at most ${limits.command} are run`;
  const condition = parsePassCondition(block.pass_condition ?? "exit code 0");
  if (typeof condition === "string") return condition;
  const reach = parseReach(block.network ?? []);
  if (typeof reach === "string") return reach;
  const timeoutSeconds = block.timeout_seconds ?? defaultTimeoutSeconds.bash;
  return { method: "bash", command, condition, timeoutSeconds, ...(reach.type === "none" ? {} : { network: reach }) };
}

function readSubagent(block: VerificationBlock): Verification | string {
  const checks = block.checks ?? [];
  if (checks.length === 0) return "method subagent needs checks";
  if (checks.length > limits.checks) return `${checks.length} checks, at most ${limits.checks} are taken`;
  const contextFiles = block.context_files ?? [];
  const outside = contextFiles.find((path) => path.startsWith("/") || path.split(/[\\/]/).includes(".."));
  if (outside !== undefined) return `context file ${outside} lies outside of the repository`;
  const timeoutSeconds = block.timeout_seconds ?? defaultTimeoutSeconds.subagent;
  return { method: "subagent", agent: block.agent ?? null, checks, contextFiles, timeoutSeconds };
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

/** "Works Toward Criteria Without Plan" as "works-toward-criteria-without-plan". */
export function slugOf(title: string): string {
  const words = title
    .slice(0, limits.title)
    .toLowerCase()
    .normalize("NFKD")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const slug = words.join("-").slice(0, 60);
  return slug === "" ? "criterion" : slug;
}
