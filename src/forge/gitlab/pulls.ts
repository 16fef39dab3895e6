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
import { gitlabRefusal } from "../../core/forges/merging.ts";
import { failedAnswer, nothing, openedOrThere } from "../http/answer.ts";
import { readDraftTitle } from "../http/draft-title.ts";
import type { Gitlab } from "./client.ts";

/** Merge requests of GitLab: https://docs.gitlab.com/api/merge_requests/. A draft is marked in its title. */

const someone = z.object({ username: z.string() }).nullish();

const mergeRequest = z.object({
  iid: z.number().int(),
  title: z.string(),
  draft: z.boolean(),
  state: z.enum(["opened", "closed", "locked", "merged"]),
  target_branch: z.string(),
  sha: z.string().nullable(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  merged_by: someone,
  merge_user: someone,
  closed_by: someone,
  labels: z.array(z.string()),
  detailed_merge_status: z.string().nullish(),
  updated_at: z.string().nullish(),
});

const prefix = "Draft: ";

/** The beginnings of a title by which GitLab knows a draft. */
const marks = ["draft:", "[draft]", "(draft)"];

/** The open merge request of a branch into another; null when there is none. */
export async function findPull(
  { ask, at }: Gitlab,
  branch: string,
  into: string,
): Promise<ForgeAnswer<PullRequest | null>> {
  const query = { state: "opened", source_branch: branch, target_branch: into };
  const found = await ask({ method: "GET", path: `${at}/merge_requests`, query }, z.array(mergeRequest));
  if (found.type === "failed") return found;
  const [first] = found.value;
  return { type: "ok", value: first === undefined ? null : pullIn(first) };
}

/** Reads a merge request. */
export async function readPull(gitlab: Gitlab, number: number): Promise<ForgeAnswer<PullRequest>> {
  return shown(gitlab, await readWhole(gitlab, number));
}

/** Opens a merge request with our label, or returns the one that is already open for the branch. */
export async function openPull(gitlab: Gitlab, wanted: NewPull): Promise<ForgeAnswer<PullRequest>> {
  const { ask, at } = gitlab;
  const body = {
    source_branch: wanted.branch,
    target_branch: wanted.into,
    title: titleOf(wanted),
    description: wanted.body,
    labels: ourLabel,
  };
  const opened = await ask({ method: "POST", path: `${at}/merge_requests`, body }, mergeRequest);
  return await openedOrThere(shown(gitlab, opened), () => findPull(gitlab, wanted.branch, wanted.into));
}

/** Sets the text of a merge request, and whether it is a draft. */
export async function writePull(
  gitlab: Gitlab,
  { number }: PullRequest,
  wanted: PullText,
): Promise<ForgeAnswer<PullRequest>> {
  return await change(gitlab, number, { title: titleOf(wanted), description: wanted.body });
}

/** Puts our label on a merge request. */
export async function labelPull(gitlab: Gitlab, number: number): Promise<ForgeAnswer<null>> {
  return nothing(await change(gitlab, number, { add_labels: ourLabel }));
}

/** Closes a merge request without merging it. */
export async function closePull(gitlab: Gitlab, number: number): Promise<ForgeAnswer<null>> {
  return nothing(await change(gitlab, number, { state_event: "close" }));
}

/** Makes a draft ready, by removing the mark from its title. */
export async function readyPull(gitlab: Gitlab, { number, title }: PullRequest): Promise<ForgeAnswer<null>> {
  return nothing(await change(gitlab, number, { title }));
}

/** Merges a merge request. The project's settings decide whether there is a merge commit. */
export async function mergePull(
  gitlab: Gitlab,
  number: number,
  { headCommit, title, message }: MergeWanted,
): Promise<ForgeAnswer<MergedThere>> {
  const { ask, at } = gitlab;
  const body = { sha: headCommit, merge_commit_message: `${title}\n\n${message}` };
  const asked = await ask({ method: "PUT", path: `${at}/merge_requests/${number}/merge`, body }, mergeRequest);
  if (asked.type === "ok") {
    const now = shown(gitlab, asked);
    if (now.type === "failed") return now;
    const { state, mergedAs } = now.value;
    if (state === "merged") return { type: "ok", value: { type: "merged", commit: mergedAs } };
    return { type: "ok", value: { type: "refused", why: "later", said: "it has not ended" } };
  }
  const { kind, status, said } = asked.trouble;
  if (kind === "unreachable" || kind === "limited") return asked;
  if (status === 409) return { type: "ok", value: { type: "refused", why: "moved", said } };
  const now = await readWhole(gitlab, number);
  const detailed = now.type === "ok" ? (now.value.detailed_merge_status ?? null) : null;
  const why = status === 401 || status === 403 ? "rights" : gitlabRefusal(detailed, { status, message: said });
  return { type: "ok", value: { type: "refused", why, said: detailed ?? said } };
}

async function readWhole({ ask, at }: Gitlab, number: number): Promise<ForgeAnswer<z.infer<typeof mergeRequest>>> {
  return await ask({ method: "GET", path: `${at}/merge_requests/${number}` }, mergeRequest);
}

async function change(
  gitlab: Gitlab,
  number: number,
  body: Readonly<Record<string, unknown>>,
): Promise<ForgeAnswer<PullRequest>> {
  const { ask, at } = gitlab;
  return shown(gitlab, await ask({ method: "PUT", path: `${at}/merge_requests/${number}`, body }, mergeRequest));
}

function shown({ asking }: Gitlab, asked: ForgeAnswer<z.infer<typeof mergeRequest>>): ForgeAnswer<PullRequest> {
  if (asked.type === "failed") return asked;
  // While GitLab is merging it, it is neither open nor merged.
  if (asked.value.state === "locked")
    return failedAnswer(asking, { status: 503, headers: {}, message: "it is being merged right now" });
  return { type: "ok", value: pullIn(asked.value) };
}

function titleOf({ title, isDraft }: PullText): string {
  return isDraft ? `${prefix}${title}` : title;
}

function pullIn(found: z.infer<typeof mergeRequest>): PullRequest {
  return {
    number: found.iid,
    title: readDraftTitle(found.title, marks).title,
    isDraft: found.draft,
    state: found.state === "merged" ? "merged" : found.state === "closed" ? "closed" : "open",
    into: found.target_branch,
    headCommit: found.sha ?? "",
    mergedAs: found.merge_commit_sha ?? found.squash_commit_sha ?? null,
    endedBy: (found.merge_user ?? found.merged_by ?? found.closed_by)?.username ?? null,
    labels: found.labels,
    changedAt: found.updated_at ?? null,
  };
}
