import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertEvidence, listEvidence } from "../../db/evidence.ts";
import { criteriaStatusOf } from "../../facts/criteria-status.ts";

/**
 * What people have said of the manual criteria of work that is verified anew, as it was or on another base: it holds of that, too,
 * for nothing of what they looked at has changed. `goal` is as it was before; `to` is where it is verified.
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
