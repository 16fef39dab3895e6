import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertEvidence } from "../../db/evidence.ts";
import { mark as markCard } from "../../db/connection/marks.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { criterionRow } from "./criterion-row.ts";

/** A forge's result for a criterion. */
export interface SaidThere {
  readonly goal: Pick<Goal, "goalId">;
  readonly runId: string;
  readonly turn: number;
  readonly commit: string;
  readonly criterion: Criterion;
  readonly result: Pick<CriterionResult, "status" | "details" | "by">;
  /** Distinguishes several results for one criterion in one turn. */
  readonly mark: string;
  readonly at: Date;
}

/** Stores a forge's result as evidence. A repeated result in the same turn is stored once. */
export async function insertForgeEvidence(tx: Db, said: SaidThere): Promise<void> {
  const { goal, runId, turn, commit, criterion, result, mark, at } = said;
  const { goalId } = goal;
  const { id, slug } = criterion;
  const seen = { ...result, id, slug, method: "ci", durationMs: 0 } as const;
  const name = `${id}.forge.${mark}`;
  const hash = criterionHash(criterion);
  await insertEvidence(tx, criterionRow({ goalId, runId, turn, commit, result: seen, name, variant: "", hash, at }));
  markCard(tx, "goal", goalId);
}
