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
 * The one place that says how a goal is backed. Verified: it has automated criteria, and each was run by the system and
 * passed, and could have failed: one that passes whatever is broken is given as not checked (D38). Claimed: its executor says that it is done. Not checked: nobody says so. Every card and report asks here (D27).
 */
export function evidenceTag({ criteria, saysDone }: TagFacts): EvidenceTag {
  const automated = criteria.filter((each) => each.method !== "manual");
  if (automated.length > 0 && automated.every((each) => each.status === "pass")) return "verified";
  return saysDone ? "claimed" : "not checked";
}
