import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../git/tree.ts";

/**
 * What package managers have downloaded, kept from place to place. Each place works on a copy of its own, and only what a
 * setup of the base has left is kept: no work of a goal ever writes what another setup reads (F-202). Each time it is kept anew
 * beside what was kept before, which somebody may be copying in this moment.
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

/** Nothing is ever taken out of them: after so long they begin anew, with what is needed by then. */
const longestKeptMs = 14 * 24 * 60 * 60_000;
/** Nobody copies for so long. */
const longestCopiedMs = 60 * 60_000;

/** What lies in a HOME that begins with what was kept. */
export interface Downloads {
  /** When the first of it was kept, in ms since 1970; null: nothing was there. */
  readonly since: number | null;
}

/** Lays what is kept into an empty HOME. What cannot be copied is downloaded again: nothing fails with it. */
export async function layDownloads(kept: string, home: string, now = Date.now()): Promise<Downloads> {
  const newest = (await versionsIn(kept)).at(-1);
  if (newest === undefined || now - newest.since > longestKeptMs) return { since: null };
  const laid = await Promise.allSettled(
    folders.map((folder) => copy(join(kept, newest.name, folder), join(home, folder))),
  );
  // Half of a cache is worse than none.
  for (const [index, each] of laid.entries())
    if (each.status === "rejected") await removeTree(join(home, folders[index] ?? "")).catch(() => undefined);
  return { since: newest.since };
}

/** Keeps what lies in a HOME from now on. Cut short anywhere, or where there is no space for it, what was kept before stays. */
export async function keepDownloads(home: string, kept: string, { since }: Downloads, now = Date.now()): Promise<void> {
  const name = nameOf({ since: since ?? now, at: now });
  const unfinished = join(kept, `.${name}`);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    for (const folder of folders) await copy(join(home, folder), join(unfinished, folder));
    await rename(unfinished, join(kept, name));
  } catch (error) {
    await removeTree(unfinished).catch(() => undefined);
    throw error;
  }
  await forgetOlder(kept, now);
}

interface Version {
  readonly name: string;
  readonly since: number;
  readonly at: number;
}

function nameOf({ since, at }: Omit<Version, "name">): string {
  return `kept-${since}-${at}-${randomBytes(4).toString("hex")}`;
}

function readName(name: string): Version | null {
  const [, since, at] = /^\.?kept-(\d+)-(\d+)-[0-9a-f]{8}$/.exec(name) ?? [];
  return since === undefined || at === undefined ? null : { name, since: Number(since), at: Number(at) };
}

/** Whole ones, the newest last. */
async function versionsIn(kept: string): Promise<readonly Version[]> {
  const names = (await readdir(kept).catch(() => [])).filter((name) => !name.startsWith("."));
  return names.flatMap((name) => readName(name) ?? []).toSorted((one, other) => one.at - other.at);
}

/** Removes all but the newest that nobody can be reading or writing any more; what is none of them is of an older release. */
async function forgetOlder(kept: string, now: number): Promise<void> {
  const newest = (await versionsIn(kept)).at(-1)?.name;
  for (const name of await readdir(kept)) {
    if (name === newest) continue;
    const at = readName(name)?.at ?? 0;
    if (now - at > longestCopiedMs) await removeTree(join(kept, name)).catch(() => undefined);
  }
}

async function copy(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await mkdir(dirname(to), { recursive: true });
  // Files share their blocks where the file system can do that.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}
