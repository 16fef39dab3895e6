import { formatDuration, firstLine } from "../text.ts";
import { type MergeRefusal, providerTitles, type Provider, type PullRequest } from "./forge.ts";
import type { FailedAnswer } from "./trouble.ts";

export type MergeStep =
  /** It is merged already; nobody needs to do it any more. */
  | { readonly type: "merged"; readonly commit: string | null; readonly by: string | null; readonly into: string }
  /** It was merged with an earlier commit of the goal. Later work is merged by git. */
  | { readonly type: "none" }
  | { readonly type: "refused"; readonly why: "closed" | "moved"; readonly by: string | null }
  /** Somebody has changed its base branch on the forge. */
  | { readonly type: "elsewhere"; readonly into: string }
  /** Forges merge no drafts. The person wants it merged, so it is made ready first. */
  | { readonly type: "ready" }
  | { readonly type: "merge" };

/** A merge that a person requested. */
export interface MergeAsked {
  readonly headCommit: string;
  readonly into: string;
  /** The commit for which an earlier merge counts; null when no merge was seen, or the commit was not recorded. */
  readonly countedFor: string | null;
  /** Commits that the goal recorded before the one to be merged. */
  readonly earlier: ReadonlySet<string>;
}

/** The next step for a pull request that a person wants merged, by its state just read. */
export function nextForMerge(there: PullRequest, { headCommit, into, countedFor, earlier }: MergeAsked): MergeStep {
  switch (there.state) {
    case "merged": {
      const counts = countedFor ?? mergedWork(there, { now: headCommit, earlier });
      if (counts !== headCommit) return { type: "none" };
      return { type: "merged", commit: there.mergedAs, by: there.endedBy, into: there.into };
    }
    case "closed":
      return { type: "refused", why: "closed", by: there.endedBy };
    case "open":
      if (there.headCommit !== headCommit) return { type: "refused", why: "moved", by: null };
      if (there.into !== into) return { type: "elsewhere", into: there.into };
      return there.isDraft ? { type: "ready" } : { type: "merge" };
  }
}

/**
 * The commit of a goal for which a merged pull request counts. If it was merged at a commit that the goal recorded earlier, that one.
 * At any other commit, the goal's commit `now`: people may have put the work on a newer base there.
 */
export function mergedWork(
  there: Pick<PullRequest, "headCommit">,
  { now, earlier }: { readonly now: string; readonly earlier: ReadonlySet<string> },
): string {
  return earlier.has(there.headCommit) ? there.headCommit : now;
}

/**
 * Classifies why a forge refused to merge, by its words: https://docs.github.com/rest/pulls/pulls#merge-a-pull-request,
 * `routers/api/v1/repo/pull.go` of Gitea. `hasConflict` is the pull request's state on the forge; null when it has not been computed.
 */
export function mergeRefusal(
  { status, message }: Pick<FailedAnswer, "status" | "message">,
  hasConflict: boolean | null,
): MergeRefusal {
  if (/head (?:branch was modified|out of date)|not match/i.test(message)) return "moved";
  if (/base branch was modified/i.test(message)) return "later";
  if (/review|approv|requested changes|code ?owner/i.test(message)) return "reviews";
  if (/status check|\bchecks?\b|\bci\b|pipeline/i.test(message)) return "checks";
  if (/draft|work in progress/i.test(message)) return "draft";
  if (hasConflict === true || /conflict/i.test(message)) return "conflict";
  if (status === 401 || status === 403 || /not allowed to merge|protected branch|not authorized/i.test(message))
    return "rights";
  if (/try again|out of date/i.test(message)) return "later";
  return "rule";
}

/** GitLab's merge status of a merge request: https://docs.gitlab.com/api/merge_requests/#merge-status */
const gitlabStatuses: ReadonlyMap<string, MergeRefusal> = new Map([
  ["conflict", "conflict"],
  ["broken_status", "conflict"],
  ["not_approved", "reviews"],
  ["requested_changes", "reviews"],
  ["discussions_not_resolved", "reviews"],
  ["ci_must_pass", "checks"],
  ["ci_still_running", "checks"],
  ["status_checks_must_pass", "checks"],
  ["draft_status", "draft"],
  ["approvals_syncing", "later"],
  ["checking", "later"],
  ["preparing", "later"],
  ["unchecked", "later"],
]);

/** Classifies a refusal by GitLab's merge status, or by its answer when the status is missing or names another rule. */
export function gitlabRefusal(detailed: string | null, answer: Pick<FailedAnswer, "status" | "message">): MergeRefusal {
  return gitlabStatuses.get(detailed ?? "") ?? mergeRefusal(answer, null);
}

/** The facts of a pull request that messages name. */
export interface PullNamed {
  readonly provider: Provider;
  readonly url: string;
  readonly goalId: string;
  readonly into: string;
}

/** Why a pull request was not merged on the forge, and what to do; no work is lost. Sentences without the last full stop. */
export function notMergedWords(
  pull: PullNamed,
  why: Exclude<MergeRefusal, "later"> | "closed",
  { said, by }: { readonly said: string | null; readonly by: string | null },
): string {
  const { url, goalId, into, provider } = pull;
  const title = providerTitles[provider];
  const words = said === null || said === "" ? "" : ` ("${firstLine(said, 200)}")`;
  const again = `then: cos goal merge ${goalId}`;
  const whom = by === null ? "" : ` by ${firstLine(by, 60)}`;
  switch (why) {
    case "closed":
      return `${title} shows it closed${whom}: open it there again, ${again}. Without it: cos goal discard ${goalId}. ${url}`;
    case "moved":
      return `its branch has other commits there than those that were verified here: look at them and merge it there, or remove them, ${again}. ${url}`;
    case "conflict":
      return `${title} finds a conflict with ${into}${words}: ${again} asks what to do about it. ${url}`;
    case "reviews":
      return `${title} wants a review first${words}: somebody approves it there, ${again}. ${url}`;
    case "checks":
      return `${title} wants its checks to pass first${words}: look at them there; when they passed, ${again}. ${url}`;
    case "rights":
      return `our token may not merge into ${into}${words}: merge it there yourself, or give its user the right, ${again}. ${url}`;
    case "draft":
      return `${title} shows it as a draft${words}: make it ready there, ${again}. ${url}`;
    case "rule":
      return `${title} refused it${words}: do what it says, ${again}. ${url}`;
  }
}

/**
 * The message when somebody has changed the base branch on the forge: only a person may merge it. A sentence without the last full
 * stop.
 */
export function goesElsewhereWords({ provider, url, goalId, into }: PullNamed, elsewhere: string): string {
  const there = firstLine(elsewhere, 100);
  return `${providerTitles[provider]} shows that it goes into ${there}, not into ${into}: change that back there, then: cos goal merge ${goalId}. Or merge it there: the goal is merged into ${there} then. ${url}`;
}

/** The message for a merge request that failed, or whose result is unknown; it will be repeated. */
export function mergeWaitsWords({ url }: Pick<PullNamed, "url">, reason: string, waitMs: number): string {
  return `Waits: ${reason}. Asked again in ${formatDuration(waitMs)}. ${url}`;
}

/** The message when a merge was requested long enough without success. */
export function mergeGivenUpWords({ url, goalId }: PullNamed, reason: string, forMs: number): string {
  return `${reason}, for ${formatDuration(forMs)}. Nothing is lost: if it was merged there after all, that is read back; else: cos goal merge ${goalId}. ${url}`;
}

/** The person who merged a pull request on the forge, as the author of the merge. */
export function mergerThere(by: string | null, provider: Provider): string {
  return by === null ? providerTitles[provider] : `${firstLine(by, 60)} (${providerTitles[provider]})`;
}
