import { z } from "zod";
import { shorten, storable } from "../text.ts";
import { parseReach, type Reach } from "../isolation/network.ts";
import { readYaml, type ReadYaml } from "../text/yaml.ts";
import type { Fault } from "../text/bounds.ts";
import { nearest } from "../text/nearest.ts";
import { wrongValueWords } from "../text/wrong-value.ts";
import { commandSlips } from "./command-slips.ts";
import { parsePassCondition, type PassCondition } from "./pass-condition.ts";

export type Verification =
  | {
      readonly method: "bash";
      readonly command: string;
      readonly condition: PassCondition;
      readonly timeoutSeconds: number;
      /** What it may reach besides its own loopback (D39). Missing means nothing. */
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
  /** Checked at the forge, on the pull request of the work: `ci: required checks`. */
  | { readonly method: "ci"; readonly checks: "required" }
  /** Reported as a failure and never skipped (S2-DN-11). */
  | { readonly method: "unknown"; readonly named: string };

/** Maximum of `timeout_seconds`. */
export const longestTimeoutSeconds = 3600;

const limits = {
  block: { characters: 30_000, line: 25_000 },
  command: 20_000,
  checks: 100,
} as const;
const defaultTimeoutSeconds = { bash: 60, subagent: 600 } as const;

const list = z
  .union([z.string(), z.array(z.coerce.string())])
  .transform((value) => (typeof value === "string" ? [value] : value));

const blockSchema = z.object({
  method: z.string().min(1).optional(),
  ci: z.string().optional(),
  command: z.string().optional(),
  pass_condition: z.string().optional(),
  timeout_seconds: z.number().min(1).max(longestTimeoutSeconds).optional(),
  network: list.optional(),
  agent: z.string().optional(),
  checks: list.optional(),
  context_files: list.optional(),
  instructions: z.string().optional(),
});

/** A yaml block of a criterion, and the line of its fence. */
interface Block {
  readonly text: string;
  readonly line: number;
}

/** The verification that a block describes, with its slips; or the problem, with its line where that is known. */
export function readVerification(
  block: Block,
  description: string,
): { readonly verification: Verification; readonly slips: readonly Fault[] } | string {
  const read = readYaml(block.text, limits.block);
  if (read.type === "wrong") {
    const [fault] = read.faults;
    return `its yaml block cannot be read: ${fault?.problem ?? ""} (line ${block.line + (fault?.line ?? 0)})`;
  }
  const verification = verificationIn(read, block.line, description);
  if (typeof verification === "string") return verification;
  const marks = read.marks().map(({ line, problem }) => ({ line: block.line + line, problem }));
  const at = block.line + (read.lineOf(["command"]) ?? 0);
  const unseen = verification.method === "bash" ? commandSlips(verification.command, verification.condition) : [];
  const told = unseen.map((problem) => ({ line: at, problem }));
  return { verification, slips: [...unknownKeys(read, block.line), ...marks, ...told] };
}

type Document = Extract<ReadYaml, { readonly type: "read" }>;

function verificationIn(read: Document, line: number, description: string): Verification | string {
  const at = (path: readonly PropertyKey[]): string => {
    const found = read.lineOf(path);
    return found === null ? "" : ` (line ${line + found})`;
  };
  const parsed = blockSchema.safeParse(read.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    return `${path.join(".") || "its yaml block"}: ${issue === undefined ? "not valid" : valueWords(issue)}${at(path)}`;
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

/** What is wrong with a value. Advises quotes for text that YAML parses as another type (`command: true`). */
function valueWords(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_union") return "expected text, or a list of texts";
  const words = wrongValueWords(issue);
  return issue.code === "invalid_type" && issue.expected === "string" ? `${words}: put it in quotes` : words;
}

/** Common wrong names of keys, with the right key. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cmd: "command",
    run: "command",
    script: "command",
    expected: "pass_condition",
    expect: "pass_condition",
    expects: "pass_condition",
    exit_code: "pass_condition",
    condition: "pass_condition",
    type: "method",
  }),
);

/** Unknown keys. They would be ignored, and the proof would be weaker than its author meant. */
function unknownKeys({ value, lineOf }: Document, line: number): Fault[] {
  const known = Object.keys(blockSchema.shape);
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = meantKey(key, known);
      const words = meant === null ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
      return { line: line + (lineOf([key]) ?? 0), problem: `"${shorten(key, 40)}" is not known here: ${words}` };
    });
}

function meantKey(key: string, known: readonly string[]): string | null {
  const plain = key
    .slice(0, 60)
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[-\s]/g, "_");
  return (
    otherNames.get(plain) ??
    known.find((each) => each === plain || (plain.length > 3 && each.startsWith(`${plain}_`))) ??
    nearest(plain, known, 2)
  );
}

/** True for "required checks", with any spacing and case. */
function isRequiredChecks(text: string): boolean {
  return text.trim().toLowerCase().split(/\s+/).join(" ") === "required checks";
}

/** True when a line is the short form of a criterion, `ci: required checks`, and not a command. */
export function isRequiredChecksLine(line: string): boolean {
  const text = line.trim();
  return /^ci:/i.test(text) && isRequiredChecks(text.slice(3));
}

type VerificationBlock = z.infer<typeof blockSchema>;

function readBash(block: VerificationBlock): Verification | string {
  const command = block.command ?? "";
  if (command.trim() === "") return "method bash needs a command";
  if (command.length > limits.command)
    return `its command has ${command.length} characters, at most ${limits.command} are run`;
  if (storable(command) !== command)
    return "its command holds a NUL or half of a character, which YAML makes of \\0 in double quotes: use single ones";
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
