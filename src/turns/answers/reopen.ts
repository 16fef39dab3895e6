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
 * One of several who have to agree changed what they agree to: the goal has the changes, and the question is asked anew as
 * the next version, for which nobody has voted (COS_QUORUM). Nothing is approved by it.
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
  // A running agent begins again with what was added; else the goal waits for the answer as it did, at the phase that works it.
  if (goal.leasedBy === null)
    await applyTransition(
      tx,
      goal,
      { type: "isAskedAnew", phase: phaseAfterAnswer(checkpoint, goal.phase, changedBy(facts, modification)) },
      { ...modification, updatedAt: now },
    );
  else await applyTransition(tx, goal, { type: "isStopped", stop: "modify" }, { ...modification, updatedAt: now });
  const changed = `${answerer.actor} changed it, and votes begin anew`;
  const contentHash = contentHashOf({ ...goal, ...modification });
  // The others have as long as they have for whatever is asked.
  const expiresAt = new Date(now.getTime() + deps.policy.checkpoints.expireAfterMs);
  const anew = { version, changed, changedAt: now, contentHash, remindedAt: null, expiresAt };
  await updatePending(tx, checkpoint.checkpointId, anew);
  const { checkpointId, runId } = checkpoint;
  const about = { goalId, sessionId, runId, checkpointId, at: now };
  await appendTimeline(tx, { event: "checkpoint.changed", ...about, detail: { version, changed } });
}
