import type { PlanLine } from "../../core/worklog/todos.ts";
import { mostTodoLines } from "./todos.ts";

/** Characters kept of one plan line. Much more than is shown, so that a secret is masked whole. */
const longestLine = 20_000;
const longestStatus = 1_000;

/** Returns the first lines of a plan, each shortened to its limit. */
export function readLines(told: readonly PlanLine[]): PlanLine[] {
  return told.slice(0, mostTodoLines).map(({ content, status }) => ({
    content: content.trimStart().slice(0, longestLine),
    status: status.slice(0, longestStatus),
  }));
}

/** Returns one line with the progress of a plan and its current entry. */
export function planLine(entries: readonly PlanLine[]): string {
  const done = entries.filter((entry) => entry.status === "completed").length;
  const current =
    entries.find((entry) => entry.status === "in_progress") ?? entries.find((each) => each.status === "pending");
  return `Plan ${done}/${entries.length}${current === undefined ? "" : `: ${current.content}`}`;
}
