import { z } from "zod";
import type { ForgeAnswer, ForgePlace } from "../../core/forges/forge.ts";
import { type ForgeContext, pageLength, pagesOf } from "../http/answer.ts";
import { type AskForge, openForgeRest } from "../http/rest.ts";

/** Questions to Gitea and Forgejo: https://docs.gitea.com/api/ */

/** A repository there. */
export interface Gitea {
  readonly ask: AskForge;
  /** The path of the repository, below which everything of it is: `/api/v1/repos/owner/repository`. */
  readonly at: string;
}

/** Asks nothing yet. */
export function openGitea({ site, path }: ForgePlace, context: ForgeContext): Gitea {
  return { ask: openForgeRest(context, `token ${site.token}`), at: `/api/v1/repos/${path}` };
}

/** A list, page by page; bounded. A page is as long as the server wants it: only an empty one is the last. */
export async function listOf<Each>(
  { ask }: Gitea,
  path: string,
  shape: z.ZodType<Each>,
): Promise<ForgeAnswer<readonly Each[]>> {
  return await pagesOf((page) => {
    const query = { page: String(page), limit: String(pageLength) };
    return ask({ method: "GET", path, query }, z.array(shape));
  }, 1);
}
