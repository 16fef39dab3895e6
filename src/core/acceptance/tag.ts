import type { CriterionStatus } from "./results.ts";

/** How a line is backed: run by the system, said by the executor, or neither (D27). */
export type EvidenceTag = "verified" | "claimed" | "not checked";

/** What is known of a goal's own criteria and of its execution. */
export interface TagFacts {
  /** The newest word on each. A check of the repository is none of the goal's criteria; one that fails is named here too. */
  readonly criteria: readonly { readonly method: string; readonly status: CriterionStatus }[];
  /** Its executor's newest word is that the work is done (claim.ts). */
  readonly saysDone: boolean;
}

/**
 * How a goal is backed; every card and report asks here (D27). Verified: it has automated criteria, and the system ran each and saw it pass.
 * A criterion that passes whatever is broken counts as not checked (D38). Claimed: only its executor says that it is done.
 */
export function evidenceTag({ criteria, saysDone }: TagFacts): EvidenceTag {
  const automated = criteria.filter((each) => each.method !== "manual");
  if (automated.length > 0 && automated.every((each) => each.status === "pass")) return "verified";
  return saysDone ? "claimed" : "not checked";
}
