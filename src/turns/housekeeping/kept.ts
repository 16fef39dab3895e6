import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { KindOfGoals } from "../../core/housekeeping/prune.ts";
import { type KnownOwner, ownersOfGoals, ownersOfRuns } from "../../db/housekeeping.ts";
import { listRepositories, removedRepositories } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { originOf } from "../../facts/origin.ts";
import { copyDirOf, mirrorDirOf, outputDir, worktreesDir } from "../../paths.ts";

/** Something that is kept on this machine. */
export type Kept = KeptForGoal | KeptMirror;

/** For a goal. */
export interface KeptForGoal {
  readonly kind: KindOfGoals;
  /** As it is called in its folder, or the ref without `refs/cos/`. */
  readonly name: string;
  readonly owner: KnownOwner | null;
  readonly place:
    | { readonly type: "folder"; readonly path: string }
    | { readonly type: "ref"; readonly repositoryId: string; readonly ref: string };
}

/** Of a repository that a person has removed. */
export interface KeptMirror {
  readonly kind: "mirror" | "copy";
  /** The repository's name. */
  readonly name: string;
  readonly owner: null;
  readonly repositoryId: string;
  readonly place: { readonly type: "folder"; readonly path: string };
}

type Keeping = Pick<Deps, "database" | "config" | "git" | "log">;

/** Mirrors and copies that are here of repositories that were removed, each with when that was. */
export async function gatherMirrors({
  database,
  config,
}: Keeping): Promise<{ readonly kept: KeptMirror; readonly removedAt: Date | null }[]> {
  const removed = await removedRepositories(database.db);
  return removed.flatMap(({ repositoryId, name, removedAt }) =>
    (
      [
        ["mirror", mirrorDirOf(config.dataDir, repositoryId)],
        ["copy", copyDirOf(config.dataDir, repositoryId)],
      ] as const
    )
      .filter(([, path]) => existsSync(path))
      .map(([kind, path]) => {
        const place = { type: "folder", path } as const;
        return { kept: { kind, name, owner: null, repositoryId, place }, removedAt };
      }),
  );
}

/** All that lies in the data directory for goals, with the goals that it is for. */
export async function gatherKept(deps: Keeping): Promise<KeptForGoal[]> {
  return [...(await worktrees(deps)), ...(await outputs(deps)), ...(await attempts(deps))];
}

async function worktrees({ database, config }: Keeping): Promise<KeptForGoal[]> {
  const folder = worktreesDir(config.dataDir);
  const names = await namesIn(folder);
  const owners = await ownersOfGoals(database.db, [...new Set(names.map(goalOf))]);
  return names.map((name) => ({
    kind: "worktree",
    name,
    owner: owners.get(goalOf(name)) ?? null,
    place: { type: "folder", path: join(folder, name) },
  }));
}

/** `goal-1a2b3c4d`, of that itself, of `goal-1a2b3c4d-verify` and of `goal-1a2b3c4d.tasks`. */
function goalOf(name: string): string {
  return name.replace(/-verify$|\.tasks$/, "");
}

async function outputs({ database, config }: Keeping): Promise<KeptForGoal[]> {
  const folder = outputDir(config.dataDir);
  const names = await namesIn(folder);
  const owners = await ownersOfRuns(database.db, names);
  return names.map((name) => ({
    kind: "output",
    name,
    owner: owners.get(name) ?? null,
    place: { type: "folder", path: join(folder, name) },
  }));
}

/** `refs/cos/<goal>/attempt-<n>` of the mirrors that are here, as far as they can be opened. */
async function attempts({ database, config, git, log }: Keeping): Promise<KeptForGoal[]> {
  const kept: KeptForGoal[] = [];
  for (const repository of await listRepositories(database.db)) {
    const { repositoryId } = repository;
    const { dir: repositoryPath } = originOf(config, repository);
    const mirrorDir = mirrorDirOf(config.dataDir, repositoryId);
    if (!existsSync(mirrorDir) || !existsSync(repositoryPath)) continue;
    const refs = await readAttempts(git, { mirrorDir, repositoryPath }).catch((error: unknown) => {
      log.warn("prune.mirror-unread", { repositoryId, error });
      return [];
    });
    const owners = await ownersOfGoals(database.db, [...new Set(refs.map((ref) => ref.goalId))]);
    for (const { ref, goalId } of refs) {
      const name = ref.replace("refs/cos/", "");
      kept.push({
        kind: "attempts",
        name,
        owner: owners.get(goalId) ?? null,
        place: { type: "ref", repositoryId, ref },
      });
    }
  }
  return kept;
}

async function readAttempts(git: Keeping["git"], mirror: { mirrorDir: string; repositoryPath: string }) {
  return await git.keptAttempts(await git.openMirror(mirror));
}

/** What a folder holds but what is hidden; nothing where there is none. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith(".")).toSorted();
}
