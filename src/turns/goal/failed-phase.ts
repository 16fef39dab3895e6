import { interruptedReason, reasonsOf } from "../../core/checkpoints/question.ts";
import type { Interruption } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { spaceWords } from "../../core/space/free.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { readGoalEvents } from "../../db/timeline.ts";
import { recordTurn, turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { countFailure } from "../shared/breaker.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { type AskDeps, askAbout } from "../shared/ask-about.ts";
import { beginRun, contentHashOf } from "../shared/begin-run.ts";
import { endGoal } from "../shared/end-goal.ts";
import { asAsked, interruptedWords } from "./cut.ts";

/** Turns whose phase cannot be done. */

/** Asks a person about a phase that was interrupted repeatedly without progress (D8). */
export async function askAboutInterruptions(
  deps: Pick<Deps, "database" | "space"> & AskDeps,
  keeper: LeaseKeeper,
): Promise<StepResult> {
  const { places } = await deps.space();
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal });
    if (asked !== null) return asked;
    const hiccup = { ...goal, isHiccup: true };
    const runId = goal.runId ?? (await beginRun(tx, deps, hiccup, { baseCommit: null }));
    const often = `interrupted ${goal.interruptions} times in the phase "${goal.phase}" without progress`;
    const because = await lastReason(tx, goal);
    await askAbout(tx, deps, {
      goal: hiccup,
      runId,
      kind: "hiccup",
      reasons: because === null ? reasonsOf(["hiccup"], hiccup, deps.policy) : [interruptedReason(because)],
      details: [
        often,
        ...(because === null ? [] : [because.reason]),
        ...(because?.by === "space" ? places.map(spaceWords) : []),
      ],
      fingerprint: contentHashOf(goal),
      changed: null,
    });
    const outcome = because === null ? {} : { outcome: interruptedWords(because) };
    const asks = { type: "asks", runId, isHiccup: true, ...outcome } as const;
    await recordTurn(tx, { lease: keeper.lease, goal }, asks, deps.now());
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

/** The reason of the newest interruption in a row that has one. Null when none has. */
async function lastReason(tx: Db, { goalId, interruptions }: Goal): Promise<Interruption | null> {
  const lately = (await readGoalEvents(tx, goalId, "goal.interrupted")).slice(-interruptions);
  const detail = lately.findLast((each) => each.detail.reason !== undefined)?.detail;
  return detail?.reason === undefined ? null : { by: detail.by ?? "space", reason: detail.reason };
}

/** Fails a goal whose repository cannot be worked, with the reason (D18). */
export async function failToStart(
  deps: Pick<Deps, "database"> & AskDeps,
  keeper: LeaseKeeper,
  reason: string,
): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal });
    if (asked !== null) return asked;
    const outcome = `Setup failed: ${reason}`;
    await countFailure(tx, deps, goal, goal.runId);
    const write = turnWrite(tx, { lease: keeper.lease, goal }, deps.now);
    await endGoal(tx, deps, { goal, write }, { status: "failed", outcome, kind: "setup" });
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}
