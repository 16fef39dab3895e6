import { retryAfterMs } from "../../core/forges/steps.ts";
import { notWithinWords, triedAgainWords } from "../../core/cards/merge-words.ts";
import type { Merge } from "../../db/merges.ts";
import type { Deps } from "../../deps.ts";
import { type Ended, refusedMerge, type Waits } from "./ended.ts";

type TryLaterDeps = Pick<Deps, "now" | "policy">;

/**
 * When a merge is tried again: later each time, by how long it was asked for. `waitMs`: what the other side asks for. Null: it was asked
 * for long enough.
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
 * A merge that something stands in the way of which may pass. `wasAsked`: a repository elsewhere may have done it; else nothing was touched,
 * and it can be undone until it is tried again.
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
