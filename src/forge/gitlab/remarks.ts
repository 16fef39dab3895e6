import { z } from "zod";
import type { ForgeAnswer, Issue, PullRequest } from "../../core/forges/forge.ts";
import type { Remark } from "../../core/forges/remarks.ts";
import { missingAsNull, pagesOf } from "../http/answer.ts";
import { labelsSchema } from "../http/labels.ts";
import { type Gitlab, pageQuery } from "./client.ts";

/** Remarks of people on GitLab: issues, notes in discussions, and states of reviewers. */

const someone = z.object({ username: z.string() }).nullish();

const issue = z.object({
  title: z.string(),
  description: z.string().nullish(),
  author: someone,
  state: z.string(),
  labels: labelsSchema,
});

const discussion = z.object({
  notes: z.array(
    z.object({
      id: z.number(),
      body: z.string(),
      author: someone,
      system: z.boolean(),
      resolved: z.boolean().nullish(),
      position: z
        .object({
          new_path: z.string().nullish(),
          old_path: z.string().nullish(),
          new_line: z.number().nullish(),
          old_line: z.number().nullish(),
        })
        .nullish(),
    }),
  ),
});
const reviewer = z.object({ user: z.object({ id: z.number(), username: z.string() }), state: z.string() });

/** Users that GitLab creates for tokens of projects and groups. */
const botName = /^(?:project|group)_\d+_bot/;

/** Reads an issue; GitLab numbers merge requests separately. */
export async function readIssue({ ask, at }: Gitlab, number: number): Promise<ForgeAnswer<Issue>> {
  const found = await ask({ method: "GET", path: `${at}/issues/${number}` }, issue);
  if (found.type === "failed") return found;
  const { title, description, author, state } = found.value;
  const by = author?.username ?? "somebody";
  const isOpen = state === "opened";
  return {
    type: "ok",
    value: { title, body: description ?? "", author: by, isOpen, isPull: false, labels: found.value.labels ?? [] },
  };
}

/** Notes in discussions, and reviewers who request changes. Resolved notes are left out. */
export async function remarksOf(
  { ask, at }: Gitlab,
  { number, headCommit }: PullRequest,
): Promise<ForgeAnswer<readonly Remark[]>> {
  const path = `${at}/merge_requests/${number}/discussions`;
  const found = await pagesOf((page) => ask({ method: "GET", path, query: pageQuery(page) }, z.array(discussion)));
  if (found.type === "failed") return found;
  const query = pageQuery(1);
  const reviewers = missingAsNull(
    await ask({ method: "GET", path: `${at}/merge_requests/${number}/reviewers`, query }, z.array(reviewer)),
  );
  if (reviewers.type === "failed") return reviewers;
  const notes = found.value.flatMap((each) => each.notes).filter((note) => !note.system && note.resolved !== true);
  return {
    type: "ok",
    value: [
      ...notes.map(({ id, body, author, position }): Remark => {
        const username = author?.username ?? "somebody";
        return {
          key: `note:${id}`,
          kind: position == null ? "comment" : "line",
          author: username,
          isBot: botName.test(username),
          body,
          path: position?.new_path ?? position?.old_path ?? null,
          line: position?.new_line ?? position?.old_line ?? null,
        };
      }),
      // A reviewer's state has no time and no id, so it is heard once for each commit.
      ...reviewers.value
        .filter(({ state }) => state === "requested_changes")
        .map(({ user: { id, username } }): Remark => {
          const key = `changes:${id}:${headCommit}`;
          const isBot = botName.test(username);
          return { key, kind: "changes", author: username, isBot, body: "", path: null, line: null };
        }),
    ],
  };
}
