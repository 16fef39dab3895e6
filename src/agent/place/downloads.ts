import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../git/tree.ts";

/**
 * Keeps downloads of package managers from one place to the next. Each place works on its own copy. Only what the setup of the base has
 * left is kept, so that no work of a goal writes what another setup reads (F-202). Each time a new version is kept beside the old one,
 * which another process may be copying at that moment.
 */

/** Download folders of package managers, below HOME. */
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

/** Nothing is ever removed from kept downloads. After this time they start empty again, with what is needed by then. */
const longestKeptMs = 14 * 24 * 60 * 60_000;
/** Longer than any copy takes. */
const longestCopiedMs = 60 * 60_000;

/** The state of a HOME that was filled from kept downloads. */
export interface Downloads {
  /** When the first of the downloads was kept, in ms since 1970; null when there were none. */
  readonly since: number | null;
}

/** Copies kept downloads into an empty HOME. A folder that cannot be copied is downloaded again; this never fails the setup. */
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

/** Keeps the downloads of a HOME. When it is interrupted, or the disk is full, the previously kept ones stay. */
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

/** Complete versions, the newest last. */
async function versionsIn(kept: string): Promise<readonly Version[]> {
  const names = (await readdir(kept).catch(() => [])).filter((name) => !name.startsWith("."));
  return names.flatMap((name) => readName(name) ?? []).toSorted((one, other) => one.at - other.at);
}

/**
 * Removes all versions that nobody can be reading or writing any more, except the newest. Other names are of an older release and are
 * removed too.
 */
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
  // Files share blocks if the file system supports it.
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}
