import { reasonsOf } from "../core/checkpoints/question.ts";
import { type Lease, recordTurn } from "../db/leases.ts";
import { updateGoal } from "../db/goals.ts";
import type { Deps } from "../deps.ts";
import { countFailure } from "./breaker.ts";
import { contentHashOf } from "./park.ts";
import { type Asking, askAbout, beginRun } from "./park.ts";
import { sayGoal } from "./say.ts";
import { endGoal } from "./settle.ts";
import { lockWithSession, type StepResult } from "./start.ts";
import { wakeSession } from "./wake.ts";

/** Turns that cannot do what their phase says. */

/** One phase was interrupted again and again without progress: a person is asked (D8). */
export async function askAboutInterruptions(deps: Pick<Deps, "database"> & Asking, lease: Lease): Promise<StepResult> {
  return await deps.database.transaction(async (tx) => {
    const goal = await lockWithSession(tx, lease);
    if (goal === null) return { type: "over", ring: false };
    const hiccup = { ...goal, isHiccup: true };
    const runId = goal.runId ?? (await beginRun(tx, deps, hiccup, { baseCommit: null }));
    await updateGoal(tx, goal.goalId, { isHiccup: true, runId, updatedAt: deps.now() });
    await askAbout(tx, deps, hiccup, runId, {
      kind: "hiccup",
      reasons: reasonsOf(["hiccup"], hiccup, deps.policy),
      details: [`interrupted ${goal.interruptions} times in the phase "${goal.phase}" without progress`],
      fingerprint: contentHashOf(goal),
      changed: null,
    });
    await recordTurn(tx, lease, { status: "blocked", wakeAt: null, updatedAt: deps.now() }, false);
    await sayGoal(tx, deps, goal.goalId);
    return { type: "over", ring: await wakeSession(tx, deps, goal.sessionId) };
  });
}

/** The goal's repository cannot be worked: the goal fails with what is wrong (D18). */
export async function failToStart(
  deps: Pick<Deps, "database"> & Asking,
  lease: Lease,
  reason: string,
): Promise<StepResult> {
  return await deps.database.transaction(async (tx) => {
    const goal = await lockWithSession(tx, lease);
    if (goal === null) return { type: "over", ring: false };
    const outcome = `Setup failed: ${reason}`;
    await countFailure(tx, deps, goal, goal.runId);
    await endGoal(tx, deps, goal, { status: "failed", outcome }, (changes) => recordTurn(tx, lease, changes, false));
    return { type: "over", ring: await wakeSession(tx, deps, goal.sessionId) };
  });
}
