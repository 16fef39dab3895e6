/** What the standing checks of a repository are called among criteria: `CHECK-1`, `CHECK-2`, … No criteria file has such an id. */

/** The id of a repository's check, which has its place from 1. */
export function repositoryCheckId(place: number): string {
  return `CHECK-${place}`;
}

/** Whether an id is that of a repository's check. */
export function isRepositoryCheck(id: string): boolean {
  return repositoryCheckPlace(id) !== null;
}

/** The place of the check that has this id, as it is written; null: it is that of no check. */
export function repositoryCheckPlace(id: string): string | null {
  return /^CHECK-(\d+)$/.exec(id)?.[1] ?? null;
}
