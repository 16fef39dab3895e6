import { existsSync } from "node:fs";
import { holdsAnyOf } from "../agent/git/repository.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { isRemote } from "../core/remotes/location.ts";
import { newestBasesOf } from "../db/runs.ts";
import { lockRepository, repositoryAt, type Repository, updateRepository } from "../db/repositories.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { type Caller, type CommandResult, done, refused } from "./command.ts";
import { settingLines } from "./repo-settings.ts";

/** A repository whose folder was moved: adding it again at its new path, under its name, keeps its goals. */

/**
 * True when the known repository of this name may be the one that is added: the person named it so, and its old folder no longer exists.
 * Its goals, branches and settings stay.
 */
export function isGone(known: Repository, named: string | undefined): boolean {
  return named === known.name && !isRemote(known.location) && !existsSync(known.location);
}

/** Changes a repository's path. Refused when the new path contains another repository than the one in which its goals were worked. */
export async function moveRepository(
  deps: Deps,
  { actor, via }: Caller,
  known: Repository,
  path: string,
): Promise<CommandResult> {
  const { repositoryId, name } = known;
  const bases = await newestBasesOf(deps.database.db, repositoryId);
  const [newest] = bases;
  // A single base commit may be missing after the history was rewritten, so several are tried.
  if (newest !== undefined && !(await holdsAnyOf(path, bases)))
    return refused(
      `${path} is another repository than ${name} was at ${known.location}: it does not have the commit ${newest.slice(0, 12)}`,
      "name it with --name N",
    );
  const isTaken = await deps.database.transaction(async (tx) => {
    await lockRepository(tx, repositoryId);
    if ((await repositoryAt(tx, path)) !== null) return true;
    await updateRepository(tx, repositoryId, { location: path, removedAt: null });
    const detail = { repositoryId, name, settings: ["location"] };
    await appendTimeline(tx, { event: "repository.changed", actor, via, at: deps.now(), detail });
    return false;
  });
  if (isTaken) return refused(`${path} is known already`, "cos repo list");
  const { location: was, ...settings } = known;
  return done({ path, ...settings }, confirmationCard(newFolderWords({ name, was, path }), settingLines(known)));
}

/** Says that a repository has another folder now. */
export function newFolderWords({
  name,
  was,
  path,
}: {
  readonly name: string;
  readonly was: string;
  readonly path: string;
}): string {
  return `${name} is at ${path} now; it was at ${was}. Its goals go on there.`;
}
