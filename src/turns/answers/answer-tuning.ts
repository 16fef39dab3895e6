import { type PolicyCheckpoint, policySubject } from "../../core/checkpoints/checkpoint.ts";
import { type Answer, answerCheckpoint } from "../../core/checkpoints/answering.ts";
import {
  changesTo,
  isCurrent,
  type PolicyChange,
  type PolicyKey,
  type Proposed,
  thresholdsWith,
  triggerOf,
  type Tuned,
  valueAt,
} from "../../core/memory/tuning.ts";
import { getCheckpoint, lockCheckpoint, settleCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { changeThreshold, forgetThreshold, lockTuned, policyChangesFrom, tunedNow } from "../../db/tuning.ts";
import type { Deps, Doors } from "../../deps.ts";
import { insertTuningQuestion } from "../shared/ask-tuning.ts";
import { type Answered, type Answerer, recordDecision } from "../shared/audit.ts";
import { countVote } from "./vote.ts";
import { withdrawQuestion } from "../shared/end-session.ts";

/**
 * Records an answer to a proposed policy diff, with the same conditional write and audit trail as all answers (D9, D10). Proceed applies
 * exactly what the card showed, in the same transaction. If the policy has changed since, the diff is withdrawn and nothing is applied. New
 * numbers apply from the next turn.
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
    for (const change of changes) await apply(tx, deps, change, { checkpointId, actor, via });
  }
  mark(tx, "checkpoint", checkpointId);
  return { decision, checkpoint: (await getCheckpoint(tx, checkpointId)) ?? { ...checkpoint, kind } };
}

/** Expires the question. The policy stays as it is. Safe to repeat. */
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

export type PolicySet =
  | { readonly type: "done"; readonly changes: readonly PolicyChange[] }
  /** Several people have to agree. */
  | { readonly type: "asked"; readonly checkpointId: string };

/**
 * Restores the thresholds from before a change by new changes, so the history stays complete. Withdraws an open proposal, which was made for
 * other thresholds.
 */
export async function rollBackPolicy(
  tx: Db,
  deps: TuningDeps,
  changeNo: number,
  by: Pick<Answerer, "actor" | "via">,
): Promise<PolicySet | { readonly type: "unknown" }> {
  const [known] = await policyChangesFrom(tx, changeNo);
  if (known?.changeNo !== changeNo) return { type: "unknown" };
  await withdrawQuestion(tx, deps, policySubject);
  const tuned = await lockTuned(tx);
  // Read under the lock, so that changes approved until now are undone, too.
  const before = new Map<PolicyKey, number>();
  for (const { key, wasMicroUsd } of await policyChangesFrom(tx, changeNo))
    if (!before.has(key)) before.set(key, wasMicroUsd);
  const why = `as before change ${changeNo}, asked for by ${by.actor}`;
  return await changeTo(tx, deps, Object.fromEntries(before), { tuned, why, cause: { rolledBackTo: changeNo, ...by } });
}

/** Sets thresholds. Withdraws an open proposal, which was made for other thresholds. Does nothing when all are set already. */
export async function setPolicy(
  tx: Db,
  deps: TuningDeps,
  wanted: Tuned,
  by: Pick<Answerer, "actor" | "via">,
): Promise<PolicySet> {
  if (changesTo(wanted, thresholdsWith(deps.policy, await tunedNow(tx))).length === 0)
    return { type: "done", changes: [] };
  await withdrawQuestion(tx, deps, policySubject);
  return await changeTo(tx, deps, wanted, { tuned: await lockTuned(tx), why: `set by ${by.actor}`, cause: by });
}

type TuningDeps = Doors & Pick<Deps, "newId">;

/**
 * Applies changes. If several people have to agree about a trigger and it would ask less often, the diff becomes a question instead, like the
 * weekly proposal. `tuned`: the current thresholds, read under the lock.
 */
async function changeTo(
  tx: Db,
  deps: TuningDeps,
  wanted: Tuned,
  { tuned, why, cause }: { readonly tuned: Tuned; readonly why: string; readonly cause: Cause },
): Promise<PolicySet> {
  const changes = changesTo(wanted, thresholdsWith(deps.policy, tuned));
  const proposed = changes.map((change): Proposed => ({ trigger: triggerOf(change.key), change, why }));
  const asksLess = proposed.filter(({ change }) => change.nowMicroUsd > change.wasMicroUsd);
  if (asksLess.some(({ trigger }) => deps.config.quorums[trigger] !== undefined)) {
    const checkpointId = await insertTuningQuestion(tx, deps, proposed);
    if (checkpointId !== null) return { type: "asked", checkpointId };
  }
  for (const change of changes) await apply(tx, deps, change, cause);
  return { type: "done", changes };
}

/** Changes one threshold now, with its history and timeline. A value equal to the policy's own is deleted. */
async function apply(tx: Db, deps: Doors, change: PolicyChange, cause: Cause): Promise<void> {
  const at = deps.now();
  const { via, ...why } = cause;
  await changeThreshold(tx, change, { ...why, at });
  if (valueAt(deps.policy.thresholds, change.key) === change.nowMicroUsd) await forgetThreshold(tx, change.key);
  const checkpoint = why.checkpointId === undefined ? {} : { checkpointId: why.checkpointId };
  await appendTimeline(tx, { event: "policy.changed", ...checkpoint, actor: cause.actor, via, at, detail: change });
}

interface Cause extends Pick<Answerer, "actor" | "via"> {
  readonly checkpointId?: string;
  readonly rolledBackTo?: number;
}
