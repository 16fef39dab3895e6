import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { gitWords } from "../../core/remotes/git-words.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import { commitAt } from "./aside.ts";
import { branchHolder } from "./branch-holder.ts";
import { type GitOptions, type GitResult, tryGit } from "./git.ts";
import { lockIn } from "./stale-locks.ts";

/** Moving a branch of a repository of this machine, where somebody may have it checked out (D24). */

export type BranchMove =
  | { readonly type: "moved" }
  /** Nothing was touched, but where it was `cut`; the words say why. */
  | {
      readonly type: "refused";
      /**
       * `diverged`: it is not where it was seen. `locked`: another git holds it, which passes; the details are the lock's path. `blocked`: git
       * does not move it, and says why. `cut`: git ended in the middle of the checkout that has it, whose files may be half written. `away`: a repository elsewhere did not answer, and may have moved it all the same.
       */
      readonly reason: "away" | "dirty" | "diverged" | "locked" | "blocked" | "cut" | "protected" | "rejected";
      readonly details: string;
    };

/** Whatever the person's settings of merges say; a file of theirs that git ignores is in the way as any other. */
const fastForward = ["merge", "--ff-only", "--no-squash", "--no-overwrite-ignore", "--quiet"];

/** Filters of the person's and slow disks take their time, and whoever cuts it leaves files half written. */
const longestCheckoutMs = 30 * 60_000;

interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** Moves a branch from one commit to another that contains it; both commits are there. */
export async function moveHere(repositoryPath: string, move: Move): Promise<BranchMove> {
  const holder = await branchHolder(repositoryPath, move.branch);
  if (holder === null) return await moveRef(repositoryPath, move);
  if (holder.isDetached)
    return blocked(`a rebase or bisection of it is under way in ${holder.dir}, which has to end first`);
  const here = { cwd: holder.dir, configuration: "person's" } as const;
  const status = await changesIn(here);
  if (status.type === "failed") return blocked(gitWords(status.stderr));
  if (status.stdout !== "") return { type: "refused", reason: "dirty", details: here.cwd };
  // Looking may take long, and git merges into whatever is checked out by then.
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
    // Where nothing was written yet, it waits for space.
    if (!(error instanceof NoSpace) || !(await isHalfWritten(here, left))) throw error;
    return { type: "failed", exitCode: null, stderr: error.message };
  });
  // Git fails for many reasons, and succeeds at other things: that it has moved is looked up, never concluded.
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

/** Whether what was clean before is not any more, or git has `left` files that were not there. */
async function isHalfWritten(here: GitOptions, left: () => Promise<readonly string[]>): Promise<boolean> {
  const status = await changesIn(here);
  return (status.type === "ok" && status.stdout !== "") || (await left()).length > 0;
}

/** The files that a merge adds; git refuses to write over one that is there. */
async function addedFiles(here: GitOptions, from: string, to: string): Promise<string[]> {
  const range = ["diff", "--no-renames", "--no-ext-diff", "--name-only", "--diff-filter=A", "-z", from, to, "--"];
  const listed = await tryGit(range, here);
  return listed.type === "ok" ? listed.stdout.split("\0").filter((file) => file !== "") : [];
}

/** At most so many are looked at, and named. */
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

/** What git has left that it does not know, and that is in the way of the next merge. */
function newWords(left: readonly string[]): string {
  if (left.length === 0) return "";
  const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : "";
  return `; new there, to be removed: ${left.slice(0, mostNamed).join(", ")}${more}`;
}

/** A submodule whose checkout is at another commit is touched by no merge, and does not stand in the way of one. */
function changesIn(here: GitOptions): Promise<GitResult> {
  return tryGit(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"], here);
}

/** The branch stands where it stood, and so does all else. */
function notMoved(stderr: string, where: string): BranchMove {
  const lock = lockIn(stderr);
  if (lock !== undefined) return { type: "refused", reason: "locked", details: lock };
  return blocked(`${gitWords(stderr)}${where}`);
}

function blocked(details: string): BranchMove {
  return { type: "refused", reason: "blocked", details };
}
