import { existsSync, lstatSync } from "node:fs";
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Mount } from "./bubblewrap.ts";
import { foldersBetween, type Link, linksOnWay, putBackLinks, realOf, unless } from "./links.ts";
import { isInside } from "./visible.ts";

/**
 * State of known agents below HOME: logins, sessions, caches. In a room they write there as usual. Their settings, and programs that
 * they run at the next start, are read-only (D39). Sources: the agents' documentation.
 */
const known: readonly { readonly state: string; readonly settings: readonly string[] }[] = [
  {
    state: ".claude",
    settings: words(
      "settings.json settings.local.json CLAUDE.md rules output-styles agents commands hooks plugins skills",
    ),
  },
  {
    state: ".codex",
    settings: words(".env config.toml hooks.json AGENTS.md AGENTS.override.md agents prompts rules skills"),
  },
  {
    state: ".gemini",
    settings: words(
      ".env settings.json trustedFolders.json GEMINI.md system.md agents commands extensions hooks policies skills",
    ),
  },
  {
    state: ".qwen",
    settings: words(".env settings.json trustedFolders.json QWEN.md system.md agents commands extensions hooks skills"),
  },
  {
    state: ".copilot",
    settings: words("config.json mcp-config.json copilot-instructions.md agents hooks skills"),
  },
  { state: ".cursor", settings: words("cli-config.json hooks.json mcp.json agents commands rules skills") },
  { state: ".augment", settings: words("settings.json agents commands rules skills") },
  { state: ".factory", settings: words("settings.json mcp.json AGENTS.md hooks droids commands skills") },
  { state: ".kimi", settings: words("config.toml mcp.json") },
  { state: ".vibe", settings: words("config.toml .env") },
  {
    state: ".pi",
    settings: words("settings.json models.json AGENTS.md SYSTEM.md extensions prompts skills").map(
      (name) => `agent/${name}`,
    ),
  },
  { state: ".cline", settings: words("hooks rules") },
  { state: ".local/share/opencode", settings: [] },
  { state: ".local/state/opencode", settings: [] },
  { state: ".local/share/goose", settings: [] },
  { state: ".local/state/goose", settings: [] },
];

function words(names: string): readonly string[] {
  return names.split(" ");
}

/**
 * Files that hold both state and programs an agent starts (servers of tools). Each room gets a copy, which is discarded with the room.
 */
const ofBoth = [".claude.json"];

/**
 * Files that an agent creates in a HOME where it never ran, by the names of its program. In a room it cannot create them, because HOME
 * is read-only. Null for a folder, else the initial content of the file.
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

/** Creates what an agent (`acp:opencode acp`) would create at its first start, if it is missing. Safe to repeat. */
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
      await make(at, content).catch(() => undefined); // If HOME is not writable, the agent reports it itself.
    }
  }
}

async function make(at: string, content: string | null): Promise<void> {
  await mkdir(content === null ? at : dirname(at), { recursive: true, mode: 0o700 });
  if (content !== null) await writeFile(at, content, { flag: "wx", mode: 0o600 });
}

/**
 * Mounts for files with both state and settings, copied into `folder`: nothing written to them is kept. Unreadable files are skipped.
 */
export async function copiedMounts(home: string, folder: string): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const [index, name] of ofBoth.entries()) {
    const [at, from] = [realOf(join(home, name)), join(folder, `state-${index}`)];
    if (at === null) continue;
    const isCopied = await copyFile(at, from).then(
      () => true,
      () => false,
    );
    if (isCopied) mounts.push({ type: "write", from, at });
  }
  return mounts;
}

/** The existing state folders, with links resolved: nothing can be mounted over a link. */
function statesIn(home: string): { readonly root: string; readonly settings: readonly string[] }[] {
  return known.flatMap(({ state, settings }) => {
    const root = realOf(join(home, state));
    return root === null ? [] : [{ root, settings: settings.map((name) => join(root, name)) }];
  });
}

/**
 * Mounts for existing state: writable, but settings in it are read-only. The folders that lead to the settings are mounts too, so that
 * they cannot be moved.
 */
export function stateMounts(home: string): Mount[] {
  const states = statesIn(home);
  const roots = states.map(({ root }) => root);
  const files = unique(states.flatMap(({ settings }) => settings.flatMap((file) => realOf(file) ?? [])));
  const links = settingsBefore(home).links.map(({ path }) => path);
  const folders = unique([...files, ...links].flatMap((each) => foldersBetween(roots, each)));
  const itself = (type: "read" | "write", paths: readonly string[]): Mount[] =>
    paths.map((path) => ({ type, from: path, at: path }));
  return [...itself("write", unique([...roots, ...folders])), ...itself("read", files)];
}

/** Removes duplicates; a folder comes before its content. */
function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

/** The agents' settings before a room opens, as far as no mount protects them. */
export interface SettingsBefore {
  /** Settings that do not exist. If an agent creates them, they are set aside afterwards. */
  readonly absent: readonly string[];
  /** Links in folders that an agent can write to. */
  readonly links: readonly Link[];
}

/** Records which settings an agent could create or replace. */
export function settingsBefore(home: string): SettingsBefore {
  const states = statesIn(home);
  const files = states.flatMap(({ settings }) => settings);
  const links = files
    .flatMap((file) => linksOnWay(file))
    .filter(({ path }) => states.some(({ root }) => isInside(path, root)));
  return {
    absent: files.filter((file) => !lies(file)),
    links: [...new Map(links.map((each) => [each.path, each])).values()],
  };
}

/**
 * Renames settings that did not exist before, so that agents do not read them, and restores links. A person finds the renamed files
 * beside the originals.
 */
export async function restoreSettings({ absent, links }: SettingsBefore): Promise<void> {
  const asideOf = (file: string): string => `${file}.made-by-a-goal-${Date.now()}`;
  // Agents that end together have recorded the same; another one may have renamed the file meanwhile.
  for (const file of absent) if (lies(file)) await rename(file, asideOf(file)).catch(unless("ENOENT"));
  await putBackLinks(links, asideOf);
}

/** True when anything exists at a path, even a broken link: its target may exist later. */
function lies(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The agent has replaced a parent folder with a file.
    return false;
  }
}
