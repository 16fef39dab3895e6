import { assertCommit } from "./git.ts";
import { mergeTrees } from "./merge.ts";
import { guardMirror, type Mirror, mirrorGit } from "./mirror.ts";
import { treeOf } from "./refs.ts";

export type Rebased =
  /** `commit` holds `tip` and the work; it is `tip` itself where the work is there already. */
  | { readonly type: "rebased"; readonly commit: string }
  | { readonly type: "conflict"; readonly files: readonly string[] };

/**
 * The work of `base`..`head` as commits on `tip`, with their messages, authors and times, in one line. Made from trees, without a
 * worktree; nothing refers to the result yet. Where only a commit in between conflicts, the work is one commit with the last
 * message. Safe to repeat: the same trees and times make the same commits. Throws `GitError`.
 */
export async function rebaseCommits(options: {
  readonly mirror: Mirror;
  readonly base: string;
  readonly head: string;
  readonly tip: string;
}): Promise<Rebased> {
  const { mirror, base, head, tip } = options;
  for (const commit of [base, head, tip]) assertCommit(commit);
  await guardMirror(mirror);
  const whole = await mergeTrees(mirror, tip, head);
  if (whole.type === "conflict") return whole;
  const listed = await mirrorGit(mirror, ["rev-list", "--reverse", "--no-merges", `${base}..${head}`, `^${tip}`]);
  const commits = listed.split("\n").filter((line) => line !== "");
  const steps: { readonly commit: string; readonly tree: string }[] = [];
  for (const commit of commits) {
    const merged = await mergeTrees(mirror, tip, commit);
    if (merged.type === "tree") steps.push({ commit, tree: merged.tree });
  }
  // The last one is the whole, whatever merges or conflicts lie between.
  const last = steps.at(-1);
  if (last?.tree !== whole.tree) steps.push({ commit: last?.commit ?? head, tree: whole.tree });

  let parent = tip;
  let tree = await treeOf(mirror, tip);
  for (const step of steps) {
    if (step.tree === tree) continue;
    parent = await commitLike(mirror, step.commit, step.tree, parent);
    tree = step.tree;
  }
  return { type: "rebased", commit: parent };
}

/** A commit with the message, author and time of another one. */
async function commitLike(mirror: Mirror, like: string, tree: string, parent: string): Promise<string> {
  const shown = await mirrorGit(mirror, ["show", "-s", "--format=%an%x00%ae%x00%aI%x00%cI%x00%B", like]);
  const [name = "", email = "", authored = "", committed = "", ...message] = shown.split("\0");
  const environment = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: authored,
    GIT_COMMITTER_NAME: "Chief of Staff",
    GIT_COMMITTER_EMAIL: "chief-of-staff@localhost",
    GIT_COMMITTER_DATE: committed,
  };
  const args = ["commit-tree", tree, "-p", parent, "-F", "-"];
  return (await mirrorGit(mirror, args, { environment, input: message.join("\0") })).trim();
}
