import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { isRemote } from "../core/remotes/location.ts";
import { newestAdded } from "../db/goal-lists.ts";
import { meantWords } from "../core/text/nearest.ts";
import { findRepository, listRepositories, type Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { type Caller, refused, type RefusedCall } from "./command.ts";
import { noRepository } from "./not-known.ts";

interface Chosen {
  readonly type: "chosen";
  readonly repository: Repository;
  /** Why this repository was chosen, shown when nobody named it and there are others; otherwise null. */
  readonly because: string | null;
}

/** Number of newest goals in which the person's own are searched for the repository used last. */
const lookBack = 200;

/**
 * Returns the named repository, else that of COS_REPO, else the only one. Refused when there are several: the repository is never
 * guessed.
 */
export async function chooseRepository(
  deps: Pick<Deps, "database" | "config">,
  wanted: string | undefined,
): Promise<Chosen | RefusedCall> {
  const { db } = deps.database;
  const name = wanted ?? deps.config.repository;
  if (name !== null) {
    const repository = await findRepository(db, name);
    if (repository !== null) return { type: "chosen", repository, because: null };
    if (wanted !== undefined) return await noRepository(deps, wanted);
    const names = (await listRepositories(db)).map((each) => each.name);
    const reason = `COS_REPO names ${JSON.stringify(name)}, and no repository is called that${meantWords(name, names)}`;
    return refused(reason, names.length === 0 ? "cos repo add PATH" : "cos repo list");
  }
  const all = await listRepositories(db);
  const [only] = all;
  if (only === undefined) return refused("no repository is known yet", "cos repo add PATH");
  if (all.length === 1) return { type: "chosen", repository: only, because: null };
  const names = all.map((each) => each.name).join(", ");
  return {
    type: "refused",
    reason: `several repositories are known (${names}): name one with --repo`,
    next: "cos repo list",
  };
}

/**
 * Like `chooseRepository`, for new work: of several, returns the one that contains the terminal's folder, else the one that the person
 * used last (F-501).
 */
export async function chooseForWork(
  deps: Pick<Deps, "database" | "config">,
  { actor, via }: Pick<Caller, "actor" | "via">,
  wanted: string | undefined,
): Promise<Chosen | RefusedCall> {
  const chosen = await chooseRepository(deps, wanted);
  if (chosen.type === "chosen" || wanted !== undefined || deps.config.repository !== null) return chosen;
  const all = await listRepositories(deps.database.db);
  const here = via === "terminal" ? holding(all, await realpath(process.cwd())) : null;
  if (here !== null) return { type: "chosen", repository: here, because: "the folder that you are in" };
  const last = await lastUsed(deps, all, actor);
  if (last !== null) return { type: "chosen", repository: last, because: "which you used last" };
  return chosen;
}

/**
 * Returns the repository for which the person last added a goal, or which they added since; null when there is none, or it was too long
 * ago.
 */
async function lastUsed(
  deps: Pick<Deps, "database">,
  all: readonly Repository[],
  actor: string,
): Promise<Repository | null> {
  const goals = (await newestAdded(deps.database.db, lookBack)).filter((goal) => goal.createdBy === actor);
  const added = all.filter((each) => each.addedBy === actor);
  const newest = [...added, ...goals].toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  for (const { repositoryId } of newest) {
    const found = all.find((each) => each.repositoryId === repositoryId);
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the innermost repository that contains a folder. */
function holding(all: readonly Repository[], folder: string): Repository | null {
  const around = all.filter(
    ({ location }) =>
      !isRemote(location) &&
      (folder === location || folder.startsWith(location.endsWith(sep) ? location : location + sep)),
  );
  return around.toSorted((one, other) => other.location.length - one.location.length)[0] ?? null;
}
