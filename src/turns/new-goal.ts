import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { looksLikeSpec, specProblems } from "../core/acceptance/spec.ts";
import { estimateOf, type GoalRequest, linkedFiles, sectionOf } from "../core/goals/new-goal.ts";
import { parseTasks, type TaskList } from "../core/task-loop/tasks.ts";
import { cleanText } from "../core/text.ts";
import { type Db, withFreshId } from "../db/client.ts";
import { insertGoal } from "../db/goals.ts";
import type { Repository } from "../db/repositories.ts";
import { insertTasks } from "../db/tasks.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { sayGoal, type Saying } from "./say.ts";

/** A new goal: what its request names is read from the repository, then its row is made. */

/** A goal with everything that was read for it. */
export interface Linked {
  readonly request: GoalRequest;
  readonly linkedText: string | null;
  readonly criteria: string | null;
  readonly tasks: TaskList | null;
}

export type ReadForGoal =
  | { readonly type: "read"; readonly linked: Linked }
  /** What is missing or wrong, and what to do about it. */
  | { readonly type: "wrong"; readonly problem: string; readonly next: string; readonly isMissing: boolean };

/** Reads everything that a request names; the goal keeps what it was given (D30). */
export async function readForGoal(repository: Pick<Repository, "path">, request: GoalRequest): Promise<ReadForGoal> {
  const texts = await readLinked(repository, request);
  if (texts.type === "missing")
    return { type: "wrong", problem: texts.problem, next: "check the path, or leave the link away", isMissing: true };
  const wrong = specProblems(texts.criteria, request.criteriaPath ?? "criteria");
  if (wrong !== null)
    return { type: "wrong", problem: wrong, next: "cos done --spec FILE checks a criteria file", isMissing: false };
  const tasks = await readTasks(repository, request.tasksPath);
  if (tasks.type === "wrong") return tasks;
  const { linkedText, criteria } = texts;
  return { type: "read", linked: { request, linkedText, criteria, tasks: tasks.list } };
}

/** The task list, read now: cycles, unknown and unsafe ids are refused with their names. */
async function readTasks(
  repository: Pick<Repository, "path">,
  path: string | null,
): Promise<{ readonly type: "read"; readonly list: TaskList | null } | Extract<ReadForGoal, { type: "wrong" }>> {
  if (path === null) return { type: "read", list: null };
  const next = "see the README, Tasks, for what a task list looks like";
  const text = await readInside(repository.path, path);
  if (text === null)
    return {
      type: "wrong",
      problem: `the task list is not there; tried:\n  ${resolve(repository.path, path)}`,
      next,
      isMissing: true,
    };
  const parsed = parseTasks(text);
  if (parsed.type === "ok") return { type: "read", list: parsed.list };
  const problem = parsed.problems.map((each) => `${path}: ${each}`).join("\n");
  return { type: "wrong", problem, next, isMissing: false };
}

type LinkedTexts =
  | { readonly type: "read"; readonly linkedText: string | null; readonly criteria: string | null }
  | { readonly type: "missing"; readonly problem: string };

/** The linked document and the criteria, read now: the goal keeps what it was given (D30). */
export async function readLinked(
  repository: Pick<Repository, "path">,
  request: Pick<GoalRequest, "linkage" | "criteriaPath">,
): Promise<LinkedTexts> {
  const tried = linkedFiles(request.linkage);
  let linkedText: string | null = null;
  for (const { path, section } of tried) {
    const content = await readInside(repository.path, path);
    if (content === null) continue;
    linkedText = section === null ? content : sectionOf(content, section);
    if (linkedText !== null) break;
  }
  if (tried.length > 0 && linkedText === null) {
    const paths = tried.map(
      ({ path, section }) => `${join(repository.path, path)}${section === null ? "" : `#${section}`}`,
    );
    return {
      type: "missing",
      problem: `the linked document is not there; tried:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    };
  }
  if (request.criteriaPath === null) {
    // A linked document that is a criteria file is both (D30).
    return { type: "read", linkedText, criteria: linkedText !== null && looksLikeSpec(linkedText) ? linkedText : null };
  }
  const criteria = await readInside(repository.path, request.criteriaPath);
  if (criteria === null) {
    return {
      type: "missing",
      problem: `the criteria file is not there; tried:\n  ${resolve(repository.path, request.criteriaPath)}`,
    };
  }
  return { type: "read", linkedText, criteria };
}

/** A file inside the repository, at most a megabyte; null when it is missing or lies outside. */
async function readInside(root: string, path: string): Promise<string | null> {
  try {
    const file = await realpath(resolve(root, path));
    const inside = relative(await realpath(root), file);
    if (inside.startsWith("..") || isAbsolute(inside)) return null;
    const content = await readFile(file);
    return content.byteLength > 1_000_000 ? null : cleanText(content.toString("utf8"));
  } catch {
    return null;
  }
}

/** A goal about to be made. */
export interface Adding {
  readonly repository: Repository;
  readonly linked: Linked;
  /** Where in a campaign it belongs; its id was given with the plan. */
  readonly planned?: {
    readonly goalId: string;
    readonly campaignId: string;
    readonly campaignDay: number;
    readonly milestoneId: string | null;
  };
}

/** Makes the goal's row, its tasks and its card; returns its id. */
export async function addGoal(
  tx: Db,
  deps: Saying & Pick<Deps, "newId">,
  caller: { readonly actor: string; readonly via: string },
  { repository, linked, planned }: Adding,
): Promise<string> {
  const { request, linkedText, criteria, tasks } = linked;
  const now = deps.now();
  let givenId: string | null = planned?.goalId ?? null;
  const place =
    planned === undefined
      ? {}
      : {
          campaignId: planned.campaignId,
          campaignDay: planned.campaignDay,
          milestoneId: planned.milestoneId,
        };
  const goalId = await withFreshId(
    () => {
      const id = givenId ?? deps.newId("goal");
      givenId = null;
      return id;
    },
    (id) =>
      insertGoal(tx, {
        ...place,
        goalId: id,
        repositoryId: repository.repositoryId,
        content: request.content,
        tags: [...request.tags],
        priority: request.priority,
        tier: request.tier,
        estimatedMinutes: request.minutes,
        estimateMicroUsd: estimateOf(request),
        linkage: request.linkage,
        linkedText,
        criteria,
        filesAllowed: [...request.allow],
        proofAllowed: [...request.allowProof],
        runCommand: request.run,
        taskParallel: tasks === null ? null : request.parallel,
        taskSettings: tasks === null ? null : { useLayeredSkills: tasks.useLayeredSkills },
        instructions: [],
        isUnplanned: request.isUnplanned,
        status: "pending",
        phase: "start",
        createdBy: caller.actor,
        createdAt: now,
        updatedAt: now,
      }),
  );
  if (tasks !== null) {
    const rows = tasks.tasks.map((task, position) => ({
      ...task,
      acceptanceCriteria: [...task.acceptanceCriteria],
      filesAllowed: [...task.filesAllowed],
      dependsOn: [...task.dependsOn],
      goalId,
      position,
      status: "pending" as const,
      updatedAt: now,
    }));
    await insertTasks(tx, rows);
  }
  await appendTimeline(tx, { event: "goal.added", goalId, actor: caller.actor, via: caller.via, at: now });
  await sayGoal(tx, deps, goalId);
  return goalId;
}
