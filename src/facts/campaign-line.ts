import type { CampaignLine } from "../core/cards/campaign-list-card.ts";
import { toUsd } from "../core/money.ts";
import type { CampaignView } from "./campaign.ts";

/** A campaign as lists show it, in one line. */
export function campaignLineOf({ campaign, milestones, days, spent, daysBehind }: CampaignView): CampaignLine {
  const { campaignId, name, state, currentDay } = campaign;
  return {
    campaignId,
    name,
    state,
    currentDay,
    days,
    milestones,
    daysBehind,
    spentUsd: toUsd(spent.spentMicroUsd),
    totalBudgetUsd: toUsd(campaign.totalBudgetMicroUsd),
  };
}
