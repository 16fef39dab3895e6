import { onlyOne } from "../src/db/connection/locks.ts";
import type { Deps } from "../src/deps.ts";
import { reflecting, reflectOnRuns } from "../src/turns/memory/reflect.ts";

/** Rung when a run has been remembered that nobody has thought about; the tick finds it too, also what is left to it here. */
export async function reflect(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await onlyOne(deps.database.pool, reflecting, (signal) => reflectOnRuns(deps, signal), { stopping });
}
