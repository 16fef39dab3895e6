import { examineAgent } from "../agent/acp/examine.ts";
import { refresh } from "../agent/git/remote.ts";
import { inspectRepository } from "../agent/git/repository.ts";
import { adviceOnKnown } from "../core/remotes/trouble.ts";
import type { Finding } from "../core/reports/finding.ts";
import { meantWords } from "../core/text/nearest.ts";
import { listRepositories, type Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import {
  type KnownWorker,
  lackOf,
  type GoalNeeds,
  type Untaken,
  untakenAdvice,
  untakenBy,
  untakenWords,
} from "../core/lacks.ts";
import { knownWorkers } from "../db/workers.ts";
import { originOf } from "../facts/origin.ts";

/**
 * Returns the lines of `cos doctor` about repositories: whether each exists, is a git repository and has its base branch; and about the
 * one that COS_REPO names.
 */
export async function findRepositories({ database, config }: Pick<Deps, "database" | "config">): Promise<Finding[]> {
  const repositories = await listRepositories(database.db);
  const usual = findUsual(config.repository, repositories);
  if (repositories.length === 0)
    return [{ name: "repositories", ok: true, isUnset: true, says: "none yet: cos repo add PATH" }, ...usual];
  const workers = await knownWorkers(database.db);
  const untaken = repositories.flatMap((each) => findUntaken(each, workers));
  return [...(await Promise.all(repositories.map((each) => findRepository(config, each)))), ...untaken, ...usual];
}

async function findRepository(config: Deps["config"], repository: Repository): Promise<Finding> {
  const { name: called, baseBranch } = repository;
  const name = `repository ${called}`;
  const origin = originOf(config, repository);
  if (origin.remote !== null) {
    const { url } = origin.remote;
    const refreshed = await refresh(origin, baseBranch);
    if (refreshed.type === "fresh") return { name, ok: true, says: url };
    return { name, ok: false, says: `${refreshed.trouble.reason}. What to do: ${refreshed.trouble.next}` };
  }
  const path = origin.dir;
  const inspected = await inspectRepository(path, { baseBranch });
  if (inspected.type === "ok") return { name, ok: true, says: path };
  const advice = adviceOnKnown(called, inspected.next);
  return { name, ok: false, says: `${path}: ${inspected.reason}. What to do: ${advice}` };
}

/** Examines the agent for all repositories, and once each agent that repositories have in its place. */
export async function findAgents({ database, config }: Pick<Deps, "database" | "config">): Promise<Finding[]> {
  const repositories = await listRepositories(database.db);
  const owners = repositories.filter(({ agent }) => agent !== null).map(({ name }) => name);
  const named = new Map(
    repositories.toReversed().flatMap(({ agent, name }) => (agent === null ? [] : [[agent, name]])),
  );
  named.delete(config.agent ?? "");
  const startMs = config.policy.goals.startMs;
  const ofAll = config.agent === null && owners.length > 0 ? onlyTheirs(owners) : examineAgent({ ...config, startMs });
  const own = [...named].toReversed().map(([agent, name]) => examineAgent({ ...config, agent, startMs }, name));
  return await Promise.all([ofAll, ...own]);
}

/** Says that there is no agent for all repositories, although some have their own. */
function onlyTheirs(owners: readonly string[]): Finding {
  const more = owners.length > 5 ? ` and ${owners.length - 5} more` : "";
  const says = `none for every repository (COS_AGENT); ${owners.slice(0, 5).join(", ")}${more} ${owners.length === 1 ? "has its" : "have their"} own`;
  return { name: "agent", ok: true, isUnset: true, says };
}

/** Says that no running worker may take the repository's goals; if some may, names those that may not. */
function findUntaken({ repositoryId, name, labels }: Repository, workers: readonly KnownWorker[]): Finding[] {
  const called = `workers for ${name}`;
  const needs: GoalNeeds = { repositoryId, labels, agent: true };
  const untaken = untakenBy(needs, workers);
  if (untaken !== null) {
    const waits = untaken.type === "labels" || untakenBy({ ...needs, agent: false }, workers) !== null;
    const which = waits ? "its goals wait" : "its goals without a command of their own wait";
    const says = `${untakenWords(untaken)}: ${which}. What to do: ${adviceFor(untaken, { name, labels })}`;
    return [{ name: called, ok: false, says }];
  }
  const unfit = workers.flatMap((worker) => {
    const lack = worker.isRunning ? lackOf(worker.lacks, needs) : null;
    return lack === null ? [] : [`${worker.machine} leaves them to others: ${lack.reason} (${lack.next})`];
  });
  return unfit.length === 0 ? [] : [{ name: called, ok: true, says: unfit.join("; ") }];
}

function adviceFor(untaken: Untaken, { name, labels }: Pick<Repository, "name" | "labels">): string {
  return untakenAdvice(untaken) ?? `start one with COS_LABELS=${labels.join(",")}, or cos repo edit ${name} --label ''`;
}

function findUsual(usual: string | null, repositories: readonly Repository[]): Finding[] {
  const says = unknownUsual(usual, repositories);
  return says === null ? [] : [{ name: "usual repository", ok: false, says }];
}

/** Returns what is wrong with the repository that COS_REPO names; null when nothing is. */
export function unknownUsual(usual: string | null, repositories: readonly Pick<Repository, "name">[]): string | null {
  if (usual === null || repositories.some(({ name }) => name === usual)) return null;
  const names = repositories.map(({ name }) => name);
  return `COS_REPO names ${usual}, and no repository is called that${meantWords(usual, names) || ":"} cos repo list`;
}
