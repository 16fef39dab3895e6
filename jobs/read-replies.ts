import { oneAfterAnother } from "../src/db/connection/locks.ts";
import type { Deps } from "../src/deps.ts";
import { readingReplies, readWaitingReplies } from "../src/turns/answers/read-replies.ts";

/** Runs when the grammar could not read a reply. The tick finds such replies too. Because the writer waits, calls queue up. */
export async function readReplies(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await oneAfterAnother(deps.database.pool, readingReplies, (signal) => readWaitingReplies(deps, signal), stopping);
}
