import { lackOf } from "../core/lacks.ts";
import type { Db } from "../db/connection/client.ts";
import type { Repository } from "../db/repositories.ts";
import { workersElsewhere } from "../db/workers.ts";
import type { Deps } from "../deps.ts";

/** Another machine with a running worker that has the folder of a repository. Null when no worker has reported that. */
export async function machineWith(
  db: Db,
  { machine }: Pick<Deps["config"], "machine">,
  { repositoryId }: Pick<Repository, "repositoryId">,
): Promise<string | null> {
  const others = await workersElsewhere(db, machine);
  const having = others.find(
    (other) => other.isRunning && lackOf(other.lacks, { repositoryId, agent: false }) === null,
  );
  return having?.machine ?? null;
}
