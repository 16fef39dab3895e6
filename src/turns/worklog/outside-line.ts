import { z } from "zod";
import type { AgentOperation } from "../../core/worklog/operations.ts";

/** A line that `cos worklog-hook` wrote. */
export const HookLine = z.object({
  at: z.iso.datetime(),
  owner: z.string().max(200),
  cwd: z.string().max(4_000),
  event: z.enum(["prompt", "tool", "stop", "end"]),
  text: z.string().optional(),
  tool: z.string().optional(),
  input: z
    .object({
      file_path: z.string(),
      command: z.string(),
      description: z.string(),
      prompt: z.string(),
      subagent_type: z.string(),
      edits: z.int().nonnegative(),
      todos: z.array(z.object({ content: z.string(), status: z.string() })),
    })
    .partial()
    .optional(),
  hasFailed: z.boolean().optional(),
  exitCode: z.int().nullable().optional(),
});
/** A parsed line. */
export type HookLine = z.infer<typeof HookLine>;

/** Returns the operation of a line, in the form in which agents of goals report theirs. Null when worklogs do not record it. */
export function operationOf({
  tool = "",
  input = {},
  hasFailed = false,
  exitCode = null,
}: HookLine): AgentOperation | null {
  if (tool === "TodoWrite") return input.todos === undefined ? null : { type: "plan", lines: input.todos };
  const path = input.file_path ?? "";
  const common = {
    hasFailed,
    exitCode,
    output: null,
    paths: path === "" ? [] : [path],
    isNew: tool === "Write",
  } as const;
  switch (tool) {
    case "Edit":
    case "MultiEdit":
    case "Write": {
      const several = tool === "MultiEdit" ? [1, 2] : [];
      return { type: "tool", kind: "edit", title: `${tool} ${path}`, input: { edits: several }, ...common };
    }
    case "Bash":
      return { type: "tool", kind: "execute", title: input.command ?? "a command", input, ...common };
    case "Task":
    case "Agent": {
      const kept = { subagent_type: "agent", ...input };
      return { type: "tool", kind: "think", title: tool, input: kept, ...common };
    }
    default:
      return null;
  }
}
