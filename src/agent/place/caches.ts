import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { ownVariables } from "../process/environment.ts";
import { programIn } from "../process/programs.ts";
import type { Mount } from "./bubblewrap.ts";
import { isInside } from "./visible.ts";

/** Folders below HOME that tools write to, and the programs that make them at their first start; none: many do. */
const belowHome: Readonly<Record<string, readonly string[]>> = {
  ".npm": ["npm"],
  ".cache": [],
  ".cargo/registry": ["cargo"],
  ".cargo/git": ["cargo"],
  ".gradle": ["java"],
  ".m2/repository": ["java"],
  "go/pkg": ["go"],
  ".yarn": ["yarn"],
  ".bun/install/cache": ["bun"],
  ".local/share/pnpm/store": ["pnpm"],
  ".nuget/packages": ["dotnet"],
};

/** Variables that lay such folders elsewhere, as images of languages do, with what below them it is. Goals are given them (process/environment.ts). */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["registry", "git"],
  GOPATH: ["pkg"],
  GOMODCACHE: ["."],
  GOCACHE: ["."],
  UV_CACHE_DIR: ["."],
  XDG_CACHE_HOME: ["."],
  npm_config_cache: ["."],
};

/** What lies in a cache and a tool cannot do without stays to be read. */
const needed = ["ms-playwright", "puppeteer", "Cypress", "electron"];

/**
 * Empty caches of tools, each a new folder in `own`. One that is not there yet is made where `path` has its program, as that would do:
 * inside nothing can be added to a HOME.
 */
export async function cacheMounts(own: string, home: string, path: string): Promise<Mount[]> {
  const mounts: Mount[] = [];
  const caches = cachesOf(home, path);
  for (const [index, at] of caches.entries()) {
    // A folder that cannot be made: the program says so itself.
    await mkdir(at, { recursive: true, mode: 0o700 }).catch(() => undefined);
    if (!existsSync(at)) continue;
    const from = join(own, `cache-${index}`);
    await mkdir(from);
    mounts.push({ type: "write", from, at });
  }
  const read = caches.flatMap((at) => needed.map((name) => join(at, name))).filter((folder) => existsSync(folder));
  return [...mounts, ...read.map((at): Mount => ({ type: "read", from: at, at }))];
}

/** Where caches lie, or will. */
function cachesOf(home: string, path: string): readonly string[] {
  const usual = Object.entries(belowHome).flatMap(([name, programs]) => {
    const at = join(home, name);
    const isUsed = programs.length === 0 || programs.some((program) => programIn(path, program) !== null);
    return existsSync(at) || (isUsed && existsSync(home)) ? [at] : [];
  });
  const variables = Object.entries(ownVariables((name) => Object.hasOwn(elsewhere, name)));
  const moved = variables.flatMap(([name, value]) => {
    const [folder = ""] = value.split(delimiter);
    return isAbsolute(folder) ? (elsewhere[name] ?? []).map((below) => join(folder, below)) : [];
  });
  // What holds HOME, or the machine's own folders, is no cache.
  return [...new Set([...usual, ...moved])].filter((at) => !isInside(home, at) && at.split("/").length > 2);
}
