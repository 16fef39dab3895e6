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
      /** Why the remote does not answer now; `commit` is then from its last answer. Null when it was read. */
      readonly away: RemoteTrouble | null;
    }
  /**
   * `lack`: what this machine lacks and another one may have. Null when the failure is the same on every machine. `away`: why the remote does
   * not answer, which may pass by itself. Null when the reason is another one.
   */
  | {
      readonly type: "failed";
      readonly reason: string;
      readonly lack: Lack | null;
      readonly away: RemoteTrouble | null;
    };

type BaseDeps = Pick<Deps, "database" | "config" | "git" | "log">;

/** Fetches the base branch of a goal's repository into the mirror and returns its commit (D14, D23). `known`: the repository's row, if it was read. */
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
  // The copy and the mirror are ours. If their disk was lost, the second try makes new ones.
  if (pinned.type === "failed" && pinned.isOurs && origin.remote !== null) return await pin(deps, repository, origin);
  return pinned;
}

/** `isOurs`: git refused something in our copy or mirror. */
type Tried = Extract<Base, { type: "pinned" }> | (Extract<Base, { type: "failed" }> & { readonly isOurs: boolean });

async function pin(deps: BaseDeps, repository: Repository, origin: RepositoryOrigin): Promise<Tried> {
  const { repositoryId } = repository;
  const refreshed = await deps.git.refresh(origin, repository.baseBranch);
  let away: RemoteTrouble | null = null;
  if (refreshed.type === "failed") {
    const { trouble, isKnown } = refreshed;
    deps.log.warn("remote.unread", { repositoryId, kind: trouble.kind, reason: trouble.reason });
    // A failure that may pass by itself does not stop the work: it begins at the last known base, and a push is compared with the remote's branch.
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

/** Returns what is wrong with the person's repository and what to do. If nothing is found there: git's words. */
async function reasonOf({ git }: Pick<Deps, "git">, { repository, origin, error }: Unread): Promise<string> {
  const { name, baseBranch } = repository;
  const found = origin.remote === null ? await git.inspectRepository(origin.dir, { baseBranch }) : null;
  if (found?.type !== "refused") return `the repository ${name}: ${firstLine(error.message, 400)}`;
  return `the repository ${name}: ${found.reason}: ${adviceOnKnown(name, found.next)}`;
}
