import type { CampaignLine } from "../core/cards/campaign-list-card.ts";
import { daysBehind, paceOf } from "../core/campaigns/campaign.ts";
import { toUsd } from "../core/money.ts";
import { type CampaignRow, dayStatusesOf, milestoneStatusesOf } from "../db/campaigns.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { totalsOfCampaigns } from "../db/totals.ts";
import { viewCampaign } from "./campaign.ts";

/** A campaign in one line, with its end if it has ended. */
export type ListedCampaign = CampaignLine & Pick<CampaignRow, "endedAt" | "endReason" | "updatedAt">;

/**
 * Campaigns as lists show them, one line each, in the given order. The number of queries does not grow with the number of campaigns. Only
 * campaigns that may be behind need more queries, because their goals decide whether they are.
 */
export async function campaignLinesOf(db: Db, campaigns: readonly CampaignRow[]): Promise<ListedCampaign[]> {
  const ids = campaigns.map(({ campaignId }) => campaignId);
  const [milestones, days, totals] = await readTogether(db, (reads) =>
    Promise.all([milestoneStatusesOf(reads, ids), dayStatusesOf(reads, ids), totalsOfCampaigns(reads, ids)]),
  );
  const lines: ListedCampaign[] = [];
  for (const campaign of campaigns) {
    const {
      campaignId,
      name,
      state,
      startedAt,
      currentDay,
      totalBudgetMicroUsd,
      endedAt,
      endReason,
      endedBy,
      pausedBy,
      updatedAt,
    } = campaign;
    const mine = milestones.get(campaignId) ?? [];
    const planned = days.get(campaignId) ?? [];
    const mayBeLate = daysBehind(paceOf(campaign, mine, planned)) > 0;
    lines.push({
      campaignId,
      name,
      state,
      startedAt,
      currentDay,
      days: planned,
      milestones: mine,
      daysBehind: mayBeLate ? (await viewCampaign(db, campaign)).daysLate : 0,
      spentUsd: toUsd(totals.get(campaignId)?.spentMicroUsd ?? 0),
      spentIsEstimated: totals.get(campaignId)?.isEstimated ?? false,
      totalBudgetUsd: toUsd(totalBudgetMicroUsd),
      endedAt,
      endReason,
      endedBy,
      pausedBy,
      updatedAt,
    });
  }
  return lines;
}
