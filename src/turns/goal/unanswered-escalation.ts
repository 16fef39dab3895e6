import { rulesOf } from "../../core/checkpoints/quorum.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { lastOfRun } from "../../db/checkpoints.ts";
import { openRunOf } from "../../db/runs.ts";
import { recordTurn } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { askAbout } from "../shared/ask-about.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { asAsked } from "./cut.ts";

/**
 * The escalation that several people have to agree about (COS_QUORUM) and that was withdrawn when the goal was parked or its session ended.
 * It is asked again before anything is tried, for one person may resume the goal; null: no such question is left. After its deadline the
 * goal begins anew, which asks, and of other questions the phase that asked asks again.
 */
export async function askAgainAboutEscalation(deps: Deps, keeper: LeaseKeeper, seen: Goal): Promise<StepResult | null> {
  const { quorums } = deps.config;
  if (quorums.hiccup === undefined) return null;
  const run = await openRunOf(deps.database.db, seen.goalId);
  if (run === null) return null;
  const last = await lastOfRun(deps.database.db, run, "escalation");
  if (last === null || last.status !== "superseded") return null;
  if (rulesOf(last, quorums).length === 0) return null;
  const asked = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const cut = await asAsked(tx, deps, keeper, { goal, run });
    if (cut !== null) return cut;
    const { details, fingerprint } = last.facts;
    const retry = last.options.find(({ label }) => label === "Retry");
    await askAbout(tx, deps, {
      goal,
      runId: run.runId,
      kind: "escalation",
      reasons: last.reasons,
      details,
      fingerprint,
      changed: null,
      isNotPushed: retry?.isRecommended === true,
      without: retry === undefined ? ["Retry"] : [],
    });
    await recordTurn(tx, { lease: keeper.lease, goal }, { type: "asks" }, deps.now());
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return asked ?? lost;
}
