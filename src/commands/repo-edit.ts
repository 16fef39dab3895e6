import { inspectRepository } from "../agent/git/repository.ts";
import { adviceOnKnown } from "../core/remotes/trouble.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import type { Db } from "../db/connection/client.ts";
import { findRepository, lockRepository, type Repository, updateRepository } from "../db/repositories.ts";
import { appendTimeline } from "../db/timeline.ts";
import { readLocation } from "../core/remotes/location.ts";
import type { Deps } from "../deps.ts";
import { originOf } from "../facts/origin.ts";
import { type Caller, command, type CommandResult, done, misused, refused, type RefusedCall } from "./command.ts";
import { idOf } from "./fields.ts";
import { keyFor } from "./repo-elsewhere.ts";
import {
  commandsProblem,
  orNone,
  nameProblem,
  pushProblem,
  changedFields,
  settingLines,
  settingsProblem,
  type SettingsGiven,
  withoutEmpty,
  withPlacedAgent,
} from "./repo-settings.ts";
import { noRepository } from "./not-known.ts";

export const repoEdit = command({
  name: "repo edit",
  summary: "Change settings of a repository; what is not named stays. Goals at work keep what they began with.",
  access: "change",
  positionals: { repo: idOf("repository") },
  options: changedFields,
  run: async (deps, caller, given) => {
    const placed = withPlacedAgent(given, caller.via, "repo edit");
    return placed.type === "refused" ? placed : await changeSettings(deps, caller, placed.given);
  },
});

/** Changes the named settings and no others; `repo` is a name, path or id. `moved`: words about its new folder, said first. */
export async function changeSettings(
  deps: Deps,
  { actor, via }: Caller,
  given: SettingsGiven & { readonly repo: string; readonly moved?: string },
): Promise<CommandResult> {
  const known = await findKnown(deps, given.repo);
  if (known === null) return await noRepository(deps, given.repo);
  const location = readLocation(known.location);
  const file = given["deploy-key"];
  if (file !== undefined && location.type !== "url")
    return refused(
      `${known.name} is on this machine: a deploy key is for a repository elsewhere`,
      "cos repo edit --help",
    );
  const changes = {
    ...changesIn(given),
    // The key itself is stored below, when everything else is valid.
    ...(file === undefined ? {} : { deployKey: known.deployKey }),
  };
  const settings = Object.keys(changes);
  if (settings.length === 0) return misused("nothing to change was named", "repo edit");
  const named = { ...known, ...changes };
  const problem =
    nameProblem(named.name) ??
    settingsProblem(named, "repo edit") ??
    (await commandsProblem(changes)) ??
    (await pushProblem(location.type === "url" ? null : known.location, given.push));
  if (problem !== null) return problem;
  if (changes.baseBranch !== undefined) {
    const wrong = await baseProblem(deps, known, changes.baseBranch);
    if (wrong !== null) return wrong;
  }
  const taken = async (db: Db): Promise<boolean> => {
    const other = await findRepository(db, named.name);
    return other !== null && other.repositoryId !== known.repositoryId;
  };
  const isTakenWords = refused(`another repository is called ${named.name}`, "name it with --name N");
  // Checked before the key's file is written, because a refused call must change nothing.
  if (await taken(deps.database.db)) return isTakenWords;
  if (file !== undefined && location.type === "url") {
    const key = await keyFor(deps, { repositoryId: known.repositoryId, location, file, before: known });
    if (key !== null && typeof key === "object") return key;
    changes.deployKey = key;
  }
  const after = { ...known, ...changes };
  const { repositoryId } = known;
  const isTaken = await deps.database.transaction(async (tx) => {
    await lockRepository(tx, repositoryId);
    if (await taken(tx)) return true;
    await updateRepository(tx, repositoryId, changes);
    const detail = { repositoryId, name: after.name, settings };
    await appendTimeline(tx, { event: "repository.changed", actor, via, at: deps.now(), detail });
    return false;
  });
  if (isTaken) return isTakenWords;
  const renamed = after.name === known.name ? "" : ` It was called ${known.name}.`;
  const { location: path, ...settled } = after;
  const words = given.moved ?? `${after.name} is changed.${renamed}`;
  return done({ path, ...settled }, confirmationCard(words, settingLines(after)));
}

/** Returns why goals cannot start from a branch; null when they can. */
async function baseProblem(
  deps: Pick<Deps, "config" | "git">,
  known: Repository,
  baseBranch: string,
): Promise<RefusedCall | null> {
  const origin = originOf(deps.config, known);
  if (origin.remote !== null) {
    const refreshed = await deps.git.refresh(origin, baseBranch);
    return refreshed.type === "fresh" ? null : refused(refreshed.trouble.reason, refreshed.trouble.next);
  }
  const inspected = await inspectRepository(origin.dir, { baseBranch });
  return inspected.type === "ok" ? null : refused(inspected.reason, adviceOnKnown(known.name, inspected.next));
}

/** True when any setting is named. */
export function namesSettings(given: SettingsGiven): boolean {
  return given["deploy-key"] !== undefined || Object.keys(changesIn(given)).length > 0;
}

/** Returns the named settings only. An empty text removes a setting. */
function changesIn({ name, base, setup, check, push, agent, trials, billing, ...given }: SettingsGiven) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(base === undefined ? {} : { baseBranch: base }),
    ...(setup === undefined ? {} : { setup: orNone(setup) }),
    ...(check.length === 0 ? {} : { checks: withoutEmpty(check) }),
    ...(push === undefined ? {} : { pushRemote: orNone(push) }),
    ...(trials === undefined ? {} : { trials: trials === "on" }),
    ...(given["check-network"].length === 0 ? {} : { checkNetwork: withoutEmpty(given["check-network"]) }),
    ...(given.label.length === 0 ? {} : { labels: withoutEmpty(given.label) }),
    ...(billing === undefined ? {} : { billing }),
    ...(agent === undefined ? {} : { agent: orNone(agent) }),
  };
}

/** Finds a repository by name, path or id; null also for a removed one. */
export async function findKnown(deps: Pick<Deps, "database">, wanted: string): Promise<Repository | null> {
  const found = await findRepository(deps.database.db, wanted);
  return found === null || found.removedAt !== null ? null : found;
}
