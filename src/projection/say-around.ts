import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { sayEndedCampaignOf } from "./say-campaign.ts";
import { sayNightOf } from "./say-night.ts";
import type { Saying } from "./say.ts";

/** The cards of a goal's night and of its campaign say what is the most urgent about their goals: after each change of it. */
export async function sayAround(tx: Db, deps: Saying, goal: Pick<Goal, "goalId" | "campaignId">): Promise<void> {
  await sayNightOf(tx, deps, goal);
  await sayEndedCampaignOf(tx, deps, goal);
}
