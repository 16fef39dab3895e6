import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Fault } from "../../core/text/bounds.ts";
import { readYaml } from "../../core/text/yaml.ts";
import { writeAgentInput } from "./command.ts";

/** Our own skills, as files for agents. `skills/registry.yaml` says which phase gets which skill (C-56). */
export interface Skill {
  readonly id: string;
  /** The content of its SKILL.md. */
  readonly text: string;
  /** Contents of further files, by path inside the skill's folder. */
  readonly references: Readonly<Record<string, string>>;
}

export type Registry =
  | { readonly type: "ok"; readonly skills: readonly Skill[]; readonly missing: readonly string[] }
  /** A file that cannot be read or parsed, with its line. */
  | { readonly type: "broken"; readonly problem: string };

const registrySchema = z.object({ phases: z.object({ task_spec_check: z.array(z.string().min(1)) }) });

/** Folders of skills whose folder name differs from their id. */
const folders: ReadonlyMap<string, string> = new Map([["jeeves-task-spec-check", "task-spec-check"]]);

/** Skills without which a check is not layered (C-49). */
const required = ["safe-shell-search", "jeeves-task-spec-check", "code-quality"];

/**
 * Returns the skills of the spec check, in their order. A skill is missing when its file does not exist or has another name, or when a
 * required skill is not in the registry. S3-EV-03, S3-EV-04, C-49.
 */
export function specCheckSkills(folder: string): Registry {
  const file = join(folder, "registry.yaml");
  const read = readYamlFile(file);
  if (read.type === "broken") return read;
  const parsed = registrySchema.safeParse(read.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      type: "broken",
      problem: `${file}:${read.lineOf(issue?.path ?? [])}: ${issue?.path.join(".")}: ${issue?.message}`,
    };
  }
  const skills: Skill[] = [];
  const named = [...new Set(parsed.data.phases.task_spec_check)];
  const missing = required.filter((id) => !named.includes(id));
  for (const id of named) {
    const skill = readSkill(folder, id);
    if (typeof skill === "string") return { type: "broken", problem: skill };
    if (skill === null) missing.push(id);
    else skills.push(skill);
  }
  return { type: "ok", skills, missing };
}

/** Null when the skill does not exist; a text when a file is broken. */
function readSkill(folder: string, id: string): Skill | string | null {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id)) return null;
  const place = join(folder, folders.get(id) ?? id);
  const file = join(place, "SKILL.md");
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8");
  const [frontMatter = ""] = text.split("\n---", 1);
  if (!frontMatter.split("\n").some((line) => nameIn(line) === id)) return null;
  const schema = join(place, "references/evidence-schema.json");
  if (!existsSync(schema)) return { id, text, references: {} };
  const content = readFileSync(schema, "utf8");
  const problem = jsonProblem(schema, content);
  return problem ?? { id, text, references: { "references/evidence-schema.json": content } };
}

/** The skill name in a line of front matter, with or without quotes. */
function nameIn(line: string): string | null {
  return /^name:[ \t]+(["']?)([\w-]+)\1\s*$/.exec(line)?.[2] ?? null;
}

function jsonProblem(file: string, content: string): string | null {
  const read = readYaml(content);
  return read.type === "read" ? null : problemIn(file, read.faults);
}

function problemIn(file: string, [fault]: readonly Fault[]): string {
  return `${file}:${fault?.line ?? 1}: ${fault?.problem ?? "cannot be read"}`;
}

function readYamlFile(
  file: string,
): { type: "ok"; value: unknown; lineOf(path: readonly PropertyKey[]): number } | { type: "broken"; problem: string } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { type: "broken", problem: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
  const read = readYaml(text);
  if (read.type === "wrong") return { type: "broken", problem: problemIn(file, read.faults) };
  return { type: "ok", value: read.value, lineOf: (path) => read.lineOf(path) ?? 1 };
}

/** Writes skills into a worktree's ignored `.cos/skills/` (D30). Returns their paths inside the worktree. */
export async function laySkills(worktree: string, skills: readonly Skill[]): Promise<string[]> {
  // Replaces whatever the agent has put in place of the folder.
  await writeAgentInput(worktree, "skills.txt", skills.map((skill) => skill.id).join("\n"));
  const folder = join(worktree, ".cos", "skills");
  await rm(folder, { recursive: true, force: true });
  for (const skill of skills) {
    const place = join(folder, skill.id);
    for (const [name, text] of Object.entries({ "SKILL.md": skill.text, ...skill.references })) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), text);
    }
  }
  return skills.map((skill) => `.cos/skills/${skill.id}/SKILL.md`);
}
