import { type CampaignRow, getCampaign, openCampaigns } from "../db/campaigns.ts";
import type { Deps } from "../deps.ts";
import { refused, type RefusedCall } from "./command.ts";
import { noCampaign } from "./not-known.ts";

type Chosen = { readonly type: "chosen"; readonly campaign: CampaignRow } | RefusedCall;

/** Returns the named campaign, else the only one that is not over. */
export async function chooseCampaign(deps: Pick<Deps, "database">, wanted: string | undefined): Promise<Chosen> {
  if (wanted !== undefined) {
    const campaign = await getCampaign(deps.database.db, wanted);
    if (campaign !== null) return { type: "chosen", campaign };
    return await noCampaign(deps, wanted);
  }
  const open = await openCampaigns(deps.database.db);
  const [only] = open;
  if (only === undefined) return refused("no campaign is open", "cos campaign create --help");
  if (open.length === 1) return { type: "chosen", campaign: only };
  const ids = open.map((each) => `${each.campaignId} (${each.name})`).join(", ");
  return refused(`several campaigns are open: ${ids}`, "cos campaign list");
}
