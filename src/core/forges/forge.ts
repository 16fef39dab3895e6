import type { Check } from "./checks.ts";
import type { Remark } from "./remarks.ts";
import type { Required } from "./required.ts";
import type { ForgeTrouble } from "./trouble.ts";

/** The kind of a server with repositories and pull requests (GitLab's merge requests count as such). */

export type Provider = "github" | "gitlab" | "gitea";

export const providerTitles: Readonly<Record<Provider, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea",
};

/** A forge that we may use, with its token. */
export interface ForgeSite {
  readonly provider: Provider;
  /** The address that people open, without a slash at its end: `https://github.com`, `https://example.org/gitea`. */
  readonly url: string;
  readonly token: string;
}

/** A repository on a forge. */
export interface ForgePlace {
  readonly site: ForgeSite;
  /** Includes the port, if there is one: `github.com`. */
  readonly host: string;
  /** `owner/repository`; GitLab also has nested groups. */
  readonly path: string;
}

/** A pull request as the forge shows it. */
export interface PullRequest {
  readonly number: number;
  /** The title as we wrote it, without the mark of a draft. */
  readonly title: string;
  readonly isDraft: boolean;
  readonly state: "open" | "merged" | "closed";
  /** The base branch; people can change it on the forge. */
  readonly into: string;
  /** The tip of its branch on the forge; for a merged one, the tip at the merge. */
  readonly headCommit: string;
  /** The commit on the base branch that the merge made; null when it is not merged, or the forge does not say. */
  readonly mergedAs: string | null;
  /** The login of the person who merged or closed it; null for nobody, or when the forge does not say. */
  readonly endedBy: string | null;
  readonly labels: readonly string[];
  /** Changes whenever somebody comments on it; null when the forge does not say. */
  readonly changedAt: string | null;
}

/** Why a forge does not merge a pull request. */
export type MergeRefusal =
  /** Its branch has other commits than the one to be merged. */
  | "moved"
  | "conflict"
  /** Somebody has to approve it, or has requested changes. */
  | "reviews"
  /** Required checks failed, or have not ended. */
  | "checks"
  /** Our token may not merge into that branch. */
  | "rights"
  | "draft"
  /** The forge does not know yet; the request is repeated. */
  | "later"
  /** Another rule of the forge, named in its words. */
  | "rule";

/** The result of a merge request to a forge. */
export type MergedThere =
  | { readonly type: "merged"; readonly commit: string | null }
  /** `said` has the forge's own words, one line. */
  | { readonly type: "refused"; readonly why: MergeRefusal; readonly said: string };

/** The merge that is requested. */
export interface MergeWanted {
  /** The only commit that may be merged: the forge refuses if the branch is at another one. */
  readonly headCommit: string;
  /** First line and rest of the merge commit's message. */
  readonly title: string;
  readonly message: string;
}

/** An issue as the forge shows it. */
export interface Issue {
  readonly title: string;
  readonly body: string;
  /** The login of its author. */
  readonly author: string;
  readonly isOpen: boolean;
  readonly isPull: boolean;
  /** Names as on the forge. */
  readonly labels: readonly string[];
}

/** The wanted text of a pull request. */
export interface PullText {
  /** One line. */
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly isDraft: boolean;
}

export interface NewPull extends PullText {
  readonly branch: string;
  readonly into: string;
}

/** The result of a request to a forge. Errors of the network or the forge are never thrown. */
export type ForgeAnswer<Value> =
  | { readonly type: "ok"; readonly value: Value }
  | { readonly type: "failed"; readonly trouble: ForgeTrouble };

/**
 * One repository on a forge. Every call has a time limit and is safe to repeat. `open` returns the pull request that is already open
 * for the branch, if there is one.
 */
export interface Forge {
  /** The open pull request of a branch of ours into `into`; null when there is none. */
  find(branch: string, into: string): Promise<ForgeAnswer<PullRequest | null>>;
  read(number: number): Promise<ForgeAnswer<PullRequest>>;
  open(wanted: NewPull): Promise<ForgeAnswer<PullRequest>>;
  /** Sets its text, and whether it is a draft. `there` is its last known state. */
  write(there: PullRequest, wanted: PullText): Promise<ForgeAnswer<PullRequest>>;
  /** Puts our label on it, and creates the label if it is missing. */
  label(number: number): Promise<ForgeAnswer<null>>;
  close(number: number): Promise<ForgeAnswer<null>>;
  /** Makes a draft ready. `there` is its last known state. */
  ready(there: PullRequest): Promise<ForgeAnswer<null>>;
  /**
   * Merges it, if its branch is at the wanted commit: by a merge commit if the repository allows it, else by another allowed method. A
   * missing answer (`unreachable`) does not tell whether it was merged: read it.
   */
  merge(number: number, wanted: MergeWanted): Promise<ForgeAnswer<MergedThere>>;
  /** The remarks about it, up to a limit, the newest last. `there` is its last known state. */
  remarks(there: PullRequest): Promise<ForgeAnswer<readonly Remark[]>>;
  /** The checks of a commit, each in its latest state. */
  checks(commit: string): Promise<ForgeAnswer<readonly Check[]>>;
  /** The checks required before a commit is merged into a branch, as far as our token may see them. */
  required(into: string, commit: string): Promise<ForgeAnswer<Required>>;
  issue(number: number): Promise<ForgeAnswer<Issue>>;
  /** Our own login; null when the token belongs to no user. */
  login(): Promise<ForgeAnswer<string | null>>;
  /** True when the token may push, as far as the forge says. */
  mayPush(): Promise<ForgeAnswer<boolean>>;
}

/** The label on all our pull requests. */
export const ourLabel = "chief-of-staff";

/** The page of a pull request. Built here, so that nothing from a server's answer becomes a link. */
export function pullUrl({ site, path }: ForgePlace, number: number): string {
  switch (site.provider) {
    case "github":
      return `${site.url}/${path}/pull/${number}`;
    case "gitlab":
      return `${site.url}/${path}/-/merge_requests/${number}`;
    case "gitea":
      return `${site.url}/${path}/pulls/${number}`;
  }
}

/** The page of an issue, built here for the same reason. */
export function issueUrl({ site, path }: ForgePlace, number: number): string {
  return site.provider === "gitlab" ? `${site.url}/${path}/-/issues/${number}` : `${site.url}/${path}/issues/${number}`;
}
