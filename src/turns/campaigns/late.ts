import { paceOf, daysBehind } from "../../core/campaigns/campaign.ts";
import { count } from "../../core/text.ts";
import { getCampaign, updateCampaign } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { mayReplan } from "../../core/campaigns/replan.ts";
import { askOfCampaign } from "./ask.ts";
import { viewCampaign } from "../../facts/campaign.ts";

/** Replans a late campaign, or asks a person whether to replan it (S4-CX-07, C-87). */
export async function replanIfLate(tx: Db, deps: AskDeps, campaignId: string, finishedDay: number): Promise<void> {
  const campaign = await getCampaign(tx, campaignId);
  if (campaign === null) return;
  const { automaticReplans, lastAutomaticDay } = campaign;
  const may = mayReplan({ automaticReplans, lastAutomaticDay, finishedDay }, deps.policy);
  const now = deps.now();
  if (may.type === "automatic") {
    const wanted = { kind: "replan", by: "the campaign", isAutomatic: true, instructions: null } as const;
    await updateCampaign(tx, campaignId, { wanted, updatedAt: now });
    return;
  }
  const view = await viewCampaign(tx, campaign);
  const behind = daysBehind({ ...paceOf(campaign, view.milestones, view.days), state: "active" });
  await updateCampaign(tx, campaignId, { state: "paused", pausedBy: null, updatedAt: now });
  await askOfCampaign(tx, deps, view, {
    kind: "replan",
    subject: campaignId,
    reason: {
      trigger: "scope_change",
      context: `The campaign is ${count(behind, "day")} behind after day ${finishedDay} of ${view.days.length}. It does not replan by itself: ${whyAsked(may.reason, automaticReplans)}`,
    },
    details: view.milestones.filter((each) => each.status !== "done").map((each) => `Not done: ${each.name}`),
    estimateMicroUsd: null,
    changed: null,
  });
}

function whyAsked(reason: "too-often" | "day-before", times: number): string {
  return reason === "too-often" ? `it did so ${count(times, "time")} already.` : "it did so the day before.";
}
