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
 * Asks an unanswered question about the result again before anything is published (D12, D28). It had expired, or was withdrawn when the goal
 * was parked or its session ended. Null when there is no such question.
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
 * Asks an escalation again that several people have to agree on (COS_QUORUM) and that was withdrawn when the goal was parked or its session
 * ended. It is asked before any attempt, because one person may resume the goal. Null when there is no such question. Expired escalations
 * need nothing here: the goal begins again, which asks. Other questions are asked again by their own phases.
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

/** Asks it again and lets the goal wait for the answer. A person's request about the goal comes first. */
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
