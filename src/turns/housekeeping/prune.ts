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

/** Something that is kept, and whether it may go. */
export interface JudgedKept {
  readonly kept: KeptHere;
  readonly verdict: PruneVerdict;
}

/** What is kept on this machine, judged. Changes nothing. */
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
 * Removes what nobody needs any more, and returns it; what stays of git lies in packs. Safe to repeat, safe beside another process of this machine, and cut
 * short anywhere the next one goes on. What cannot be removed is logged and left for the next time.
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
 * The same once an hour for each data directory, by the time of a file in it: whoever comes first does it. Nothing else that is
 * due fails with it.
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
  // A clock that was put back does not stop it.
  if (sinceMs >= 0 && sinceMs < dueMs) return false;
  await mkdir(dirname(marker), { recursive: true });
  await writeFile(marker, "");
  await utimes(marker, now(), now());
  return true;
}

async function momentOf({ now, space }: Pick<PruneDeps, "now" | "space">): Promise<Moment> {
  return { now: now(), isShort: (await space()).isShort };
}

/** False when its goal goes on again meanwhile, or its repository is known again. */
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
 * What the last attempt left in a goal's worktree, as one of the commits of attempts: an attempt that follows keeps it, and here none
 * does. A worktree that is none any more has nothing to keep.
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

/** Nobody uses it, whatever its commit is of. */
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

/** Out of the way at once, while the goal is locked: deleting thousands of files takes its time. */
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

/** What cannot be removed, such as files of another user, keeps nothing else from going. */
async function emptyTrash({ config, log }: Pick<PruneDeps, "config" | "log">): Promise<void> {
  const trash = trashDir(config.dataDir);
  for (const name of await readdir(trash).catch(() => []))
    await removeTree(join(trash, name)).catch((error: unknown) =>
      log.warn("prune.failed", { kind: "trash", name, error }),
    );
}

/** Beside what is moved into it: a rename must not copy. */
function trashDir(dataDir: string): string {
  return join(dataDir, ".trash");
}
