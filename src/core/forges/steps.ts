import { ourLabel, type PullRequest } from "./forge.ts";
import type { ForgeTroubleKind } from "./trouble.ts";

/** What a goal's pull request is to us. */
export type PullState =
  /** It shall be opened. */
  "wanted" | "open" | "merged" | "closed";

/** What decides about a goal's pull request. */
export interface PullFacts {
  /** What became of the goal's branch: `open` when it is complete and nobody has decided, `worked` when it is worked again. */
  readonly branch: "open" | "worked" | "merged" | "discarded";
  /** As the forge shows it; null: there is none. */
  readonly there: PullRequest | null;
  /** Whether what it shall say, and that it is a draft or not, is what we have written last. */
  readonly isWritten: boolean;
  /** Whether we know of it: what people change of its labels later stays. */
  readonly isKnown: boolean;
}

export type PullStep =
  | { readonly type: "open" }
  /** `write`: text or draft differ; `label`: ours is missing. */
  | { readonly type: "change"; readonly write: boolean; readonly label: boolean }
  /** Nobody wants the branch any more. */
  | { readonly type: "close" }
  /** It is over there, or was never needed. */
  | { readonly type: "end"; readonly state: "merged" | "closed" }
  | { readonly type: "rest" };

/**
 * What is done next about a pull request; asked again after what was read of the forge. What is over there is never opened
 * again by us: who closed it decided.
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

/** Of a forge as a whole, not of one pull request: nothing else is asked of it before that is over. */
export function isOfSite(kind: ForgeTroubleKind): boolean {
  return kind === "login" || kind === "limited" || kind === "unreachable";
}

/** When a look that failed is tried again: what the forge asks for, else longer each time, up to `longestMs`. */
export function retryAfterMs(
  failures: number,
  waitMs: number | null,
  bounds: { readonly firstMs: number; readonly longestMs: number },
): number {
  const grown = bounds.firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 20);
  return Math.max(waitMs ?? 0, Math.min(grown, bounds.longestMs));
}
