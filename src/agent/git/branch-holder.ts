import { readFile } from "node:fs/promises";
import { tryGit } from "./git.ts";

/**
 * Finds the worktree that uses a branch of a person's repository. Git's own commands do not move or delete such a branch; `update-ref`
 * does.
 */

/** A worktree that is on a branch, or in an operation after which git returns to the branch. */
interface Holder {
  readonly dir: string;
  /** A rebase or bisection of the branch is under way there. */
  readonly isDetached: boolean;
}

/** Files in a worktree's git folder that name the branches git moves, or returns to, after a rebase or bisection. */
const underWay = ["rebase-merge/head-name", "rebase-merge/update-refs", "rebase-apply/head-name", "BISECT_START"];

/** The worktree that uses a branch. Null when none does, or its folder is gone. The repository itself when git cannot say. */
export async function branchHolder(repositoryPath: string, branch: string): Promise<Holder | null> {
  const listed = await worktreesOf(repositoryPath);
  if (listed === null) return { dir: repositoryPath, isDetached: false };
  for (const { dir, isBare, lines } of listed) {
    if (isBare || lines.some((line) => /^prunable\b/.test(line))) continue;
    if (lines.includes(`branch refs/heads/${branch}`)) return { dir, isDetached: false };
    if (lines.includes("detached") && (await goesBackTo(dir, branch))) return { dir, isDetached: true };
  }
  return null;
}

interface Listed {
  readonly dir: string;
  readonly isBare: boolean;
  /** All lines that git printed for this worktree. */
  readonly lines: readonly string[];
}

/** The worktrees of a person's repository, the main one first. Null when git cannot say. Rejects only with `NoSpace`. */
export async function worktreesOf(repositoryPath: string): Promise<readonly Listed[] | null> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const told = await tryGit(["worktree", "list", "--porcelain", "-z"], person);
  if (told.type === "failed") return null;
  return told.stdout.split("\0\0").flatMap((block): Listed[] => {
    const lines = block.split("\0");
    const dir = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    return dir === undefined ? [] : [{ dir, isBare: lines.includes("bare"), lines }];
  });
}

/** True when a rebase or bisection in a worktree names the branch. */
async function goesBackTo(dir: string, branch: string): Promise<boolean> {
  const asked = ["rev-parse", "--path-format=absolute", ...underWay.flatMap((name) => ["--git-path", name])];
  const told = await tryGit(asked, { cwd: dir, configuration: "person's" });
  if (told.type === "failed") return false;
  for (const path of told.stdout.split("\n")) {
    const lines = (await readFile(path, "utf8").catch(() => "")).split("\n");
    // A bisection writes the branch without `refs/heads/`.
    if (lines.includes(`refs/heads/${branch}`) || lines.includes(branch)) return true;
  }
  return false;
}
