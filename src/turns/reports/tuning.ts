import { policySubject } from "../../core/checkpoints/checkpoint.ts";
import { proposeTuning, thresholdsWith } from "../../core/memory/tuning.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { lastTuningAnswer, tunedNow, tuningOutcomes } from "../../db/tuning.ts";
import type { Deps, Doors } from "../../deps.ts";
import { insertTuningQuestion } from "../shared/ask-tuning.ts";

/**
 * Called with the weekly. If answers and outcomes speak for other thresholds, opens a checkpoint with the exact diff. Answers from before
 * the last settled proposal do not count again. Changes no threshold.
 */
export async function askAboutTuning(tx: Db, deps: Doors & Pick<Deps, "newId">): Promise<void> {
  if ((await pendingCheckpoint(tx, policySubject)) !== null) return;
  const from = new Date(deps.now().getTime() - deps.policy.tuning.windowMs);
  const since = (await lastTuningAnswer(tx, from)) ?? from;
  const inEffect = thresholdsWith(deps.policy, await tunedNow(tx));
  await insertTuningQuestion(tx, deps, proposeTuning(await tuningOutcomes(tx, since), inEffect, deps.policy));
}
