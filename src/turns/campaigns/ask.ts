import { campaignRecommendation } from "../../core/campaigns/question.ts";
import type { CampaignQuestion, Reason } from "../../core/checkpoints/checkpoint.ts";
import { campaignOptions } from "../../core/checkpoints/options.ts";
import { localDate } from "../../core/time.ts";
import { insertCheckpoint, pendingCheckpoint, updatePending } from "../../db/checkpoints.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { dayTotal } from "../../db/totals.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import { sha256 } from "../../deps.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import type { CampaignView } from "../../facts/campaign.ts";

export interface AskedOfCampaign {
  readonly kind: CampaignQuestion;
  /** The campaign's id, or the result of `milestoneSubject`. */
  readonly subject: string;
  readonly reason: Reason;
  /** The name of the milestone that would begin. */
  readonly milestone?: string;
  readonly details: readonly string[];
  /** Estimated cost of the work in question, in micro-dollars. Null when unknown. */
  readonly estimateMicroUsd: number | null;
  /** Why money is asked about. */
  readonly why?: "total" | "day";
  /** What changed in a new version of an open question. */
  readonly changed: string | null;
}

/**
 * Asks a person about a campaign: opens a checkpoint, or increments the version of the open one if its content has changed (D10).
 * Returns the checkpoint's id. The caller holds the campaign's lock.
 */
export async function askOfCampaign(
  tx: Db,
  deps: AskDeps,
  view: CampaignView,
  asked: AskedOfCampaign,
): Promise<string> {
  const now = deps.now();
  const { campaign, spent } = view;
  const { campaignId } = campaign;
  const today = await dayTotal(tx, localDate(now, deps.config.timezone));
  const expiresAt = new Date(now.getTime() + deps.policy.checkpoints.expireAfterMs);
  const row = {
    kind: asked.kind,
    subject: asked.subject,
    goalId: null,
    runId: null,
    campaignId,
    trigger: asked.reason.trigger,
    reasons: [asked.reason],
    context: asked.reason.context,
    options: campaignOptions(asked.kind, asked.why ?? null),
    recommendation: campaignRecommendation(asked.kind, asked.milestone ?? null),
    contentHash: sha256(JSON.stringify([asked.reason, asked.details, asked.estimateMicroUsd])),
    facts: {
      costMicroUsd: spent.spentMicroUsd,
      costIsEstimated: spent.isEstimated,
      estimateMicroUsd: asked.estimateMicroUsd,
      spentTodayMicroUsd: today.spentMicroUsd,
      spentTodayIsEstimated: today.isEstimated,
      goalsWaiting: view.days.filter((day) => day.status !== "done").flatMap((day) => day.goals).length,
      details: asked.details,
      fingerprint: null,
    },
  };

  const open = await pendingCheckpoint(tx, asked.subject);
  if (open !== null) {
    if (open.contentHash === row.contentHash && open.kind === row.kind) return open.checkpointId;
    const version = open.version + 1;
    const changed = asked.changed ?? "what it is about";
    await updatePending(tx, open.checkpointId, {
      ...row,
      version,
      changed,
      changedAt: now,
      remindedAt: null,
      expiresAt,
    });
    const { checkpointId } = open;
    await appendTimeline(tx, {
      event: "checkpoint.changed",
      campaignId,
      checkpointId,
      at: now,
      detail: { version, changed },
    });
    mark(tx, "checkpoint", checkpointId);
    return checkpointId;
  }

  const checkpointId = await withFreshId(
    () => deps.newId("cp"),
    (id) =>
      insertCheckpoint(tx, {
        ...row,
        checkpointId: id,
        status: "pending",
        createdAt: now,
        askedAt: now,
        expiresAt,
        changed: asked.changed,
      }),
  );
  const detail = { triggers: [asked.reason.trigger], kind: asked.kind };
  await appendTimeline(tx, { event: "checkpoint.asked", campaignId, checkpointId, at: now, detail });
  mark(tx, "checkpoint", checkpointId);
  return checkpointId;
}
