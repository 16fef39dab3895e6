import { z } from "zod";
import type { ForgeAnswer, Issue, PullRequest } from "../../core/forges/forge.ts";
import type { Remark } from "../../core/forges/remarks.ts";
import { labelsSchema } from "../http/labels.ts";
import { type Gitea, listOf } from "./client.ts";

/** Remarks of people on Gitea: issues, comments and reviews. */

const user = z.object({ id: z.number().nullish(), login: z.string() }).nullish();
/** Pull requests are issues, too. */
const issue = z.object({
  title: z.string(),
  body: z.string().nullish(),
  user,
  state: z.string(),
  pull_request: z.unknown().nullish(),
  labels: labelsSchema,
});
const comment = z.object({ id: z.number(), body: z.string().nullish(), user });
const review = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user,
  state: z.string(),
  dismissed: z.boolean().nullish(),
  comments_count: z.number().nullish(),
});
const lineComment = z.object({
  id: z.number(),
  body: z.string(),
  user,
  path: z.string(),
  /** Line number in the new file; 0 when the comment is about a removed line. */
  position: z.number().nullish(),
  resolver: z.object({ login: z.string() }).nullish(),
});

/** Reads an issue; `isPull` is true when the number belongs to a pull request. */
export async function readIssue({ ask, at }: Gitea, number: number): Promise<ForgeAnswer<Issue>> {
  const found = await ask({ method: "GET", path: `${at}/issues/${number}` }, issue);
  if (found.type === "failed") return found;
  const { title, body, user: author, state, pull_request: pullRequest } = found.value;
  const isPull = pullRequest != null;
  const by = author?.login ?? "somebody";
  const isOpen = state === "open";
  return {
    type: "ok",
    value: { title, body: body ?? "", author: by, isOpen, isPull, labels: found.value.labels ?? [] },
  };
}

/** All comments on a pull request, its reviews and the unresolved comments at its lines. */
export async function remarksOf(gitea: Gitea, { number }: PullRequest): Promise<ForgeAnswer<readonly Remark[]>> {
  const { at } = gitea;
  const said = await listOf(gitea, `${at}/issues/${number}/comments`, comment);
  if (said.type === "failed") return said;
  const reviews = await listOf(gitea, `${at}/pulls/${number}/reviews`, review);
  if (reviews.type === "failed") return reviews;
  const nowhere = { path: null, line: null };
  const found: Remark[] = said.value.map((each) => ({ ...saidBy("comment", each), ...nowhere, kind: "comment" }));
  for (const each of reviews.value) {
    if (each.dismissed === true || each.state === "PENDING" || each.state === "REQUEST_REVIEW") continue;
    const kind = each.state === "REQUEST_CHANGES" ? "changes" : "comment";
    found.push({ ...saidBy("review", each), ...nowhere, kind });
    if ((each.comments_count ?? 0) === 0) continue;
    const lines = await listOf(gitea, `${at}/pulls/${number}/reviews/${each.id}/comments`, lineComment);
    if (lines.type === "failed") return lines;
    for (const line of lines.value.filter(({ resolver }) => resolver == null))
      found.push({ ...saidBy("line", line), kind: "line", path: line.path, line: (line.position ?? 0) || null });
  }
  return { type: "ok", value: found };
}

/** Actions and other internal users of the server have no positive user id. */
function saidBy(
  what: string,
  { id, user: author, body }: { id: number; user?: z.infer<typeof user>; body?: string | null | undefined },
): Pick<Remark, "key" | "author" | "isBot" | "body"> {
  const isBot = (author?.id ?? 1) <= 0;
  return { key: `${what}:${id}`, author: author?.login ?? "somebody", isBot, body: body ?? "" };
}
