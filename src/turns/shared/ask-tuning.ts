import { policyOptions } from "../../core/checkpoints/options.ts";
import { policySubject } from "../../core/checkpoints/checkpoint.ts";
import { policyDiffLines, type Proposed, reasonWords } from "../../core/memory/tuning.ts";
import { localDate } from "../../core/time.ts";
import { insertCheckpoint } from "../../db/checkpoints.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import { dayTotal } from "../../db/totals.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { type Deps, type Doors, sha256 } from "../../deps.ts";

/** Asks whether to change the policy as a diff shows. The caller knows that no such question is open. Returns its id, or null when nothing is proposed. */
export async function insertTuningQuestion(
  tx: Db,
  deps: Doors & Pick<Deps, "newId">,
  proposed: readonly Proposed[],
): Promise<string | null> {
  const [first] = proposed;
  if (first === undefined) return null;
  const now = deps.now();
  const today = await dayTotal(tx, localDate(now, deps.config.timezone));
  const changes = proposed.map((each) => each.change);
  const checkpointId = await withFreshId(
    () => deps.newId("cp"),
    (id) =>
      insertCheckpoint(tx, {
        checkpointId: id,
        kind: "tuning",
        subject: policySubject,
        goalId: null,
        campaignId: null,
        runId: null,
        trigger: first.trigger,
        reasons: proposed.map((each) => ({ trigger: each.trigger, context: reasonWords(each) })),
        context: reasonWords(first),
        options: policyOptions(),
        recommendation: reasonWords(first),
        contentHash: sha256(JSON.stringify(changes)),
        facts: {
          costMicroUsd: 0,
          costIsEstimated: false,
          estimateMicroUsd: null,
          spentTodayMicroUsd: today.spentMicroUsd,
          spentTodayIsEstimated: today.isEstimated,
          goalsWaiting: 0,
          details: policyDiffLines(changes),
          fingerprint: null,
          policy: changes,
        },
        status: "pending",
        createdAt: now,
        askedAt: now,
        expiresAt: new Date(now.getTime() + deps.policy.tuning.openForMs),
      }),
  );
  const detail = { triggers: proposed.map((each) => each.trigger), kind: "tuning" };
  await appendTimeline(tx, { event: "checkpoint.asked", checkpointId, at: now, detail });
  mark(tx, "checkpoint", checkpointId);
  return checkpointId;
}
