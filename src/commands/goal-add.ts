import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { parse as parseYaml } from "yaml";
import { looksLikeSpec, specProblems } from "../core/acceptance/spec.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { priorities, tiers } from "../core/goals/goal.ts";
import {
  checkRequest,
  estimateOf,
  type GoalRequest,
  linkedFiles,
  parseGoalEntry,
  type RequestCheck,
  sectionOf,
} from "../core/goals/new-goal.ts";
import { parseTasks, type TaskList } from "../core/task-loop/tasks.ts";
import { cleanText, count } from "../core/text.ts";
import { type Db, withFreshId } from "../db/client.ts";
import { insertGoal } from "../db/goals.ts";
import type { Repository } from "../db/repositories.ts";
import { insertTasks } from "../db/tasks.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { sayGoal } from "../turns/say.ts";
import {
  type Caller,
  choiceOption,
  type Command,
  type CommandResult,
  done,
  type Given,
  numberOption,
  option,
  options,
  refused,
  word,
} from "./command.ts";
import { chooseRepository } from "./choose-repository.ts";

/** What a goal can be given; `goal edit` takes most of it too. */
export const goalAdd: Command = {
  name: "goal add",
  summary: "Add a goal; it waits for the next autopilot session.",
  access: "change",
  positionals: [{ name: "text", required: false, rest: true }],
  options: {
    repo: { value: "N", description: "repository by name (default: COS_REPO, or the only one)" },
    tag: { value: "T", multiple: true, description: "ui, architecture, … decide what is asked" },
    cost: { value: "USD", description: "estimated cost; above 5 it asks first" },
    priority: { value: "P", description: "high, medium (default) or low" },
    minutes: { value: "N", description: "estimated minutes" },
    feature: { value: "F", description: "with --issue: reads specs/F/issues/N.md or specs/F.md#N" },
    issue: { value: "N", description: "the issue of --feature" },
    bug: { value: "B", description: "reads bugs/B.md" },
    spec: { value: "PATH", description: "a criteria file or prose in the repository" },
    criteria: { value: "PATH", description: "a file of the repository with acceptance criteria" },
    tier: { value: "T", description: "STRICT, STANDARD, LIGHT or EXEMPT" },
    run: { value: "CMD", description: "a shell command that does the work instead of an agent" },
    unplanned: { description: "not part of the plan: asks first" },
    allow: { value: "GLOB", multiple: true, description: "files the goal may change" },
    "allow-proof": { value: "GLOB", multiple: true, description: "proof files the goal may change" },
    tasks: { value: "PATH", description: "a file of the repository with a task list (README, Tasks)" },
    parallel: { value: "N", description: "tasks worked side by side, 1 (default) to 8" },
    from: { value: "FILE", isLocal: true, description: "a YAML or JSON list of goals, - for standard input" },
  },
  run: addGoals,
};

async function addGoals(deps: Deps, caller: Caller, given: Given) {
  const chosen = await chooseRepository(deps, option(given, "repo"));
  if (chosen.type === "refused") return chosen;
  const { repository } = chosen;

  const from = option(given, "from");
  const checks = from === null ? [requestOf(deps, given)] : await readEntries(deps, from);
  const problems = checks.flatMap((check, index) =>
    check.type === "invalid" ? [from === null ? check.problem : `goal ${index + 1}: ${check.problem}`] : [],
  );
  if (problems.length > 0) return refused(problems.join("\n"), "cos goal add --help");

  const requests = checks.flatMap((check) => (check.type === "ok" ? [check.request] : []));
  const linked: Linked[] = [];
  for (const request of requests) {
    const texts = await readLinked(repository, request);
    if (texts.type === "missing") return refused(texts.problem, "check the path, or leave the link away");
    const wrong = specProblems(texts.criteria, request.criteriaPath ?? "criteria");
    if (wrong !== null) return refused(wrong, "cos done --spec FILE checks a criteria file");
    const tasks = await readTasks(repository, request.tasksPath);
    if (tasks.type === "refused") return tasks;
    linked.push({ request, ...texts, tasks: tasks.list });
  }

  const goalIds = await deps.database.transaction(async (tx) => {
    const ids: string[] = [];
    for (const each of linked) ids.push(await addOne(tx, deps, caller, repository, each));
    return ids;
  });
  const next = `It waits for the next session: cos autopilot start`;
  if (from !== null)
    return done(
      { goalIds },
      confirmationCard(`Added ${count(goalIds.length, "goal")} for ${repository.name}`, [...goalIds, next]),
    );
  return done({ goalId: goalIds[0] }, confirmationCard(`Added ${goalIds[0]} for ${repository.name}`, [next]));
}

/** A goal with everything that was read for it. */
interface Linked {
  readonly request: GoalRequest;
  readonly linkedText: string | null;
  readonly criteria: string | null;
  readonly tasks: TaskList | null;
}

/** The task list, read now: cycles, unknown and unsafe ids are refused with their names. */
async function readTasks(
  repository: Pick<Repository, "path">,
  path: string | null,
): Promise<{ readonly type: "read"; readonly list: TaskList | null } | Extract<CommandResult, { type: "refused" }>> {
  if (path === null) return { type: "read", list: null };
  const next = "see the README, Tasks, for what a task list looks like";
  const text = await readInside(repository.path, path);
  if (text === null)
    return { type: "refused", reason: `the task list is not there; tried:\n  ${resolve(repository.path, path)}`, next };
  const parsed = parseTasks(text);
  if (parsed.type === "ok") return { type: "read", list: parsed.list };
  return { type: "refused", reason: parsed.problems.map((problem) => `${path}: ${problem}`).join("\n"), next };
}

function requestOf(deps: Pick<Deps, "policy">, given: Given): RequestCheck {
  return checkRequest(
    {
      content: word(given, "text"),
      tags: options(given, "tag"),
      costUsd: numberOption(given, "cost", 0, 1_000_000),
      priority: choiceOption(given, "priority", priorities) ?? "medium",
      minutes: numberOption(given, "minutes", 1, 100_000),
      feature: option(given, "feature"),
      issue: option(given, "issue"),
      bug: option(given, "bug"),
      spec: option(given, "spec"),
      criteriaPath: option(given, "criteria"),
      tier: choiceOption(given, "tier", tiers),
      run: option(given, "run"),
      isUnplanned: given.switches.has("unplanned"),
      allow: options(given, "allow"),
      allowProof: options(given, "allow-proof"),
      tasksPath: option(given, "tasks"),
      parallel: Math.floor(numberOption(given, "parallel", 1, deps.policy.tasks.parallel) ?? 1),
    },
    deps.policy.text.longestInput,
  );
}

async function readEntries(deps: Pick<Deps, "policy">, from: string): Promise<RequestCheck[]> {
  let document: unknown;
  try {
    const content = from === "-" ? await readStandardInput() : await readFile(from, "utf8");
    document = parseYaml(content);
  } catch (error) {
    return [
      {
        type: "invalid",
        problem: `--from ${from} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      },
    ];
  }
  const list = typeof document === "object" && document !== null && "goals" in document ? document.goals : document;
  if (!Array.isArray(list) || list.length === 0) {
    return [{ type: "invalid", problem: `--from ${from}: expected a list of goals, or an object with a list "goals"` }];
  }
  return list.map((entry) => parseGoalEntry(entry, deps.policy.text.longestInput));
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
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

async function addOne(
  tx: Db,
  deps: Deps,
  caller: Caller,
  repository: Repository,
  { request, linkedText, criteria, tasks }: Linked,
): Promise<string> {
  const now = deps.now();
  const goalId = await withFreshId(
    () => deps.newId("goal"),
    (id) =>
      insertGoal(tx, {
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
