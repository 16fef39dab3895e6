import type { DayRow } from "../db/campaigns.ts";
import type { Db } from "../db/connection/client.ts";
import { campaignDayTotals } from "../db/totals.ts";
import type { CampaignView } from "./campaign.ts";

/** What a day has cost so far, and whether that is an estimate. */
export interface DayCost {
  readonly costMicroUsd: number;
  readonly isEstimated: boolean;
}

/** The costs of a campaign's days. For a day in progress, its cost so far. One query. */
export async function costsOfDays(
  db: Db,
  { campaign: { campaignId } }: Pick<CampaignView, "campaign">,
): Promise<(day: DayRow) => DayCost> {
  const totals = await campaignDayTotals(db, campaignId);
  return ({ dayNumber, status, actualCostMicroUsd }) => {
    const total = totals.get(dayNumber);
    const costMicroUsd = status === "in_progress" ? (total?.spentMicroUsd ?? 0) : actualCostMicroUsd;
    return { costMicroUsd, isEstimated: costMicroUsd > 0 && total?.isEstimated === true };
  };
}
