import type { Deps } from "../src/deps.ts";
import { advanceCampaigns } from "../src/turns/campaigns/advance.ts";

/** Rung when a campaign may have something to do: the tick finds it too. */
export async function runCampaignDay(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await advanceCampaigns(deps, stopping);
}
