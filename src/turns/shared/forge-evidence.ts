import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertEvidence } from "../../db/evidence.ts";
import { mark as markCard } from "../../db/connection/marks.ts";
import { criterionHash } from "../../facts/standing.ts";

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
  const { id, slug } = criterion;
  const { status } = result;
  await insertEvidence(tx, {
    goalId: goal.goalId,
    runId,
    turn,
    kind: "criterion",
    criterion: `${id}.forge.${mark}`,
    command: result.by,
    exitCode: null,
    commit,
    durationMs: 0,
    outputFile: null,
    outputBytes: null,
    sha256: null,
    tag: status === "pass" || status === "fail" ? "verified" : "not checked",
    detail: {
      id,
      slug,
      status,
      method: "ci",
      details: result.details.slice(0, 20),
      variant: "",
      hash: criterionHash(criterion),
    },
    at,
  });
  markCard(tx, "goal", goal.goalId);
}
