import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../git/tree.ts";

/**
 * What package managers have downloaded, kept from place to place. Each place works on a copy of its own, and only what a
 * setup of the base has left is kept: no work of a goal ever writes what another setup reads (F-202).
 */

/** Where package managers keep downloads, below HOME. */
const folders = [
  ".npm/_cacache",
  ".cache/pip",
  ".cache/pypoetry",
  ".cache/uv",
  ".cache/yarn",
  ".yarn/berry/cache",
  ".bun/install/cache",
  ".local/share/pnpm/store",
  ".cargo/registry",
  "go/pkg/mod/cache",
  ".m2/repository",
  ".gradle/caches",
];

/** Lays what is kept into an empty HOME. */
export async function layDownloads(kept: string, home: string): Promise<void> {
  for (const folder of folders) await copy(join(kept, folder), join(home, folder));
}

/** Keeps what lies in a HOME instead of what was kept before; another process may be reading that. */
export async function keepDownloads(home: string, kept: string): Promise<void> {
  const name = randomBytes(6).toString("hex");
  const fresh = `${kept}.${name}`;
  const old = `${kept}.${name}-old`;
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  for (const folder of folders) await copy(join(home, folder), join(fresh, folder));
  if (existsSync(kept)) await rename(kept, old);
  await rename(fresh, kept);
  await removeTree(old);
}

async function copy(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await mkdir(dirname(to), { recursive: true });
  // Files share their blocks where the file system can do that.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}
