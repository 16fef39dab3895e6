import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { doneAt, type KindOfGoals } from "../../core/housekeeping/prune.ts";
import { type KnownOwner, ownersOfGoals, ownersOfRuns } from "../../db/housekeeping.ts";
import { removedRepositories } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { folders } from "../../core/housekeeping/folders.ts";
import { copyDirOf, mirrorDirOf, outputDir, worktreesDir } from "../../paths.ts";

/** A file, folder or ref that is kept on this machine, until `prune` removes it. */
export type KeptHere = KeptForGoal | KeptOfDone | KeptMirror | HeldByBackup;

/** A folder or ref that is kept for a goal. */
export interface KeptForGoal {
  readonly kind: KindOfGoals;
  /** The folder's name, or the ref without `refs/cos/`. */
  readonly name: string;
  readonly owner: KnownOwner | null;
  readonly place: { readonly type: "folder"; readonly path: string } | KeptRef;
}

/** A ref in our mirror of a repository, or in the repository itself. */
export interface KeptRef {
  readonly type: "ref";
  readonly at: "mirror" | "repository";
  readonly repositoryId: string;
  readonly ref: string;
}

/** The outputs of one run of `cos done`. */
export interface KeptOfDone {
  readonly kind: "done";
  readonly name: string;
  readonly owner: null;
  readonly place: { readonly type: "folder"; readonly path: string };
}

/** A ref that a backup made and did not remove. */
export interface HeldByBackup {
  readonly kind: "backup";
  readonly name: string;
  readonly owner: null;
  readonly place: KeptRef;
}

/** The mirror or the copy of a repository that a person has removed. */
export interface KeptMirror {
  readonly kind: "mirror" | "copy";
  /** The repository's name. */
  readonly name: string;
  readonly owner: null;
  readonly repositoryId: string;
  readonly place: { readonly type: "folder"; readonly path: string };
}

export type KeptDeps = Pick<Deps, "database" | "config" | "git" | "log">;

/** The mirrors and copies of removed repositories, each with the time of the removal. */
export async function gatherMirrors({
  database,
  config,
}: KeptDeps): Promise<{ readonly kept: KeptMirror; readonly removedAt: Date | null }[]> {
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

/** The outputs of runs of `cos done`, each with the time at which the run began. */
export async function gatherDone({
  config,
}: Pick<KeptDeps, "config">): Promise<{ readonly kept: KeptOfDone; readonly began: Date }[]> {
  const folder = outputDir(config.dataDir);
  return (await namesIn(folder)).flatMap((name) => {
    const began = doneAt(name);
    const place = { type: "folder", path: join(folder, name) } as const;
    return began === null ? [] : [{ kept: { kind: "done", name, owner: null, place }, began }];
  });
}

/** All folders of goals in the data directory, with the goals to which they belong. */
export async function gatherFolders({ database, config }: KeptDeps): Promise<KeptForGoal[]> {
  const { db } = database;
  const byGoal = async (names: readonly string[]): Promise<OwnerOf> => {
    const owners = await ownersOfGoals(db, [...new Set(names.map(goalOf))]);
    return (name) => owners.get(goalOf(name)) ?? null;
  };
  const byRun = async (names: readonly string[]): Promise<OwnerOf> => {
    const owners = await ownersOfRuns(db, names);
    return (name) => owners.get(name) ?? null;
  };
  return [
    ...(await foldersIn(worktreesDir(config.dataDir), "worktree", byGoal)),
    ...(await foldersIn(join(config.dataDir, folders.places), "place", byGoal)),
    ...(await foldersIn(outputDir(config.dataDir), "output", byRun)),
  ];
}

type OwnerOf = (name: string) => KnownOwner | null;

async function foldersIn(
  folder: string,
  kind: KindOfGoals,
  ownersOf: (names: readonly string[]) => Promise<OwnerOf>,
): Promise<KeptForGoal[]> {
  const names = (await namesIn(folder)).filter((name) => doneAt(name) === null);
  const ownerOf = await ownersOf(names);
  return names.map((name) => ({
    kind,
    name,
    owner: ownerOf(name),
    place: { type: "folder", path: join(folder, name) },
  }));
}

/** The goal's name, `goal-1a2b3c4d`, from the name of a folder: `goal-1a2b3c4d`, `…-verify`, `…-verify-examine-1` or `….tasks`. */
function goalOf(name: string): string {
  return name.replace(/-verify(?:-examine-\d+)?$|\.tasks$/, "");
}

/** The names in a folder, sorted, without hidden ones. Empty if the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith(".")).toSorted();
}
