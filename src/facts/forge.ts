import type { ForgePlace } from "../core/forges/forge.ts";
import { forgePlace } from "../core/forges/place.ts";
import type { Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";

/** Where a repository is on a forge for which there is a token. Null when it is on none. */
export function forgeOf(
  { forges }: Pick<Deps["config"], "forges">,
  { location }: Pick<Repository, "location">,
): ForgePlace | null {
  return forges.length === 0 ? null : forgePlace(location, forges);
}
