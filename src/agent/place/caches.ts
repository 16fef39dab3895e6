import { existsSync, readdirSync } from "node:fs";
import { mkdir, realpath, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { ownVariables } from "../process/environment.ts";
import { programIn } from "../process/programs.ts";
import type { Mount } from "./bubblewrap.ts";
import { isInside } from "./visible.ts";

/** Caches below HOME, with the programs whose presence shows that the cache is used. An empty list: many programs use it. */
const belowHome: Readonly<Record<string, readonly string[]>> = {
  ".npm": ["npm"],
  ".cache": [],
  ".cargo/registry": ["cargo"],
  ".cargo/git": ["cargo"],
  // Projects bring their own gradle and mvn (gradlew, mvnw).
  ".gradle": ["java"],
  ".m2/repository": ["java"],
  "go/pkg": ["go"],
  ".yarn": ["yarn"],
  ".bun/install/cache": ["bun"],
  ".nuget/packages": ["dotnet"],
  ".local/share/pnpm/store": ["pnpm", "corepack"],
  ".local/share/pnpm/.tools": ["pnpm", "corepack"],
  ".local/share/virtualenvs": ["pipenv"],
};

interface Moved {
  /** The cache folders below the folder that the variable names. */
  readonly below: readonly string[];
  readonly programs: readonly string[];
}

/** Variables that move caches elsewhere, as language images do. Goals get these variables (process/environment.ts). */
const elsewhere: Readonly<Record<string, Moved>> = {
  CARGO_HOME: { below: ["registry", "git"], programs: ["cargo"] },
  GOPATH: { below: ["pkg"], programs: ["go"] },
  GOMODCACHE: { below: ["."], programs: ["go"] },
  GOCACHE: { below: ["."], programs: ["go"] },
  UV_CACHE_DIR: { below: ["."], programs: ["uv"] },
  XDG_CACHE_HOME: { below: ["."], programs: [] },
  PNPM_HOME: { below: ["store", ".tools"], programs: ["pnpm", "corepack"] },
  XDG_DATA_HOME: { below: ["pnpm/store", "pnpm/.tools"], programs: ["pnpm", "corepack"] },
  npm_config_store_dir: { below: ["."], programs: ["pnpm", "corepack"] },
  npm_config_cache: { below: ["."], programs: ["npm"] },
  NPM_CONFIG_CACHE: { below: ["."], programs: ["npm"] },
};

/** Folders in a cache that a tool needs; they stay readable. Versions of pnpm itself, below `.tools`, do too. */
const needed = ["ms-playwright", "puppeteer", "Cypress", "electron"];
const versionsOfTools = ".tools";

/**
 * Mounts for empty caches of tools, each a new folder in `own`. A missing cache folder is created when `path` has a program that uses
 * it, as that program would do: inside, nothing can be added to HOME. A path that is not a folder and cannot become one is left as it
 * is.
 */
export async function cacheMounts(own: string, home: string, path: string): Promise<Mount[]> {
  const mounts: Mount[] = [];
  const caches = await cachesOf(home, path);
  for (const [index, at] of caches.entries()) {
    const from = join(own, `cache-${index}`);
    await mkdir(from);
    mounts.push({ type: "write", from, at });
  }
  const read = caches.flatMap((at) => (basename(at) === versionsOfTools ? versionsIn(at) : neededIn(at)));
  return [...mounts, ...read.map((at): Mount => ({ type: "read", from: at, at }))];
}

function neededIn(cache: string): string[] {
  return needed.map((name) => join(cache, name)).filter((folder) => existsSync(folder));
}

/** Folders such as `.tools/pnpm/10.20.0`. */
function versionsIn(tools: string): string[] {
  const foldersIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  return foldersIn(tools).flatMap((tool) => foldersIn(tool));
}

/** The real cache folders, with links resolved: nothing can be mounted over a link. */
async function cachesOf(home: string, path: string): Promise<readonly string[]> {
  if (!existsSync(home)) return [];
  const realHome = await realpath(home);
  const usual = Object.entries(belowHome).map(([name, programs]) => ({ at: join(home, name), programs }));
  const moved = Object.entries(ownVariables((name) => Object.hasOwn(elsewhere, name))).flatMap(([name, value]) => {
    const [folder = ""] = value.split(delimiter);
    const { below = [], programs = [] } = elsewhere[name] ?? {};
    return isAbsolute(folder) ? below.map((each) => ({ at: join(folder, each), programs })) : [];
  });
  const found = new Set<string>();
  for (const { at, programs } of [...usual, ...moved]) {
    const real = (await realFolder(at)) ?? (isUsed(programs, path) ? await madeFolder(at) : null);
    // A folder that contains HOME, or is at the top, is not a cache.
    if (real !== null && !isInside(realHome, real) && real.split("/").length > 2) found.add(real);
  }
  return [...found];
}

function isUsed(programs: readonly string[], path: string): boolean {
  return programs.length === 0 || programs.some((program) => programIn(path, program) !== null);
}

/** Null when the folder cannot be created; the program reports that itself. */
async function madeFolder(at: string): Promise<string | null> {
  await mkdir(at, { recursive: true }).catch(() => undefined);
  return await realFolder(at);
}

/** Null when there is no folder. */
async function realFolder(at: string): Promise<string | null> {
  try {
    return (await stat(at)).isDirectory() ? await realpath(at) : null;
  } catch {
    return null;
  }
}
