import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { keepDeployKey } from "../agent/git/deploy-key.ts";
import { readHeads } from "../agent/git/remote.ts";
import { noRoomForOurs, proposalsAt } from "../agent/git/repository.ts";
import type { Proposals } from "../agent/git/proposals.ts";
import type { RemoteLocation } from "../core/remotes/location.ts";
import { isWorthShowing } from "../core/remotes/branches.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { originOf } from "../facts/origin.ts";
import { copyDirOf, keyFileOf } from "../paths.ts";
import { refused, type RefusedCall } from "./command.ts";

/** A remote repository as `repo add` found it; our copy of it was made. */
export interface FoundElsewhere {
  readonly type: "ok";
  readonly baseBranch: string;
  readonly proposals: Proposals;
  /** The fingerprint of its deploy key; null when there is none. */
  readonly deployKey: string | null;
}

interface Asked {
  readonly repositoryId: string;
  readonly name: string;
  readonly location: RemoteLocation;
  readonly base: string | undefined;
  /** The file of a private key; undefined keeps the earlier key, an empty text removes it. */
  readonly deployKey: string | undefined;
  readonly before: Repository | null;
}

/**
 * Inspects a remote repository, stores the given key and makes our copy. After a refusal, the stored key is the earlier one or none, and
 * nothing of a new repository is left.
 */
export async function inspectElsewhere(
  deps: Pick<Deps, "config" | "git">,
  asked: Asked,
): Promise<FoundElsewhere | RefusedCall> {
  const { repositoryId, before } = asked;
  const keyFile = keyFileOf(deps.config.dataDir, repositoryId);
  const earlierKey = (before?.deployKey ?? null) === null ? null : await readFile(keyFile).catch(() => null);
  const found = await inspect(deps, asked);
  if (found.type !== "refused") return found;
  if (earlierKey === null) await rm(keyFile, { force: true });
  else await writeFile(keyFile, earlierKey, { mode: 0o600 });
  if (before === null) await rm(copyDirOf(deps.config.dataDir, repositoryId), { recursive: true, force: true });
  return found;
}

async function inspect(deps: Pick<Deps, "config" | "git">, asked: Asked): Promise<FoundElsewhere | RefusedCall> {
  const { repositoryId, name, location, before } = asked;
  const key = await keyFor(deps, { repositoryId, location, file: asked.deployKey, before });
  if (key !== null && typeof key === "object") return key;
  const origin = originOf(deps.config, { repositoryId, name, location: location.url, deployKey: key });
  if (origin.remote === null) throw new Error("a URL is a repository elsewhere");
  await mkdir(deps.config.dataDir, { recursive: true });
  const heads = await readHeads(origin.remote, deps.config.dataDir);
  if (heads.type === "failed") return refused(heads.trouble.reason, heads.trouble.next);
  if (heads.branches.includes("cos")) return noRoomForOurs(location.url, "rename that branch there, then add it");
  const baseBranch = asked.base ?? heads.usual;
  if (baseBranch === null || !heads.branches.includes(baseBranch)) {
    if (heads.branches.length === 0)
      return refused(`${location.url} has no commits yet`, "push a first commit there, then add it");
    const some = heads.branches.filter(isWorthShowing).slice(0, 10).join(", ");
    const what = baseBranch === null ? "does not say which branch is its usual one" : `has no branch ${baseBranch}`;
    return refused(`${location.url} ${what}; it has ${some}`, `cos repo add ${shellWord(location.url)} --base BRANCH`);
  }
  const refreshed = await deps.git.refresh(origin, baseBranch);
  if (refreshed.type === "failed") return refused(refreshed.trouble.reason, refreshed.trouble.next);
  return { type: "ok", baseBranch, proposals: await proposalsAt(origin.dir, baseBranch), deployKey: key };
}

/** Returns the fingerprint of the key that is valid from now on; null when there is none. */
export async function keyFor(
  { config }: Pick<Deps, "config">,
  asked: Pick<Asked, "repositoryId" | "location" | "before"> & { readonly file: string | undefined },
): Promise<string | null | RefusedCall> {
  const { repositoryId, location, file, before } = asked;
  const keyFile = keyFileOf(config.dataDir, repositoryId);
  if (file === undefined) return before?.deployKey ?? null;
  if (file.trim() === "") {
    await rm(keyFile, { force: true });
    return null;
  }
  if (location.transport !== "ssh")
    return refused("a deploy key is for ssh, and this URL is not", `give it as git@${location.host}:PATH`);
  const kept = await keepDeployKey(file, keyFile);
  return kept.type === "kept" ? kept.fingerprint : refused(kept.reason, kept.next);
}
