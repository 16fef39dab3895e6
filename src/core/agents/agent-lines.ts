import { nearest, onlyNear } from "../text/nearest.ts";

/** The lines from docs/agents.md, by the names that people use for their agents. */
const lines: ReadonlyMap<string, string> = new Map(
  Object.entries({
    claude: "acp:claude-agent-acp",
    "claude-agent-acp": "acp:claude-agent-acp",
    "claude-code": "acp:claude-agent-acp",
    codex: "acp:codex-acp",
    "codex-acp": "acp:codex-acp",
    gemini: "acp:gemini --acp",
    "gemini-cli": "acp:gemini --acp",
    opencode: "acp:opencode acp",
    qwen: "acp:qwen --acp",
    "qwen-code": "acp:qwen --acp",
  }),
);

/**
 * Returns the line that was probably meant by an invalid one: an agent's name alone (`opencode`), or a typing slip before the colon
 * (`apc:qwen --acp`). Null when none was.
 */
export function meantAgent(line: string): string | null {
  const typed = line.trim();
  const [before = "", ...rest] = typed.split(":");
  const command = rest.join(":").trim();
  if (command !== "") {
    const kind = nearest(before.trim().toLowerCase(), ["acp", "command"], 2);
    return kind === null ? null : `${kind}:${command}`;
  }
  const [program = ""] = before.trim().split(/\s/);
  const named = lines.get(program.toLowerCase()) ?? lines.get(onlyNear(program, [...lines.keys()]) ?? "");
  return named ?? null;
}
