/** What the history of a base branch says about work that it may contain. */

export interface HistoryCommit {
  readonly commit: string;
  readonly parents: readonly string[];
}

/** A commit whose message contains git's standard words "This reverts commit …". */
export interface Revert {
  readonly commit: string;
  /** The commit that it names. May be abbreviated, and may not exist in this repository. */
  readonly names: string;
}

/**
 * The commit by which a commit came to the branch: itself when it was fast-forwarded, else the merge on the first-parent line that brought
 * it. Null when the history does not contain it. `history`: the branch's commits, children before parents, starting with its tip.
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

/** The commits of this history that are reachable from the given commit, including itself. */
export function heldByAny(history: readonly HistoryCommit[], commit: string): ReadonlySet<string> {
  const held = new Set([commit]);
  for (const each of history) {
    if (held.has(each.commit)) for (const parent of each.parents) held.add(parent);
  }
  return held;
}

/**
 * The newest revert that is in force for these commits. Null when they are not reverted. A revert that was reverted does not count, unless
 * that second revert was reverted too. `reverts` come newest first; only a newer one can revert an older one, so the recursion ends even if
 * messages name each other.
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
