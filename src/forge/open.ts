import type { Forge, ForgePlace } from "../core/forges/forge.ts";
import { giteaForge } from "./gitea/forge.ts";
import { githubForge } from "./github/forge.ts";
import { gitlabForge } from "./gitlab/forge.ts";
import { knownAnswers } from "./http/known.ts";

/** The forge of a repository. Asks nothing yet. */
export type OpenForge = (place: ForgePlace) => Forge;

/** Opens forges by provider; they share what is known of earlier answers. */
export function openForges(now: () => Date): OpenForge {
  const known = knownAnswers();
  return (place) => {
    const asking = { site: place.site, known, now };
    switch (place.site.provider) {
      case "github":
        return githubForge(place, asking);
      case "gitlab":
        return gitlabForge(place, asking);
      case "gitea":
        return giteaForge(place, asking);
    }
  };
}
