import { rulesOf } from "../../core/checkpoints/quorum.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { attemptsOfRun } from "../../db/attempts.ts";
import { lastOfRun } from "../../db/checkpoints.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { openRunOf, type Run } from "../../db/runs.ts";
import { recordTurn } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { askAbout, type Question } from "../shared/ask-about.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { helpAfter } from "../recovery/escalate.ts";
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
  const { details } = last.facts;
  const question: Question = { kind: "diff", reasons: open, details, fingerprint: null, changed: null };
  return await askAgain(deps, keeper, { run, question, branch: branchOf(seen.goalId) });
}

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
  const { details, fingerprint } = last.facts;
  const retry = last.options.find(({ label }) => label === "Retry");
  const question: Question = {
    kind: "escalation",
    reasons: last.reasons,
    details,
    fingerprint,
    changed: null,
    help: helpAfter(await attemptsOfRun(deps.database.db, run.runId)),
    without: retry === undefined ? ["Retry"] : [],
  };
  return await askAgain(deps, keeper, { run, question });
}

interface AskedAgain {
  readonly run: Run;
  readonly question: Question;
  readonly branch?: string;
}

/** Asks it anew and lets the goal wait for the answer; what a person asked of the goal meanwhile comes first. */
async function askAgain(deps: Deps, keeper: LeaseKeeper, { run, question, branch }: AskedAgain): Promise<StepResult> {
  const asked = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const cut = await asAsked(tx, deps, keeper, { goal, run });
    if (cut !== null) return cut;
    await askAbout(tx, deps, { goal, runId: run.runId, ...question });
    const asks = { type: "asks", ...(branch === undefined ? {} : { branch }) } as const;
    await recordTurn(tx, { lease: keeper.lease, goal }, asks, deps.now());
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return asked ?? lost;
}
