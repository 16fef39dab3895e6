import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { StoreError } from "../../core/store-error.ts";
import { longestStored } from "../../core/store-settings.ts";
import { isResting, noRest, restAfter } from "../../core/store-rest.ts";
import type { Mirror } from "../../agent/git/mirror.ts";
import { awaitStoringAnew, markStored } from "../../db/kept-outputs.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { outputHolder } from "../../facts/holder.ts";
import { workFileOf } from "../../paths.ts";

/**
 * Recorded work of a goal is in the mirror of one machine. The store brings it to another machine that works the goal next, as a git bundle.
 * Each run has one bundle, the newest. The work of a complete goal is at the remote.
 */

type SharedWorkDeps = Pick<Deps, "config" | "database" | "git" | "log" | "now" | "policy" | "store">;

/** Work that is about to be recorded. */
export interface RecordedWork {
  readonly goalId: string;
  readonly runId: string;
  readonly commit: string;
  readonly repository: Repository;
  readonly mirror: Mirror;
}

/**
 * Puts work into the store before it is recorded, so that every worker that reads the record can fetch the work. This includes workers with
 * another data directory on the same machine. If the store fails, the work is put there later. If git cannot bundle it, that is logged.
 * Both are no errors. Throws when there is no space.
 */
export async function shareWork(deps: SharedWorkDeps, work: RecordedWork): Promise<void> {
  const { store, config, database, log, now } = deps;
  const { goalId } = work;
  if (store === null) return;
  const file = workFileOf(work.runId);
  const kept = await bundled(deps, work, join(config.dataDir, file));
  if (kept === null) return;
  if (kept.length > longestStored) return log.warn("work.too-large", { goalId, bytes: kept.length });
  const sha256 = createHash("sha256").update(kept).digest("hex");
  await awaitStoringAnew(database.db, { file, goalId, holder: outputHolder(config), sha256, at: now() });
  const { storeRestMs: firstMs, longestStoreRestMs: longestMs } = deps.policy.housekeeping;
  if (isResting(store.rest, now(), longestMs)) return;
  try {
    const content = await promisify(gzip)(kept);
    await store.put(file, content);
    store.rest = noRest;
    await markStored(database.db, { file, sha256, storedBytes: content.length, storedAt: now() });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.isSilent) store.rest = restAfter(store.rest, now(), { firstMs, longestMs });
    log.warn("store.failed", { store: store.name, error });
  }
}

/** Writes the bundle to `path` and returns its content. Null when there is nothing to share, or git failed. */
async function bundled({ git, log }: SharedWorkDeps, work: RecordedWork, path: string): Promise<Buffer | null> {
  const { goalId, commit, repository, mirror } = work;
  try {
    await mkdir(dirname(path), { recursive: true });
    const isMade = await git.bundleWork(mirror, { goalId, commit, baseBranch: repository.baseBranch, file: path });
    return isMade ? await readFile(path) : null;
  } catch (error) {
    if (spaceWordsOf(error) !== null) throw error;
    log.warn("work.not-bundled", { goalId, error });
    return null;
  }
}

/**
 * Fetches a run's newest shared work into this machine's mirror, whose base branch was fetched before. `none`: the store has no usable
 * bundle. `away`: why the store cannot be asked now.
 */
export async function fetchWork(
  { store, config, git, log }: SharedWorkDeps,
  { goalId, runId, mirror }: Pick<RecordedWork, "goalId" | "runId" | "mirror">,
): Promise<"brought" | "none" | { readonly away: string }> {
  if (store === null) return "none";
  const file = workFileOf(runId);
  const path = join(config.dataDir, `${file}.fetched`);
  try {
    const content = await store.get(file);
    if (content === null) return "none";
    const bytes = await promisify(gunzip)(content, { maxOutputLength: longestStored }).catch(() => null);
    if (bytes === null) return "none";
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    // Git verifies each object by its hash.
    return (await git.unbundleWork(mirror, goalId, path)) ? "brought" : "none";
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn("store.failed", { store: store.name, error });
    return { away: error.message };
  } finally {
    await rm(path, { force: true });
  }
}
