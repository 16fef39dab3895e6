import { reasonsOf } from "../../core/checkpoints/question.ts";
import { firedTriggers } from "../../core/checkpoints/triggers.ts";
import { decideCut } from "../../core/goals/after.ts";
import { type ContinueDecision, type ContinueFacts, decideContinue } from "../../core/goals/continue.ts";
import { type Goal, isUnplannedNow } from "../../core/goals/goal.ts";
import type { Policy } from "../../core/policy.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { flatUseOf } from "../../db/evidence.ts";
import type { Lease } from "../../db/leases.ts";
import { getRun, type Run } from "../../db/runs.ts";
import { appendSpend } from "../../db/spend.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf, gatherMoney, lockMoney, settleInterruptedCalls, todayOf } from "../shared/money.ts";
import { settledByContract } from "../../facts/night-contract.ts";
import { askAbout } from "../shared/ask-about.ts";
import { contentHashOf } from "../shared/begin-run.ts";
import { actOnCut } from "./cut.ts";
import { refuseStart } from "./refuse.ts";
import { turnWrite } from "../../db/transitions.ts";

/**
 * Decides whether a later turn of a run may spend money (D3). Null when it may. Otherwise the recorded result: a question, a refusal, or a
 * person's request. The phase is kept, so that an answer continues there. `reserves`: the turn calls the goal's agent itself, and its money
 * is reserved here, under the same locks.
 */
export async function goOn(
  deps: Deps,
  keeper: LeaseKeeper,
  { reserves }: { readonly reserves: boolean },
): Promise<StepResult | null> {
  const { lease } = keeper;
  const day = todayOf(deps);
  const gone = await inTurn(
    deps,
    keeper,
    async (tx, goal) => {
      const run = goal.runId === null ? null : await getRun(tx, goal.runId);
      if (run === null) throw new Error(`goal ${goal.goalId} goes on without a run`);
      await settleInterruptedCalls(tx, deps, run.runId, lease.unheldMs);
      const facts = await gatherContinue(tx, deps, { goal, run, day });
      const decision = decideContinue(facts, deps.policy);
      return { result: await act(tx, deps, { lease, goal, run, reserves, day, facts }, decision) };
    },
    // Without a reservation this is only a check. Whoever reserves later checks again.
    reserves ? { before: (tx) => lockMoney(tx, day, lease.goalId) } : {},
  );
  return gone === null ? lost : gone.result;
}

/** The facts of the decision, and the current thresholds for the words of a question. */
type GoOnFacts = ContinueFacts & Pick<Policy, "thresholds">;

async function gatherContinue(
  tx: Db,
  deps: Deps,
  { goal, run, day }: Pick<GoOnContext, "goal" | "run" | "day">,
): Promise<GoOnFacts> {
  const open = await pendingCheckpoint(tx, goal.goalId);
  const { ceilings, spentTodayMicroUsd, thresholds } = await gatherMoney(tx, deps, goal, day);
  const contentHash = contentHashOf(goal);
  return {
    openCheckpointId: open?.checkpointId ?? null,
    stopRequested: goal.stopRequested,
    ceilings,
    thresholds,
    fired: firedTriggers(
      { ...goal, isUnplanned: isUnplannedNow(goal), spentTodayMicroUsd },
      { ...deps.policy, thresholds },
    ),
    settled: [...run.settled, ...(await settledByContract(tx, deps, goal, contentHash))],
    contentHash,
    costsMoney: goal.runCommand === null,
    flat: run.billing === "flat" && goal.runCommand === null ? await flatUseOf(tx, run.runId) : null,
  };
}

interface GoOnContext {
  readonly lease: Lease;
  readonly goal: Goal;
  readonly run: Run;
  readonly reserves: boolean;
  readonly day: string;
  readonly facts: GoOnFacts;
}

async function act(
  tx: Db,
  deps: Deps,
  { lease, goal, run, reserves, day, facts }: GoOnContext,
  decision: ContinueDecision,
): Promise<StepResult | null> {
  const now = deps.now();
  const { goalId, sessionId } = goal;
  const write = turnWrite(tx, { lease, goal }, deps.now);
  switch (decision.type) {
    case "go-on": {
      // Until now its cards say "next" or "retrying".
      mark(tx, "goal", goalId, "progress");
      if (sessionId !== null) mark(tx, "session", sessionId, "progress");
      if (!reserves) return null;
      const call = { callId: callIdOf(run.runId, lease), goalId, runId: run.runId, sessionId, day };
      const entry = { kind: "reserved", amountMicroUsd: decision.capMicroUsd, isEstimated: true, at: now } as const;
      await appendSpend(tx, call, entry);
      return null;
    }
    case "refuse":
      return await refuseStart(tx, deps, {
        lease,
        goal,
        decision,
        start: { baseCommit: run.baseCommit },
        ceilings: facts.ceilings,
        day,
      });
    case "cut":
      await actOnCut(tx, deps, { goal, run, decision: decideCut(decision.why), write });
      break;
    case "used-up":
      await actOnCut(tx, deps, {
        goal,
        run,
        decision: { type: "fail", error: decision.outcome, why: "ceiling" },
        write,
      });
      break;
    case "wait":
      await write({ type: "asks" });
      break;
    case "ask":
      await askAbout(tx, deps, {
        goal,
        runId: run.runId,
        kind: "continue",
        reasons: reasonsOf(decision.reasons, goal, facts),
        details: [],
        fingerprint: null,
        changed: null,
      });
      await write({ type: "asks" });
      break;
  }
  mark(tx, "goal", goalId);
  lookAt(tx, sessionId);
  return { type: "over" };
}
