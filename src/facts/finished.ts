import type { Goal } from "../core/goals/goal.ts";
import { needsMergedFirst } from "../core/goals/ground.ts";
import type { BranchState } from "../core/reports/branches.ts";
import type { MergeBefore } from "../core/reports/standup-facts.ts";
import type { Db } from "../db/connection/client.ts";
import { goalsById } from "../db/goals.ts";
import { branchesUnderWay, foundMerged, undecidedBranches } from "../db/standup.ts";
import type { Deps } from "../deps.ts";
import { mergeNodesOf } from "./merge-order.ts";

/** Finished branches as reports show them: which wait for a decision, and which comes first. */
export interface FinishedBranches {
  readonly states: ReadonlyMap<string, BranchState>;
  readonly underWay: ReadonlyMap<string, "merging" | "queued">;
  /** The branches to merge before each of them (D37), in order. Branches with none are missing. */
  readonly mergeFirst: ReadonlyMap<string, readonly MergeBefore[]>;
  /** Goals below them that were not among the given goals. */
  readonly below: readonly Goal[];
}

type States = ReadonlyMap<string, BranchState>;

/**
 * Finds the merge order of finished branches. `states`: the state of the branches of `goals`, by git or by rows. It may also contain other
 * goals.
 */
export async function finishedOf(
  db: Db,
  deps: Pick<Deps, "now">,
  goals: readonly Goal[],
  states: States,
): Promise<FinishedBranches> {
  const underWay = await branchesUnderWay(db);
  const undecided = goals.filter(({ goalId }) => states.get(goalId)?.type === "not-merged" && !underWay.has(goalId));
  const { nodes, contents } = await mergeNodesOf(db, undecided);

  const open = [...nodes].flatMap(([goalId, { state }]) => (state === "open" ? [goalId] : []));
  const unknown = open.filter((goalId) => !states.has(goalId));
  const looked = await undecidedStates(db, deps, { goalIds: unknown });
  const byHand = await foundMerged(db, unknown);
  for (const goalId of open) {
    const after = nodes.get(goalId)?.after ?? [];
    if (isInBase(states.get(goalId)) || byHand.has(goalId)) nodes.set(goalId, { after, state: "merged" });
    else if (underWay.has(goalId)) nodes.set(goalId, { after, state: "under-way" });
  }

  const mergeFirst = new Map(
    undecided.flatMap(({ goalId }): [string, MergeBefore[]][] => {
      const first = needsMergedFirst(goalId, nodes).map((each) => {
        return { goalId: each, content: contents.get(each) ?? "", isUnderWay: nodes.get(each)?.state === "under-way" };
      });
      return first.length === 0 ? [] : [[goalId, first]];
    }),
  );
  const named = new Set([...mergeFirst.values()].flat().map((each) => each.goalId));
  const below = [...looked.keys()].filter(
    (goalId) => named.has(goalId) && goals.every((goal) => goal.goalId !== goalId),
  );
  return { states: new Map([...looked, ...states]), underWay, mergeFirst, below: await goalsById(db, below) };
}

/** Finished branches about which nobody has decided, by the rows. */
export async function undecidedStates(
  db: Db,
  deps: Pick<Deps, "now">,
  which: Parameters<typeof undecidedBranches>[1],
): Promise<Map<string, BranchState>> {
  if ("goalIds" in which && which.goalIds.length === 0) return new Map();
  const now = deps.now().getTime();
  const undecided = await undecidedBranches(db, which);
  return new Map(
    undecided.map(({ goalId, endedAt }) => [
      goalId,
      { type: "not-merged", sinceMs: Math.max(0, now - endedAt.getTime()) },
    ]),
  );
}

/** True when the base branch contains it, or did so before a revert: no other merge has to wait for it. */
function isInBase(state: BranchState | undefined): boolean {
  switch (state?.type) {
    case "merged":
    case "merged-by-hand":
    case "reverted":
      return true;
    case "discarded":
    case "merging":
    case "lost":
    case "branch-gone":
    case "not-merged":
    case undefined:
      return false;
  }
}
