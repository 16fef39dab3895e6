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
import { answered, nothing, openedOrThere, pageLength, refusedOr } from "../http/answer.ts";
import { readDraftTitle } from "../http/draft-title.ts";
import type { Gitea } from "./client.ts";

/** Pull requests of Gitea and Forgejo. A draft is marked in its title; labels are identified by number. */

const pull = z.object({
  number: z.number().int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  merged: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  merged_by: z.object({ login: z.string() }).nullish(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  updated_at: z.string().nullish(),
});

const reference = z.object({ object: z.object({ sha: z.string() }) });
const label = z.object({ id: z.number().int(), name: z.string() });
const repository = z.object({
  permissions: z.object({ push: z.boolean() }).nullish(),
  allow_merge_commits: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
});

/** The mark with which we begin a draft's title. */
const prefix = "WIP: ";

/** The server's default marks of work in progress. */
const marks = ["wip:", "[wip]"];

/** Maximum number of pages of open pull requests that are searched. A usual server allows fifty entries a page. */
const mostPages = 40;

/**
 * The open pull request of a branch into another; null when there is none. No filter by branch works in every version of the server.
 */
export async function findPull(
  { ask, at }: Gitea,
  branch: string,
  into: string,
): Promise<ForgeAnswer<PullRequest | null>> {
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { state: "open", sort: "recentupdate", page: String(page), limit: String(pageLength) };
    const found = await ask({ method: "GET", path: `${at}/pulls`, query }, z.array(pull));
    if (found.type === "failed") return found;
    const ours = found.value.find((each) => each.head.ref === branch && each.base.ref === into);
    if (ours !== undefined) return { type: "ok", value: pullIn(ours) };
    if (found.value.length === 0) break;
  }
  return { type: "ok", value: null };
}

/**
 * Reads a pull request. For a merged one Gitea shows where its branch is now, so the merged commit is read from the pull request's own
 * ref.
 */
export async function readPull(gitea: Gitea, number: number): Promise<ForgeAnswer<PullRequest>> {
  const read = shown(await readWhole(gitea, number));
  if (read.type === "failed" || read.value.state !== "merged") return read;
  const { ask, at } = gitea;
  const kept = await ask({ method: "GET", path: `${at}/git/refs/pull/${number}/head` }, reference);
  if (kept.type === "ok") return { type: "ok", value: { ...read.value, headCommit: kept.value.object.sha } };
  return kept.trouble.status === 404 ? read : kept;
}

/** Opens a pull request, or returns the one that is already open for the branch. */
export async function openPull(gitea: Gitea, wanted: NewPull): Promise<ForgeAnswer<PullRequest>> {
  const { ask, at } = gitea;
  const body = { head: wanted.branch, base: wanted.into, title: titleOf(wanted), body: wanted.body };
  const opened = await ask({ method: "POST", path: `${at}/pulls`, body }, pull);
  return await openedOrThere(shown(opened), () => findPull(gitea, wanted.branch, wanted.into));
}

/** Sets the text of a pull request, and whether it is a draft. */
export async function writePull(
  gitea: Gitea,
  { number }: PullRequest,
  wanted: PullText,
): Promise<ForgeAnswer<PullRequest>> {
  return await change(gitea, number, { title: titleOf(wanted), body: wanted.body });
}

/** Puts our label on a pull request, and creates the label if it is missing. */
export async function labelPull(gitea: Gitea, number: number): Promise<ForgeAnswer<null>> {
  const { ask, at } = gitea;
  const id = await labelNumber(gitea);
  if (id.type === "failed") return id;
  const body = { labels: [id.value] };
  return nothing(await ask({ method: "POST", path: `${at}/issues/${number}/labels`, body }, z.unknown()));
}

/** Closes a pull request without merging it. */
export async function closePull(gitea: Gitea, number: number): Promise<ForgeAnswer<null>> {
  return nothing(await change(gitea, number, { state: "closed" }));
}

/** Makes a draft ready, by removing the mark from its title. */
export async function readyPull(gitea: Gitea, { number, title }: PullRequest): Promise<ForgeAnswer<null>> {
  return nothing(await change(gitea, number, { title }));
}

/**
 * Merges by a merge commit if the repository allows it, else squashed, else rebased. The answer is empty, so the merge commit is read
 * afterwards.
 */
export async function mergePull(
  gitea: Gitea,
  number: number,
  { headCommit, title, message }: MergeWanted,
): Promise<ForgeAnswer<MergedThere>> {
  const { ask, at } = gitea;
  const found = await readRepository(gitea);
  if (found.type === "failed") return found;
  const { allow_merge_commits: mayMerge, allow_squash_merge: maySquash } = found.value;
  const style = mayMerge !== false ? "merge" : maySquash !== false ? "squash" : "rebase";
  const body = {
    Do: style,
    head_commit_id: headCommit,
    MergeMessageField: message,
    // The title of a squashed pull request stays the server's default, the name of the work.
    ...(style === "merge" ? { MergeTitleField: title } : {}),
  };
  const asked = await ask({ method: "POST", path: `${at}/pulls/${number}/merge`, body }, z.unknown());
  if (asked.type === "ok") {
    const now = await readWhole(gitea, number);
    return { type: "ok", value: { type: "merged", commit: now.type === "ok" ? pullIn(now.value).mergedAs : null } };
  }
  return await refusedOr(asked, () => Promise.resolve(null));
}

/** Reads the token's rights and the allowed merge methods. */
export async function readRepository({ ask, at }: Gitea): Promise<ForgeAnswer<z.infer<typeof repository>>> {
  return await ask({ method: "GET", path: at }, repository);
}

async function readWhole({ ask, at }: Gitea, number: number): Promise<ForgeAnswer<z.infer<typeof pull>>> {
  return await ask({ method: "GET", path: `${at}/pulls/${number}` }, pull);
}

async function change(
  { ask, at }: Gitea,
  number: number,
  body: Readonly<Record<string, unknown>>,
): Promise<ForgeAnswer<PullRequest>> {
  return shown(await ask({ method: "PATCH", path: `${at}/pulls/${number}`, body }, pull));
}

/** The number of our label, which is created if it is missing. */
async function labelNumber({ ask, at }: Gitea): Promise<ForgeAnswer<number>> {
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { page: String(page), limit: String(pageLength) };
    const found = await ask({ method: "GET", path: `${at}/labels`, query }, z.array(label));
    if (found.type === "failed") return found;
    const ours = found.value.find((each) => each.name === ourLabel);
    if (ours !== undefined) return { type: "ok", value: ours.id };
    if (found.value.length === 0) break;
  }
  const body = { name: ourLabel, color: "#1f6feb", description: "Opened by Chief of Staff" };
  const made = await ask({ method: "POST", path: `${at}/labels`, body }, label);
  return answered(made, ({ id }) => id);
}

function shown(asked: ForgeAnswer<z.infer<typeof pull>>): ForgeAnswer<PullRequest> {
  return answered(asked, pullIn);
}

function titleOf({ title, isDraft }: PullText): string {
  return isDraft ? `${prefix}${title}` : title;
}

function pullIn(found: z.infer<typeof pull>): PullRequest {
  const { title, isMarked } = readDraftTitle(found.title, marks);
  return {
    number: found.number,
    title,
    isDraft: isMarked,
    state: found.merged === true ? "merged" : found.state,
    into: found.base.ref,
    headCommit: found.head.sha,
    mergedAs: found.merged === true ? (found.merge_commit_sha ?? null) : null,
    endedBy: found.merged_by?.login ?? null,
    labels: (found.labels ?? []).map((each) => each.name),
    changedAt: found.updated_at ?? null,
  };
}
