import { readBranches } from "../agent/git/git-state.ts";
import type { Goal } from "../core/goals/goal.ts";
import { type Ground, type MergeNode, needsMergedFirst } from "../core/goals/ground.ts";
import type { FinishedBranch } from "../core/reports/branches.ts";
import type { Db } from "../db/connection/client.ts";
import { goalsById } from "../db/goals.ts";
import { groundsOf } from "../db/grounds.ts";
import { findRepository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import type { Deps } from "../deps.ts";
import { refresh } from "../agent/git/remote.ts";
import { mirrorDirOf } from "../paths.ts";
import { originOf } from "./origin.ts";
import { branchOf } from "../core/goals/branch.ts";

/** What a goal needs merged before it is merged itself (D37), each in the order in which it is to be. */
export interface MergeOrder {
  /** Nobody has asked for it yet. */
  readonly open: readonly string[];
  /** Asked for, and not done. */
  readonly underWay: readonly string[];
}

/** By rows, and by git where those say that nobody has: people merge by hand, also squashed. Never in a transaction. */
export async function mergeOrderOf(
  deps: Pick<Deps, "database" | "config" | "policy">,
  goal: Pick<Goal, "goalId" | "after" | "repositoryId">,
): Promise<MergeOrder> {
  const { db } = deps.database;
  if (goal.after.length === 0) return { open: [], underWay: [] };
  const nodes = new Map<string, MergeNode>([[goal.goalId, { after: goal.after, state: "open" }]]);
  const grounds = await nodesUnder(db, goal.after, nodes);
  const byHand = await mergedByHand(
    deps,
    goal.repositoryId,
    grounds.filter((ground) => nodes.get(ground.goalId)?.state === "open"),
  );
  for (const goalId of byHand) nodes.set(goalId, { after: nodes.get(goalId)?.after ?? [], state: "merged" });
  const first = needsMergedFirst(goal.goalId, nodes);
  return {
    open: first.filter((goalId) => nodes.get(goalId)?.state === "open"),
    underWay: first.filter((goalId) => nodes.get(goalId)?.state === "under-way"),
  };
}

/** By rows alone: for cards, which are drawn in transactions. */
export async function mergeOrderByRows(db: Db, goal: Pick<Goal, "goalId" | "after">): Promise<readonly string[]> {
  if (goal.after.length === 0) return [];
  const nodes = new Map<string, MergeNode>([[goal.goalId, { after: goal.after, state: "open" }]]);
  await nodesUnder(db, goal.after, nodes);
  return needsMergedFirst(goal.goalId, nodes);
}

/** The same of several goals, with what lies below each of them, by rows alone. */
export async function mergeNodesOf(
  db: Db,
  goals: readonly Pick<Goal, "goalId" | "after">[],
): Promise<{ readonly nodes: Map<string, MergeNode>; readonly contents: ReadonlyMap<string, string> }> {
  const nodes = new Map<string, MergeNode>();
  const builders = goals.filter((goal) => goal.after.length > 0).map((goal) => goal.goalId);
  const grounds = await nodesUnder(db, builders, nodes);
  return { nodes, contents: new Map(grounds.map(({ goalId, content }) => [goalId, content])) };
}

/** Fills in these goals and what lies under them; returns all of it. */
async function nodesUnder(db: Db, after: readonly string[], nodes: Map<string, MergeNode>): Promise<Ground[]> {
  const found: Ground[] = [];
  let next = [...after];
  while (next.length > 0) {
    const grounds = [...(await groundsOf(db, next)).values()];
    const goals = await goalsById(db, next);
    next = [];
    for (const ground of grounds) {
      if (nodes.has(ground.goalId)) continue;
      const state = stateOf(ground);
      const under = state === "merged" ? [] : (goals.find((goal) => goal.goalId === ground.goalId)?.after ?? []);
      nodes.set(ground.goalId, { after: under, state });
      found.push(ground);
      next.push(...under);
    }
  }
  return found;
}

function stateOf({ merge, hasBranch, commit }: Ground): MergeNode["state"] {
  if (merge === "merged" || !hasBranch || commit === null) return "merged";
  return merge === "due" || merge === "merging" ? "under-way" : "open";
}

/** Those whose commit, or whose change, the base branch has: nobody told us. */
async function mergedByHand(
  deps: Pick<Deps, "database" | "config" | "policy">,
  repositoryId: string,
  grounds: readonly Ground[],
): Promise<string[]> {
  const repository = grounds.length === 0 ? null : await findRepository(deps.database.db, repositoryId);
  if (repository === null) return [];
  const branches: FinishedBranch[] = [];
  for (const { goalId, content, commit, runId } of grounds) {
    const run = runId === null ? null : await getRun(deps.database.db, runId);
    if (commit === null || run === null) continue;
    const endedAt = run.endedAt ?? run.startedAt;
    const { baseCommit } = run;
    branches.push({ goalId, content, branch: branchOf(goalId), headCommit: commit, baseCommit, endedAt, merge: null });
  }
  const { baseBranch } = repository;
  const origin = originOf(deps.config, repository);
  const repositoryPath = origin.dir;
  const mirrorDir = mirrorDirOf(deps.config.dataDir, repositoryId);
  const withinMs = deps.policy.standup.readWithinMs;
  await refresh(origin, baseBranch, { withinMs });
  const read = await readBranches({ repositoryPath, baseBranch, mirrorDir, branches, withinMs });
  return [...read.branches].flatMap(([goalId, seen]) => (seen.type === "read" && seen.held !== "no" ? [goalId] : []));
}
