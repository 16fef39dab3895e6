import { providerTitles, type ForgePlace } from "../core/forges/forge.ts";
import { forgeTroubleSentence } from "../core/forges/trouble.ts";
import type { Finding } from "../core/reports/finding.ts";
import { listRepositories } from "../db/repositories.ts";
import { troubledPulls } from "../db/pulls.ts";
import type { Deps } from "../deps.ts";
import { forgeOf } from "../facts/forge.ts";

/** Returns the lines of `cos doctor` about forges: for each one with a token, whether that may push to the repositories there. */
export async function findForges(deps: Pick<Deps, "database" | "config" | "openForge">): Promise<Finding[]> {
  const { config, database } = deps;
  if (config.forges.length === 0) return [];
  const places = (await listRepositories(database.db)).flatMap((repository) => {
    const place = forgeOf(config, repository);
    return place === null ? [] : [{ called: repository.name, place }];
  });
  const unused = config.forges
    .filter((site) => !places.some(({ place }) => place.site === site))
    .map(({ provider, url }): Finding => {
      const says = `a token for ${url} is set, and no repository is there: cos repo list`;
      return { name: `pull requests at ${providerTitles[provider]}`, ok: true, says };
    });
  const asked = await Promise.all(places.map(({ called, place }) => findOne(deps, called, place)));
  return [...unused, ...asked];
}

async function findOne(
  { openForge, database }: Pick<Deps, "database" | "openForge">,
  called: string,
  place: ForgePlace,
): Promise<Finding> {
  const name = `pull requests of ${called}`;
  const may = await openForge(place).mayPush();
  if (may.type === "failed") return { name, ok: false, says: forgeTroubleSentence(may.trouble) };
  const title = `${providerTitles[place.site.provider]} (${place.host}/${place.path})`;
  if (!may.value) {
    const says = `our token may not push to ${title}, so it cannot open any: docs/pull-requests.md lists what it needs`;
    return { name, ok: false, says };
  }
  const [troubled] = (await troubledPulls(database.db, place.host)).filter((each) => each.path === place.path);
  if (troubled?.trouble == null) return { name, ok: true, says: title };
  return { name, ok: false, says: `${troubled.goalId}: ${troubled.trouble}` };
}
