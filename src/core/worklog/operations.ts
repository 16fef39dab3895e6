import { safeOutput } from "../secrets/mask.ts";
import { count, firstLine, shorten, shortenInside } from "../text.ts";
import { lineOfShell } from "../shell/handed.ts";
import { inOneLine } from "../text/bounds.ts";
import { shellWord } from "../text/shell-word.ts";
import { commandType } from "./commands.ts";
import type { WorklogEntry } from "./entry.ts";
import { filesOfEntry } from "./room.ts";
import type { LoggedOperation } from "./tiers.ts";
import { changesBetween, identifyTodos, type PlanLine, type Todo, untold } from "./todos.ts";

/** Turns an agent's reports about its plan and its tools into entries of a worklog. */

export type AgentOperation =
  | { readonly type: "plan"; readonly lines: readonly PlanLine[] }
  | {
      readonly type: "tool";
      /** The kind as its protocol names it: edit, delete, move, execute, think, …. Null when it is not given. */
      readonly kind: string | null;
      readonly title: string;
      readonly hasFailed: boolean;
      /** Absolute, or relative to the worktree. */
      readonly paths: readonly string[];
      /** True when it created its files. */
      readonly isNew: boolean;
      /** The arguments of the tool. */
      readonly input: Readonly<Record<string, unknown>>;
      readonly exitCode: number | null;
      /** What it printed, unchanged. */
      readonly output: string | null;
    };

type Tool = Extract<AgentOperation, { type: "tool" }>;

/** What is needed to make an entry. */
export interface EntryContext {
  readonly worktree: string;
  readonly todos: readonly Todo[];
  readonly secrets: readonly string[];
  /** True with `--verbose-log`: results are stored. */
  readonly isVerbose: boolean;
  readonly at: Date;
}

/** An operation under its name in seed 000, with its entry. */
export interface Noted {
  readonly done: LoggedOperation;
  readonly entry: WorklogEntry;
  /** The todos after the operation, when it was a plan. */
  readonly todos: readonly Todo[] | null;
}

const longestContext = 160;
/** The protocol has `pending`, `in_progress` and `completed`. */
export const longestStatus = 16;
const longestPath = 300;

/** Maximum length of a result that `--verbose-log` stores. */
const longestOutput = 4_000;

/** The operation as a tier's table sees it. Null when the table does not have it (reading, searching, thinking). */
export function doneOf(operation: AgentOperation): LoggedOperation | null {
  if (operation.type === "plan") return { operation: "TodoWrite" };
  const { kind, hasFailed } = operation;
  if (kind === "edit" || kind === "delete" || kind === "move") return { operation: editAction(operation), hasFailed };
  if (kind === "execute")
    return {
      operation: "Bash",
      command: commandOf(operation) ?? unmarked(operation.title),
      hasFailed: hasCommandFailed(operation),
    };
  return isSubAgent(operation) ? { operation: "Task", hasFailed } : null;
}

/** What is recorded of an agent's operation: an entry, and for a plan the changed todos. Null when worklogs do not record the operation. */
export function noteOf(operation: AgentOperation, context: EntryContext): Noted | null {
  const done = doneOf(operation);
  if (done === null) return null;
  if (operation.type === "plan") return planNote(operation.lines, done, context);
  switch (done.operation) {
    case "Bash":
      return { done, entry: commandEntry(operation, done.command ?? "", context), todos: null };
    case "Task":
      return { done, entry: taskEntry(operation, context), todos: null };
    default:
      return { done, entry: editEntry(operation, context), todos: null };
  }
}

function planNote(told: readonly PlanLine[], done: LoggedOperation, about: EntryContext): Noted {
  const lines = told.map(({ content, status }) => ({
    content: line(content, about),
    status: shorten(line(status, about), longestStatus),
  }));
  const todos = identifyTodos(about.todos, lines);
  const changes = changesBetween(about.todos, todos);
  const finished = todos.filter((todo) => todo.status === "completed").length;
  const current = todos.find((todo) => todo.status === "in_progress");
  const isUntold = todos.some((todo) => todo.status === untold);
  const known = isUntold
    ? `${count(todos.length, "todo")}, and not which are done`
    : `${finished}/${todos.length} done${current === undefined ? "" : `; now: ${current.content}`}`;
  const context = todos.length === 0 ? "no todos" : known;
  const details = { todos_affected: changes.length, status_changes: changes };
  const entry = { ...head(about, context, false), action: "TodoWrite", details } as const;
  return { done, entry, todos };
}

function editEntry(tool: Tool, context: EntryContext): WorklogEntry {
  const told = tool.paths.filter((path) => path.trim() !== "");
  const files = filesOfEntry([...new Set(told.map((path) => inWorktree(path, context)))]);
  const action = editAction(tool);
  const how = tool.kind === "edit" ? (action === "Write" ? "written" : "edited") : `${tool.kind}d`.replace("eed", "ed");
  const title = line(tool.title, context);
  const summary = files.length === 0 ? title : `${how}: ${shorten(files.join(", "), longestContext)}`;
  const details = { files, change_summary: summary, ...outputOf(tool, context) };
  return { ...head(context, summary, tool.hasFailed), action, details };
}

function editAction(tool: Tool): "Edit" | "MultiEdit" | "Write" {
  if (tool.kind !== "edit") return "Edit";
  if (tool.isNew || /^write\b/i.test(tool.title)) return "Write";
  const { edits } = tool.input;
  return new Set(tool.paths).size > 1 || (Array.isArray(edits) && edits.length > 1) ? "MultiEdit" : "Edit";
}

function hasCommandFailed({ hasFailed, exitCode }: Tool): boolean {
  return hasFailed || (exitCode !== null && exitCode !== 0);
}

function commandEntry(tool: Tool, command: string, context: EntryContext): WorklogEntry {
  const { exitCode } = tool;
  const type = commandType(command);
  // Some agents report no exit code. That they call a command completed does not mean that the code was 0.
  const untoldEnd = tool.hasFailed ? "failed" : "completed";
  const ended = exitCode === null ? untoldEnd : `exit code ${exitCode}`;
  const details = { command_type: type, exit_code: exitCode, ...outputOf(tool, context) };
  const words = `${toldCommand(command, context)} (${ended})`;
  return { ...head(context, words, hasCommandFailed(tool)), action: "Bash", details };
}

/** A command as an entry shows it: all lines in one, masked. A long one keeps its beginning and its end, which differ between commands. */
export function toldCommand(command: string, { secrets }: Pick<EntryContext, "secrets">): string {
  return shortenInside(inOneLine(safeOutput(command, secrets), "; "), longestContext);
}

function taskEntry(tool: Tool, context: EntryContext): WorklogEntry {
  const { input } = tool;
  const purpose = line(textIn(input["description"]) ?? textIn(input["prompt"]) ?? tool.title, context);
  const agentType = line(textIn(input["subagent_type"]) ?? textIn(input["agent_type"]) ?? "agent", context);
  const outcome = tool.hasFailed ? "failed" : "completed";
  const details = { agent_type: agentType, purpose, outcome, ...outputOf(tool, context) };
  return { ...head(context, `${agentType}: ${purpose}`, tool.hasFailed), action: "Task", details };
}

function isSubAgent({ input, title }: Tool): boolean {
  if (textIn(input["subagent_type"]) !== null || textIn(input["agent_type"]) !== null) return true;
  return /^(task|agent|sub-?agent)\b/i.test(title) && textIn(input["prompt"]) !== null;
}

function head({ secrets, at }: EntryContext, context: string, hasFailed: boolean) {
  const safe = shorten(firstLine(safeOutput(context, secrets), 400), 400);
  const status: WorklogEntry["status"] = hasFailed ? "failed" : "completed";
  return { timestamp: at.toISOString(), status, context: safe, tokens_consumed: 0 };
}

/** The first line of a text, masked, as an entry shows it. */
export function line(words: string, { secrets }: Pick<EntryContext, "secrets">): string {
  return firstLine(safeOutput(words, secrets), longestContext);
}

function outputOf({ output }: Tool, { isVerbose, secrets }: EntryContext): { output?: string } {
  return isVerbose && output !== null ? { output: shorten(safeOutput(output, secrets), longestOutput) } : {};
}

/** A path in one line, relative to the worktree and normalised. For a path outside of the worktree only the name (D43). */
function inWorktree(path: string, { worktree, secrets }: Pick<EntryContext, "worktree" | "secrets">): string {
  const safe = safeOutput(path, secrets).replaceAll(/\s/g, " ");
  const whole = steps(safe.startsWith("/") ? safe : `${worktree}/${safe}`);
  const place = steps(worktree);
  const isInside = place.every((step, index) => whole[index] === step);
  const shown = isInside ? whole.slice(place.length).join("/") : `…/${whole.at(-1) ?? ""}`;
  return shorten(shown === "" ? "." : shown, longestPath);
}

/** The names of an absolute path, with `.`, `..` and double slashes resolved. */
function steps(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** A path of the worktree as entries show it: masked, and without characters that a terminal would interpret. */
export function shownWithoutSecrets(path: string, secrets: readonly string[]): string {
  return inWorktree(path, { worktree: "", secrets });
}

/** The command line that a shell would get. Words are quoted if necessary; `bash -lc LINE` becomes LINE. */
function commandOf({ input }: Tool): string | null {
  const command = input["command"] ?? input["cmd"];
  const args = textsIn(input["args"]);
  if (Array.isArray(command)) {
    const words = [...textsIn(command), ...args];
    return words.length === 0 ? null : (lineOfShell(words) ?? words.map(shellWord).join(" "));
  }
  const program = textIn(command);
  return program === null ? null : (lineOfShell([program, ...args]) ?? [program, ...args.map(shellWord)].join(" "));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
}

/** A command without the backticks of a title: "`npm test`". */
function unmarked(title: string): string {
  return /^`{1,3}([^`]+)`{1,3}$/.exec(title.trim())?.[1]?.trim() ?? title;
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
