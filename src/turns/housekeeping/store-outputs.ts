import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createHash } from "node:crypto";
import { forgetOutput, markStored, outputsBeyond, outputsOver, waitingOutputs } from "../../db/kept-outputs.ts";
import { isAway } from "../../db/connection/failures.ts";
import { isResting, noRest, restAfter } from "../../core/store-rest.ts";
import { StoreError } from "../../core/store-error.ts";
import type { Deps } from "../../deps.ts";
import { holderOf } from "../../facts/holder.ts";

/** In one look; the next one goes on. */
const most = 50;

type Storing = Pick<Deps, "database" | "config" | "store" | "now" | "policy" | "log">;

/**
 * Puts what this machine has kept where every machine finds it. Safe beside another process of this machine, and cut short
 * anywhere the next look goes on: what was put there twice is there once. A store that does not take it is tried again by the
 * next look, and no goal fails with it. One that does not answer is left alone for a while, longer each time: who calls waits for
 * one answer that does not come in that while, and what waits lies on this disk.
 */
export async function storeOutputs(deps: Storing): Promise<void> {
  const { store } = deps;
  const { storeRestMs: firstMs, longestStoreRestMs: longestMs } = deps.policy.housekeeping;
  if (store === null || isResting(store.rest, deps.now(), longestMs)) return;
  try {
    for (const { file, sha256 } of await waitingOutputs(deps.database.db, holderOf(deps.config), most))
      await storeOne(deps, store, { file, sha256 });
  } catch (error) {
    if (isAway(error)) throw error;
    if (error instanceof StoreError && error.isSilent)
      store.rest = restAfter(store.rest, deps.now(), { firstMs, longestMs });
    deps.log.warn("store.failed", { store: store.name, error });
  }
}

async function storeOne(
  { database, config, now, log }: Storing,
  store: NonNullable<Deps["store"]>,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
): Promise<void> {
  const kept = await readFile(join(config.dataDir, file)).catch(() => null);
  // What is gone, or is not what was kept, is no evidence: nobody else is shown it.
  if (kept === null || createHash("sha256").update(kept).digest("hex") !== sha256) {
    log.warn("store.not-as-kept", { file, isGone: kept === null });
    return await forgetOutput(database.db, file);
  }
  const content = await promisify(gzip)(kept);
  await store.put(file, content);
  store.rest = noRest;
  await markStored(database.db, file, content.length, now());
}

/** Removes from the store what is kept no longer, and in the database what is beyond its bound, the oldest first. */
export async function forgetStored({ database, store, now, policy }: Storing): Promise<void> {
  if (store === null) return;
  const { keepOutputMs, mostStoredBytes } = policy.housekeeping;
  const { db } = database;
  const over = await outputsOver(db, new Date(now().getTime() - keepOutputMs), most);
  for (const file of [...over, ...(await outputsBeyond(db, mostStoredBytes, most))]) {
    await store.remove(file);
    await forgetOutput(db, file);
  }
}
