import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Goal } from "../../core/goals/goal.ts";
import { type Lack, lackOf, leavesNothing, type LeftToOthers, leftToOthers } from "../../core/lacks.ts";
import type { Database } from "../../db/connection/client.ts";
import { listRepositories, type Repository } from "../../db/repositories.ts";
import { workersElsewhere } from "../../db/workers.ts";
import type { Deps } from "../../deps.ts";
import { lackOfRemote, lacksHere, needsAgent } from "../../facts/lacks.ts";
import { originOf } from "../../facts/origin.ts";

/**
 * What this process cannot work because of its machine. It matters only while workers of other machines are known: then it leaves
 * such goals to them. Repositories of this machine and programs are looked at; a remote is asked once, and again while it could not be
 * read; what a turn finds is kept at once.
 */

/** A remote that does not answer keeps the others waiting no longer. */
const askWithinMs = 15_000;

interface Own {
  lacks: readonly Lack[];
  left: LeftToOthers;
  /** Remotes that were asked, by what decides whether they can be read. */
  readonly asked: Set<string>;
  /** What turns found since the last look. */
  found: Lack[];
}

const own = new WeakMap<Database, Own>();

function ownOf(database: Database): Own {
  const kept = own.get(database) ?? { lacks: [], left: leavesNothing, asked: new Set<string>(), found: [] };
  own.set(database, kept);
  return kept;
}

type LackDeps = Pick<Deps, "config" | "database" | "git">;

/** What this process leaves to others when it claims. */
export function leftByThis(database: Database): LeftToOthers {
  return ownOf(database).left;
}

/**
 * Looks what this process lacks now. `asks`: also at remotes, which takes as long as they do. Returns whether that has changed.
 */
export async function lookAtLacks(
  deps: LackDeps,
  { asks }: { readonly asks: boolean },
): Promise<readonly Lack[] | null> {
  const { db } = deps.database;
  const kept = ownOf(deps.database);
  kept.found = [];
  const others = await workersElsewhere(db, deps.config.machine);
  const lacks: Lack[] = [];
  for (const repository of others.length === 0 ? [] : await listRepositories(db))
    lacks.push(...lacksHere(deps.config, repository), ...(await lackOfOrigin(deps, repository, asks)));
  const all = [...lacks, ...kept.found.filter((found) => !lacks.some((lack) => isSame(lack, found)))];
  const before = kept.lacks;
  kept.lacks = all;
  kept.left = leftToOthers(all, others);
  return isDeepStrictEqual(before, all) ? null : all;
}

/** Whether a remote can be read: asked the first time, and while it could not be. */
async function lackOfOrigin(
  { config, database, git }: LackDeps,
  repository: Repository,
  asks: boolean,
): Promise<Lack[]> {
  const { repositoryId, deployKey, location } = repository;
  const { dir, remote } = originOf(config, repository);
  if (remote === null) return [];
  const kept = ownOf(database);
  const known = kept.lacks.filter((lack) => lack.repositoryId === repositoryId && lack.what === "repository");
  const key = JSON.stringify([repositoryId, location, deployKey]);
  if (!asks || (known.length === 0 && kept.asked.has(key))) return known;
  kept.asked.add(key);
  const trouble = await git.askRemote(remote, { withinMs: askWithinMs });
  // What may pass by itself stops nothing that was read before.
  if (trouble === null || (trouble.kind === "unreachable" && existsSync(dir))) return [];
  const lack = lackOfRemote(repositoryId, trouble);
  return lack === null ? [] : [lack];
}

/**
 * Keeps what a turn has found lacking. True: the goal is left to a worker of another machine; false: there is none that could
 * work it, and the goal itself says what is wrong.
 */
export async function leaveToOthers({ config, database }: LackDeps, lack: Lack): Promise<boolean> {
  const others = await workersElsewhere(database.db, config.machine);
  const { repositories, ofAgents } = leftToOthers([lack], others);
  if (repositories.length + ofAgents.length === 0) return false;
  const kept = ownOf(database);
  kept.found.push(lack);
  kept.lacks = [...kept.lacks.filter((each) => !isSame(each, lack)), lack];
  kept.left = leftToOthers(kept.lacks, others);
  return true;
}

/** All that is known to be lacking here. */
export function knownLacks(database: Database): readonly Lack[] {
  return ownOf(database).lacks;
}

/** What this machine lacks for a goal, by one look at its disk. */
export function lackFor(config: LackDeps["config"], goal: Goal, repository: Repository): Lack | null {
  const { repositoryId } = repository;
  return lackOf(lacksHere(config, repository), { repositoryId, agent: needsAgent(goal) });
}

function isSame(a: Lack, b: Lack): boolean {
  return a.repositoryId === b.repositoryId && a.what === b.what;
}
