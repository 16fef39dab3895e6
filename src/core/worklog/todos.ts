import { count } from "../text.ts";
import type { EntryOf, WorklogEntry } from "./entry.ts";

/** An agent's plan as todos with ids. */

export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: string;
}

/** The status of a todo whose agent reports nothing but its existence. */
export const untold = "untold";

/** A line of a plan as an agent reports it, without an id. */
export interface PlanLine {
  readonly content: string;
  readonly status: string;
}

/**
 * The plan's lines as todos. A line keeps its id: it is matched first by its words, then by its place. So neither a reworded line nor an
 * inserted one changes the ids of other todos.
 */
export function identifyTodos(known: readonly Todo[], lines: readonly PlanLine[]): Todo[] {
  const free = new Map(known.map((todo) => [todo.id, todo]));
  const byWords = lines.map((line) => {
    const same = [...free.values()].find((todo) => todo.content === line.content);
    if (same !== undefined) free.delete(same.id);
    return same?.id ?? null;
  });
  let next = Math.max(0, ...known.map((todo) => Number(/^todo-(\d+)$/.exec(todo.id)?.[1] ?? 0)));
  return lines.map((line, index) => {
    const there = known[index];
    const byPlace = there !== undefined && free.has(there.id) ? there.id : null;
    let id = byWords[index] ?? byPlace;
    if (id === null) {
      next += 1;
      id = `todo-${next}`;
    }
    free.delete(id);
    return { id, content: line.content, status: line.status };
  });
}

/** The change of each todo's status: from `none` when it is new, to `removed` when it is gone. */
export function changesBetween(
  before: readonly Todo[],
  after: readonly Todo[],
): EntryOf<"TodoWrite">["details"]["status_changes"] {
  const was = new Map(before.map((todo) => [todo.id, todo.status]));
  const is = new Set(after.map((todo) => todo.id));
  return [
    ...after.flatMap(({ id, status }) => {
      const from = was.get(id) ?? "none";
      return from === status ? [] : [{ id, from, to: status }];
    }),
    ...before.flatMap(({ id, status }) => (is.has(id) ? [] : [{ id, from: status, to: "removed" }])),
  ];
}

/** The status of each todo after all these entries, by id. */
export function todoStates(entries: readonly WorklogEntry[]): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  for (const entry of entries) {
    if (entry.action !== "TodoWrite" || entry.status !== "completed") continue;
    for (const { id, to } of entry.details.status_changes) {
      if (to === "removed") states.delete(id);
      else states.set(id, to);
    }
  }
  return states;
}

/** Number of todos of each kind. `todos_untold`: those whose agent reports nothing but their existence. */
export interface TodoCounts {
  readonly todos_completed: number;
  readonly todos_remaining: number;
  /** Absent when it is 0. */
  readonly todos_untold?: number;
}

/** Counts todos that are done, left, or without a reported status (only if there are any). */
export function countTodos(states: ReadonlyMap<string, string>): TodoCounts {
  const all = [...states.values()];
  const done = all.filter((status) => status === "completed").length;
  const notTold = all.filter((status) => status === untold).length;
  const counts = { todos_completed: done, todos_remaining: all.length - done - notTold };
  return notTold === 0 ? counts : { ...counts, todos_untold: notTold };
}

/** The counts in words. */
export function todoWords({
  todos_completed: done,
  todos_remaining: left,
  todos_untold: notTold = 0,
}: TodoCounts): string {
  const known = done + left;
  if (known + notTold === 0) return "no todos";
  const told = `${done}/${known} todos done`;
  if (notTold === 0) return told;
  const unknown = `${count(notTold, known === 0 ? "todo" : "more todo")}: the agent does not say whether ${notTold === 1 ? "it is" : "they are"} done`;
  return known === 0 ? unknown : `${told}, ${unknown}`;
}
