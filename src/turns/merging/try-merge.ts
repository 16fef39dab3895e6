import { mergeFirstWords } from "../../core/cards/ground-words.ts";
import { awayWords, lockedWords, movedWords, otherBaseWords } from "../../core/cards/merge-words.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { branchOf } from "../../core/goals/branch.ts";
import { getGoal } from "../../db/goals.ts";
import type { Merge } from "../../db/merges.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { originOf } from "../../facts/origin.ts";
import { ensureCommit } from "../goal/ground.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { pinBase } from "../shared/base.ts";
import type { BranchMove } from "../../agent/git/move-here.ts";
import { type Ended, refusedMerge, type Waits } from "./ended.ts";
import { mergeThere } from "./merge-there.ts";
import { rewrittenWords } from "./rewritten.ts";
import { tryLater } from "./try-later.ts";

type TryMergeDeps = Pick<Deps, "database" | "git" | "log" | "openForge"> & AskDeps;

/**
 * Tries a merge whose time has come: what it is merged with is read anew, and nothing of the person's is touched but the branch. `below`:
 * what it is on top of and is not merged. Throws `GitError`.
 */
export async function tryToMerge(
  deps: TryMergeDeps,
  merge: Merge,
  repository: Repository,
  below: readonly string[],
): Promise<Ended | Waits> {
  if (below.length > 0) {
    // It was asked for when the other merge was on its way, which was undone or refused since (D37).
    const { reason, next } = mergeFirstWords(merge.goalId, below);
    return refusedMerge(`${reason}. Nothing was touched. Go on with: ${next}`);
  }
  const goal = await getGoal(deps.database.db, merge.goalId);
  const base = goal === null ? null : await pinBase(deps, goal.repositoryId);
  if (goal === null || base === null) throw new Error(`merge ${merge.mergeId} without its goal`);
  // It was asked before and that was cut off, or nobody knows what came of it.
  const wasAsked = merge.status === "merging";
  if (base.type === "failed") {
    if (base.away !== null) return tryLater(deps, merge, { ...awayWords(base.away.reason), wasAsked });
    // Its queue waits until it can look again, and takes nothing out for it.
    return merge.verifiedOn === null ? refusedMerge(base.reason) : { ...refusedMerge(base.reason), status: "undone" };
  }
  const { mirror, commit: tip } = base;
  const { into, headCommit: head, goalId } = merge;
  if (into !== base.repository.baseBranch)
    return refusedMerge(otherBaseWords(into, base.repository, `cos goal merge ${goalId}`));
  const origin = originOf(deps.config, repository);
  const byHand =
    origin.remote === null
      ? `git -C ${shellWord(origin.dir)} merge ${branchOf(goalId)}`
      : `git pull ${shellWord(origin.remote.url)} ${branchOf(goalId)} (on ${into}, in a clone of yours)`;
  if (!(await ensureCommit({ git: deps.git, mirror }, goalId, head)))
    return refusedMerge(`${branchOf(goalId)} is not there any more, and its commit is not on this machine`);
  if (await deps.git.contains(mirror, tip, head))
    return { status: "merged", resultCommit: tip, outcome: null, conflict: null };
  if (merge.verifiedOn !== null && merge.verifiedOn !== tip) return tipMoved(merge, merge.verifiedOn);
  const rewritten = await rewrittenWords(deps, goal, { mirror, tip, repository: base.repository });
  if (rewritten !== null) return refusedMerge(rewritten);

  const message = `Merge ${branchOf(goalId)}\n\nCos-Goal: ${goalId}\nCos-Approved-By: ${merge.requestedBy}\n`;
  const merged = await deps.git.mergeCommits({ mirror, tip, head, message });
  if (merged.type === "conflict") {
    const files = merged.files.slice(0, 10).join(", ");
    const outcome = `It conflicts with ${into} (changed on this side: ${files}). Nothing was touched. Merge by hand: ${byHand}`;
    return { ...refusedMerge(outcome), conflict: { tip, files: merged.files } };
  }
  const there = await mergeThere(deps, { merge, repository, message });
  if (there !== null) return there;
  if (base.away !== null) return tryLater(deps, merge, { ...awayWords(base.away.reason), wasAsked });
  const carrier = `refs/cos/merging/${goalId}`;
  const moved = await deps.git.moveBranch({
    mirror,
    origin,
    branch: into,
    from: tip,
    to: merged.commit,
    carrier,
  });
  // Of two that were put together here nobody has verified both (D14).
  const outcome = merged.commit === head ? null : movedWords(into);
  if (moved.type === "moved") return { status: "merged", resultCommit: merged.commit, outcome, conflict: null };
  // Another process may have done it meanwhile: what stood in our way is its merge then.
  const after = await pinBase(deps, goal.repositoryId);
  if (after.type === "pinned" && (await deps.git.contains(after.mirror, after.commit, head)))
    return { status: "merged", resultCommit: after.commit, outcome: null, conflict: null };
  return notMoved(deps, { merge, byHand, hasMoved: after.type !== "pinned" || after.commit !== tip }, moved);
}

interface NotMoved {
  readonly merge: Merge;
  readonly byHand: string;
  /** Whether the branch was seen elsewhere afterwards, or could not be seen. */
  readonly hasMoved: boolean;
}

/** What becomes of a merge whose branch did not move. */
function notMoved(
  deps: TryMergeDeps,
  { merge, byHand, hasMoved }: NotMoved,
  { reason, details }: Extract<BranchMove, { type: "refused" }>,
): Ended | Waits {
  const { into, goalId, verifiedOn } = merge;
  switch (reason) {
    case "dirty":
      return refusedMerge(
        `${into} is checked out with changes in ${details}. Nothing was touched. Commit or stash them, then merge again, or: ${byHand}`,
      );
    case "diverged":
      // Its queue looks again only where there is something new to see: else the same would be tried for ever.
      if (!hasMoved) return refusedMerge(`${into} was not touched: ${details}. Then: cos goal merge ${goalId}`);
      if (verifiedOn !== null) return tipMoved(merge, verifiedOn);
      return refusedMerge(`${into} moved meanwhile. Nothing was touched. Merge again, or: ${byHand}`);
    case "locked":
      return tryLater(deps, merge, { ...lockedWords(details), wasAsked: false });
    case "away":
      return tryLater(deps, merge, { ...awayWords(details), wasAsked: true });
    case "blocked":
      return refusedMerge(`${into} was not touched: ${details}. Then: cos goal merge ${goalId}`);
    case "cut":
      return refusedMerge(
        `${into} was not moved, and files of its checkout may be half written: ${details}. Look at them (git status) and put them back; then: cos goal merge ${goalId}`,
      );
    case "protected":
      return refusedMerge(`${into} was not touched: ${details}`);
    case "rejected":
      return refusedMerge(`the repository refused it: ${details}`);
  }
}

/** Together with what landed meanwhile nobody has verified it. */
function tipMoved({ into, goalId }: Merge, verifiedOn: string): Ended {
  const outcome = `${into} has moved since it was verified on ${verifiedOn.slice(0, 12)}: the merge queue verifies it anew; without one: cos goal merge ${goalId}`;
  return { status: "undone", resultCommit: null, outcome, conflict: null };
}
