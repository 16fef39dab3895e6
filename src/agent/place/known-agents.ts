import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "./bubblewrap.ts";

/**
 * Where known agents keep their own state below HOME: logins, sessions, caches. They write there as they do when a person
 * starts them; their settings, and what they run by themselves at the next start, they only read (D39). Sources: the agents' documentation.
 */
const known: readonly { readonly state: string; readonly settings: readonly string[] }[] = [
  {
    state: ".claude",
    settings: ["settings.json", "settings.local.json", "CLAUDE.md", "agents", "commands", "hooks", "plugins", "skills"],
  },
  { state: ".claude.json", settings: [] },
  { state: ".codex", settings: ["config.toml", "hooks.json", "AGENTS.md", "prompts", "rules", "skills"] },
  { state: ".gemini", settings: ["settings.json", "GEMINI.md", "commands", "extensions", "hooks", "policies"] },
  { state: ".qwen", settings: ["settings.json", "QWEN.md", "commands", "extensions", "hooks"] },
  { state: ".copilot", settings: ["config.json", "mcp-config.json", "agents", "hooks"] },
  { state: ".cursor", settings: ["cli-config.json", "hooks.json", "mcp.json", "rules"] },
  { state: ".augment", settings: ["settings.json", "rules"] },
  { state: ".factory", settings: ["settings.json", "mcp.json", "hooks", "droids", "commands"] },
  { state: ".kimi", settings: ["config.toml", "mcp.json"] },
  { state: ".vibe", settings: ["config.toml"] },
  { state: ".pi", settings: ["agent/settings.json", "agent/extensions", "agent/AGENTS.md"] },
  { state: ".cline", settings: ["hooks", "rules"] },
  { state: ".local/share/opencode", settings: [] },
  { state: ".local/state/opencode", settings: [] },
  { state: ".local/share/goose", settings: [] },
  { state: ".local/state/goose", settings: [] },
];

/** Their state, to be written; settings in it, to be read. Only what is there. */
export function stateMounts(home: string): Mount[] {
  return known.flatMap(({ state, settings }) => {
    const at = join(home, state);
    if (!existsSync(at)) return [];
    const files = settings.map((name) => join(at, name)).filter((file) => existsSync(file));
    return [{ type: "write", from: at, at }, ...files.map((file): Mount => ({ type: "read", from: file, at: file }))];
  });
}

/** The settings that an agent could make, for there are none: what it makes of them is set aside afterwards. */
export function absentSettings(home: string): readonly string[] {
  return known.flatMap(({ state, settings }) => {
    if (!existsSync(join(home, state))) return [];
    return settings.map((name) => join(home, state, name)).filter((file) => !existsSync(file));
  });
}

/** Takes settings that were not there before out of the agents' sight; a person finds them beside. */
export async function setAsideSettings(absent: readonly string[]): Promise<void> {
  for (const file of absent) if (existsSync(file)) await rename(file, `${file}.made-by-a-goal-${Date.now()}`);
}
