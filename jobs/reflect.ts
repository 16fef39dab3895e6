import { onlyOne } from "../src/db/connection/locks.ts";
import type { Deps } from "../src/deps.ts";
import { reflecting, reflectOnRuns } from "../src/turns/memory/reflect.ts";

/** Runs when a new run has to be reflected on. The tick finds such runs too, including those that a concurrent call leaves. */
export async function reflect(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await onlyOne(deps.database.pool, reflecting, (signal) => reflectOnRuns(deps, signal), { stopping });
}
