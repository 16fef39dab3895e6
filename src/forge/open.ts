import type { Forge, ForgePlace } from "../core/forges/forge.ts";
import { giteaForge } from "./gitea/forge.ts";
import { githubForge } from "./github/forge.ts";
import { gitlabForge } from "./gitlab/forge.ts";
import { knownAnswers } from "./http/known.ts";

/** Opens the forge of a repository. Sends no request yet. */
export type OpenForge = (place: ForgePlace) => Forge;

/** Returns a function that opens forges by provider. They share one cache of answers. */
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
