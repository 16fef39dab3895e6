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
 * What this machine lacks, so that this process cannot work some goals. It matters only while workers of other machines are known: this
 * process leaves such goals to them. Repositories of this machine and programs are checked at each look. A remote is asked once, and again
 * while it cannot be read. What a turn finds is kept at once.
 */

/** Time limit for asking one remote. */
const askWithinMs = 15_000;

interface Own {
  lacks: readonly Lack[];
  left: LeftToOthers;
  /** Remotes that were asked, by the settings that decide whether they can be read. */
  readonly asked: Set<string>;
  /** Lacks that turns found since the last look. */
  found: Lack[];
}

const own = new WeakMap<Database, Own>();

function ownOf(database: Database): Own {
  const kept = own.get(database) ?? { lacks: [], left: leavesNothing, asked: new Set<string>(), found: [] };
  own.set(database, kept);
  return kept;
}

type LackDeps = Pick<Deps, "config" | "database" | "git">;

/** Returns the goals that this process does not claim, because others can work them. */
export function leftByThis(database: Database): LeftToOthers {
  return ownOf(database).left;
}

/**
 * Checks what this process lacks now. `asks`: also asks remotes, which may be slow. Returns the lacks if they have changed. Otherwise null.
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

/** Returns the lack of a remote that cannot be read. It is asked the first time, and again while it cannot be read. */
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
  // A failure that may pass by itself is no lack when we have a copy of the repository.
  if (trouble === null || (trouble.kind === "unreachable" && existsSync(dir))) return [];
  const lack = lackOfRemote(repositoryId, trouble);
  return lack === null ? [] : [lack];
}

/**
 * Keeps a lack that a turn has found. True when the goal is left to a worker of another machine. False when no other worker could work it;
 * the turn then reports on the goal what is wrong.
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

/** Returns all known lacks of this machine. */
export function knownLacks(database: Database): readonly Lack[] {
  return ownOf(database).lacks;
}

/** Returns what this machine lacks for a goal, by checking its disk. Null when nothing is missing. */
export function lackFor(config: LackDeps["config"], goal: Goal, repository: Repository): Lack | null {
  const { repositoryId } = repository;
  return lackOf(lacksHere(config, repository), { repositoryId, agent: needsAgent(goal) });
}

function isSame(a: Lack, b: Lack): boolean {
  return a.repositoryId === b.repositoryId && a.what === b.what;
}
