import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeTree } from "../../agent/git/tree.ts";
import { GitError } from "../../agent/git/git.ts";
import { branchOf } from "../../core/goals/branch.ts";
import { roomToKeep } from "../../core/space/free.ts";
import { folders, roomsDirOf } from "../../core/housekeeping/folders.ts";
import {
  decideDone,
  decideHeld,
  decideMirror,
  decidePrune,
  type Moment,
  type PruneVerdict,
} from "../../core/housekeeping/prune.ts";
import { lockOwner } from "../../db/housekeeping.ts";
import { lastWorkOf } from "../../db/runs.ts";
import { findRepository, lockRepository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { originOf } from "../../facts/origin.ts";
import { mirrorDirOf, prunedFileOf, worktreeDirOf } from "../../paths.ts";
import {
  gatherDone,
  gatherFolders,
  gatherMirrors,
  type HeldByBackup,
  type KeptHere,
  type KeptMirror,
  type KeptRef,
} from "./kept.ts";
import { gatherRefs } from "./kept-refs.ts";
import { packOne, removeLeftovers } from "./leftovers.ts";
import { forgetStored } from "./store-outputs.ts";

type PruneDeps = Pick<Deps, "database" | "config" | "git" | "now" | "places" | "policy" | "space" | "log" | "store">;

/** A kept file, folder or ref, and whether it is to be removed. */
export interface JudgedKept {
  readonly kept: KeptHere;
  readonly verdict: PruneVerdict;
}

/** Decides for everything that is kept on this machine whether it is to be removed. Changes nothing. */
export async function judgeKept(deps: PruneDeps): Promise<JudgedKept[]> {
  const moment = await momentOf(deps);
  const refs = await gatherRefs(deps);
  const ofGoals = [...(await gatherFolders(deps)), ...refs.ofGoals].map((kept) => ({
    kept,
    verdict: decidePrune(kept.kind, kept.owner, moment, deps.policy),
  }));
  const mirrors = (await gatherMirrors(deps)).map(({ kept, removedAt }) => ({
    kept,
    verdict: decideMirror(removedAt, moment, deps.policy),
  }));
  const held = refs.held.map(({ kept, since }) => ({ kept, verdict: decideHeld(since, moment, deps.policy) }));
  const done = (await gatherDone(deps)).map(({ kept, began }) => ({
    kept,
    verdict: decideDone(began, moment, deps.policy),
  }));
  return [...ofGoals, ...done, ...held, ...mirrors];
}

/**
 * Removes what nobody needs any more, and packs git objects. It may be repeated, and may run beside another process of this machine. If
 * it is interrupted, the next call goes on. What cannot be removed is logged and left for the next call.
 *
 * @returns what was removed
 */
export async function prune(deps: PruneDeps): Promise<KeptHere[]> {
  await emptyTrash(deps);
  await removeLeftovers(deps);
  const gone: KeptHere[] = [];
  for (const { kept, verdict } of await judgeKept(deps)) {
    if (verdict.type !== "goes") continue;
    try {
      if (kept.kind === "worktree") await keepLeft(deps, kept);
      if (await removeKept(deps, kept)) gone.push(kept);
    } catch (error) {
      deps.log.warn("prune.failed", { kind: kept.kind, name: kept.name, error });
    }
  }
  await emptyTrash(deps);
  await packOne(deps);
  return gone;
}

/**
 * Calls `prune` when it is due: once an hour for each data directory, whichever process comes first. The time of a file in the
 * directory records the last call. Never rejects, so that other work that is due goes on.
 */
export async function pruneWhenDue(deps: PruneDeps): Promise<void> {
  try {
    if (!(await takeTurn(deps))) return;
    const gone = await prune(deps);
    await forgetStored(deps);
    if (gone.length > 0) deps.log.info("prune.done", { removed: gone.length });
  } catch (error) {
    deps.log.warn("prune.failed", { error });
  }
}

async function takeTurn({ config, policy, now, space }: PruneDeps): Promise<boolean> {
  const { everyMs, everyMsWithoutSpace } = policy.housekeeping;
  const marker = prunedFileOf(config.dataDir);
  const last = await stat(marker).catch(() => null);
  const sinceMs = now().getTime() - (last?.mtimeMs ?? 0);
  const dueMs = (await space()).isShort ? everyMsWithoutSpace : everyMs;
  // A marker from the future means that the clock was set back: then it is due too.
  if (sinceMs >= 0 && sinceMs < dueMs) return false;
  await mkdir(dirname(marker), { recursive: true });
  await writeFile(marker, "");
  await utimes(marker, now(), now());
  return true;
}

async function momentOf({ now, space }: Pick<PruneDeps, "now" | "space">): Promise<Moment> {
  return { now: now(), isShort: (await space()).isShort };
}

/** Returns false if it must stay, because its goal goes on again or its repository was added again meanwhile. */
async function removeKept(deps: PruneDeps, kept: KeptHere): Promise<boolean> {
  if (kept.kind === "mirror" || kept.kind === "copy") return await removeMirror(deps, kept);
  if (kept.kind === "backup") return await removeHeld(deps, kept);
  const { owner, place } = kept;
  if (kept.kind === "done") {
    await throwAway(deps, kept.place.path);
    return true;
  }
  if (owner === null) return false;
  return await deps.database.transaction(async (tx) => {
    const locked = await lockOwner(tx, owner.goalId);
    const verdict = decidePrune(kept.kind, locked, await momentOf(deps), deps.policy);
    if (verdict.type !== "goes") return false;
    if (place.type === "ref") await dropRef(deps, place);
    else if (kept.kind === "place") await deps.places.clear(owner.goalId);
    else await putAway(deps, owner.repositoryId, place.path);
    return true;
  });
}

/**
 * Keeps the uncommitted work of a goal's last attempt as a commit under the refs of attempts. Usually the next attempt does this, but
 * here no attempt follows. A folder that is no valid worktree any more has nothing to keep.
 */
async function keepLeft(deps: PruneDeps, { owner, place }: KeptHere): Promise<void> {
  if (owner === null || place.type !== "folder") return;
  const { goalId, repositoryId } = owner;
  const repository = await findRepository(deps.database.db, repositoryId);
  if (repository === null || place.path !== worktreeDirOf(deps.config.dataDir, goalId)) return;
  const mirror = await deps.git.findMirror(mirrorDirOf(deps.config.dataDir, repositoryId));
  const recorded = (await lastWorkOf(deps.database.db, goalId))?.headCommit ?? null;
  if (mirror === null) return;
  try {
    const mostBytes = roomToKeep(await deps.space());
    const left = { mirror, worktreeDir: place.path, branch: branchOf(goalId), recorded, mostBytes };
    const kept = await deps.git.keepLeft(left);
    if (kept !== null) deps.log.info("attempt.kept", { goalId, kept });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    deps.log.warn("attempt.not-kept", { goalId, error });
  }
}

/** Removes a ref that a backup left. Nobody uses it, so no goal is locked. */
async function removeHeld(deps: PruneDeps, { place }: HeldByBackup): Promise<boolean> {
  await dropRef(deps, place);
  return true;
}

async function removeMirror(deps: PruneDeps, { repositoryId, place }: KeptMirror): Promise<boolean> {
  return await deps.database.transaction(async (tx) => {
    await lockRepository(tx, repositoryId);
    const removedAt = (await findRepository(tx, repositoryId))?.removedAt ?? null;
    if (decideMirror(removedAt, await momentOf(deps), deps.policy).type !== "goes") return false;
    await throwAway(deps, place.path);
    const downloads = join(deps.config.dataDir, folders.downloads, repositoryId);
    for (const also of [roomsDirOf(place.path), downloads]) if (existsSync(also)) await throwAway(deps, also);
    return true;
  });
}

async function dropRef({ database, config, git }: PruneDeps, { repositoryId, ref, at }: KeptRef): Promise<void> {
  const repository = await findRepository(database.db, repositoryId);
  if (repository === null) return;
  const origin = originOf(config, repository);
  if (at === "repository") return await git.dropRef(origin, ref);
  const mirrorDir = mirrorDirOf(config.dataDir, repositoryId);
  await git.deleteRef(await git.openMirror({ mirrorDir, repositoryPath: origin.dir }), ref);
}

/** Moves a worktree to the trash while its goal is locked. This is quick; deleting thousands of files takes longer and follows later. */
async function putAway(deps: PruneDeps, repositoryId: string, path: string): Promise<void> {
  const { config, git } = deps;
  const mirror = { dir: mirrorDirOf(config.dataDir, repositoryId) };
  // The worktrees of tasks lie in one folder.
  const tasks = path.endsWith(".tasks") ? await readdir(path) : [];
  for (const worktreeDir of [path, ...tasks.map((name) => join(path, name))])
    await git.forgetWorktree({ mirror, worktreeDir });
  await throwAway(deps, path);
}

async function throwAway({ config }: Pick<PruneDeps, "config">, path: string): Promise<void> {
  const trash = trashDir(config.dataDir);
  await mkdir(trash, { recursive: true });
  await rename(path, join(trash, randomBytes(8).toString("hex")));
}

/** Deletes everything in the trash. What cannot be removed, such as files of another user, is logged; the rest is removed. */
async function emptyTrash({ config, log }: Pick<PruneDeps, "config" | "log">): Promise<void> {
  const trash = trashDir(config.dataDir);
  for (const name of await readdir(trash).catch(() => []))
    await removeTree(join(trash, name)).catch((error: unknown) =>
      log.warn("prune.failed", { kind: "trash", name, error }),
    );
}

/** The trash is in the data directory, so that moving a folder there is a rename and copies nothing. */
function trashDir(dataDir: string): string {
  return join(dataDir, ".trash");
}
