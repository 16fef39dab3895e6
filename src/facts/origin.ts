import { existsSync } from "node:fs";
import type { RepositoryOrigin } from "../agent/git/remote-access.ts";
import { readLocation } from "../core/remotes/location.ts";
import type { Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { copyDirOf, keyFileOf } from "../paths.ts";

/** Where this machine finds a repository, and how it is reached (D47). */
export function originOf(
  config: Pick<Deps["config"], "dataDir" | "sshAgent">,
  repository: Pick<Repository, "repositoryId" | "name" | "location" | "deployKey">,
): RepositoryOrigin {
  const { repositoryId, name, location, deployKey } = repository;
  const read = readLocation(location);
  if (read.type !== "url") return { dir: location, remote: null };
  const keyFile = deployKey === null ? null : keyFileOf(config.dataDir, repositoryId);
  const { url, host, transport } = read;
  const remote = { url, host, transport, keyFile, agentSocket: config.sshAgent, name };
  return { dir: copyDirOf(config.dataDir, repositoryId), remote };
}

/**
 * True when this process can work in a repository. A folder may be on another machine. A remote repository can be reached from everywhere.
 */
export function isWithin(config: Parameters<typeof originOf>[0], repository: Parameters<typeof originOf>[1]): boolean {
  const { dir, remote } = originOf(config, repository);
  return remote !== null || existsSync(dir);
}
