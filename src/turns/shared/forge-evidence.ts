import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertEvidence } from "../../db/evidence.ts";
import { mark as markCard } from "../../db/connection/marks.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { criterionRow } from "./criterion-row.ts";

/** What a forge says of a criterion. */
export interface SaidThere {
  readonly goal: Pick<Goal, "goalId">;
  readonly runId: string;
  readonly turn: number;
  readonly commit: string;
  readonly criterion: Criterion;
  readonly result: Pick<CriterionResult, "status" | "details" | "by">;
  /** Tells what is said of one criterion in one turn apart. */
  readonly mark: string;
  readonly at: Date;
}

/** Keeps it as evidence: read by the system, run by the forge. The same thing said twice in a turn is kept once. */
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
