import { mergeFirstWords } from "../../core/cards/ground-words.ts";
import { awayWords, lockedWords, movedWords, otherBaseWords } from "../../core/cards/merge-words.ts";
import { shownPath } from "../../core/text.ts";
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
 * Tries a merge that is due. The base branch is read again, and nothing in the person's repository changes except that branch. `below`:
 * the ids of unmerged goals that this one is on top of. Throws `GitError`.
 */
export async function tryToMerge(
  deps: TryMergeDeps,
  merge: Merge,
  repository: Repository,
  below: readonly string[],
): Promise<Ended | Waits> {
  if (below.length > 0) {
    // It was requested while the other merge was under way, which has been undone or refused since (D37).
    const { reason, next } = mergeFirstWords(merge.goalId, below);
    return refusedMerge(`${reason}. Nothing was touched. Go on with: ${next}`);
  }
  const goal = await getGoal(deps.database.db, merge.goalId);
  const base = goal === null ? null : await pinBase(deps, goal.repositoryId);
  if (goal === null || base === null) throw new Error(`merge ${merge.mergeId} without its goal`);
  // It was sent before, and the process was stopped or the result is unknown.
  const wasAsked = merge.status === "merging";
  if (base.type === "failed") {
    if (base.away !== null) return tryLater(deps, merge, { ...awayWords(base.away.reason), wasAsked });
    // The merge queue waits until it can read the base again, and leaves no branch out.
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
    const files = merged.files.slice(0, 10).map(shownPath).join(", ");
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
  // The two sides were combined here, and nobody has verified the combination (D14).
  const outcome = merged.commit === head ? null : movedWords(into);
  if (moved.type === "moved") return { status: "merged", resultCommit: merged.commit, outcome, conflict: null };
  // Another process may have performed the merge meanwhile, and that merge may be why the branch did not move.
  const after = await pinBase(deps, goal.repositoryId);
  if (after.type === "pinned" && (await deps.git.contains(after.mirror, after.commit, head)))
    return { status: "merged", resultCommit: after.commit, outcome: null, conflict: null };
  return notMoved(deps, { merge, byHand, hasMoved: after.type !== "pinned" || after.commit !== tip }, moved);
}

interface NotMoved {
  readonly merge: Merge;
  readonly byHand: string;
  /** True when the branch was at another commit afterwards, or could not be read. */
  readonly hasMoved: boolean;
}

/** Returns the result of a merge whose branch did not move. */
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
      // The queue tries again only if the branch has moved. Otherwise it would repeat the same attempt for ever.
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

/** The tip has moved: nobody has verified this work together with the new commits. */
function tipMoved({ into, goalId }: Merge, verifiedOn: string): Ended {
  const outcome = `${into} has moved since it was verified on ${verifiedOn.slice(0, 12)}: the merge queue verifies it again; without one: cos goal merge ${goalId}`;
  return { status: "undone", resultCommit: null, outcome, conflict: null };
}
