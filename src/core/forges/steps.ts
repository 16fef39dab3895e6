import { ourLabel, type PullRequest } from "./forge.ts";
import type { ForgeTroubleKind } from "./trouble.ts";

/** Our state of a goal's pull request. */
export type PullState =
  /** To be opened. */
  "wanted" | "open" | "merged" | "closed";

/** The facts that decide about a goal's pull request. */
export interface PullFacts {
  /** The state of the goal's branch: `open` when the goal is complete and nobody has decided, `worked` when it is worked again. */
  readonly branch: "open" | "worked" | "merged" | "discarded";
  /** The pull request on the forge; null when there is none. */
  readonly there: PullRequest | null;
  /** True when the wanted text and draft state are what we wrote last. */
  readonly isWritten: boolean;
  /** True when we already know this pull request: later changes of its labels by people stay. */
  readonly isKnown: boolean;
}

export type PullStep =
  | { readonly type: "open" }
  /** `write` when text or draft state differ; `label` when our label is missing. */
  | { readonly type: "change"; readonly write: boolean; readonly label: boolean }
  /** Nobody wants the branch any more. */
  | { readonly type: "close" }
  /** It has ended on the forge, or was never needed. */
  | { readonly type: "end"; readonly state: "merged" | "closed" }
  | { readonly type: "rest" };

/**
 * The next step for a pull request; called again after each read of the forge. A pull request that has ended is never reopened by us:
 * whoever closed it decided.
 */
export function nextForPull({ branch, there, isWritten, isKnown }: PullFacts): PullStep {
  if (there !== null && there.state !== "open") return { type: "end", state: there.state };
  if (branch === "discarded") return there === null ? { type: "end", state: "closed" } : { type: "close" };
  if (there === null) {
    if (branch === "open") return { type: "open" };
    return branch === "merged" ? { type: "end", state: "merged" } : { type: "rest" };
  }
  const label = !isKnown && !there.labels.includes(ourLabel);
  return isWritten && !label ? { type: "rest" } : { type: "change", write: !isWritten, label };
}

/** True for a trouble of the whole forge, not of one pull request. Nothing else is requested from it until it is over. */
export function isOfSite(kind: ForgeTroubleKind): boolean {
  return kind === "login" || kind === "limited" || kind === "unreachable";
}

/** The delay before a failed look is repeated: what the forge asks for, else growing with each failure, up to `longestMs`. */
export function retryAfterMs(
  failures: number,
  waitMs: number | null,
  bounds: { readonly firstMs: number; readonly longestMs: number },
): number {
  const grown = bounds.firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 20);
  return Math.max(waitMs ?? 0, Math.min(grown, bounds.longestMs));
}
