import { lackingLabels } from "../core/labels.ts";
import type { Db } from "../db/connection/client.ts";
import type { Repository } from "../db/repositories.ts";
import { runningWorkers } from "../db/workers.ts";

/** The labels for want of which no worker takes a repository's goals; empty: one that runs may, or none are needed. */
export async function lackingFor(db: Db, repository: Pick<Repository, "labels"> | null): Promise<string[]> {
  if (repository === null || repository.labels.length === 0) return [];
  return lackingLabels(repository.labels, await runningWorkers(db));
}
