import type { Check } from "./checks.ts";
import type { Remark } from "./remarks.ts";
import type { Required } from "./required.ts";
import type { ForgeTrouble } from "./trouble.ts";

/** A server that hosts repositories with pull requests (a merge request of GitLab is one). */

export type Provider = "github" | "gitlab" | "gitea";

export const providerTitles: Readonly<Record<Provider, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea",
};

/** Where we may speak to one, and with what. */
export interface ForgeSite {
  readonly provider: Provider;
  /** As people open it, without a slash at its end: `https://github.com`, `https://example.org/gitea`. */
  readonly url: string;
  readonly token: string;
}

/** A repository on a forge. */
export interface ForgePlace {
  readonly site: ForgeSite;
  /** With its port, where it has one: `github.com`. */
  readonly host: string;
  /** `owner/repository`; GitLab has groups in groups. */
  readonly path: string;
}

/** A pull request as the forge shows it. */
export interface PullRequest {
  readonly number: number;
  /** As we have written it: what marks a draft is not in it. */
  readonly title: string;
  readonly isDraft: boolean;
  readonly state: "open" | "merged" | "closed";
  /** The branch that it goes into: people can change it there. */
  readonly into: string;
  /** Where its branch stands there; of one that is merged, where it stood then. */
  readonly headCommit: string;
  /** What it became on its base; null: it is not merged, or the forge does not say. */
  readonly mergedAs: string | null;
  /** Who merged or closed it, as the forge names them; null: nobody, or it does not say. */
  readonly endedBy: string | null;
  readonly labels: readonly string[];
  /** Changes whenever somebody says something about it; null: the forge does not say. */
  readonly changedAt: string | null;
}

/** Why a forge does not merge a pull request. */
export type MergeRefusal =
  /** Its branch has other commits than those that are to be merged. */
  | "moved"
  | "conflict"
  /** Somebody has to approve it, or asked for changes. */
  | "reviews"
  /** Required checks failed, or have not ended. */
  | "checks"
  /** Our token may not merge into that branch. */
  | "rights"
  | "draft"
  /** It does not know yet: asked again. */
  | "later"
  /** Another rule of theirs; its words say which. */
  | "rule";

/** What asking a forge to merge came to. */
export type MergedThere =
  | { readonly type: "merged"; readonly commit: string | null }
  /** `said`: the forge's own words, one line. */
  | { readonly type: "refused"; readonly why: MergeRefusal; readonly said: string };

/** What is to be merged. */
export interface MergeWanted {
  /** The only commit that may be merged: another one at the branch is refused by the forge. */
  readonly headCommit: string;
  /** First line and rest of the merge commit's message. */
  readonly title: string;
  readonly message: string;
}

/** An issue as the forge shows it. */
export interface Issue {
  readonly title: string;
  readonly body: string;
  /** Who opened it, as the forge names them. */
  readonly author: string;
  readonly isOpen: boolean;
  readonly isPull: boolean;
  /** As they are written there. */
  readonly labels: readonly string[];
}

/** What a pull request shall say. */
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

/** What a question to a forge came to. Nothing is thrown for what a network or a forge does. */
export type ForgeAnswer<Value> =
  | { readonly type: "ok"; readonly value: Value }
  | { readonly type: "failed"; readonly trouble: ForgeTrouble };

/**
 * One repository on a forge. Every call is bounded in time and safe to repeat; `open` answers with the pull request that
 * is open for the branch, where there is one.
 */
export interface Forge {
  /** The open pull request of a branch of ours into `into`; null: there is none. */
  find(branch: string, into: string): Promise<ForgeAnswer<PullRequest | null>>;
  read(number: number): Promise<ForgeAnswer<PullRequest>>;
  open(wanted: NewPull): Promise<ForgeAnswer<PullRequest>>;
  /** Makes it say this, and be a draft or not. `there`: as it was read. */
  write(there: PullRequest, wanted: PullText): Promise<ForgeAnswer<PullRequest>>;
  /** Puts our label on it; makes the label where there is none. */
  label(number: number): Promise<ForgeAnswer<null>>;
  close(number: number): Promise<ForgeAnswer<null>>;
  /** Makes a draft ready. `there`: as it was read. */
  ready(there: PullRequest): Promise<ForgeAnswer<null>>;
  /**
   * Merges it, if its branch stands at the wanted commit: by a merge commit where the repository allows one, else as it allows.
   * No answer (`unreachable`) says nothing about whether it is merged: read it.
   */
  merge(number: number, wanted: MergeWanted): Promise<ForgeAnswer<MergedThere>>;
  /** What was said about it, bounded; the newest last. `there`: as it was read. */
  remarks(there: PullRequest): Promise<ForgeAnswer<readonly Remark[]>>;
  /** The checks of a commit, each as it stands last. */
  checks(commit: string): Promise<ForgeAnswer<readonly Check[]>>;
  /** Which of them it wants before a commit is merged into a branch, as far as our token may see it. */
  required(into: string, commit: string): Promise<ForgeAnswer<Required>>;
  issue(number: number): Promise<ForgeAnswer<Issue>>;
  /** Our own login there; null: the token belongs to nobody with one. */
  login(): Promise<ForgeAnswer<string | null>>;
  /** Whether the token may push, as far as the forge says. */
  mayPush(): Promise<ForgeAnswer<boolean>>;
}

/** On every pull request of ours. */
export const ourLabel = "chief-of-staff";

/** The page of a pull request: made here, so that nothing that a server answers becomes a link. */
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

/** The page of an issue, made here for the same reason. */
export function issueUrl({ site, path }: ForgePlace, number: number): string {
  return site.provider === "gitlab" ? `${site.url}/${path}/-/issues/${number}` : `${site.url}/${path}/issues/${number}`;
}
