import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { writeOurs } from "./command.ts";

/** Skills of our own, laid out for agents: which a phase is given is said by `skills/registry.yaml` (C-56). */
export interface Skill {
  readonly id: string;
  /** Its SKILL.md. */
  readonly text: string;
  /** Further files, by their path inside the skill's folder. */
  readonly references: Readonly<Record<string, string>>;
}

export type Registry =
  | { readonly type: "ok"; readonly skills: readonly Skill[]; readonly missing: readonly string[] }
  /** A file that cannot be read, with its line. */
  | { readonly type: "broken"; readonly problem: string };

const registrySchema = z.object({ phases: z.object({ task_spec_check: z.array(z.string().min(1)) }) });

/** Where a skill of the registry lies, when that is not its id. */
const folders: Readonly<Record<string, string>> = { "jeeves-task-spec-check": "task-spec-check" };

/** The skills of the spec check, in their order; those that are not there, or call themselves otherwise, are missing. S3-EV-03, S3-EV-04. */
export function specCheckSkills(folder: string): Registry {
  const file = join(folder, "registry.yaml");
  const read = readYaml(file);
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
  const missing: string[] = [];
  for (const id of parsed.data.phases.task_spec_check) {
    const skill = readSkill(folder, id);
    if (typeof skill === "string") return { type: "broken", problem: skill };
    if (skill === null) missing.push(id);
    else skills.push(skill);
  }
  return { type: "ok", skills, missing };
}

/** Null: not there; a text: what is broken. */
function readSkill(folder: string, id: string): Skill | string | null {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id)) return null;
  const place = join(folder, folders[id] ?? id);
  const file = join(place, "SKILL.md");
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8");
  if (!new RegExp(`^name: ${id}$`, "m").test(text.split("\n---")[0] ?? "")) return null;
  const schema = join(place, "references/evidence-schema.json");
  if (!existsSync(schema)) return { id, text, references: {} };
  const content = readFileSync(schema, "utf8");
  const problem = jsonProblem(schema, content);
  return problem ?? { id, text, references: { "references/evidence-schema.json": content } };
}

function jsonProblem(file: string, content: string): string | null {
  const lines = new LineCounter();
  const [error] = parseDocument(content, { lineCounter: lines, strict: true }).errors;
  return error === undefined ? null : `${file}:${lines.linePos(error.pos[0]).line}: ${error.message.split("\n")[0]}`;
}

function readYaml(
  file: string,
): { type: "ok"; value: unknown; lineOf(path: readonly PropertyKey[]): number } | { type: "broken"; problem: string } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { type: "broken", problem: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined)
    return { type: "broken", problem: `${file}:${lines.linePos(error.pos[0]).line}: ${error.message.split("\n")[0]}` };
  return {
    type: "ok",
    value: document.toJS() as unknown,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined;
        const [start] = node?.range ?? [];
        if (start !== undefined) return lines.linePos(start).line;
      }
      return 1;
    },
  };
}

/** Lays skills into a worktree's ignored `.cos/skills/` (D30); returns their paths inside the worktree. */
export async function laySkills(worktree: string, skills: readonly Skill[]): Promise<string[]> {
  // Whatever an agent has put in place of the folder is replaced.
  await writeOurs(worktree, "skills.txt", skills.map((skill) => skill.id).join("\n"));
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
