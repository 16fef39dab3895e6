import { tuningOptions } from "../../core/cards/tuning-card.ts";
import { policySubject } from "../../core/checkpoints/checkpoint.ts";
import { policyDiffLines, proposeTuning, reasonWords, thresholdsWith } from "../../core/memory/tuning.ts";
import { localDate } from "../../core/time.ts";
import { insertCheckpoint, pendingCheckpoint } from "../../db/checkpoints.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import { dayTotalAndTuned } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { lastTuningAnswer, tuningOutcomes } from "../../db/tuning.ts";
import { type Deps, type Doors, sha256 } from "../../deps.ts";

/**
 * With the weekly: whether answers and outcomes speak for another threshold is looked at once a week, and asked as a question
 * with the exact diff. Answers from before the last proposal that somebody settled do not count again. Nothing is changed here.
 */
export async function askAboutTuning(tx: Db, deps: Doors & Pick<Deps, "newId">): Promise<void> {
  const now = deps.now();
  if ((await pendingCheckpoint(tx, policySubject)) !== null) return;
  const from = new Date(now.getTime() - deps.policy.tuning.windowMs);
  const since = (await lastTuningAnswer(tx, from)) ?? from;
  const { today, tuned } = await dayTotalAndTuned(tx, localDate(now, deps.config.timezone));
  const proposed = proposeTuning(await tuningOutcomes(tx, since), thresholdsWith(deps.policy, tuned), deps.policy);
  const [first] = proposed;
  if (first === undefined) return;
  const changes = proposed.map((each) => each.change);
  const details = policyDiffLines(changes);
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
        options: tuningOptions(),
        recommendation: reasonWords(first),
        contentHash: sha256(JSON.stringify(changes)),
        facts: {
          costMicroUsd: 0,
          costIsEstimated: false,
          estimateMicroUsd: null,
          spentTodayMicroUsd: today.spentMicroUsd,
          goalsWaiting: 0,
          details,
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
}
