import { firstLine } from "../core/text.ts";
import { meantWords, onlyNear } from "../core/text/nearest.ts";
import { listCampaigns, openCampaigns } from "../db/campaigns.ts";
import { listRepositories } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { refused, type RefusedCall, unknownId } from "./command.ts";

/** Refuses a name that no repository has, with the one that was probably meant. If there is no repository at all, says how to add one. */
export async function noRepository({ database }: Pick<Deps, "database">, wanted: string): Promise<RefusedCall> {
  const names = (await listRepositories(database.db)).map(({ name }) => name);
  const reason = `no repository is called ${JSON.stringify(wanted)}${meantWords(wanted, names)}`;
  return refused(reason, names.length === 0 ? "cos repo add PATH" : "cos repo list");
}

/**
 * Refuses an id that no campaign has. If it is a campaign's name, a prefix of one, or similar to one, adds that campaign's id; open
 * campaigns are tried first. A mistyped id is handled where the refusal is read (`meant-id.ts`).
 */
export async function noCampaign({ database: { db } }: Pick<Deps, "database">, wanted: string): Promise<RefusedCall> {
  const unknown = unknownId("Campaign", wanted);
  for (const read of [openCampaigns, listCampaigns]) {
    const known = await read(db);
    const typed = wanted.trim().toLowerCase();
    const beginning = known.filter(({ name }) => typed.length > 2 && name.toLowerCase().startsWith(typed));
    const near = onlyNear(
      typed,
      known.map(({ name }) => name),
    );
    const meant = beginning.length > 0 ? beginning : known.filter(({ name }) => name === near);
    const [only] = meant;
    if (only === undefined) continue;
    if (meant.length > 1) return unknown;
    const { campaignId, name } = only;
    return refused(`${unknown.reason}; did you mean ${campaignId} (${firstLine(name, 80)})?`, "cos campaign list");
  }
  return unknown;
}
