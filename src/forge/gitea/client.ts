import { z } from "zod";
import type { ForgeAnswer, ForgePlace } from "../../core/forges/forge.ts";
import { type ForgeContext, pageLength, pagesOf } from "../http/answer.ts";
import { type AskForge, openForgeRest } from "../http/rest.ts";

/** Requests to Gitea and Forgejo: https://docs.gitea.com/api/ */

/** A repository on Gitea or Forgejo. */
export interface Gitea {
  readonly ask: AskForge;
  /** The path prefix of the repository's resources: `/api/v1/repos/owner/repository`. */
  readonly at: string;
}

/** Opens a repository. Sends no request yet. */
export function openGitea({ site, path }: ForgePlace, context: ForgeContext): Gitea {
  return { ask: openForgeRest(context, `token ${site.token}`), at: `/api/v1/repos/${path}` };
}

/** Reads a list page by page, up to a limit. The server decides the page length, so only an empty page is the last. */
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
