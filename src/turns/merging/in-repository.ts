import { onlyOne, type UnderName } from "../../db/connection/locks.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";

/**
 * Merges in a repository, unless somebody else is at it, in this process or in another one: with slow filters that may take half an
 * hour, for which no other repository waits. `stopping`: this process ends; the work's own signal says also when another one may be at it.
 */
export async function inRepository(
  { database }: Pick<Deps, "database">,
  { repositoryId }: Repository,
  stopping: AbortSignal | undefined,
  work: UnderName<void>,
): Promise<void> {
  await onlyOne(database.pool, `cos branches ${repositoryId}`, work, { stopping });
}
