/** The standing checks of a repository have the ids `CHECK-1`, `CHECK-2`, … among criteria. No criteria file may use such an id. */

/** The id of a repository's check; places count from 1. */
export function repositoryCheckId(place: number): string {
  return `CHECK-${place}`;
}

/** True when an id is that of a repository's check. */
export function isRepositoryCheck(id: string): boolean {
  return repositoryCheckPlace(id) !== null;
}

/** The place of the check with this id, as it is written. Null when the id is not that of a check. */
export function repositoryCheckPlace(id: string): string | null {
  return /^CHECK-(\d+)$/.exec(id)?.[1] ?? null;
}
