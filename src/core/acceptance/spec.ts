import { lexer, type Token } from "marked";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { shorten } from "../text.ts";
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
    }
  | {
      readonly method: "subagent";
      readonly agent: string | null;
      readonly checks: readonly string[];
      readonly contextFiles: readonly string[];
      readonly timeoutSeconds: number;
    }
  | { readonly method: "manual"; readonly instructions: string }
  /** Reported as a failure and never skipped (S2-DN-11). */
  | { readonly method: "unknown"; readonly named: string };

export type SpecResult =
  | { readonly type: "ok"; readonly spec: Spec }
  /** Sorted by line. */
  | { readonly type: "invalid"; readonly problems: readonly SpecProblem[] };

export interface SpecProblem {
  readonly line: number;
  readonly problem: string;
}

const limits = { characters: 1_000_000, criteria: 500, command: 20_000, checks: 100, seconds: 3600 } as const;
const defaultTimeoutSeconds = { bash: 60, subagent: 600 } as const;

/** Reads a criteria file; every problem names its line. S2-IN-01…03. */
export function parseSpec(text: string): SpecResult {
  if (text.length > limits.characters) {
    return invalid(1, `the file has ${text.length} characters, at most ${limits.characters} are read`);
  }
  const sections = sectionsOf(text);
  const problems: SpecProblem[] = [];
  const criteria = sections.flatMap((section) => readCriterion(section, problems));
  const agents = agentsOf(sections);

  const seen = new Map<string, number>();
  for (const { id, line } of criteria) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, line);
    else problems.push({ line, problem: `${id} is already defined in line ${first}` });
  }
  if (criteria.length > limits.criteria) {
    problems.push({ line: 1, problem: `${criteria.length} criteria, at most ${limits.criteria} are taken` });
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
  return sectionsOf(text).some((section) => headingPattern.test(section.title));
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

function sectionsOf(text: string): Section[] {
  const sections: { depth: number; title: string; line: number; parts: Part[] }[] = [];
  let line = 1;
  for (const token of lexer(text.replaceAll("\r\n", "\n"))) {
    if (token.type === "heading") {
      sections.push({ depth: Number(token["depth"]), title: String(token["text"]).trim(), line, parts: [] });
    } else {
      const part = partOf(token, line);
      if (part !== null) sections.at(-1)?.parts.push(part);
    }
    line += token.raw.split("\n").length - 1;
  }
  return sections;
}

function partOf(token: Token, line: number): Part | null {
  if (token.type === "code") {
    return { type: "code", language: String(token["lang"] ?? "").toLowerCase(), text: String(token["text"]), line };
  }
  if (token.type === "space") return null;
  const label = /^\*\*([^*\n]+?):?\*\*:?[ \t]*([\s\S]*)$/.exec(token.raw.trim());
  if (token.type === "paragraph" && label?.[1] !== undefined) {
    return { type: "label", label: label[1].trim().toLowerCase(), rest: (label[2] ?? "").trim() };
  }
  return { type: "text", text: token.raw.trim() };
}

const headingPattern = /^([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+)\s*[:–—-]\s*(\S.*)$/;

function readCriterion(section: Section, problems: SpecProblem[]): Criterion[] {
  const [, id, title] = headingPattern.exec(section.title) ?? [];
  if (id === undefined || title === undefined) return [];
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
  const complain = (problem: string, line = section.line) => {
    problems.push({ line, problem: `${id}: ${problem}` });
    return [];
  };
  if (block?.type !== "code") return complain("has no verification: a yaml block under **Verification**");
  const read = readVerification(block.text, description);
  if (typeof read === "string") return complain(read, block.line);
  return [
    {
      id,
      title,
      slug: slugOf(title),
      line: section.line,
      description,
      verification: read,
      accepted: examples("accepted"),
      rejected: examples("rejected"),
    },
  ];
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
  method: z.string().min(1),
  command: z.string().optional(),
  pass_condition: z.string().optional(),
  timeout_seconds: z.number().min(1).max(limits.seconds).optional(),
  agent: z.string().optional(),
  checks: list.optional(),
  context_files: list.optional(),
  instructions: z.string().optional(),
});

/** The verification that a block describes, or what is wrong with it. */
function readVerification(text: string, description: string): Verification | string {
  let raw: unknown;
  try {
    raw = parseYaml(text, { maxAliasCount: 10 });
  } catch (error) {
    return `its yaml block cannot be read: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`;
  }
  const parsed = blockSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join(".") || "its yaml block"}: ${issue?.message ?? "not valid"}`;
  }
  const block = parsed.data;
  switch (block.method.trim().toLowerCase()) {
    case "bash":
      return readBash(block);
    case "subagent":
      return readSubagent(block);
    case "manual": {
      const checks = (block.checks ?? []).map((check) => `- ${check}`).join("\n");
      const instructions = [block.instructions ?? "", checks].filter((each) => each.trim() !== "").join("\n");
      return { method: "manual", instructions: instructions === "" ? description : instructions };
    }
    default:
      return { method: "unknown", named: shorten(block.method, 40) };
  }
}

type Block = z.infer<typeof blockSchema>;

function readBash(block: Block): Verification | string {
  const command = block.command ?? "";
  if (command.trim() === "") return "method bash needs a command";
  if (command.length > limits.command)
    return `its command has ${command.length} characters, at most ${limits.command} are run`;
  const condition = parsePassCondition(block.pass_condition ?? "exit code 0");
  if (typeof condition === "string") return condition;
  return { method: "bash", command, condition, timeoutSeconds: block.timeout_seconds ?? defaultTimeoutSeconds.bash };
}

function readSubagent(block: Block): Verification | string {
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
  const agents: Record<string, string> = {};
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
  const slug = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" ? "criterion" : slug;
}
