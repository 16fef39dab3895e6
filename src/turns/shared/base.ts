import { stat } from "node:fs/promises";
import { GitError } from "../../agent/git/git.ts";
import type { Mirror } from "../../agent/git/mirror.ts";
import { findRepository, type Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { mirrorDirOf } from "../../paths.ts";

export type Base =
  | { readonly type: "pinned"; readonly mirror: Mirror; readonly repository: Repository; readonly commit: string }
  | { readonly type: "failed"; readonly reason: string };

/** Where the base branch of a goal's repository stands now, fetched into the mirror (D14, D23). `known`: its row, where that was read. */
export async function pinBase(
  deps: Pick<Deps, "database" | "config" | "git">,
  repositoryId: string,
  known: Repository | null = null,
): Promise<Base> {
  const repository = known ?? (await findRepository(deps.database.db, repositoryId));
  if (repository === null) return { type: "failed", reason: `repository ${repositoryId} is not known any more` };
  const there = await stat(repository.path).catch(() => null);
  if (there === null) {
    return {
      type: "failed",
      reason: `the repository ${repository.name} is not at ${repository.path} any more: cos repo add PATH --name ${repository.name}`,
    };
  }
  try {
    const mirrorDir = mirrorDirOf(deps.config.dataDir, repositoryId);
    const mirror = await deps.git.openMirror({ mirrorDir, repositoryPath: repository.path });
    const commit = await deps.git.fetchBase(mirror, repository.baseBranch);
    return { type: "pinned", mirror, repository, commit };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { type: "failed", reason: error.message };
  }
}
