import type { CheckpointOption } from "../../core/checkpoints/checkpoint.ts";
import { phaseAfterAnswer } from "../../core/checkpoints/phase-after-answer.ts";
import { updatePending } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { applyTransition } from "../../db/transitions.ts";
import type { Doors } from "../../deps.ts";
import { recordDecision } from "../shared/audit.ts";
import { contentHashOf } from "../shared/begin-run.ts";
import { changedBy, modificationOf, type AnswerFacts } from "./modification.ts";

/**
 * One of several voters changed the question's subject (COS_QUORUM): the goal gets the changes, and the question's next version is asked,
 * without votes. Nothing is approved by this.
 */
export async function reopenQuestion(
  tx: Db,
  deps: Doors,
  facts: AnswerFacts,
  { option, version }: { readonly option: CheckpointOption; readonly version: number },
): Promise<void> {
  const { goal, checkpoint, answerer } = facts;
  const { goalId, sessionId } = goal;
  const now = deps.now();
  const modification = modificationOf(facts, now);
  await recordDecision(
    tx,
    deps,
    { ...facts, sessionId },
    { choice: option.label, effect: option.effect, settles: false },
  );
  // A running agent begins again with the additions. Otherwise the goal keeps waiting, at the phase that will work them.
  if (goal.leasedBy === null)
    await applyTransition(
      tx,
      goal,
      { type: "isAskedAnew", phase: phaseAfterAnswer(checkpoint, goal.phase, changedBy(facts, modification)) },
      { ...modification, updatedAt: now },
    );
  else await applyTransition(tx, goal, { type: "isStopped", stop: "modify" }, { ...modification, updatedAt: now });
  const changed = `${answerer.actor} changed it, and votes start over`;
  const contentHash = contentHashOf({ ...goal, ...modification });
  // The other voters get the full time again.
  const expiresAt = new Date(now.getTime() + deps.policy.checkpoints.expireAfterMs);
  const anew = { version, changed, changedAt: now, contentHash, remindedAt: null, expiresAt };
  await updatePending(tx, checkpoint.checkpointId, anew);
  const { checkpointId, runId } = checkpoint;
  const about = { goalId, sessionId, runId, checkpointId, at: now };
  await appendTimeline(tx, { event: "checkpoint.changed", ...about, detail: { version, changed } });
}
