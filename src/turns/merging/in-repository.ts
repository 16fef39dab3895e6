import { onlyOne, type UnderName } from "../../db/connection/locks.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";

/**
 * Runs merge work in a repository, unless this or another process already does. With slow git filters that may take half an hour,
 * and other repositories do not wait for it. `stopping` aborts when this process ends; the signal passed to `work` also aborts when
 * another process may have taken over.
 */
export async function inRepository(
  { database }: Pick<Deps, "database">,
  { repositoryId }: Repository,
  stopping: AbortSignal | undefined,
  work: UnderName<void>,
): Promise<void> {
  await onlyOne(database.pool, `cos branches ${repositoryId}`, work, { stopping });
}
