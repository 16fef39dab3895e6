import { branchHolder } from "./branch-holder.ts";
import { carry } from "./carry.ts";
import { assertCommit, tryGit } from "./git.ts";
import type { Mirror } from "./mirror.ts";
import { moveRemoteBranch } from "./remote.ts";
import type { RepositoryOrigin } from "./remote-access.ts";

/** Removes branches from the person's repository, and keeps their commits under our own refs (D24). */

/** A branch, the commit where it was left, and the ref that keeps the commit when the branch is removed. */
export interface Aside {
  readonly branch: string;
  readonly commit: string;
  readonly ref: string;
}

/** The state of a branch, compared with the commit that was recorded for it. */
type Place =
  | "there"
  /** The branch was set aside already. */
  | "aside"
  /** Somebody has deleted the branch. */
  | "gone"
  /** Somebody has moved the branch. */
  | "elsewhere"
  /** The repository cannot be read. */
  | "unread";

/** Compares a branch with the commit where it was left. Changes nothing. */
export async function branchPlace(
  { dir: repositoryPath }: RepositoryOrigin,
  { branch, commit, ref }: Aside,
): Promise<Place> {
  const tip = await commitAt(repositoryPath, `refs/heads/${branch}`);
  if (tip === undefined) return "unread";
  if (tip !== null) return tip === commit ? "there" : "elsewhere";
  return (await commitAt(repositoryPath, ref)) === commit ? "aside" : "gone";
}

/** The commit of a ref in the person's repository. Null when there is no such ref; undefined when git cannot say. */
export async function commitAt(repositoryPath: string, ref: string): Promise<string | null | undefined> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const result = await tryGit(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], person);
  if (result.type === "ok") return result.stdout.trim();
  return result.exitCode === 1 ? null : undefined;
}

/**
 * Removes a branch and keeps its commit under another ref; for a remote repository, in our copy. False when the branch has moved, is
 * checked out somewhere, or git failed.
 */
export async function setBranchAside(
  { dir: repositoryPath, remote }: RepositoryOrigin,
  options: Aside,
): Promise<boolean> {
  const { branch, commit, ref } = options;
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  assertCommit(commit);
  if (remote !== null) {
    if ((await tryGit(["update-ref", ref, commit], person)).type === "failed") return false;
    const sent = await moveRemoteBranch({ dir: repositoryPath, remote }, branch, { from: commit, to: null });
    return sent.type === "sent";
  }
  if ((await branchHolder(repositoryPath, branch)) !== null) return false;
  const input = `start\nupdate ${ref} ${commit}\ndelete refs/heads/${branch} ${commit}\nprepare\ncommit\n`;
  return (await tryGit(["update-ref", "--stdin"], { ...person, input })).type === "ok";
}

/**
 * Keeps the commit of a branch that is gone. Takes it from `mirror` when the repository no longer has it. False when neither has it.
 */
export async function keepCommit(
  { dir: repositoryPath }: RepositoryOrigin,
  { commit, ref }: Pick<Aside, "commit" | "ref">,
  mirror: Mirror | null,
): Promise<boolean> {
  assertCommit(commit);
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  if ((await tryGit(["update-ref", ref, commit], person)).type === "ok") return true;
  return mirror !== null && (await carry({ mirror, repositoryPath, to: commit, carrier: ref })) === null;
}

/** Deletes a ref made by `setBranchAside`. A missing ref is not an error. */
export async function dropRef({ dir: repositoryPath }: RepositoryOrigin, ref: string): Promise<void> {
  await tryGit(["update-ref", "-d", ref], { cwd: repositoryPath, configuration: "person's" });
}
