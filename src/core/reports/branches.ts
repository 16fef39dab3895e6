/**
 * Finished branches: what our rows say against what git says (D23, D24). People merge by hand, revert and delete
 * branches; a report says so once.
 */

/** A complete goal's branch, as our rows know it. */
export interface FinishedBranch {
  readonly goalId: string;
  readonly content: string;
  readonly branch: string;
  readonly headCommit: string;
  /** Where its run began; null when that was not kept. */
  readonly baseCommit: string | null;
  readonly endedAt: Date;
  /** The last decision about this commit; null when nobody has decided. `undone` and `refused` ones decide nothing. */
  readonly merge: { readonly status: MergeStatus; readonly into: string } | null;
  /** What a posted standup has found in git since then; absent: nothing. */
  readonly found?: BranchNews;
}

type MergeStatus = "due" | "merging" | "merged" | "undone" | "refused" | "discarded";

/** What git says about it. */
export type SeenBranch =
  /** git could not say, or there was no time. */
  | { readonly type: "unread" }
  | {
      readonly type: "read";
      /** Where the branch stands in the person's repository; null: it is not there. */
      readonly tip: string | null;
      /** Whether the base branch holds its commit, or the same change as another commit (squashed, picked). */
      readonly held: "commit" | "change" | "no";
      /** The commit of the base that brought it; null when none did. */
      readonly arrivedAs: string | null;
      /** A commit of the base that took it back and is itself in force. */
      readonly revertedBy: string | null;
    };

export type BranchState =
  /** Rows and git agree that it is over, or that it is under way. */
  | { readonly type: "merged" }
  | { readonly type: "discarded" }
  | { readonly type: "merging" }
  | { readonly type: "merged-by-hand"; readonly held: "commit" | "change"; readonly commit: string | null }
  | { readonly type: "reverted"; readonly commit: string }
  /** It was merged, and the base does not hold it any more: its history was rewritten. */
  | { readonly type: "lost"; readonly isBranchThere: boolean }
  | { readonly type: "branch-gone" }
  | { readonly type: "not-merged"; readonly sinceMs: number };

/** Where a finished branch stands. `base` is the repository's base branch now. */
export function branchState(branch: FinishedBranch, seen: SeenBranch, base: string, now: Date): BranchState {
  const { merge } = branch;
  const notMerged = { type: "not-merged", sinceMs: Math.max(0, now.getTime() - branch.endedAt.getTime()) } as const;
  if (merge?.status === "due" || merge?.status === "merging") return { type: "merging" };
  if (merge?.status === "discarded") return { type: "discarded" };
  // What was found there once is no guess: a repository that is away brings nothing back.
  if (seen.type === "unread") return branch.found ?? (merge?.status === "merged" ? { type: "merged" } : notMerged);

  if (seen.held !== "no" && seen.revertedBy !== null) return { type: "reverted", commit: seen.revertedBy };
  if (merge?.status === "merged") {
    // Another branch than today's base: nobody looked into that one.
    if (seen.held !== "no" || merge.into !== base) return { type: "merged" };
    return { type: "lost", isBranchThere: seen.tip !== null };
  }
  if (seen.held !== "no") return { type: "merged-by-hand", held: seen.held, commit: seen.arrivedAs };
  if (seen.tip === null) return { type: "branch-gone" };
  return notMerged;
}

/** What a person should hear of: where git differs from our rows. */
export type BranchNews = Extract<
  BranchState,
  { readonly type: "merged-by-hand" | "reverted" | "lost" | "branch-gone" }
>;

/** As the timeline keeps it; null where that is from another version. Whether a lost branch is still there is not kept. */
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

/** Null when there is nothing to say about it. */
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

/** Names one piece of news, so that it is said once: the same thing that happens again with another commit is news again. */
export function newsKey(news: BranchNews): string {
  return "commit" in news ? `${news.type}.${news.commit ?? ""}` : news.type;
}

/** What is wrong with a repository as a whole. */
export type RepositoryTrouble =
  | { readonly type: "missing" }
  | { readonly type: "broken"; readonly reason: string }
  | { readonly type: "no-base"; readonly branch: string }
  /** A repository elsewhere could not be asked. */
  | { readonly type: "elsewhere"; readonly reason: string; readonly next: string }
  /** There was no time for some of its branches. */
  | { readonly type: "slow"; readonly unread: number };
