import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { gitWords } from "../../core/remotes/git-words.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import { commitAt } from "./aside.ts";
import { branchHolder } from "./branch-holder.ts";
import { type GitOptions, type GitResult, tryGit } from "./git.ts";
import { lockIn } from "./stale-locks.ts";

/** Moves a branch of a local repository, where somebody may have it checked out (D24). */

export type BranchMove =
  | { readonly type: "moved" }
  /** Nothing was changed, except for `cut`. `details` says why. */
  | {
      readonly type: "refused";
      /**
       * `diverged`: the branch has moved since we looked. `locked`: another git process holds it, for a short time; `details` is the
       * lock's path. `blocked`: git does not move it, and says why. `cut`: git ended within the checkout of the branch, whose files may
       * be half written. `away`: a remote repository did not answer; the branch may have moved nevertheless.
       */
      readonly reason: "away" | "dirty" | "diverged" | "locked" | "blocked" | "cut" | "protected" | "rejected";
      readonly details: string;
    };

/** Overrides the person's merge settings. A file of theirs that git ignores blocks the merge like any other. */
const fastForward = ["merge", "--ff-only", "--no-squash", "--no-overwrite-ignore", "--quiet"];

/** Time limit. The person's filters and slow disks take time, and a checkout that is ended leaves files half written. */
const longestCheckoutMs = 30 * 60_000;

interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** Moves a branch from one commit to another that contains it. Both commits must be in the repository. */
export async function moveHere(repositoryPath: string, move: Move): Promise<BranchMove> {
  const holder = await branchHolder(repositoryPath, move.branch);
  if (holder === null) return await moveRef(repositoryPath, move);
  if (holder.isDetached)
    return blocked(`a rebase or bisection of it is under way in ${holder.dir}, which has to end first`);
  const here = { cwd: holder.dir, configuration: "person's" } as const;
  const status = await changesIn(here);
  if (status.type === "failed") return blocked(gitWords(status.stderr));
  if (status.stdout !== "") return { type: "refused", reason: "dirty", details: here.cwd };
  // The check may take long, and git merges into whatever is checked out by then.
  const still = await branchHolder(repositoryPath, move.branch);
  if (still === null || still.isDetached || still.dir !== holder.dir)
    return blocked(`another branch was checked out meanwhile (in ${here.cwd})`);
  return await moveCheckout(repositoryPath, move, here);
}

async function moveRef(repositoryPath: string, { branch, from, to }: Move): Promise<BranchMove> {
  const ref = `refs/heads/${branch}`;
  const args = ["update-ref", "-m", "cos: merge", ref, to, from];
  const moved = await tryGit(args, { cwd: repositoryPath, configuration: "person's" });
  if (moved.type === "ok") return { type: "moved" };
  const isThere = (await commitAt(repositoryPath, ref)) === from;
  return isThere
    ? notMoved(moved.stderr, "")
    : { type: "refused", reason: "diverged", details: gitWords(moved.stderr) };
}

async function moveCheckout(repositoryPath: string, { branch, from, to }: Move, here: GitOptions): Promise<BranchMove> {
  const added = await addedFiles(here, from, to);
  const before = await thoseThere(here, added);
  const left = async () => (await thoseThere(here, added)).filter((file) => !before.includes(file));
  const merging = tryGit([...fastForward, to], { ...here, timeoutMs: longestCheckoutMs });
  const moved = await merging.catch(async (error: unknown): Promise<GitResult> => {
    // If nothing was written yet, the caller waits for space.
    if (!(error instanceof NoSpace) || !(await isHalfWritten(here, left))) throw error;
    return { type: "failed", exitCode: null, stderr: error.message };
  });
  // Git fails for many reasons, and may succeed at something else. Whether the branch moved is read, never concluded.
  const stands = await commitAt(repositoryPath, `refs/heads/${branch}`);
  const where = ` (in ${here.cwd})`;
  if (moved.type === "ok")
    return stands === to ? { type: "moved" } : blocked(`git merge did not move ${branch}${where}`);
  const details = gitWords(moved.stderr);
  if (stands !== from) return { type: "refused", reason: "diverged", details };
  if (moved.exitCode === null || (await isHalfWritten(here, left)))
    return { type: "refused", reason: "cut", details: `${details}${newWords(await left())}${where}` };
  return notMoved(moved.stderr, where);
}

/** True when the clean checkout has changes now, or git has `left` new files. */
async function isHalfWritten(here: GitOptions, left: () => Promise<readonly string[]>): Promise<boolean> {
  const status = await changesIn(here);
  return (status.type === "ok" && status.stdout !== "") || (await left()).length > 0;
}

/** The files that a merge adds. Git refuses to overwrite an existing one. */
async function addedFiles(here: GitOptions, from: string, to: string): Promise<string[]> {
  const range = ["diff", "--no-renames", "--no-ext-diff", "--name-only", "--diff-filter=A", "-z", from, to, "--"];
  const listed = await tryGit(range, here);
  return listed.type === "ok" ? listed.stdout.split("\0").filter((file) => file !== "") : [];
}

/** Maximum number of files that are checked, and maximum number that are named. */
const mostLookedAt = 1000;
const mostNamed = 5;

async function thoseThere({ cwd }: GitOptions, files: readonly string[]): Promise<string[]> {
  const found = files.slice(0, mostLookedAt).map(async (file) => {
    const isThere = await lstat(join(cwd, file)).then(
      () => true,
      () => false,
    );
    return isThere ? [file] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Words about files that git has left untracked, and that block the next merge. */
function newWords(left: readonly string[]): string {
  if (left.length === 0) return "";
  const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : "";
  return `; new there, to be removed: ${left.slice(0, mostNamed).join(", ")}${more}`;
}

/** Submodules are ignored: a merge does not touch a submodule's checkout, and is not blocked by it. */
function changesIn(here: GitOptions): Promise<GitResult> {
  return tryGit(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"], here);
}

/** The branch and all files are unchanged. */
function notMoved(stderr: string, where: string): BranchMove {
  const lock = lockIn(stderr);
  if (lock !== undefined) return { type: "refused", reason: "locked", details: lock };
  return blocked(`${gitWords(stderr)}${where}`);
}

function blocked(details: string): BranchMove {
  return { type: "refused", reason: "blocked", details };
}
