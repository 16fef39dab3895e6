import type { CriterionStatus } from "./results.ts";

/** How a line is backed: run by the system, said by the executor, or neither (D27). */
export type EvidenceTag = "verified" | "claimed" | "not checked";

/** What is known of a goal's own criteria and of its execution. The repository's checks are not the goal's criteria. */
export interface TagFacts {
  readonly criteria: readonly { readonly method: string; readonly status: CriterionStatus }[];
  /** Something was executed and said that it is done. */
  readonly wasExecuted: boolean;
}

/**
 * The one place that says how a goal is backed. Verified: it has automated criteria, and each was run by the system and
 * passed. Every card and report asks here (D27).
 */
export function evidenceTag({ criteria, wasExecuted }: TagFacts): EvidenceTag {
  const automated = criteria.filter((each) => each.method !== "manual");
  if (automated.length > 0 && automated.every((each) => each.status === "pass")) return "verified";
  return wasExecuted ? "claimed" : "not checked";
}
