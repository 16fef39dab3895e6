import { branchHolder } from "./branch-holder.ts";
import { carry } from "./carry.ts";
import { assertCommit, tryGit } from "./git.ts";
import type { Mirror } from "./mirror.ts";
import { moveRemoteBranch } from "./remote.ts";
import type { RepositoryOrigin } from "./remote-access.ts";

/** Branches of the person's repository that are taken away, whose commits are kept under refs of ours (D24). */

/** A branch at the commit where it was left, and the ref under which that is kept when the branch is taken away. */
export interface Aside {
  readonly branch: string;
  readonly commit: string;
  readonly ref: string;
}

/** Where a branch is, of which it was recorded where it was left. */
type Place =
  | "there"
  /** It was set aside already. */
  | "aside"
  /** Somebody has deleted it. */
  | "gone"
  /** Somebody has moved it. */
  | "elsewhere"
  /** The repository cannot be read. */
  | "unread";

/** Whether a branch stands where it was left. Changes nothing. */
export async function branchPlace(
  { dir: repositoryPath }: RepositoryOrigin,
  { branch, commit, ref }: Aside,
): Promise<Place> {
  const tip = await commitAt(repositoryPath, `refs/heads/${branch}`);
  if (tip === undefined) return "unread";
  if (tip !== null) return tip === commit ? "there" : "elsewhere";
  return (await commitAt(repositoryPath, ref)) === commit ? "aside" : "gone";
}

/** The commit that a ref of the person's repository names. Null: there is no such ref; undefined: git cannot say. */
export async function commitAt(repositoryPath: string, ref: string): Promise<string | null | undefined> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const result = await tryGit(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], person);
  if (result.type === "ok") return result.stdout.trim();
  return result.exitCode === 1 ? null : undefined;
}

/**
 * Takes a branch away and keeps its commit under another ref; that of a repository elsewhere is kept in our copy. False when the
 * branch has moved, somebody has it checked out, or git could not.
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

/** Keeps the commit of a branch that is gone; it comes from `mirror` where the repository has it no more. False: neither has it. */
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

/** Removes a ref that `setBranchAside` has made; one that does not exist is fine. */
export async function dropRef({ dir: repositoryPath }: RepositoryOrigin, ref: string): Promise<void> {
  await tryGit(["update-ref", "-d", ref], { cwd: repositoryPath, configuration: "person's" });
}
