import {
  type Answer,
  answerCheckpoint,
  type PolicyCheckpoint,
  policySubject,
} from "../../core/checkpoints/checkpoint.ts";
import { isCurrent, type PolicyKey, thresholdsWith, valueAt } from "../../core/memory/tuning.ts";
import { getCheckpoint, lockCheckpoint, settleCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { changeThreshold, forgetThreshold, lockTuned, policyChangesFrom } from "../../db/tuning.ts";
import type { Doors } from "../../deps.ts";
import { type Answered, type Answerer, recordDecision } from "../shared/audit.ts";
import { countVote } from "./vote.ts";
import { withdrawQuestion } from "../shared/end-session.ts";

/**
 * Records an answer to a proposed policy diff: the same conditional write and audit trail as every answer (D9, D10). Proceed
 * applies exactly what the card showed, in the same transaction; a diff of a policy that is another one by now is withdrawn,
 * and nothing is applied. The next turn that begins reads the numbers.
 */
export async function answerTuning(
  tx: Db,
  deps: Doors,
  { checkpointId, kind, changes }: PolicyCheckpoint,
  { answer, answerer }: { readonly answer: Answer; readonly answerer: Answerer },
): Promise<Answered | null> {
  const locked = await lockCheckpoint(tx, checkpointId);
  if (locked === null) return null;
  const inEffect = thresholdsWith(deps.policy, await lockTuned(tx));
  if (locked.status === "pending" && !isCurrent(changes, inEffect)) await withdrawQuestion(tx, deps, locked.subject);
  const checkpoint = (await getCheckpoint(tx, checkpointId)) ?? locked;
  const voting = { checkpoint, answer, answerer, sessionId: null, requester: null, mayReopen: false };
  const decision = await countVote(tx, deps, voting, answerCheckpoint(checkpoint, answer, deps.now()));
  if (decision.type !== "recorded") return { decision, checkpoint };

  const { label: choice, effect } = decision.option;
  const settled = await settleCheckpoint(tx, checkpointId, checkpoint.version, {
    status: decision.status,
    chosenOption: choice,
    humanNotes: answer.notes ?? answer.instructions,
    resolvedBy: decision.by ?? answerer.actor,
    resolvedVia: answerer.via,
    resolvedAt: deps.now(),
  });
  if (!settled) throw new Error(`checkpoint ${checkpointId} changed while it was locked`);
  await recordDecision(tx, deps, { checkpoint, answer, answerer, sessionId: null }, { choice, effect, settles: true });
  if (effect === "continue") {
    const { via } = answerer;
    const actor = decision.by ?? answerer.actor;
    for (const change of changes) {
      await changeThreshold(tx, change, { checkpointId, actor, at: deps.now() });
      await appendTimeline(tx, { event: "policy.changed", checkpointId, actor, via, at: deps.now(), detail: change });
    }
  }
  mark(tx, "checkpoint", checkpointId);
  return { decision, checkpoint: (await getCheckpoint(tx, checkpointId)) ?? { ...checkpoint, kind } };
}

/** Nobody answered in time: the policy stays as it is. Safe twice: the row says so. */
export async function expireTuning(tx: Db, deps: Doors, checkpointId: string): Promise<void> {
  const now = deps.now();
  const locked = await lockCheckpoint(tx, checkpointId);
  if (locked === null || locked.status !== "pending" || locked.expiresAt > now) return;
  await settleCheckpoint(tx, checkpointId, locked.version, {
    status: "expired",
    chosenOption: null,
    humanNotes: null,
    resolvedBy: null,
    resolvedVia: null,
    resolvedAt: now,
  });
  await appendTimeline(tx, { event: "checkpoint.expired", checkpointId, at: now });
  mark(tx, "checkpoint", checkpointId);
}

/**
 * Makes the thresholds what they were before a change, as new changes: nothing of the history is lost, and an open proposal,
 * made of what was, is withdrawn. Returns how many were changed, null when there is no such change.
 */
export async function rollBackPolicy(
  tx: Db,
  deps: Doors,
  changeNo: number,
  by: Pick<Answerer, "actor" | "via">,
): Promise<number | null> {
  const changes = await policyChangesFrom(tx, changeNo);
  if (changes[0]?.changeNo !== changeNo) return null;
  const before = new Map<PolicyKey, number>();
  for (const { key, wasMicroUsd } of changes) if (!before.has(key)) before.set(key, wasMicroUsd);
  await withdrawQuestion(tx, deps, policySubject);
  const inEffect = thresholdsWith(deps.policy, await lockTuned(tx));
  let changed = 0;
  for (const [key, nowMicroUsd] of before) {
    const change = { key, wasMicroUsd: valueAt(inEffect, key), nowMicroUsd };
    if (change.wasMicroUsd === nowMicroUsd) continue;
    await changeThreshold(tx, change, { rolledBackTo: changeNo, actor: by.actor, at: deps.now() });
    if (valueAt(deps.policy.thresholds, key) === nowMicroUsd) await forgetThreshold(tx, key);
    await appendTimeline(tx, { event: "policy.changed", ...by, at: deps.now(), detail: change });
    changed += 1;
  }
  return changed;
}
