import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { programIn } from "../process/programs.ts";
import type { Mount } from "./bubblewrap.ts";

/** Folders below HOME that tools write to, and the programs that make them at their first start; none: many do. */
const caches: Readonly<Record<string, readonly string[]>> = {
  ".npm": ["npm"],
  ".cache": [],
  ".cargo/registry": ["cargo"],
  ".gradle": ["java"],
  ".m2/repository": ["java"],
  "go/pkg": ["go"],
  ".yarn": ["yarn"],
  ".bun/install/cache": ["bun"],
  ".local/share/pnpm/store": ["pnpm"],
  ".nuget/packages": ["dotnet"],
};

/** What a tool cannot do without stays to be read. */
const needed = [".cache/ms-playwright", ".cache/puppeteer", ".cache/Cypress", ".cache/electron"];

/**
 * Empty caches below `home`, each a new folder in `own`. One that is not there yet is made where `path` has its program, as that would do:
 * inside nothing can be added to a HOME.
 */
export async function cacheMounts(own: string, home: string, path: string): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const [index, [name, programs]] of Object.entries(caches).entries()) {
    const at = join(home, name);
    const isUsed = programs.length === 0 || programs.some((program) => programIn(path, program) !== null);
    // A HOME that is not there, or cannot be written to: the program says so itself.
    if (isUsed && existsSync(home)) await mkdir(at, { recursive: true, mode: 0o700 }).catch(() => undefined);
    if (!existsSync(at)) continue;
    const from = join(own, `cache-${index}`);
    await mkdir(from);
    mounts.push({ type: "write", from, at });
  }
  const read = needed.map((name) => join(home, name)).filter((folder) => existsSync(folder));
  return [...mounts, ...read.map((at): Mount => ({ type: "read", from: at, at }))];
}
