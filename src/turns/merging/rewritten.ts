import type { Mirror } from "../../agent/git/mirror.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Repository } from "../../db/repositories.ts";
import { getRun } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";

/**
 * Returns why a goal's commit must not be merged as it is: its base branch was rewritten without the commit on which the work began,
 * so a merge would bring that commit back. Null when this is not so, and for a goal on top of other goals, whose work may have landed
 * as other commits.
 */
export async function rewrittenWords(
  deps: Pick<Deps, "database" | "git">,
  { goalId, runId }: Goal,
  { mirror, tip, repository }: { readonly mirror: Mirror; readonly tip: string; readonly repository: Repository },
): Promise<string | null> {
  const run = runId === null ? null : await getRun(deps.database.db, runId);
  const base = run?.baseCommit ?? null;
  if (run === null || base === null || run.standsOn.length > 0) return null;
  if (await deps.git.contains(mirror, tip, base)) return null;
  const began = base.slice(0, 12);
  const { name, baseBranch: into } = repository;
  return `${into} was rewritten since this work began: ${began}, which it began on, is not part of it any more, and a merge would bring that back. Nothing was touched. On top of ${into} as it is now: cos merge all --repo ${name}; by hand: git rebase --onto ${into} ${began} ${branchOf(goalId)}`;
}
