import { z } from "zod";
import { type PlanLine, untold } from "../../core/worklog/todos.ts";
import type { ToolOperation } from "./tool-calls.ts";

/** Maximum number of plan lines that are read. */
export const mostTodoLines = 100;

const words = z.string().optional().catch(undefined);
const Todos = z.array(z.object({ content: words, description: words, text: words, status: z.string() }));

/**
 * Returns the plan in a successful tool call. Some agents (opencode) report their todos only through the tool that keeps them, never as
 * a plan of the protocol. A status that is not reported is `untold`. Null when the call holds no plan. Read leniently, at most
 * `mostTodoLines` lines.
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

/** gemini-cli reports only the number of its todos. */
function countedPlan(title: string): PlanLine[] | null {
  if (title === "Cleared todo list") return [];
  const [, said] = /^Set (\d{1,6}) todo\(s\)$/.exec(title) ?? [];
  if (said === undefined) return null;
  const length = Math.min(Number(said), mostTodoLines);
  return Array.from({ length }, (_, index) => ({ content: `Todo ${index + 1} of ${said}`, status: untold }));
}

/**
 * Returns a function that is true for a plan to report. It is false for a plan that the other way has just reported: an agent may use
 * both.
 */
export function openPlans(): (lines: readonly PlanLine[], by: "protocol" | "tool") => boolean {
  let last = { by: "", said: "" };
  return (lines, by) => {
    const said = JSON.stringify(lines.map(({ content, status }) => [content, status]));
    const isKnown = last.by !== "" && last.by !== by && last.said === said;
    last = isKnown ? { by: "", said: "" } : { by, said };
    return !isKnown;
  };
}
