/**
 * The line that a hook of a coding agent's own session writes, for a bot to read later. Loaded at every tool call, so it imports no
 * packages.
 */

/** Tools that a worklog has entries for. Hooks of other tools write nothing. */
export const hookTools = ["TodoWrite", "Edit", "MultiEdit", "Write", "Bash", "Task", "Agent"];

const longestText = 4_000;
const longestWords = 300;
const mostTodos = 200;

/**
 * The line for a hook's input, as Claude Code gives it (PostToolUse, PostToolUseFailure, UserPromptSubmit, Stop, SessionEnd), without
 * contents of files. Null for input that no worklog needs. Its shape is `HookLine` in `outside-line.ts`.
 */
export function hookLine(raw: Readonly<Record<string, unknown>>, at: Date, owner: string): object | null {
  const head = { at: at.toISOString(), owner, cwd: textIn(raw["cwd"]) ?? "" };
  switch (raw["hook_event_name"]) {
    case "UserPromptSubmit":
      return { ...head, event: "prompt", text: cut(textIn(raw["prompt"]) ?? "", longestText) };
    case "Stop":
      return { ...head, event: "stop" };
    case "SessionEnd":
      return { ...head, event: "end" };
    case "PostToolUse":
    case "PostToolUseFailure": {
      const tool = textIn(raw["tool_name"]) ?? "";
      if (!hookTools.includes(tool)) return null;
      return { ...head, event: "tool", tool, input: inputOf(objectIn(raw["tool_input"])), ...resultOf(raw) };
    }
    default:
      return null;
  }
}

function inputOf(input: Readonly<Record<string, unknown>>): object {
  const kept: Record<string, unknown> = {};
  for (const key of ["file_path", "command"])
    if (textIn(input[key]) !== null) kept[key] = cut(String(input[key]), longestText);
  for (const key of ["description", "prompt", "subagent_type"])
    if (textIn(input[key]) !== null) kept[key] = cut(String(input[key]), longestWords);
  const { edits, todos } = input;
  if (Array.isArray(edits)) kept["edits"] = edits.length;
  if (Array.isArray(todos))
    kept["todos"] = todos.slice(0, mostTodos).map((todo: unknown) => {
      const { content, status } = objectIn(todo);
      return { content: cut(textIn(content) ?? "", longestWords), status: cut(textIn(status) ?? "", 40) };
    });
  return kept;
}

/** Whether the tool failed, and its exit code, if the agent reports them. */
function resultOf(raw: Readonly<Record<string, unknown>>): object {
  const response = objectIn(raw["tool_response"]);
  const code = response["exit_code"] ?? response["exitCode"] ?? response["code"];
  const exitCode = typeof code === "number" && Number.isInteger(code) ? code : null;
  const isError = response["is_error"] === true || response["success"] === false || response["interrupted"] === true;
  const hasFailed = raw["hook_event_name"] === "PostToolUseFailure" || isError || (exitCode !== null && exitCode !== 0);
  return { hasFailed, exitCode };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function cut(words: string, most: number): string {
  return words.length <= most ? words : words.slice(0, most);
}
