/** What the history of a base branch says about work that may be in it. */

export interface HistoryCommit {
  readonly commit: string;
  readonly parents: readonly string[];
}

/** A commit whose message has git's standard words "This reverts commit …". */
export interface Revert {
  readonly commit: string;
  /** The commit it names; may be abbreviated, and may be none of this repository's. */
  readonly names: string;
}

/**
 * How a commit came to the branch: itself when it was fast-forwarded, else the commit of the first-parent line that
 * brought it, which is a merge. Null when this history does not hold it. `history` is the branch's, children before
 * parents, beginning with its tip.
 */
export function arrivalOf(history: readonly HistoryCommit[], commit: string): string | null {
  if (!history.some((each) => each.commit === commit)) return null;
  const parentsOf = new Map(history.map((each) => [each.commit, each.parents]));
  const holds = new Set([commit]);
  for (const each of history.toReversed()) {
    if (each.parents.some((parent) => holds.has(parent))) holds.add(each.commit);
  }
  let arrival: string | null = null;
  let next = history[0]?.commit;
  while (next !== undefined && holds.has(next) && arrival !== commit) {
    arrival = next;
    next = parentsOf.get(next)?.[0];
  }
  return arrival;
}

/** The commits of this history that one of them holds, itself included. */
export function heldByAny(history: readonly HistoryCommit[], commit: string): ReadonlySet<string> {
  const held = new Set([commit]);
  for (const each of history) {
    if (held.has(each.commit)) for (const parent of each.parents) held.add(parent);
  }
  return held;
}

/**
 * The revert by which these commits are taken back now: one that was itself reverted is not, unless that was reverted
 * too, and then it is the newest of them. Null when they are not. `reverts` newest first; only a newer one can revert
 * an older one, so messages that name each other end.
 */
export function revertInForce(reverts: readonly Revert[], commits: readonly string[]): string | null {
  for (const [index, { commit, names }] of reverts.entries()) {
    if (!commits.some((each) => each.startsWith(names))) continue;
    const newer = reverts.slice(0, index);
    if (revertInForce(newer, [commit]) !== null) continue;
    const undone = newer.filter((each) => commit.startsWith(each.names));
    return undone.map((each) => revertInForce(newer, [each.commit])).find((again) => again !== null) ?? commit;
  }
  return null;
}
