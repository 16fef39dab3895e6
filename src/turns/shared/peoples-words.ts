import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertEvidence, listEvidence } from "../../db/evidence.ts";
import { criteriaStatusOf } from "../../facts/criteria-status.ts";

/**
 * Copies people's answers about manual criteria to work that is verified again, unchanged or on another base. They stay valid, because the
 * work that people looked at has not changed. `goal`: its row before. `to`: the run and commit that are verified.
 */
export async function keepPeoplesWords(
  tx: Db,
  goal: Goal,
  to: { readonly runId: string; readonly commit: string | null },
): Promise<void> {
  const kept = await listEvidence(tx, goal.goalId);
  for (const { method, status, evidenceId } of criteriaStatusOf(goal, kept).criteria) {
    const said = method === "manual" && (status === "pass" || status === "fail");
    const row = said ? kept.find((each) => each.evidenceId === evidenceId) : undefined;
    if (row === undefined || (row.runId === to.runId && row.commit === to.commit)) continue;
    const { evidenceId: _, ...word } = row;
    const criterion = `${String(row.criterion)}@${to.commit ?? ""}`;
    await insertEvidence(tx, { ...word, ...to, criterion });
  }
}
