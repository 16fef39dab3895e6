import { troubleSentence } from "../../core/remotes/trouble.ts";
import { carry } from "./carry.ts";
import { assertCommit, GitError, tryGit } from "./git.ts";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { type BranchMove, moveHere } from "./move-here.ts";
import { moveRemoteBranch } from "./remote.ts";
import type { RepositoryOrigin } from "./remote-access.ts";

/** Merges a goal's commit in the mirror, without a worktree of the person's (D24). */

const ours = {
  GIT_AUTHOR_NAME: "Chief of Staff",
  GIT_AUTHOR_EMAIL: "chief-of-staff@localhost",
  GIT_COMMITTER_NAME: "Chief of Staff",
  GIT_COMMITTER_EMAIL: "chief-of-staff@localhost",
};

export type Merged =
  | { readonly type: "merged"; readonly commit: string }
  /** The merge conflicts; both sides are unchanged. */
  | { readonly type: "conflict"; readonly files: readonly string[] };

/** True when a commit is in the mirror. */
export async function hasCommit(mirror: Mirror, commit: string): Promise<boolean> {
  assertCommit(commit);
  await guardMirror(mirror);
  return (await tryMirrorGit(mirror, ["cat-file", "-e", `${commit}^{commit}`])).type === "ok";
}

/** True when `older` is an ancestor of `newer`, or equal to it. */
export async function contains(mirror: Mirror, newer: string, older: string): Promise<boolean> {
  assertCommit(newer);
  assertCommit(older);
  await guardMirror(mirror);
  return (await tryMirrorGit(mirror, ["merge-base", "--is-ancestor", older, newer])).type === "ok";
}

/**
 * Returns a commit that contains both: `head` itself when it contains `tip`, else a new merge commit. `merge-tree` makes it, so no
 * files are touched, and no ref points to it yet. Throws `GitError`.
 */
export async function mergeCommits(options: {
  readonly mirror: Mirror;
  readonly tip: string;
  readonly head: string;
  readonly message: string;
}): Promise<Merged> {
  const { mirror, tip, head, message } = options;
  if (await contains(mirror, head, tip)) return { type: "merged", commit: head };

  const merged = await mergeTrees(mirror, tip, head);
  if (merged.type === "conflict") return merged;
  const args = ["commit-tree", merged.tree, "-p", tip, "-p", head, "-F", "-"];
  return { type: "merged", commit: (await mirrorGit(mirror, args, { environment: ours, input: message })).trim() };
}

/**
 * Returns a commit that has all of these as parents, so that one bundle can carry them. No ref points to it, and its files are the
 * first one's. Throws `GitError`.
 */
export async function joinCommits(mirror: Mirror, commits: readonly string[]): Promise<string> {
  const [first = "", ...others] = new Set(commits);
  if (others.length === 0) return first;
  const parents = [first, ...others].flatMap((commit) => ["-p", commit]);
  const args = ["commit-tree", `${first}^{tree}`, ...parents, "-m", "What tasks have made side by side"];
  return (await mirrorGit(mirror, args, { environment: ours })).trim();
}

/** Returns the merged tree, or a conflict with all files that `head` changed. Touches no files. Throws `GitError`. */
export async function mergeTrees(
  mirror: Mirror,
  tip: string,
  head: string,
): Promise<{ readonly type: "tree"; readonly tree: string } | Extract<Merged, { type: "conflict" }>> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", tip, head];
  const result = await tryMirrorGit(mirror, args);
  if (result.type === "ok") return { type: "tree", tree: result.stdout.split("\0")[0]?.trim() ?? "" };
  // Exit code 1 means conflicts; any other is a failure of git.
  if (result.exitCode !== 1) throw new GitError(args, result);
  const changed = await tryMirrorGit(mirror, ["diff", "--name-only", "-z", `${tip}...${head}`]);
  const files = changed.type === "ok" ? changed.stdout.split("\0").filter((file) => file !== "") : [];
  return { type: "conflict", files };
}

/**
 * Moves a branch of the person's repository from one commit to another that contains it: by compare-and-swap on the ref, or by
 * fast-forward in the checkout that has the branch, if that is clean (D24). The commit is first pushed to a ref of ours. In a remote
 * repository the branch is pushed, and moves only if it has not moved since we looked.
 */
export async function moveBranch(options: {
  readonly mirror: Mirror;
  readonly origin: RepositoryOrigin;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly carrier: string;
}): Promise<BranchMove> {
  const { mirror, origin, branch, from, to, carrier } = options;
  const { dir: repositoryPath, remote } = origin;
  assertCommit(from);
  assertCommit(to);
  await guardMirror(mirror);
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const rejected = await carry({ mirror, repositoryPath, to, carrier });
  if (rejected !== null) return { type: "refused", reason: "rejected", details: rejected };
  try {
    if (remote !== null) {
      const sent = await moveRemoteBranch({ dir: repositoryPath, remote }, branch, { from, to });
      if (sent.type === "sent") return { type: "moved" };
      const { kind, reason, next } = sent.trouble;
      if (kind === "unreachable") return { type: "refused", reason: "away", details: reason };
      const details = troubleSentence(sent.trouble);
      if (kind === "moved") return { type: "refused", reason: "diverged", details: next };
      return { type: "refused", reason: kind === "protected" ? "protected" : "rejected", details };
    }
    return await moveHere(repositoryPath, { branch, from, to });
  } finally {
    await tryGit(["update-ref", "-d", carrier], person);
  }
}
