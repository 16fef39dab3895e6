import { existsSync } from "node:fs";
import { GitError } from "../../agent/git/git.ts";
import type { Mirror } from "../../agent/git/mirror.ts";
import type { RepositoryOrigin } from "../../agent/git/remote-access.ts";
import { adviceOnKnown, type RemoteTrouble, troubleSentence } from "../../core/remotes/trouble.ts";
import { firstLine } from "../../core/text.ts";
import type { Lack } from "../../core/lacks.ts";
import { findRepository, type Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { lackOfRemote, lacksHere } from "../../facts/lacks.ts";
import { originOf } from "../../facts/origin.ts";
import { mirrorDirOf } from "../../paths.ts";

export type Base =
  | {
      readonly type: "pinned";
      readonly mirror: Mirror;
      readonly repository: Repository;
      readonly origin: RepositoryOrigin;
      readonly commit: string;
      /** Why a repository elsewhere does not answer now: the base stood there when it did. Null: it was read. */
      readonly away: RemoteTrouble | null;
    }
  /**
   * `lack`: what this machine lacks for it, which another one may have; null: it is the same everywhere. `away`: why a repository elsewhere
   * does not answer, which may pass; null: it failed for another reason.
   */
  | {
      readonly type: "failed";
      readonly reason: string;
      readonly lack: Lack | null;
      readonly away: RemoteTrouble | null;
    };

type BaseDeps = Pick<Deps, "database" | "config" | "git" | "log">;

/** Where the base branch of a goal's repository stands now, fetched into the mirror (D14, D23). `known`: its row, where that was read. */
export async function pinBase(deps: BaseDeps, repositoryId: string, known: Repository | null = null): Promise<Base> {
  const repository = known ?? (await findRepository(deps.database.db, repositoryId));
  if (repository === null)
    return { type: "failed", reason: `repository ${repositoryId} is not known any more`, lack: null, away: null };
  const origin = originOf(deps.config, repository);
  if (origin.remote === null && !existsSync(origin.dir)) {
    return {
      type: "failed",
      away: null,
      lack: lacksHere(deps.config, repository).find(({ what }) => what === "repository") ?? null,
      reason: `the repository ${repository.name} is not at ${origin.dir} any more: cos repo add PATH --name ${repository.name}`,
    };
  }
  const pinned = await pin(deps, repository, origin);
  // The copy and the mirror are ours: where a disk went away under them, they are made anew.
  if (pinned.type === "failed" && pinned.isOurs && origin.remote !== null) return await pin(deps, repository, origin);
  return pinned;
}

/** `isOurs`: what git refused is in our copy or mirror. */
type Tried = Extract<Base, { type: "pinned" }> | (Extract<Base, { type: "failed" }> & { readonly isOurs: boolean });

async function pin(deps: BaseDeps, repository: Repository, origin: RepositoryOrigin): Promise<Tried> {
  const { repositoryId } = repository;
  const refreshed = await deps.git.refresh(origin, repository.baseBranch);
  let away: RemoteTrouble | null = null;
  if (refreshed.type === "failed") {
    const { trouble, isKnown } = refreshed;
    deps.log.warn("remote.unread", { repositoryId, kind: trouble.kind, reason: trouble.reason });
    // What may pass by itself stops no work: that begins where the base stood, and what is pushed is held against what is there.
    away = trouble.kind === "unreachable" ? trouble : null;
    if (away === null || !isKnown)
      return {
        type: "failed",
        reason: troubleSentence(trouble),
        lack: lackOfRemote(repositoryId, trouble),
        away,
        isOurs: trouble.kind === "other" && !existsSync(origin.dir),
      };
  }
  try {
    const mirrorDir = mirrorDirOf(deps.config.dataDir, repositoryId);
    const opened = await deps.git.openAtBase({
      mirrorDir,
      repositoryPath: origin.dir,
      branch: repository.baseBranch,
    });
    return { type: "pinned", ...opened, repository, origin, away };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const reason = await reasonOf(deps, { repository, origin, error });
    return { type: "failed", reason, lack: null, away, isOurs: true };
  }
}

interface Unread {
  readonly repository: Repository;
  readonly origin: RepositoryOrigin;
  readonly error: GitError;
}

/** What is wrong with the folder, and what to do; where nothing is found there, what git said. */
async function reasonOf({ git }: Pick<Deps, "git">, { repository, origin, error }: Unread): Promise<string> {
  const { name, baseBranch } = repository;
  const found = origin.remote === null ? await git.inspectRepository(origin.dir, { baseBranch }) : null;
  if (found?.type !== "refused") return `the repository ${name}: ${firstLine(error.message, 400)}`;
  return `the repository ${name}: ${found.reason}: ${adviceOnKnown(name, found.next)}`;
}
