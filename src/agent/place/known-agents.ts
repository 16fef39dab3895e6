import { existsSync, lstatSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/**
 * What an agent makes in a HOME in which it never worked, by the names of its program; in its room it cannot, for HOME itself is
 * read there. A folder of its own, or a file with what it holds at first.
 */
const madeAtFirst: readonly {
  readonly programs: readonly string[];
  readonly makes: Readonly<Record<string, string | null>>;
}[] = [
  { programs: ["claude", "claude-agent-acp", "claude-code-acp"], makes: { ".claude": null, ".claude.json": "{}\n" } },
  { programs: ["codex", "codex-acp"], makes: { ".codex": null } },
  { programs: ["gemini", "gemini-cli"], makes: { ".gemini": null } },
  { programs: ["qwen", "qwen-code"], makes: { ".qwen": null } },
  { programs: ["pi", "pi-coding-agent"], makes: { ".pi": null } },
  {
    programs: ["opencode", "opencode-ai"],
    makes: {
      ".local/share/opencode": null,
      ".local/state/opencode": null,
      ".cache": null,
      ".config/opencode/.gitignore": "node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore",
    },
  },
];

/** Makes what the agent of a line (`acp:opencode acp`) would make at its first start, where it is not there. Safe twice. */
export async function beginState(home: string, line: string): Promise<void> {
  const words = line
    .split(/[\s"']/)
    .map((word) => word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf(":")) + 1));
  const names = new Set(words.map((word) => word.split("@")[0]));
  for (const { programs, makes } of madeAtFirst) {
    if (!programs.some((program) => names.has(program))) continue;
    for (const [path, content] of Object.entries(makes)) {
      const at = join(home, path);
      if (existsSync(at)) continue;
      await make(at, content).catch(() => undefined); // A HOME that cannot be written to: the agent says so itself.
    }
  }
}

async function make(at: string, content: string | null): Promise<void> {
  await mkdir(content === null ? at : dirname(at), { recursive: true, mode: 0o700 });
  if (content !== null) await writeFile(at, content, { flag: "wx", mode: 0o600 });
}

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
    return settings.map((name) => join(home, state, name)).filter((file) => !lies(file));
  });
}

/** Takes settings that were not there before out of the agents' sight; a person finds them beside. */
export async function setAsideSettings(absent: readonly string[]): Promise<void> {
  for (const file of absent) if (lies(file)) await rename(file, `${file}.made-by-a-goal-${Date.now()}`);
}

/** Whether anything is there: a link that leads nowhere today may lead somewhere tomorrow. */
function lies(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The agent has made a file of a folder above it.
    return false;
  }
}
