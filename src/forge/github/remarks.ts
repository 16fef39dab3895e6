import { z } from "zod";
import type { ForgeAnswer, Issue, PullRequest } from "../../core/forges/forge.ts";
import type { Remark } from "../../core/forges/remarks.ts";
import { labelsSchema } from "../http/labels.ts";
import { type Github, listOf } from "./client.ts";

/** Remarks of people on GitHub: issues, comments and reviews. */

const user = z.object({ login: z.string(), type: z.string().nullish() }).nullish();
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
const lineComment = z.object({
  id: z.number(),
  body: z.string(),
  user,
  path: z.string(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
});
const review = z.object({ id: z.number(), body: z.string().nullish(), user, state: z.string() });

/** Reads an issue; `isPull` is true when the number belongs to a pull request. */
export async function readIssue({ ask }: Github, number: number): Promise<ForgeAnswer<Issue>> {
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}";
  const found = await ask(route, { issue_number: number }, issue);
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

/** All comments on a pull request, its reviews and the comments at its lines. */
export async function remarksOf(github: Github, { number }: PullRequest): Promise<ForgeAnswer<readonly Remark[]>> {
  const of = { pull_number: number };
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const said = await listOf(github, route, { issue_number: number }, comment);
  if (said.type === "failed") return said;
  const reviews = await listOf(github, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", of, review);
  if (reviews.type === "failed") return reviews;
  const lines = await listOf(github, "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", of, lineComment);
  if (lines.type === "failed") return lines;
  const nowhere = { path: null, line: null };
  return {
    type: "ok",
    value: [
      ...said.value.map((each) => ({ ...saidBy("comment", each), ...nowhere, kind: "comment" as const })),
      ...reviews.value
        .filter(({ state }) => state !== "PENDING" && state !== "DISMISSED")
        .map((each) => ({
          ...saidBy("review", each),
          ...nowhere,
          kind: each.state === "CHANGES_REQUESTED" ? ("changes" as const) : ("comment" as const),
        })),
      ...lines.value.map((each) => ({
        ...saidBy("line", each),
        kind: "line" as const,
        path: each.path,
        line: each.line ?? each.original_line ?? null,
      })),
    ],
  };
}

function saidBy(
  what: string,
  { id, user: author, body }: { id: number; user?: z.infer<typeof user>; body?: string | null | undefined },
): Pick<Remark, "key" | "author" | "isBot" | "body"> {
  const isBot = author?.type === "Bot" || author?.login.endsWith("[bot]") === true;
  return { key: `${what}:${id}`, author: author?.login ?? "somebody", isBot, body: body ?? "" };
}
