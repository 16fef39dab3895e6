import { inspectRepository } from "../agent/git/repository.ts";
import type { Finding } from "../core/reports/finding.ts";
import { listRepositories, type Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";

/** What `cos doctor` says of repositories: each is there, is one, and has its base branch; and the one that COS_REPO names. */
export async function findRepositories({ database, config }: Pick<Deps, "database" | "config">): Promise<Finding[]> {
  const repositories = await listRepositories(database.db);
  const usual = findUsual(config.repository, repositories);
  if (repositories.length === 0)
    return [{ name: "repositories", ok: true, says: "none yet: cos repo add PATH" }, ...usual];
  return [...(await Promise.all(repositories.map(findRepository))), ...usual];
}

async function findRepository({ name: called, path, baseBranch }: Repository): Promise<Finding> {
  const name = `repository ${called}`;
  const inspected = await inspectRepository(path, { baseBranch });
  if (inspected.type === "ok") return { name, ok: true, says: path };
  const moved = `cos repo add PATH --name ${called}, or cos repo remove ${called}`;
  const advice = inspected.next.includes("--base") ? `cos repo edit ${called} --base BRANCH` : moved;
  return { name, ok: false, says: `${path}: ${inspected.reason}. What to do: ${advice}` };
}

function findUsual(usual: string | null, repositories: readonly Repository[]): Finding[] {
  if (usual === null || repositories.some(({ name }) => name === usual)) return [];
  const says = `COS_REPO names ${usual}, and no repository is called that: cos repo list`;
  return [{ name: "usual repository", ok: false, says }];
}
