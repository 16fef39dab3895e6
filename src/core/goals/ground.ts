import type { GoalStatus } from "./goal.ts";

/** Goals that build on others (`--after`, D37): their ground, what they wait for, and what is merged before them. */

/** The facts about a builder goal that the goal building on it needs. */
export interface Ground {
  readonly goalId: string;
  readonly content: string;
  readonly status: GoalStatus;
  /** Its newest run and the commit that the run recorded. Null when there is none yet. */
  readonly runId: string | null;
  readonly commit: string | null;
  /** True when it changed files, so that there is a branch to merge. */
  readonly hasBranch: boolean;
  /** The last merge decision about that commit. Null when there is none yet. */
  readonly merge: "due" | "merging" | "merged" | "undone" | "refused" | "discarded" | null;
}

/** One part of a run's ground: a goal, its run, and the commit that this run recorded. */
export interface StandsOn {
  readonly goalId: string;
  readonly runId: string;
  readonly commit: string;
}

/** ready: complete. to-come: not ended yet. lost: ended without a usable result, until a person resumes it. */
export type GroundState = "ready" | "to-come" | "lost";

/**
 * Returns whether a goal that builds on this one can begin. A complete goal is ready, even when some criteria are only claimed;
 * its card and the cards of goals on top of it list these (D27). A skipped, failed, manual or discarded goal is lost (D37).
 */
export function groundState({ status, merge }: Pick<Ground, "status" | "merge">): GroundState {
  switch (status) {
    case "complete":
      return merge === "discarded" ? "lost" : "ready";
    case "failed":
    case "deferred":
    case "manual_followup":
      return "lost";
    case "pending":
    case "in_progress":
    case "blocked":
      return "to-come";
  }
}

/** Returns the goals in `after` that are not ready yet. Unknown goals are not waited for. */
export function unmetOf(after: readonly string[], grounds: ReadonlyMap<string, Ground>): string[] {
  return after.filter((goalId) => {
    const ground = grounds.get(goalId);
    return ground !== undefined && groundState(ground) !== "ready";
  });
}

/** Returns the ground of a run that begins now on these goals. Null when one of them is not ready. */
export function standingOn(after: readonly string[], grounds: ReadonlyMap<string, Ground>): StandsOn[] | null {
  const stands: StandsOn[] = [];
  for (const goalId of after) {
    const ground = grounds.get(goalId);
    if (ground === undefined) continue;
    if (groundState(ground) !== "ready") return null;
    const { runId, commit } = ground;
    if (runId !== null && commit !== null) stands.push({ goalId, runId, commit });
  }
  return stands;
}

/** True when both name the same goals and runs. Another run of a goal is another ground, even with the same commit (D37). */
export function standsAlike(one: readonly StandsOn[], other: readonly StandsOn[]): boolean {
  const key = (stands: readonly StandsOn[]): string =>
    JSON.stringify(stands.map((each) => `${each.goalId} ${each.runId}`).sort());
  return key(one) === key(other);
}

/** The goals that each goal builds on, by goal id. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/** Returns a cycle through the goal, from it along `after` back to it. Null when there is none. */
export function circleThrough(goalId: string, edges: Edges): string[] | null {
  const seen = new Set<string>();
  const look = (from: string): string[] | null => {
    for (const next of edges.get(from) ?? []) {
      if (next === goalId) return [from, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = look(next);
      if (found !== null) return [from, ...found];
    }
    return null;
  };
  return look(goalId);
}

/** A goal in the dependency graph, for finding the goals that must be merged before another. */
export interface MergeNode {
  readonly after: readonly string[];
  /** merged: merged, or it has nothing to merge. under-way: the merge is in progress. open: neither. */
  readonly state: "merged" | "under-way" | "open";
}

/**
 * Returns the goals that must be merged before this one, in merge order, the deepest dependency first. Dependencies of a merged
 * goal are not followed: the merge already contains them. D37.
 */
export function needsMergedFirst(goalId: string, nodes: ReadonlyMap<string, MergeNode>): string[] {
  const order: string[] = [];
  const seen = new Set<string>([goalId]);
  const look = (from: string): void => {
    for (const next of nodes.get(from)?.after ?? []) {
      const node = nodes.get(next);
      if (node === undefined || node.state === "merged" || seen.has(next)) continue;
      seen.add(next);
      look(next);
      order.push(next);
    }
  };
  look(goalId);
  return order;
}

/**
 * Returns the goals that a session can work: every goal they wait for is also in the list, or already in the session (`present`).
 * The others wait for a goal outside the session.
 */
export function takeable<Waiting extends { readonly goalId: string; readonly unmet: readonly string[] }>(
  goals: readonly Waiting[],
  present: ReadonlySet<string>,
): Waiting[] {
  let taken = [...goals];
  for (let left = -1; left !== taken.length; ) {
    left = taken.length;
    const ids = new Set([...present, ...taken.map((goal) => goal.goalId)]);
    taken = taken.filter((goal) => goal.unmet.every((each) => ids.has(each)));
  }
  return taken;
}
