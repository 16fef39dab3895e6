import type { GoalDay } from "../core/cards/plan-words.ts";
import type { Goal } from "../core/goals/goal.ts";
import { getCampaign, milestonesOf } from "../db/campaigns.ts";
import type { Db } from "../db/connection/client.ts";

/** The place of a goal in the plan of its campaign. Null for a goal without a campaign. */
export async function goalDayOf(
  db: Db,
  { campaignId, campaignDay: day, milestoneId }: Pick<Goal, "campaignId" | "campaignDay" | "milestoneId">,
): Promise<GoalDay | null> {
  const campaign = campaignId === null ? null : await getCampaign(db, campaignId);
  if (campaign === null) return null;
  const milestone = (await milestonesOf(db, campaign.campaignId)).find((each) => each.milestoneId === milestoneId);
  return { campaignId: campaign.campaignId, name: campaign.name, day, milestone: milestone?.name ?? null };
}
