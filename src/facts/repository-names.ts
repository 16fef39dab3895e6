import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { listRepositories } from "../db/repositories.ts";

/** Repository names by goal id. Empty when all goals are of one repository, as nobody needs the name then. */
export async function repositoriesOf(
  db: Db,
  goals: readonly Pick<Goal, "goalId" | "repositoryId">[],
): Promise<ReadonlyMap<string, string>> {
  if (new Set(goals.map((goal) => goal.repositoryId)).size < 2) return new Map();
  const names = new Map((await listRepositories(db)).map((each) => [each.repositoryId, each.name]));
  return new Map(goals.map(({ goalId, repositoryId }) => [goalId, names.get(repositoryId) ?? repositoryId]));
}
