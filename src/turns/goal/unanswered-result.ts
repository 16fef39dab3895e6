import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { lastOfRun } from "../../db/checkpoints.ts";
import { mark } from "../../db/connection/marks.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { openRunOf } from "../../db/runs.ts";
import { recordTurn } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { askAbout } from "../shared/ask-about.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { asAsked } from "./cut.ts";
import { openTriggers } from "./result-reasons.ts";

/**
 * The question about the result that nobody answered (D12, D28): its deadline passed, or it was withdrawn when the goal was parked or
 * its session ended. It is asked again before anything is published; null: no such question is left.
 */
export async function askAgainAboutResult(deps: Deps, keeper: LeaseKeeper, seen: Goal): Promise<StepResult | null> {
  const run = await openRunOf(deps.database.db, seen.goalId);
  if (run === null) return null;
  const last = await lastOfRun(deps.database.db, run, "diff");
  if (last === null || (last.status !== "expired" && last.status !== "superseded")) return null;
  const unsettled = openTriggers(last.reasons, { run, goal: seen });
  const open = last.reasons.filter(({ trigger }) => unsettled.has(trigger));
  if (open.length === 0) return null;
  const asked = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const cut = await asAsked(tx, deps, keeper, { goal, run });
    if (cut !== null) return cut;
    const question = {
      kind: "diff",
      reasons: open,
      details: last.facts.details,
      fingerprint: null,
      changed: null,
    } as const;
    await askAbout(tx, deps, { goal, runId: run.runId, ...question });
    const asks = { type: "asks", branch: branchOf(goal.goalId) } as const;
    await recordTurn(tx, { lease: keeper.lease, goal }, asks, deps.now());
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return asked ?? lost;
}
