import type { Deps } from "../src/deps.ts";
import { readWaitingReplies } from "../src/turns/answers/read-replies.ts";

/** Rung when a reply was written that the grammar could not read; the tick finds it too. */
export async function readReplies(deps: Deps): Promise<void> {
  await readWaitingReplies(deps, new AbortController().signal);
}
