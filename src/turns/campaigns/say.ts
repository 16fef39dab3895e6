import { campaignCard, type CampaignCardFacts } from "../../core/cards/campaign-card.ts";
import { aboutCampaign } from "../../core/checkpoints/checkpoint.ts";
import { getCampaign } from "../../db/campaigns.ts";
import { pendingOfCampaign } from "../../db/checkpoints.ts";
import type { Db } from "../../db/client.ts";
import { putMessage } from "../../db/messages.ts";
import { findRepository } from "../../db/repositories.ts";
import type { Saying } from "../say.ts";
import { type CampaignView, dayOf, viewCampaign } from "./gather.ts";

/** Brings a campaign's card up to date. */
export async function sayCampaign(tx: Db, deps: Saying, campaignId: string): Promise<void> {
  const campaign = await getCampaign(tx, campaignId);
  if (campaign === null) return;
  const card = campaignCard(await gatherCampaignCard(tx, await viewCampaign(tx, campaign)));
  await putMessage(tx, deps.channels, { subject: campaignId, threadSubject: null, card, urgent: true }, deps.now());
}

/** The facts of a campaign's card, for the card itself and for whoever shows a campaign elsewhere. */
export async function gatherCampaignCard(db: Db, view: CampaignView): Promise<CampaignCardFacts> {
  const { campaign, days, goals, milestones } = view;
  const repository = await findRepository(db, campaign.repositoryId);
  const day = dayOf(view);
  const [open] = (await pendingOfCampaign(db, campaign.campaignId)).flatMap((each) => aboutCampaign(each) ?? []);
  return {
    campaign,
    repositoryName: repository?.name ?? campaign.repositoryId,
    milestones,
    days,
    today: (day?.goals ?? []).map(({ goalId, request }) => {
      const row = goals.find((goal) => goal.goalId === goalId);
      return { goalId, content: row?.content ?? request.content, status: row?.status ?? null };
    }),
    daysBehind: view.isOverdue ? view.daysBehind : 0,
    spentMicroUsd: view.spent.spentMicroUsd,
    spentIsEstimated: view.spent.isEstimated,
    waitsFor: open?.checkpointId ?? null,
  };
}
