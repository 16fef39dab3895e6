import type { Deps } from "../src/deps.ts";
import { advanceCampaigns } from "../src/turns/campaigns/advance.ts";

/** Runs when a campaign may have a next step. The tick finds it too. */
export async function runCampaignDay(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await advanceCampaigns(deps, stopping);
}
