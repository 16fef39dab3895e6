import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";

/** Repairs packs of a mirror that a disk has damaged. Git stops at them, and does not fetch their objects again. */

/** The files of one pack that were moved to `folder`. `name` has no file extension. */
export interface SetAside {
  readonly folder: string;
  readonly name: string;
  readonly files: readonly string[];
}

/** Files that git only uses to be faster. */
const derived = ["info/commit-graph", "info/commit-graphs", "pack/multi-pack-index"];

/** Removes files that only say where objects are, and may be wrong. */
export async function removeDerived(mirrorDir: string): Promise<void> {
  for (const name of derived) await rm(join(mirrorDir, "objects", name), { recursive: true, force: true });
}

/**
 * Moves incomplete and damaged packs out of a mirror into `folder`, which is on the same disk. Safe to run concurrently: a file that
 * another process has moved is skipped.
 */
export async function setAsideDamaged(mirrorDir: string, folder: string, timeoutMs: number): Promise<SetAside[]> {
  const packs = packsOf(mirrorDir);
  const names = (await readdir(packs).catch(() => [])).filter((name) => /^pack-[0-9a-f]+\.\w+$/.test(name));
  const aside: SetAside[] = [];
  for (const name of new Set(names.map((each) => each.slice(0, each.indexOf("."))))) {
    const files = names.filter((each) => each.startsWith(`${name}.`));
    const isPair = files.includes(`${name}.pack`) && files.includes(`${name}.idx`);
    if (isPair && !(await isDamaged(mirrorDir, name, timeoutMs))) continue;
    for (const file of files) await move(join(packs, file), join(folder, file));
    aside.push({ folder, name, files });
  }
  return aside;
}

/** Git reads the whole pack. Only git's own verdict counts, not a timeout. */
async function isDamaged(mirrorDir: string, name: string, timeoutMs: number): Promise<boolean> {
  const index = join(packsOf(mirrorDir), `${name}.idx`);
  const verified = await tryGit(["verify-pack", index], { ...inMirror(mirrorDir), timeoutMs });
  return verified.type === "failed" && verified.exitCode !== null;
}

/** Writes all readable objects of packs that were set aside into the mirror, as loose objects. Existing objects stay. */
export async function salvage(mirrorDir: string, aside: readonly SetAside[], timeoutMs: number): Promise<void> {
  for (const { folder, name } of aside) {
    const inputFile = join(folder, `${name}.pack`);
    // Fails at unreadable objects, after writing the others.
    await tryGit(["unpack-objects", "-q", "-r"], { ...inMirror(mirrorDir), inputFile, timeoutMs });
  }
}

/** Moves packs back that were set aside. The index goes last, because git looks for it first. */
export async function putBackPacks(mirrorDir: string, aside: readonly SetAside[]): Promise<void> {
  for (const { folder, files } of aside)
    for (const file of files.toSorted((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx"))))
      await move(join(folder, file), join(packsOf(mirrorDir), file));
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

function packsOf(mirrorDir: string): string {
  return join(mirrorDir, "objects", "pack");
}

function inMirror(mirrorDir: string) {
  return { cwd: mirrorDir, configuration: "ours", environment: inGitDir(mirrorDir) } as const;
}
