import type { CriterionStatus } from "./results.ts";

/** How a line is backed: the system ran it, the executor claims it, or neither (D27). */
export type EvidenceTag = "verified" | "claimed" | "not checked";

/** The state of a goal's own criteria and of its execution. */
export interface TagFacts {
  /** The newest status of each. Checks of the repository are not a goal's criteria, but failing ones are included. */
  readonly criteria: readonly { readonly method: string; readonly status: CriterionStatus }[];
  /** True when the executor's last message says that the work is done (claim.ts). */
  readonly saysDone: boolean;
}

/**
 * How a goal is backed. Every card and report uses this (D27). Verified: the goal has automated criteria, and the system ran each and saw
 * it pass. A criterion that passes whatever is broken counts as not checked (D38). Claimed: only the executor says that the goal is done.
 */
export function evidenceTag({ criteria, saysDone }: TagFacts): EvidenceTag {
  const automated = criteria.filter((each) => each.method !== "manual");
  if (automated.length > 0 && automated.every((each) => each.status === "pass")) return "verified";
  return saysDone ? "claimed" : "not checked";
}
