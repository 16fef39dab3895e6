import { assertCommit } from "./git.ts";
import { mergeTrees } from "./merge.ts";
import { guardMirror, type Mirror, mirrorGit } from "./mirror.ts";
import { isAncestor, treeOf } from "./refs.ts";

export type Rebased =
  /** `commit` contains `tip` and the work; it equals `tip` when that already contains the work. */
  | { readonly type: "rebased"; readonly commit: string }
  | { readonly type: "conflict"; readonly files: readonly string[] };

/**
 * Puts the work of `base`..`head` on `tip`, as linear commits with their messages, authors and times. Made from trees, without a
 * worktree; no ref points to the result yet. A commit that conflicts is folded into the next one, as long as the whole work does not
 * conflict. Safe to repeat: the same trees and times make the same commits. Throws `GitError`.
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
  const onTip = await puttingOn(mirror, base, tip);
  const whole = await onTip(head);
  if (whole.type === "conflict") return whole;
  const listed = await mirrorGit(mirror, ["rev-list", "--reverse", "--no-merges", `${base}..${head}`, `^${tip}`]);
  const commits = listed.split("\n").filter((line) => line !== "");
  const steps: { readonly commit: string; readonly tree: string }[] = [];
  for (const commit of commits) {
    const merged = await onTip(commit);
    if (merged.type === "tree") steps.push({ commit, tree: merged.tree });
  }
  // The last step must be the whole work, whatever merges or conflicts lie between.
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

/**
 * Returns a function that applies the changes since `base` to `tip`. When `tip` contains `base`, a normal merge is used, which knows
 * what was merged before. Otherwise the branch was rewritten, or `base` landed as other commits. Then only changes after `base` count,
 * whatever else the histories share.
 */
async function puttingOn(
  mirror: Mirror,
  base: string,
  tip: string,
): Promise<(commit: string) => ReturnType<typeof mergeTrees>> {
  if (await isAncestor(mirror, base, tip)) return (commit) => mergeTrees(mirror, tip, commit);
  const onBase = await asIfOn(mirror, base, tip);
  return async (commit) => await mergeTrees(mirror, onBase, await asIfOn(mirror, base, commit));
}

/** Creates a commit with another commit's files, and `base` as its only parent. No ref points to it. */
async function asIfOn(mirror: Mirror, base: string, commit: string): Promise<string> {
  const nobody = { NAME: "Chief of Staff", EMAIL: "chief-of-staff@localhost", DATE: "2000-01-01T00:00:00Z" };
  const environment = Object.fromEntries(
    Object.entries(nobody).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const args = ["commit-tree", await treeOf(mirror, commit), "-p", base, "-F", "-"];
  return (await mirrorGit(mirror, args, { environment, input: "As if on another commit\n" })).trim();
}

/** Creates a commit with the message, author and times of another one. */
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
