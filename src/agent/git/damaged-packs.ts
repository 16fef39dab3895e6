import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";

/** Packs of a mirror that a disk has damaged: git stops at them, and brings nothing that lies in them a second time. */

/** The files of one pack, without their endings, as they lie in `folder` now. */
export interface SetAside {
  readonly folder: string;
  readonly name: string;
  readonly files: readonly string[];
}

/** Git makes no more of these by itself than to be faster. */
const derived = ["info/commit-graph", "info/commit-graphs", "pack/multi-pack-index"];

/** Removes what only says where objects are, and may say it wrong. */
export async function removeDerived(mirrorDir: string): Promise<void> {
  for (const name of derived) await rm(join(mirrorDir, "objects", name), { recursive: true, force: true });
}

/**
 * Moves packs that are not whole, or lack a file, out of a mirror into `folder`, which is on the same disk. Safe beside others that do
 * the same: what one has moved, another one does not find.
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

/** Git reads all of it. Only its own word counts: one that came to no end has not said any. */
async function isDamaged(mirrorDir: string, name: string, timeoutMs: number): Promise<boolean> {
  const index = join(packsOf(mirrorDir), `${name}.idx`);
  const verified = await tryGit(["verify-pack", index], { ...inMirror(mirrorDir), timeoutMs });
  return verified.type === "failed" && verified.exitCode !== null;
}

/** Lays what can be read of packs that were set aside into the mirror, each object by itself. What is there already stays. */
export async function salvage(mirrorDir: string, aside: readonly SetAside[], timeoutMs: number): Promise<void> {
  for (const { folder, name } of aside) {
    const inputFile = join(folder, `${name}.pack`);
    // It fails at what it cannot read, having written the rest.
    await tryGit(["unpack-objects", "-q", "-r"], { ...inMirror(mirrorDir), inputFile, timeoutMs });
  }
}

/** Puts packs that were set aside where they were. The index is last: git looks for it first. */
export async function putBackPacks(mirrorDir: string, aside: readonly SetAside[]): Promise<void> {
  for (const { folder, files } of aside)
    for (const file of files.toSorted((a) => (a.endsWith(".idx") ? 1 : -1)))
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
