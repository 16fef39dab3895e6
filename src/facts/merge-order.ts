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

/** The goals that must be merged before a goal is merged (D37), each list in merge order. */
export interface MergeOrder {
  /** Goals whose merge nobody has asked for yet. */
  readonly open: readonly string[];
  /** Goals whose merge was asked for and is not done. */
  readonly underWay: readonly string[];
}

/**
 * Reads the merge order from rows, and from git for goals that are not merged by the rows: people also merge by hand, and squash. Do not
 * call it in a transaction.
 */
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

/** The goals that must be merged before a goal, by rows alone: for cards, which are drawn in transactions. */
export async function mergeOrderByRows(db: Db, goal: Pick<Goal, "goalId" | "after">): Promise<readonly string[]> {
  if (goal.after.length === 0) return [];
  const nodes = new Map<string, MergeNode>([[goal.goalId, { after: goal.after, state: "open" }]]);
  await nodesUnder(db, goal.after, nodes);
  return needsMergedFirst(goal.goalId, nodes);
}

/** The merge nodes of several goals and of all goals below them, by rows alone, with the texts of these goals. */
export async function mergeNodesOf(
  db: Db,
  goals: readonly Pick<Goal, "goalId" | "after">[],
): Promise<{ readonly nodes: Map<string, MergeNode>; readonly contents: ReadonlyMap<string, string> }> {
  const nodes = new Map<string, MergeNode>();
  const builders = goals.filter((goal) => goal.after.length > 0).map((goal) => goal.goalId);
  const grounds = await nodesUnder(db, builders, nodes);
  return { nodes, contents: new Map(grounds.map(({ goalId, content }) => [goalId, content])) };
}

/** Adds these goals and all goals below them to `nodes`. Returns those that it added. */
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

/** Ids of the goals whose commit or change is in the base branch, although no merge was recorded. */
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
