import { retryAfterMs } from "../../core/forges/steps.ts";
import { notWithinWords, triedAgainWords } from "../../core/cards/merge-words.ts";
import type { Merge } from "../../db/merges.ts";
import type { Deps } from "../../deps.ts";
import { type Ended, refusedMerge, type Waits } from "./ended.ts";

type TryLaterDeps = Pick<Deps, "now" | "policy">;

/**
 * Returns when a merge is tried again. The pause grows with the time since the request. `waitMs`: the pause that the other side asks
 * for. Null when the longest waiting time is over.
 */
export function nextTry(
  { now, policy }: TryLaterDeps,
  { requestedAt }: Pick<Merge, "requestedAt">,
  waitMs: number | null,
): { readonly dueAt: Date; readonly pauseMs: number } | null {
  const at = now();
  const askedForMs = at.getTime() - requestedAt.getTime();
  if (askedForMs > policy.merging.longestWaitMs) return null;
  const { firstRetryMs: firstMs, longestRetryMs: longestMs } = policy.pulls;
  const pauseMs = Math.max(retryAfterMs(1, waitMs, { firstMs, longestMs }), Math.floor(askedForMs / 8));
  return { dueAt: new Date(at.getTime() + pauseMs), pauseMs };
}

/**
 * Returns the result for a merge that failed for a reason that may be temporary. `wasAsked`: a remote repository may have performed
 * it. Otherwise nothing was changed, and it can be undone until it is tried again.
 */
export function tryLater(
  deps: TryLaterDeps,
  merge: Merge,
  { wasAsked, ...why }: { readonly reason: string; readonly next: string; readonly wasAsked: boolean },
): Ended | Waits {
  const again = nextTry(deps, merge, null);
  const { goalId } = merge;
  const forMs = deps.policy.merging.longestWaitMs;
  if (again === null) return refusedMerge(notWithinWords({ goalId, forMs, wasAsked }, why));
  return {
    status: wasAsked ? "merging" : "due",
    dueAt: again.dueAt,
    outcome: triedAgainWords(why.reason, again.pauseMs),
  };
}
