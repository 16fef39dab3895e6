import type { GoalStatus } from "./goal.ts";

/** Goals on top of others (`--after`, D37): what they stand on, what they wait for, what is merged before them. */

/** A goal that another one is on top of, as far as that one needs to know. */
export interface Ground {
  readonly goalId: string;
  readonly content: string;
  readonly status: GoalStatus;
  /** Its newest run, and the commit that it recorded; null: it has none yet. */
  readonly runId: string | null;
  readonly commit: string | null;
  /** It changed files: there is a branch to merge. */
  readonly hasBranch: boolean;
  /** What was decided last about that commit; null: nothing yet. */
  readonly merge: "due" | "merging" | "merged" | "undone" | "refused" | "discarded" | null;
}

/** What a run was put on top of: a goal, the run of it, the commit that this run recorded. */
export interface StandsOn {
  readonly goalId: string;
  readonly runId: string;
  readonly commit: string;
}

/** Whether a goal on top of it can begin: it is complete, still to come, or lost until a person brings it back. */
export type GroundState = "ready" | "to-come" | "lost";

/**
 * A complete goal is ready, also one whose lines are only claimed: what was to be verified of it has been, and its card and
 * those on top of it say which (D27). One that was skipped, failed, left to a person or discarded is lost (D37).
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

/** Which of the goals that one is on top of are not ready yet; what is not known any more is not waited for. */
export function unmetOf(after: readonly string[], grounds: ReadonlyMap<string, Ground>): string[] {
  return after.filter((goalId) => {
    const ground = grounds.get(goalId);
    return ground !== undefined && groundState(ground) !== "ready";
  });
}

/** Where a run stands when it is put on these goals as they are; null: one of them is not ready. */
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

/** Whether a run stands on exactly these: another run of one of them, even with the same commit, is another ground (D37). */
export function standsAlike(one: readonly StandsOn[], other: readonly StandsOn[]): boolean {
  const key = (stands: readonly StandsOn[]): string =>
    JSON.stringify(stands.map((each) => `${each.goalId} ${each.runId}`).sort());
  return key(one) === key(other);
}

/** Which goals each goal is on top of, by goal. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/** A circle that goes through a goal: from it, over what it is on top of, back to it; null: there is none. */
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

/** A goal on the way down, for what must be merged before another one. */
export interface MergeNode {
  readonly after: readonly string[];
  /** Merged, or nothing of it is to be merged; on its way; or neither. */
  readonly state: "merged" | "under-way" | "open";
}

/**
 * The goals that must be merged before this one, in the order in which they are: what lies lowest comes first. A merged
 * goal has everything that it is on top of in it. D37.
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
 * Those of the goals that a session can work: what each waits for is among them, or in the session already (`present`). The
 * others wait for somebody outside of it.
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
