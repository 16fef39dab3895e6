import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/client.ts";
import { sayEndedCampaignOf } from "./campaigns/say.ts";
import { sayNightOf } from "./nights/say.ts";
import type { Saying } from "./say.ts";

/** The cards of a goal's night and of its campaign say what is the most urgent about their goals: after each change of it. */
export async function sayAround(tx: Db, deps: Saying, goal: Pick<Goal, "goalId" | "campaignId">): Promise<void> {
  await sayNightOf(tx, deps, goal);
  await sayEndedCampaignOf(tx, deps, goal);
}
