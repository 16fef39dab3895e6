import { z } from "zod";
import { type PlanLine, untold } from "../../core/worklog/todos.ts";
import type { ToolOperation } from "./tool-calls.ts";

/** So many lines of a plan are heard. */
export const mostTodoLines = 100;

const words = z.string().optional().catch(undefined);
const Todos = z.array(z.object({ content: words, description: words, text: words, status: z.string() }));

/**
 * The plan in a tool call that has ended well: some agents (opencode) tell their todos by the tool that keeps them, and never as a
 * plan of the protocol. What is not told of a todo is `untold`. Null: it is about something else. Read leniently, at most `mostTodoLines` lines.
 */
export function planIn({ input, hasFailed, title }: ToolOperation): PlanLine[] | null {
  if (hasFailed) return null;
  if (!Array.isArray(input["todos"])) return countedPlan(title);
  const read = Todos.safeParse(input["todos"].slice(0, mostTodoLines)).data;
  if (read === undefined || read.length === 0) return null;
  return read.map(({ content, description, text, status }) => ({
    content: content ?? description ?? text ?? "",
    status,
  }));
}

/** gemini-cli tells of its todos how many there are, and nothing else. */
function countedPlan(title: string): PlanLine[] | null {
  if (title === "Cleared todo list") return [];
  const [, said] = /^Set (\d{1,6}) todo\(s\)$/.exec(title) ?? [];
  if (said === undefined) return null;
  const length = Math.min(Number(said), mostTodoLines);
  return Array.from({ length }, (_, index) => ({ content: `Todo ${index + 1} of ${said}`, status: untold }));
}

/** Whether a plan is the one that was told last by the other way: who tells both ways is heard once. */
export function openPlans(): (lines: readonly PlanLine[], by: "protocol" | "tool") => boolean {
  let last = { by: "", said: "" };
  return (lines, by) => {
    const said = JSON.stringify(lines.map(({ content, status }) => [content, status]));
    const isKnown = last.by !== "" && last.by !== by && last.said === said;
    last = isKnown ? { by: "", said: "" } : { by, said };
    return !isKnown;
  };
}
