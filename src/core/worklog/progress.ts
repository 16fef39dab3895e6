import type { WorklogEntry } from "./entry.ts";
import { shorten } from "../text.ts";
import { modifiedFiles } from "./phases.ts";
import { type Todo, untold } from "./todos.ts";
import { noTokens, operationBounds, type TokenCount, tokenBound, withTokens } from "./tokens.ts";

/** What the next agent of a goal is told about the work of an earlier one. The only text of a worklog that reaches a model. */

/** Counts and cuts tokens as models do. */
export interface Tokenizer {
  count(words: string): number;
  /** The beginning of a text, of at most `most` tokens. */
  cut(words: string, most: number): string;
}

export interface Progress {
  readonly lines: readonly string[];
  readonly tokens: TokenCount;
}

/** Explains the lines that follow it. */
const opening =
  "An earlier session of this goal left this account of itself. Look at the files before you rely on it, then go on with what is left.";

/**
 * A line for each todo, for the changed files and for the last test run. Empty when nothing was done. Unfinished todos come first, because
 * a limit cuts off the end.
 */
export function progressLines(told: {
  readonly todos: readonly Todo[];
  readonly entries: readonly WorklogEntry[];
}): string[] {
  const plan = told.todos.length === 0 ? planLine(told.entries) : todoLines(told.todos);
  return [...plan, ...filesLine(told.entries), ...testLine(told.entries)].map((line) => shorten(line, 400));
}

/**
 * The opening and the lines, each within its own token limit, and as many as fit into the limit of the tier. Null when no line fits.
 * S0-WI-06, S0-OL-14, S0-TK-01, C-06.
 */
export function fittingProgress(all: readonly string[], tier: string, tokenizer: Tokenizer): Progress | null {
  const bound = tokenBound(tier);
  const first = tokenizer.cut(opening, operationBounds.open);
  let tokens = withTokens(noTokens(tier), "open", tokenizer.count(first));
  const lines = [first];
  for (const each of all) {
    const line = tokenizer.cut(each, operationBounds.entry);
    const more = withTokens(tokens, "entry", tokenizer.count(line));
    if (more.total > bound) break;
    tokens = more;
    lines.push(line);
  }
  return lines.length === 1 ? null : { lines, tokens };
}

function todoLines(todos: readonly Todo[]): string[] {
  const isDone = (todo: Todo): boolean => todo.status === "completed";
  const known = todos.filter((todo) => todo.status !== untold);
  return [...known.filter((todo) => !isDone(todo)), ...known.filter(isDone)].map(
    ({ status, content }) => `${status.replaceAll("_", " ")}: ${content}`,
  );
}

/** How far the plan of an ended run had come. */
function planLine(entries: readonly WorklogEntry[]): string[] {
  const last = entries.findLast((entry) => entry.action === "TodoWrite");
  return last === undefined ? [] : [`plan: ${last.context}`];
}

function filesLine(entries: readonly WorklogEntry[]): string[] {
  const files = modifiedFiles(entries);
  return files.length === 0 ? [] : [`files changed: ${files.join(", ")}`];
}

function testLine(entries: readonly WorklogEntry[]): string[] {
  const last = entries.findLast((entry) => entry.action === "Bash" && entry.details.command_type === "test");
  return last === undefined ? [] : [`last test run: ${last.context}`];
}
