/** Finished branches: compares our rows with git (D23, D24). People merge, revert and delete branches by hand; a report says so once. */

/** The branch of a complete goal, from our rows. */
export interface FinishedBranch {
  readonly goalId: string;
  readonly content: string;
  readonly branch: string;
  readonly headCommit: string;
  /** The commit where its run began. Null when it was not recorded. */
  readonly baseCommit: string | null;
  readonly endedAt: Date;
  /** The last decision about this commit. Null when nobody has decided; `undone` and `refused` are not decisions either. */
  readonly merge: { readonly status: MergeStatus; readonly into: string } | null;
  /** What the last posted standup found in git. Absent: nothing. */
  readonly found?: BranchNews;
}

type MergeStatus = "due" | "merging" | "merged" | "undone" | "refused" | "discarded";

/** What git says about the branch. */
export type SeenBranch =
  /** Git could not answer, or there was no time. */
  | { readonly type: "unread" }
  | {
      readonly type: "read";
      /** The tip of the branch in the person's repository. Null when the branch does not exist there. */
      readonly tip: string | null;
      /** Whether the base branch contains its commit, or the same change as another commit (squashed, picked). */
      readonly held: "commit" | "change" | "no";
      /** The commit of the base branch that brought it. Null when there is none. */
      readonly arrivedAs: string | null;
      /** The commit of the base branch that reverted it and has not been reverted itself. */
      readonly revertedBy: string | null;
    };

export type BranchState =
  /** Rows and git agree: the branch is merged, discarded or being merged. */
  | { readonly type: "merged" }
  | { readonly type: "discarded" }
  | { readonly type: "merging" }
  | { readonly type: "merged-by-hand"; readonly held: "commit" | "change"; readonly commit: string | null }
  | { readonly type: "reverted"; readonly commit: string }
  /** It was merged, but the base branch no longer contains it: its history was rewritten. */
  | { readonly type: "lost"; readonly isBranchThere: boolean }
  | { readonly type: "branch-gone" }
  | { readonly type: "not-merged"; readonly sinceMs: number };

/** The state of a finished branch. `base` is the repository's current base branch. */
export function branchState(branch: FinishedBranch, seen: SeenBranch, base: string, now: Date): BranchState {
  const { merge } = branch;
  const notMerged = { type: "not-merged", sinceMs: Math.max(0, now.getTime() - branch.endedAt.getTime()) } as const;
  if (merge?.status === "due" || merge?.status === "merging") return { type: "merging" };
  if (merge?.status === "discarded") return { type: "discarded" };
  // What a standup has found in git stays valid while the repository cannot be read.
  if (seen.type === "unread") return branch.found ?? (merge?.status === "merged" ? { type: "merged" } : notMerged);

  if (seen.held !== "no" && seen.revertedBy !== null) return { type: "reverted", commit: seen.revertedBy };
  if (merge?.status === "merged") {
    // It was merged into another branch than today's base, and nobody looked into that one.
    if (seen.held !== "no" || merge.into !== base) return { type: "merged" };
    return { type: "lost", isBranchThere: seen.tip !== null };
  }
  if (seen.held !== "no") return { type: "merged-by-hand", held: seen.held, commit: seen.arrivedAs };
  if (seen.tip === null) return { type: "branch-gone" };
  return notMerged;
}

/** What a person should hear of: differences between git and our rows. */
export type BranchNews = Extract<
  BranchState,
  { readonly type: "merged-by-hand" | "reverted" | "lost" | "branch-gone" }
>;

/** News from the timeline. Null for news that this version does not know. Whether a lost branch still exists is not stored. */
export function newsFrom(news: string, commit: string | null): BranchNews | null {
  switch (news) {
    case "merged-by-hand":
      return { type: news, held: "commit", commit };
    case "reverted":
      return commit === null ? null : { type: news, commit };
    case "lost":
      return { type: news, isBranchThere: false };
    case "branch-gone":
      return { type: news };
    default:
      return null;
  }
}

/** The news in a state. Null when there is none. */
export function newsOf(state: BranchState): BranchNews | null {
  switch (state.type) {
    case "merged-by-hand":
    case "reverted":
    case "lost":
    case "branch-gone":
      return state;
    case "merged":
    case "discarded":
    case "merging":
    case "not-merged":
      return null;
  }
}

/** A key for one piece of news, so that it is reported once. The same event with another commit is news again. */
export function newsKey(news: BranchNews): string {
  return "commit" in news ? `${news.type}.${news.commit ?? ""}` : news.type;
}

/** A problem with a whole repository. */
export type RepositoryTrouble =
  | { readonly type: "missing" }
  | { readonly type: "broken"; readonly reason: string }
  | { readonly type: "no-base"; readonly branch: string }
  /** A remote repository could not be asked. */
  | { readonly type: "elsewhere"; readonly reason: string; readonly next: string }
  /** There was no time for some of its branches. */
  | { readonly type: "slow"; readonly unread: number };
