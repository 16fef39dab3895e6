import { isAbsolute, join, resolve } from "node:path";
import { commandForFileWords } from "../../core/acceptance/command-for-file.ts";
import { criteriaOfCommand } from "../../core/acceptance/one-command.ts";
import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { inPlainYaml } from "../../core/acceptance/shell-not.ts";
import { asksForge, looksLikeSpec, specProblems } from "../../core/acceptance/spec.ts";
import { sectionOf } from "../../core/goals/linked-section.ts";
import { type GoalRequest, linkedFiles } from "../../core/goals/new-goal.ts";
import { parseTasks, type TaskList } from "../../core/task-loop/tasks.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { longestFile, readNamedFile } from "./named-file.ts";
import { correctIt, whyUnreadable, unreadableCriteria } from "./readable.ts";
import { repositoryFileWords, type RepositorySource, readOf, readText, type SourceFiles } from "./source-files.ts";

/** Reads the files that a request for a goal names: its linked document, its criteria and its tasks. */

/** A goal with everything that was read for it. */
export interface Linked {
  readonly request: GoalRequest;
  readonly linkedText: string | null;
  readonly criteria: string | null;
  readonly tasks: TaskList | null;
}

export type ReadForGoal =
  | { readonly type: "read"; readonly linked: Linked }
  /** What is missing or wrong, and the next step. */
  | { readonly type: "wrong"; readonly problem: string; readonly next: string; readonly isMissing: boolean };

/** Reads everything that a request names. The goal keeps these texts, whatever happens to the files later (D30). */
export async function readForGoal(
  repository: RepositorySource,
  request: GoalRequest,
  source: SourceFiles,
): Promise<ReadForGoal> {
  const linked = await readLinked(repository, request, source);
  if (linked.type === "missing")
    return { type: "wrong", problem: linked.problem, next: "cos goal add --help", isMissing: true };
  const texts = { linkedText: linked.linkedText, criteria: linked.criteria };
  if (request.criteriaPath !== null) {
    const typed = "cos goal add TEXT";
    const read = await readCriteria(repository, request.criteriaPath, source, typed);
    if (read.type === "wrong") return asCommand(request.criteriaPath, typed, read);
    texts.criteria = read.criteria;
  }
  if (request.doneWhen != null) texts.criteria = criteriaOfCommand(request.doneWhen);
  const wrong = specProblems(texts.criteria, "criteria");
  if (wrong !== null) return { type: "wrong", problem: wrong, next: checksCriteria, isMissing: false };
  const ofRun = request.run === null ? null : await whyUnreadable(request.run);
  const unread = ofRun ?? (await unreadableCriteria(texts.criteria));
  if (unread !== null) return { type: "wrong", problem: unread, next: correctIt, isMissing: false };
  const unseen = whyNoForge(repository, texts.criteria);
  if (unseen !== null) return { type: "wrong", ...unseen, isMissing: false };
  const tasks = await readTasks(repository, request.tasksPath, source);
  if (tasks.type === "wrong") return tasks;
  const { linkedText, criteria } = texts;
  return { type: "read", linked: { request, linkedText, criteria, tasks: tasks.list } };
}

/** Returns why these criteria cannot be verified: they need a forge that we cannot read. Null when they can. */
export function whyNoForge(
  { hasForge }: Pick<RepositorySource, "hasForge">,
  criteria: string | null,
): { readonly problem: string; readonly next: string } | null {
  if (hasForge || !asksForge(contractOf(criteria, [], 1).criteria)) return null;
  return {
    problem:
      "ci: required checks are read at GitHub, GitLab or Gitea, and this repository is not there, or no token is set",
    next: "docs/pull-requests.md says how it is set up; otherwise write a command that proves it",
  };
}

/** Reads the task list. Cycles, unknown ids and unsafe ids are refused by name. */
async function readTasks(
  repository: RepositorySource,
  path: string | null,
  source: SourceFiles,
): Promise<{ readonly type: "read"; readonly list: TaskList | null } | Extract<ReadForGoal, { type: "wrong" }>> {
  if (path === null) return { type: "read", list: null };
  const next = "docs/tasks.md shows what a task list looks like";
  const text = await readOf(repository, path, source);
  if (text === null)
    return {
      type: "wrong",
      problem: `the task list is not in the repository, or is larger than a megabyte; tried:\n  ${repository.hasCheckout ? resolve(repository.root, path) : `${repository.baseBranch}:${path}`}`,
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

const checksCriteria = "cos done --spec FILE";

/** Reads a criteria file, whose text is stored with the goal. Its mistakes are named with their lines. `typed`: the command to which it was given. */
export async function readCriteria(
  repository: RepositorySource,
  path: string,
  source: SourceFiles,
  typed: string,
): Promise<{ readonly type: "read"; readonly criteria: string } | Extract<ReadForGoal, { type: "wrong" }>> {
  const tried = [repositoryFileWords(repository, path, source)];
  let criteria = await readOf(repository, path, source);
  if (source.type === "this-machine") {
    const file = resolve(source.folder, path);
    if (!tried.includes(file)) tried.push(file);
    const here = await readText(file);
    if (criteria !== null && here !== null && criteria !== here) {
      const problem = `two files are meant by ${path}, and they differ; give the whole path of the one you mean:\n${tried.map((each) => `  ${each}`).join("\n")}`;
      return { type: "wrong", problem, next: `${typed} --criteria ${shellWord(file)}`, isMissing: false };
    }
    criteria ??= here;
  }
  if (criteria === null) {
    const unread = source.type === "this-machine" && isAbsolute(path) ? await readNamedFile(path, longestFile) : null;
    const problem =
      unread?.type === "unread"
        ? `--criteria ${path} cannot be read: ${unread.why}`
        : `the criteria file is not there, or is larger than a megabyte; tried:\n${tried.map((each) => `  ${each}`).join("\n")}`;
    const next =
      source.type === "base"
        ? "commit it to the repository, or add the goal from the terminal, where it may be any file"
        : `${typed} --criteria PATH`;
    return { type: "wrong", problem, next, isMissing: true };
  }
  const wrong = specProblems(criteria, path);
  if (wrong !== null) return { type: "wrong", problem: wrong, next: checksCriteria, isMissing: false };
  const unreadCommands = await unreadableCriteria(criteria);
  if (unreadCommands !== null) return { type: "wrong", problem: unreadCommands, next: correctIt, isMissing: false };
  const unseen = whyNoForge(repository, criteria);
  if (unseen !== null) return { type: "wrong", ...unseen, isMissing: false };
  return { type: "read", criteria: inPlainYaml(criteria) };
}

/** Returns the refusal. If the criteria file is missing and its name looks like a command, it advises `--done-when`. */
function asCommand(
  path: string,
  typed: string,
  read: Extract<ReadForGoal, { type: "wrong" }>,
): Extract<ReadForGoal, { type: "wrong" }> {
  const problem = read.isMissing ? commandForFileWords(path) : null;
  if (problem === null) return read;
  return {
    type: "wrong",
    problem,
    next: `${typed} --done-when ${shellWord(path.trim())}`,
    isMissing: !/\s/.test(path),
  };
}

/** Reads the linked document. If it is a criteria file, it is also the goal's criteria (D30). */
async function readLinked(
  repository: RepositorySource,
  request: Pick<GoalRequest, "linkage">,
  source: SourceFiles,
): Promise<LinkedTexts> {
  const tried = linkedFiles(request.linkage);
  let linkedText: string | null = null;
  for (const { path, section } of tried) {
    const content = await readOf(repository, path, source);
    if (content === null) continue;
    linkedText = section === null ? content : sectionOf(content, section);
    if (linkedText !== null) break;
  }
  if (tried.length > 0 && linkedText === null) {
    const paths = tried.map(
      ({ path, section }) =>
        `${repository.hasCheckout ? join(repository.root, path) : `${repository.baseBranch}:${path}`}${section === null ? "" : `#${section}`}`,
    );
    return {
      type: "missing",
      problem: `the linked document is not in the repository, or is larger than a megabyte; tried:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    };
  }
  const criteria = linkedText !== null && looksLikeSpec(linkedText) ? inPlainYaml(linkedText) : null;
  return { type: "read", linkedText, criteria };
}
