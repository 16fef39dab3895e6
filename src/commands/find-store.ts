import { changedGoalsLines } from "../core/cards/changed-output.ts";
import { countWaiting } from "../db/kept-outputs.ts";
import type { Finding } from "../core/reports/finding.ts";
import type { Deps } from "../deps.ts";
import { changedLately } from "../facts/kept-output.ts";
import { storeTrouble } from "../facts/store-health.ts";

/** Reports recent goals whose kept output was changed since it was stored (F-214). */
export async function findChangedOutput({ config, database }: Pick<Deps, "config" | "database">): Promise<Finding[]> {
  const changed = await changedLately({ db: database.db, dataDir: config.dataDir });
  return changedGoalsLines(changed).map((says) => ({ name: "kept output", ok: false, says }));
}

/** Returns the lines of `cos doctor` about the store, if one is set: whether it can be used, and what still has to be stored. */
export async function findStore({ store, database }: Pick<Deps, "store" | "database">): Promise<Finding[]> {
  if (store === null) return [];
  const name = "store of kept output";
  const trouble = await storeTrouble({ store });
  if (trouble !== null)
    return [{ name, ok: false, says: `${trouble} (COS_STORE_URL, COS_STORE_KEY, COS_STORE_SECRET)` }];
  const waiting = await countWaiting(database.db);
  const still = waiting === 0 ? "nothing waits for it" : `${waiting} outputs wait for the machines that made them`;
  return [{ name, ok: true, says: `${store.name}; ${still}` }];
}
