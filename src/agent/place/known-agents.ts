import { existsSync, lstatSync } from "node:fs";
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Mount } from "./bubblewrap.ts";
import { foldersBetween, type Link, linksOnWay, putBackLinks, realOf, unless } from "./links.ts";
import { isInside } from "./visible.ts";

/**
 * Where known agents keep their own state below HOME: logins, sessions, caches. They write there as they do when a person
 * starts them; their settings, and what they run by themselves at the next start, they only read (D39). Sources: the agents' documentation.
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

/** One file for both, state and what an agent starts by itself (servers of tools): each room has a copy, which goes with it. */
const ofBoth = [".claude.json"];

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

/** What is state and settings in one file, copied into `folder`: nothing of what is written there stays. Only what can be read. */
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

/** What is there of their state, behind all links: nothing is mounted over a link. */
function statesIn(home: string): { readonly root: string; readonly settings: readonly string[] }[] {
  return known.flatMap(({ state, settings }) => {
    const root = realOf(join(home, state));
    return root === null ? [] : [{ root, settings: settings.map((name) => join(root, name)) }];
  });
}

/** Their state, to be written; settings in it, to be read, and no folder on the way to them can be moved. Only what is there. */
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

/** Each once; what lies in another after that. */
function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

/** How their settings are before a room opens, as far as no mount keeps them so. */
export interface SettingsBefore {
  /** There are none: what an agent makes of them is set aside afterwards. */
  readonly absent: readonly string[];
  /** Links in folders that an agent writes to. */
  readonly links: readonly Link[];
}

/** Notes what of their settings an agent could make, or replace. */
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

/** Takes settings that were not there before out of the agents' sight, and puts back links; a person finds the others beside. */
export async function restoreSettings({ absent, links }: SettingsBefore): Promise<void> {
  const asideOf = (file: string): string => `${file}.made-by-a-goal-${Date.now()}`;
  // Agents that end together have seen the same: another one may have taken it away meanwhile.
  for (const file of absent) if (lies(file)) await rename(file, asideOf(file)).catch(unless("ENOENT"));
  await putBackLinks(links, asideOf);
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
