import type { Forge, ForgePlace } from "../core/forges/forge.ts";
import { giteaForge } from "./gitea.ts";
import { githubForge } from "./github.ts";
import { gitlabForge } from "./gitlab.ts";

/** The forge of a repository. Asks nothing yet. */
export type OpenForge = (place: ForgePlace) => Forge;

export function openForges(now: () => Date): OpenForge {
  return (place) => {
    const asking = { site: place.site, now };
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
