import { z } from "zod";
import { cleanText } from "../text.ts";
import { fewest } from "../text/bounds.ts";
import { globsProblem } from "../text/globs.ts";
import { wrongValueWords } from "../text/wrong-value.ts";
import { type ReadYaml, readYaml } from "../text/yaml.ts";

/** A part of a goal: its acceptance criteria, the files it may change, and the tasks that come before it. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly acceptanceCriteria: readonly string[];
  /** Globs. Empty means everything that its goal may change. */
  readonly filesAllowed: readonly string[];
  readonly dependsOn: readonly string[];
}

export const taskStatuses = ["pending", "in_progress", "passed", "failed"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface TaskList {
  readonly tasks: readonly Task[];
  /** As written, of any type: only literal `true` selects layered checks (S3-MS-03). */
  readonly useLayeredSkills: unknown;
}

export type ParsedTasks =
  | { readonly type: "ok"; readonly list: TaskList }
  | { readonly type: "invalid"; readonly problems: readonly string[] };

const most = { tasks: 200, criteria: 50, text: 4000 };
const text = z.string().overwrite(cleanText).trim().min(1).max(most.text);
const taskSchema = z.strictObject({
  id: z.string(),
  title: text,
  acceptanceCriteria: z.array(text).min(1).max(most.criteria),
  filesAllowed: z.array(text).max(200).default([]),
  dependsOn: z.array(z.string()).max(most.tasks).default([]),
});
const listSchema = z.strictObject({
  settings: z.looseObject({ useLayeredSkills: z.unknown() }).optional(),
  tasks: z.array(taskSchema).min(1).max(most.tasks),
});

const safeId = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** True when an id may become part of a path and of a branch name (S3-CR-04). */
export function isSafeId(id: string): boolean {
  return safeId.test(id) && !id.includes("..") && !id.endsWith(".") && !id.endsWith(".lock");
}

/** Parses a task list from YAML. Every problem has its line or the task's name. */
export function parseTasks(source: string): ParsedTasks {
  const read = readYaml(source);
  if (read.type === "wrong")
    return { type: "invalid", problems: read.faults.map(({ line, problem }) => `line ${line}: ${problem}`) };
  const parsed = listSchema.safeParse(read.value);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, 100)
      .map((issue) => `${where(issue.path, read)}: ${wrongValueWords(issue)}`);
    return { type: "invalid", problems: fewest(problems) };
  }
  const { tasks, settings } = parsed.data;
  const problems = problemsOf(tasks);
  if (problems.length > 0) return { type: "invalid", problems: fewest(problems) };
  return { type: "ok", list: { tasks, useLayeredSkills: settings?.useLayeredSkills } };
}

/** `line 7 (tasks.1.title)` */
function where(path: readonly PropertyKey[], read: Extract<ReadYaml, { readonly type: "read" }>): string {
  const name = path.length === 0 ? "the file" : path.map(String).join(".");
  const line = read.lineOf(path);
  return line === null ? name : `line ${line} (${name})`;
}

/** Unsafe and repeated ids, unknown dependencies, invalid globs, and circles, each with its names. */
function problemsOf(tasks: readonly Task[]): string[] {
  const ids = tasks.map((task) => task.id);
  const unsafe = ids
    .filter((id) => !isSafeId(id))
    .map((id) => `task id ${JSON.stringify(id)}: use letters, digits, ".", "_" and "-", at most 64`);
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(
    (id) => `task id ${id} is there twice`,
  );
  // On disks that ignore case, their folders and branches would be the same.
  const alike = [...new Set(ids)].flatMap((id, index, all) => {
    const other = all.slice(0, index).find((each) => each.toLowerCase() === id.toLowerCase());
    return other === undefined ? [] : [`task ids ${other} and ${id} differ in upper and lower case only`];
  });
  const unknown = tasks.flatMap((task) =>
    task.dependsOn
      .filter((id) => !ids.includes(id))
      .map((id) => `task ${task.id} depends on ${JSON.stringify(id)}, which is no task`),
  );
  const globs = tasks.flatMap((task) => {
    const problem = globsProblem(task.filesAllowed);
    return problem === null ? [] : [`task ${task.id}: ${problem}`];
  });
  const circle = unknown.length > 0 || repeated.length > 0 ? null : circleIn(tasks);
  return [
    ...unsafe,
    ...repeated,
    ...alike,
    ...unknown,
    ...globs,
    ...(circle === null ? [] : [`tasks depend on each other in a circle: ${circle.join(" → ")}`]),
  ];
}

function circleIn(tasks: readonly Task[]): string[] | null {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const done = new Set<string>();

  function visit(id: string, path: readonly string[]): string[] | null {
    if (done.has(id)) return null;
    const at = path.indexOf(id);
    if (at !== -1) return [...path.slice(at), id];
    for (const next of byId.get(id)?.dependsOn ?? []) {
      const found = visit(next, [...path, id]);
      if (found !== null) return found;
    }
    done.add(id);
    return null;
  }

  for (const task of tasks) {
    const found = visit(task.id, []);
    if (found !== null) return found;
  }
  return null;
}

/** A task with its status. */
export interface TaskWithStatus extends Task {
  readonly status: TaskStatus;
}

/** `missing-3`: an unused id with this prefix, compared without case. */
export function freeId(prefix: string, taken: readonly string[]): string {
  const used = new Set(taken.map((id) => id.toLowerCase()));
  const own = taken.filter((id) => id.startsWith(`${prefix}-`)).length;
  for (let number = own + 1; ; number += 1) {
    const id = `${prefix}-${number}`;
    if (!used.has(id)) return id;
  }
}

/** Tasks that may start now: failed ones first, then pending ones, each in list order. All of their dependencies have passed. */
export function readyTasks(tasks: readonly TaskWithStatus[]): TaskWithStatus[] {
  const passed = new Set(tasks.filter((task) => task.status === "passed").map((task) => task.id));
  const ready = tasks.filter(
    (task) => (task.status === "failed" || task.status === "pending") && task.dependsOn.every((id) => passed.has(id)),
  );
  return [...ready.filter((task) => task.status === "failed"), ...ready.filter((task) => task.status === "pending")];
}
