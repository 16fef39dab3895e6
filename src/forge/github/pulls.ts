import { z } from "zod";
import {
  type ForgeAnswer,
  type MergedThere,
  type MergeWanted,
  type NewPull,
  ourLabel,
  type PullRequest,
  type PullText,
} from "../../core/forges/forge.ts";
import { answered, nothing, refusedOr } from "../http/answer.ts";
import type { Github, Parameters } from "./client.ts";

/** Pull requests of GitHub: https://docs.github.com/rest/pulls. Only GraphQL can make a draft ready. */

const pull = z.object({
  number: z.number().int(),
  node_id: z.string(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullable(),
  merge_commit_sha: z.string().nullish(),
  merged_by: z.object({ login: z.string() }).nullish(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string() }),
  /** Only in answers for one pull request. Null when GitHub has not computed it yet. */
  mergeable: z.boolean().nullish(),
  labels: z.array(z.object({ name: z.string() })),
  updated_at: z.string().nullish(),
});

const repository = z.object({
  permissions: z.object({ push: z.boolean() }).nullish(),
  allow_merge_commit: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
});

const merged = z.object({ sha: z.string(), merged: z.boolean() });

/** Marks a draft in its title where a repository has no drafts (private ones of free plans). */
const prefix = "Draft: ";

/** The open pull request of a branch into another; null when there is none. */
export async function findPull(
  { owner, ask }: Github,
  branch: string,
  into: string,
): Promise<ForgeAnswer<PullRequest | null>> {
  const given = { head: `${owner}:${branch}`, base: into, state: "open" };
  const found = await ask("GET /repos/{owner}/{repo}/pulls", given, z.array(pull));
  if (found.type === "failed") return found;
  const [first] = found.value;
  return { type: "ok", value: first === undefined ? null : pullIn(first) };
}

/** Reads a pull request. */
export async function readPull(github: Github, number: number): Promise<ForgeAnswer<PullRequest>> {
  return shown(await readWhole(github, number));
}

/**
 * Opens a pull request, or returns the one that is already open for the branch. Where the repository has no drafts, the title marks
 * one.
 */
export async function openPull(github: Github, wanted: NewPull): Promise<ForgeAnswer<PullRequest>> {
  const route = "POST /repos/{owner}/{repo}/pulls";
  const { branch: head, into: base, title, body, isDraft } = wanted;
  const asked = await github.ask(route, { head, base, title, body, draft: isDraft }, pull);
  if (asked.type === "ok" || asked.trouble.status !== 422) return shown(asked);
  // 422 may also mean that another process of ours has just opened it.
  const there = await findPull(github, head, base);
  if (there.type === "ok" && there.value !== null) return { type: "ok", value: there.value };
  if (!isDraft || !/draft/i.test(asked.trouble.reason)) return asked;
  return shown(await github.ask(route, { head, base, title: `${prefix}${title}`, body, draft: false }, pull));
}

/** Sets the text of a pull request, and whether it is a draft. `there` is its last known state. */
export async function writePull(
  github: Github,
  there: PullRequest,
  wanted: PullText,
): Promise<ForgeAnswer<PullRequest>> {
  const now = await readWhole(github, there.number);
  if (now.type === "failed") return now;
  const isOwnDraft = now.value.draft === true;
  let isSaidInTitle = false;
  if (isOwnDraft !== wanted.isDraft) {
    const turned = await turn(github, now.value.node_id, wanted.isDraft);
    // A repository without drafts refuses. A token without the right is reported like other troubles.
    if (turned.type === "failed" && (!wanted.isDraft || turned.trouble.kind !== "refused")) return turned;
    isSaidInTitle = turned.type === "failed";
  }
  const title = isSaidInTitle ? `${prefix}${wanted.title}` : wanted.title;
  return shown(await changePull(github, there.number, { title, body: wanted.body }));
}

/** Makes a draft ready, whether GitHub or its title marks it. */
export async function readyPull(github: Github, { number, title }: PullRequest): Promise<ForgeAnswer<null>> {
  const now = await readWhole(github, number);
  if (now.type === "failed") return now;
  if (now.value.draft === true) {
    const turned = await turn(github, now.value.node_id, false);
    if (turned.type === "failed") return turned;
  }
  return now.value.title.startsWith(prefix)
    ? nothing(await changePull(github, number, { title }))
    : { type: "ok", value: null };
}

/** Puts our label on a pull request. GitHub creates a missing label. */
export async function labelPull({ ask }: Github, number: number): Promise<ForgeAnswer<null>> {
  const given = { issue_number: number, labels: [ourLabel] };
  return nothing(await ask("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", given, z.unknown()));
}

/** Closes a pull request without merging it. */
export async function closePull(github: Github, number: number): Promise<ForgeAnswer<null>> {
  return nothing(await changePull(github, number, { state: "closed" }));
}

/** Merges by a merge commit if the repository allows it, else squashed, else rebased. Refused when the branch is at another commit. */
export async function mergePull(
  github: Github,
  number: number,
  { headCommit: sha, title, message }: MergeWanted,
): Promise<ForgeAnswer<MergedThere>> {
  const found = await readRepository(github);
  if (found.type === "failed") return found;
  const { allow_merge_commit: mayMerge, allow_squash_merge: maySquash } = found.value;
  const method = mayMerge !== false ? "merge" : maySquash !== false ? "squash" : "rebase";
  // The title of a squashed pull request stays GitHub's default, the name of the work.
  const said = method === "merge" ? { commit_title: title, commit_message: message } : { commit_message: message };
  const given = { ...at(number), sha, merge_method: method, ...said };
  const asked = await github.ask("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", given, merged);
  if (asked.type === "ok") return { type: "ok", value: { type: "merged", commit: asked.value.sha } };
  return await refusedOr(asked, async () => {
    const now = await readWhole(github, number);
    return now.type === "ok" && typeof now.value.mergeable === "boolean" ? !now.value.mergeable : null;
  });
}

/** Reads the token's rights and the allowed merge methods. */
export async function readRepository({ ask }: Github): Promise<ForgeAnswer<z.infer<typeof repository>>> {
  return await ask("GET /repos/{owner}/{repo}", {}, repository);
}

async function readWhole({ ask }: Github, number: number): Promise<ForgeAnswer<z.infer<typeof pull>>> {
  return await ask("GET /repos/{owner}/{repo}/pulls/{pull_number}", at(number), pull);
}

async function changePull(
  { ask }: Github,
  number: number,
  given: Parameters,
): Promise<ForgeAnswer<z.infer<typeof pull>>> {
  return await ask("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { ...at(number), ...given }, pull);
}

/** Makes a GitHub draft ready, or turns a pull request into a draft. */
async function turn({ mutate }: Github, id: string, isDraft: boolean): Promise<ForgeAnswer<null>> {
  const name = isDraft ? "convertPullRequestToDraft" : "markPullRequestReadyForReview";
  const mutation = `mutation($id: ID!) { ${name}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`;
  return await mutate(mutation, { id });
}

function at(number: number): { readonly pull_number: number } {
  return { pull_number: number };
}

function shown(asked: ForgeAnswer<z.infer<typeof pull>>): ForgeAnswer<PullRequest> {
  return answered(asked, pullIn);
}

function pullIn(found: z.infer<typeof pull>): PullRequest {
  const isInTitle = found.title.startsWith(prefix);
  return {
    number: found.number,
    title: isInTitle ? found.title.slice(prefix.length) : found.title,
    isDraft: found.draft === true || isInTitle,
    state: found.merged_at === null ? found.state : "merged",
    into: found.base.ref,
    headCommit: found.head.sha,
    mergedAs: found.merged_at === null ? null : (found.merge_commit_sha ?? null),
    endedBy: found.merged_by?.login ?? null,
    labels: found.labels.map((each) => each.name),
    changedAt: found.updated_at ?? null,
  };
}
