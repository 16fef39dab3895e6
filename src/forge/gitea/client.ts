import { z } from "zod";
import type { Asked, ForgePlace } from "../../core/forges/forge.ts";
import { type Asking, pageLength, pagesOf } from "../http/answer.ts";
import { type Ask, openRest } from "../http/rest.ts";

/** Questions to Gitea and Forgejo: https://docs.gitea.com/api/ */

/** A repository there. */
export interface Gitea {
  readonly ask: Ask;
  /** The path of the repository, below which everything of it is: `/api/v1/repos/owner/repository`. */
  readonly at: string;
}

/** Asks nothing yet. */
export function openGitea({ site, path }: ForgePlace, asking: Asking): Gitea {
  return { ask: openRest(asking, `token ${site.token}`), at: `/api/v1/repos/${path}` };
}

/** A list, page by page; bounded. A page is as long as the server wants it: only an empty one is the last. */
export async function listOf<Each>(
  { ask }: Gitea,
  path: string,
  shape: z.ZodType<Each>,
): Promise<Asked<readonly Each[]>> {
  return await pagesOf((page) => {
    const query = { page: String(page), limit: String(pageLength) };
    return ask({ method: "GET", path, query }, z.array(shape));
  }, 1);
}
