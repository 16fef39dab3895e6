import { oneAfterAnother } from "../src/db/connection/locks.ts";
import type { Deps } from "../src/deps.ts";
import { readingReplies, readWaitingReplies } from "../src/turns/answers/read-replies.ts";

/** Rung when a reply was written that the grammar could not read; the tick finds it too. Its writer waits: so it waits its turn. */
export async function readReplies(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await oneAfterAnother(deps.database.pool, readingReplies, (signal) => readWaitingReplies(deps, signal), stopping);
}
