import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createHash } from "node:crypto";
import {
  forgetOutput,
  markStored,
  outputsBeyond,
  outputsOver,
  putOffOutput,
  waitingOutputs,
} from "../../db/kept-outputs.ts";
import { isAway } from "../../db/connection/failures.ts";
import { isResting, noRest, restAfter } from "../../core/store-rest.ts";
import { StoreError } from "../../core/store-error.ts";
import type { Deps } from "../../deps.ts";
import { outputHolder } from "../../facts/holder.ts";

/** Maximum number of files in one call; the next call goes on. */
const most = 50;
/** Time limit for removing files in one call. It is called once an hour, and goals cannot leave more than that in an hour. */
const longestForgettingMs = 5 * 60_000;

type StoreDeps = Pick<Deps, "database" | "config" | "store" | "now" | "policy" | "log">;

/**
 * Copies outputs that this machine has kept into the shared store, where every machine finds them. It may run beside another process of
 * this machine, and after an interruption the next call goes on: a file that is stored twice exists once. If the store refuses a file, it
 * is tried again later, and no goal fails. A store that does not answer is not asked for a while, longer each time, so that the
 * caller waits for at most one missing answer in that time. Meanwhile the files stay on this disk.
 */
export async function storeOutputs(deps: StoreDeps): Promise<void> {
  const { store } = deps;
  const { storeRestMs: firstMs, longestStoreRestMs: longestMs } = deps.policy.housekeeping;
  if (store === null || isResting(store.rest, deps.now(), longestMs)) return;
  try {
    for (const waiting of await waitingOutputs(deps.database.db, outputHolder(deps.config), most))
      await storeOrPutOff(deps, store, waiting);
  } catch (error) {
    if (isAway(error)) throw error;
    if (error instanceof StoreError && error.isSilent)
      store.rest = restAfter(store.rest, deps.now(), { firstMs, longestMs });
    deps.log.warn("store.failed", { store: store.name, error });
  }
}

/** Stores one file. If the store refuses it, it is tried again after the others that wait now. */
async function storeOrPutOff(
  deps: StoreDeps,
  store: NonNullable<Deps["store"]>,
  waiting: { readonly file: string; readonly sha256: string },
): Promise<void> {
  try {
    await storeOne(deps, store, waiting);
  } catch (error) {
    if (!(error instanceof StoreError) || error.isSilent) throw error;
    deps.log.warn("store.failed", { store: store.name, file: waiting.file, error });
    await putOffOutput(deps.database.db, waiting.file, deps.now());
  }
}

async function storeOne(
  { database, config, now, log }: StoreDeps,
  store: NonNullable<Deps["store"]>,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
): Promise<void> {
  const kept = await readKept(join(config.dataDir, file));
  if (kept === "unread") return log.warn("store.unread", { file });
  // A file that is gone or has changed is no evidence, so nobody else is shown it. A file that was kept again has another row by now.
  if (kept === "gone" || createHash("sha256").update(kept).digest("hex") !== sha256) {
    log.warn("store.not-as-kept", { file, isGone: kept === "gone" });
    return await forgetOutput(database.db, file, sha256);
  }
  const content = await promisify(gzip)(kept);
  await store.put(file, content);
  store.rest = noRest;
  await markStored(database.db, { file, sha256, storedBytes: content.length, storedAt: now() });
}

/** The file's content; `gone` if it does not exist, `unread` if it exists and could not be read this time. */
async function readKept(path: string): Promise<Buffer | "gone" | "unread"> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "ENOENT" || code === "ENOTDIR" ? "gone" : "unread";
  }
}

/** Removes from the store the files whose time is over, and the oldest ones beyond the limit of the store's size. */
export async function forgetStored({ database, store, now, policy, log }: StoreDeps): Promise<void> {
  if (store === null) return;
  const { keepOutputMs, mostStoredBytes } = policy.housekeeping;
  const { db } = database;
  const startedMs = performance.now();
  while (performance.now() - startedMs < longestForgettingMs) {
    const over = await outputsOver(db, new Date(now().getTime() - keepOutputMs), most);
    const files = [...over, ...(await outputsBeyond(db, mostStoredBytes, most))];
    if (files.length === 0) return;
    let refused = 0;
    for (const file of files) if (!(await isForgotten({ database, store, log }, file))) refused += 1;
    // The same files would come again.
    if (refused > 0) return;
  }
}

/** Removes one file. False if the store refuses that: the other files are removed all the same. Throws if the store does not answer. */
async function isForgotten(
  { database, store, log }: Pick<StoreDeps, "database" | "log"> & { readonly store: NonNullable<Deps["store"]> },
  file: string,
): Promise<boolean> {
  try {
    await store.remove(file);
  } catch (error) {
    if (!(error instanceof StoreError) || error.isSilent) throw error;
    log.warn("store.failed", { store: store.name, file, error });
    return false;
  }
  await forgetOutput(database.db, file);
  return true;
}
