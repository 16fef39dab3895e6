import type { ForgePlace } from "../../core/forges/forge.ts";
import { type ForgeContext, pageLength } from "../http/answer.ts";
import { type AskForge, openForgeRest } from "../http/rest.ts";

/** Requests to GitLab: https://docs.gitlab.com/api/rest/ */

/** A project on GitLab. */
export interface Gitlab {
  readonly ask: AskForge;
  /** The path prefix of the project's resources: `/api/v4/projects/group%2Fproject`. */
  readonly at: string;
  readonly asking: ForgeContext;
}

/** Opens a project. Sends no request yet. */
export function openGitlab({ site, path }: ForgePlace, context: ForgeContext): Gitlab {
  const ask = openForgeRest(context, `Bearer ${site.token}`);
  return { ask, at: `/api/v4/projects/${encodeURIComponent(path)}`, asking: context };
}

/** The query for one page of a list; the first is 1. */
export function pageQuery(page: number): Readonly<Record<string, string>> {
  return { per_page: String(pageLength), page: String(page) };
}
