import { contractOf } from "../core/acceptance/goal-contract.ts";
import type { CriterionResult } from "../core/acceptance/results.ts";
import { type EvidenceTag, evidenceTag } from "../core/acceptance/tag.ts";
import type { Goal } from "../core/goals/goal.ts";
import type { Evidence } from "../db/evidence.ts";
import { resultOf } from "../db/evidence.ts";

/** Where a goal's criteria stand, from its evidence: the newest word on each. */
export interface Standing {
  readonly criteria: readonly StandingCriterion[];
  readonly tag: EvidenceTag;
}

export interface StandingCriterion {
  readonly id: string;
  readonly title: string;
  readonly status: CriterionResult["status"];
  readonly method: string;
  readonly details: readonly string[];
  /** The evidence row that says so; null when nothing was run for it. */
  readonly evidenceId: number | null;
}

/** `kept` is the evidence of the goal, oldest first; only that of its newest run counts. */
export function standingOf(goal: Pick<Goal, "criteria" | "runId">, kept: readonly Evidence[]): Standing {
  const ofRun = kept.filter((row) => row.runId === goal.runId);
  const { criteria } = contractOf(goal.criteria, [], 1);
  const standing = criteria.map((criterion): StandingCriterion => {
    const row = ofRun.findLast((each) => resultOf(each)?.id === criterion.id);
    const result = row === undefined ? null : resultOf(row);
    return {
      id: criterion.id,
      title: criterion.title,
      status: result?.status ?? "not-checked",
      method: result?.method ?? criterion.verification.method,
      details: result?.details ?? [],
      evidenceId: row?.evidenceId ?? null,
    };
  });
  const wasExecuted = kept.some((row) => row.kind === "execution");
  return { criteria: standing, tag: evidenceTag({ criteria: standing, wasExecuted }) };
}
