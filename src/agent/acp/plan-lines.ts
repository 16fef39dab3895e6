import type { PlanLine } from "../../core/worklog/todos.ts";
import { mostTodoLines } from "./todos.ts";

/** What is read of a line of a plan: much more than is shown, so that a secret is seen whole. */
const longestLine = 20_000;
const longestStatus = 1_000;

/** The first lines of a plan, each within bounds. */
export function readLines(told: readonly PlanLine[]): PlanLine[] {
  return told.slice(0, mostTodoLines).map(({ content, status }) => ({
    content: content.trimStart().slice(0, longestLine),
    status: status.slice(0, longestStatus),
  }));
}

/** How far a plan is and what is under way, in one line. */
export function planLine(entries: readonly PlanLine[]): string {
  const done = entries.filter((entry) => entry.status === "completed").length;
  const current =
    entries.find((entry) => entry.status === "in_progress") ?? entries.find((each) => each.status === "pending");
  return `Plan ${done}/${entries.length}${current === undefined ? "" : `: ${current.content}`}`;
}
