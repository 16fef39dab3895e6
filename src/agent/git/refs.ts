import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { clearPlaceOf } from "./mirror-folders.ts";
import { lastWritten, writtenRef } from "./ref-journal.ts";

/** All refs of a mirror: full name to object id, or "ref: …" with the target of a symbolic ref. */
export type RefSnapshot = Readonly<Record<string, string>>;

/** Returns the refs of a mirror, for `restoreRefs` after an agent has worked. */
export async function snapshotRefs(mirror: Mirror): Promise<RefSnapshot> {
  await guardMirror(mirror);
  const format = "%(refname)%00%(objectname)%00%(symref)";
  const lines = (await mirrorGit(mirror, ["for-each-ref", `--format=${format}`])).split("\n");
  const result: Record<string, string> = {};
  for (const line of lines) {
    const [name, object, target] = line.split("\0");
    if (name === undefined || name === "" || object === undefined) continue;
    result[name] = target === undefined || target === "" ? object : `ref: ${target}`;
  }
  return result;
}

/**
 * Resets every ref to its state in `before`, except the goal's own `branch` and its kept attempts. Returns the names of the refs that
 * had changed, sorted (D23). A ref that we moved meanwhile, for another goal or by a fetch, keeps our value.
 */
export async function restoreRefs(options: {
  readonly mirror: Mirror;
  readonly before: RefSnapshot;
  readonly branch: string;
}): Promise<readonly string[]> {
  const { mirror, before, branch } = options;
  const now = await snapshotRefs(mirror);
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changed: string[] = [];
  for (const name of [...names].sort()) {
    if (isOwn(name, branch)) continue;
    const ours = await lastWritten(mirror.dir, name);
    const expected = ours === undefined ? (before[name] ?? null) : ours;
    const actual = now[name] ?? null;
    if (actual === expected) continue;
    changed.push(name);
    await restoreRef(mirror, name, expected);
  }
  return changed;
}

/** The commit of a ref, or null. `ref` is a full name. */
export async function readRef(mirror: Mirror, ref: string): Promise<string | null> {
  const result = await tryMirrorGit(mirror, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${ref}^{commit}`,
  ]);
  return result.type === "ok" ? result.stdout.trim() : null;
}

/** The tree of a commit; equal files give equal trees. Throws `GitError`. */
export async function treeOf(mirror: Mirror, commit: string): Promise<string> {
  return (await mirrorGit(mirror, ["rev-parse", "--verify", `${commit}^{tree}`])).trim();
}

/** Returns `tree`, or null when it equals the tree of `commit`. Throws `GitError`. */
export async function otherTree(mirror: Mirror, commit: string, tree: string): Promise<string | null> {
  return tree === (await treeOf(mirror, commit)) ? null : tree;
}

/** True when `older` is an ancestor of `newer`, or equal to it. Both are full object names. */
export async function isAncestor(mirror: Mirror, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  return (await tryMirrorGit(mirror, ["merge-base", "--is-ancestor", older, newer])).type === "ok";
}

/**
 * Sets a ref, whatever is there now. A symbolic ref is replaced, not followed. Refs above or below its name, which only an agent can
 * have created, are removed. Throws `GitError`.
 */
export async function writeRef(mirror: Mirror, ref: string, commit: string): Promise<void> {
  await writtenRef(mirror.dir, ref, commit);
  if (await holdsAlready(join(mirror.dir, ref), commit)) return;
  const update = ["update-ref", "--no-deref", ref, commit];
  if ((await tryMirrorGit(mirror, update)).type === "ok") return;

  await clearAround(mirror, ref);
  if ((await tryMirrorGit(mirror, update)).type === "ok") return;
  // The file is not readable as a ref at all.
  await clearPlaceOf(mirror.dir, ref);
  await mirrorGit(mirror, update);
}

/** Deletes refs above or below a name, which cannot exist beside it. False when there are none. Throws `GitError`. */
export async function clearAround(mirror: Mirror, ref: string): Promise<boolean> {
  const names = Object.keys(await snapshotRefs(mirror));
  const around = names.filter((name) => name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`));
  for (const name of around) await deleteRef(mirror, name);
  return around.length > 0;
}

/** True when a ref's file has exactly the content that git would write. Follows no link. */
export async function holdsAlready(path: string, commit: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true && (await readFile(path, "utf8").catch(() => "")) === `${commit}\n`;
}

/** Deletes a ref; a missing one is not an error. */
export async function deleteRef(mirror: Mirror, ref: string): Promise<void> {
  await writtenRef(mirror.dir, ref, null);
  await mirrorGit(mirror, ["update-ref", "--no-deref", "-d", ref]);
}

function isOwn(name: string, branch: string): boolean {
  const goal = branch.slice(branch.indexOf("/") + 1);
  return name === `refs/heads/${branch}` || name.startsWith(`refs/cos/${goal}/`);
}

/** Sets a ref to its value in a snapshot; deletes it when `expected` is null. */
async function restoreRef(mirror: Mirror, name: string, expected: string | null): Promise<void> {
  if (expected === null) {
    await mirrorGit(mirror, ["update-ref", "--no-deref", "-d", name]);
    return;
  }
  if (expected.startsWith("ref: ")) {
    await mirrorGit(mirror, ["symbolic-ref", name, expected.slice(5)]);
    return;
  }
  await writeRef(mirror, name, expected);
}
