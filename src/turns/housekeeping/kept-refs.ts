import { existsSync } from "node:fs";
import type { HeldRef, RefOfGoal } from "../../agent/git/kept-refs.ts";
import { ownersOfGoals } from "../../db/housekeeping.ts";
import { listRepositories, type Repository } from "../../db/repositories.ts";
import { originOf } from "../../facts/origin.ts";
import { mirrorDirOf } from "../../paths.ts";
import type { HeldByBackup, KeptDeps, KeptForGoal, KeptRef } from "./kept.ts";

/** Refs under `refs/cos/`, in mirrors and in repositories on this machine. */
export interface KeptRefs {
  readonly ofGoals: readonly KeptForGoal[];
  readonly held: readonly { readonly kept: HeldByBackup; readonly since: Date }[];
}

/** Reads these refs of every repository on this machine. A mirror that cannot be read is logged and left out. */
export async function gatherRefs(deps: KeptDeps): Promise<KeptRefs> {
  const ofGoals: KeptForGoal[] = [];
  const held: KeptRefs["held"][number][] = [];
  for (const repository of await listRepositories(deps.database.db)) {
    const { repositoryId } = repository;
    const found = await refsOf(deps, repository);
    const refs = [...found.attempts, ...found.replaced];
    const owners = await ownersOfGoals(deps.database.db, [...new Set(refs.map((each) => each.goalId))]);
    const keptAs = (kind: "attempts" | "replaced", at: KeptRef["at"], each: RefOfGoal): KeptForGoal => ({
      kind,
      name: nameOf(each.ref),
      owner: owners.get(each.goalId) ?? null,
      place: { type: "ref", at, repositoryId, ref: each.ref },
    });
    ofGoals.push(...found.attempts.map((each) => keptAs("attempts", "mirror", each)));
    ofGoals.push(...found.replaced.map((each) => keptAs("replaced", "repository", each)));
    for (const { ref, since } of found.held) {
      const place = { type: "ref", at: "mirror", repositoryId, ref } as const;
      held.push({ kept: { kind: "backup", name: nameOf(ref), owner: null, place }, since });
    }
  }
  return { ofGoals, held };
}

interface Found {
  readonly attempts: readonly RefOfGoal[];
  readonly replaced: readonly RefOfGoal[];
  readonly held: readonly HeldRef[];
}

async function refsOf({ config, git, log }: KeptDeps, repository: Repository): Promise<Found> {
  const { repositoryId } = repository;
  const { dir: repositoryPath, remote } = originOf(config, repository);
  const nothing: Found = { attempts: [], replaced: [], held: [] };
  if (!existsSync(repositoryPath)) return nothing;
  // Replaced commits are kept only in repositories on this machine: at a remote, a push replaces the old commit.
  const replaced = remote === null ? await git.keptReplaced(repositoryPath) : [];
  const mirrorDir = mirrorDirOf(config.dataDir, repositoryId);
  if (!existsSync(mirrorDir)) return { ...nothing, replaced };
  try {
    const mirror = await git.openMirror({ mirrorDir, repositoryPath });
    return { attempts: await git.keptAttempts(mirror), replaced, held: await git.heldForBackup(mirror) };
  } catch (error) {
    log.warn("prune.mirror-unread", { repositoryId, error });
    return { ...nothing, replaced };
  }
}

function nameOf(ref: string): string {
  return ref.replace(/^refs\/cos\/(?:replaced\/|backup\/)?/, "");
}
