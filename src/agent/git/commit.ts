import { rm } from "node:fs/promises";
import { join } from "node:path";
import { cleanText, shorten } from "../../core/text.ts";
import { type Difference, differenceOf } from "./diff.ts";
import { assertCommit } from "./git.ts";
import { hasCommit } from "./merge.ts";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { isAncestor, otherTree, treeOf } from "./refs.ts";
import { madeBySetup } from "./setup-stamp.ts";
import { changedInSubmodules } from "./submodules.ts";
import { adminDir, commitsIn, inWorktree, resetHead } from "./worktree-admin.ts";
import { worktreeTree } from "./worktree-tree.ts";

/** Written to the commit message as `Cos-Goal: …` and so on (D23). One line each; missing ones are left out. */
export interface Trailers {
  readonly goal: string;
  readonly run: string;
  readonly approvedBy?: string;
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** Files that the commit has as they were before, if any. */
interface LeftOut {
  /** Names that are not valid text, quoted as git does. */
  readonly unnamed?: readonly string[];
  /** Paths that git could not add: unreadable, with a name that git reserves, or in a submodule. A folder ends in "/". */
  readonly notAdded?: readonly string[];
}

/** The result for a worktree. */
export type Commit =
  | ({ readonly type: "no-change" } & LeftOut)
  | ({ readonly type: "committed"; readonly commit: string } & Difference & LeftOut);

const longestMessage = 10_000;

/** Work to commit. */
interface WorkToCommit {
  readonly mirror: Mirror;
  readonly worktree: string;
  readonly branch: string;
  readonly parent: string;
  /** The commit on top of which the run is built: an agent that merges it did not write it. */
  readonly ground?: string;
  readonly message: string;
  readonly trailers: Trailers;
  readonly author: Author;
}

/**
 * Records the worktree's files as a commit of `branch` that descends from `parent`, whatever an agent did to HEAD, the branch or the
 * index. The agent's own commits are kept when they descend from `parent`, touch nothing in `.cos/` and have no trailers of ours;
 * otherwise all becomes one commit. No hooks run. `.cos/` and files left by setup are never included. Files and diffstat are relative
 * to `parent`. "no-change" leaves the branch at `parent`. Safe to repeat. Throws `WorkNotAdded` and `GitError`.
 */
export async function commitWork(options: WorkToCommit): Promise<Commit> {
  const { mirror, worktree, branch, parent } = options;
  assertCommit(parent);
  if (options.ground !== undefined) assertCommit(options.ground);
  await guardMirror(mirror);
  const admin = await adminDir(mirror, worktree);
  const setup = await madeBySetup(admin);

  const base = await baseOf(options);
  const whole = { mirror, dir: worktree, base: base.commit, recorded: parent, setup };
  const { tree, left: unread } =
    base.tree === null ? await wholeTree(whole) : { tree: await otherTree(mirror, parent, base.tree), left: {} };
  const commit = tree === null ? parent : await writeCommit(options, tree, base.commit);
  const difference = tree === null ? null : await differenceOf(mirror, parent, commit);
  const left = await withSubmodules(unread, options, difference);

  if (admin !== null) {
    await resetHead(mirror, admin, branch, commit);
    const environment = inWorktree(mirror, worktree, admin);
    // The files already equal the commit, unless the work was on the branch and something else was checked out.
    const reset = ["reset", "--quiet", base.tree === null ? "--mixed" : "--hard", commit];
    if ((await tryMirrorGit(mirror, reset, { environment })).type === "failed") {
      // The agent's index is broken. Without an index git reads every file.
      await rm(join(admin, "index"), { recursive: true, force: true });
      await mirrorGit(mirror, reset, { environment });
    }
  }
  if (difference === null) return { type: "no-change", ...left };
  return { type: "committed", ...left, commit, ...difference };
}

/** Adds changes in submodule folders, which are not recorded. */
async function withSubmodules(
  left: LeftOut,
  { mirror, worktree, parent }: Pick<WorkToCommit, "mirror" | "worktree" | "parent">,
  difference: Difference | null,
): Promise<LeftOut> {
  const moved = (difference?.files ?? []).map((file) => file.path);
  const changed = await changedInSubmodules({ mirror, dir: worktree, commit: parent }, moved);
  return changed.length === 0 ? left : { ...left, notAdded: [...(left.notAdded ?? []), ...changed] };
}

/** The tree of a worktree, and the files that it leaves out. Throws `WorkNotAdded` when git stopped at a file, and `GitError`. */
async function wholeTree(
  worktree: Parameters<typeof worktreeTree>[0],
): Promise<{ readonly tree: string | null; readonly left: LeftOut }> {
  const { tree, unnamed, notAdded, stopped } = await worktreeTree(worktree);
  if (stopped !== null) throw stopped;
  const left = { ...(unnamed.length > 0 ? { unnamed } : {}), ...(notAdded.length > 0 ? { notAdded } : {}) };
  return { tree, left };
}

/**
 * The commit on which the new commit is built: the agent's own when they may stay, else `parent`. `tree` is set when the files are not
 * the work: the agent has checked out something older and changed nothing there. Then the work is what the agent committed to the
 * branch before, or nothing.
 */
async function baseOf({
  mirror,
  worktree,
  branch,
  parent,
  ground,
}: WorkToCommit): Promise<{ readonly commit: string; readonly tree: string | null }> {
  const mayStay = (head: string): Promise<boolean> => mayStayOn(mirror, parent, head, ground);
  const [head = null, tip = null] = await commitsIn(mirror, worktree, ["HEAD", `refs/heads/${branch}`]);
  if (head === null) return { commit: parent, tree: null };
  if (head !== parent && (await mayStay(head))) return { commit: head, tree: null };

  const isElsewhere = tip !== head && (await isAncestor(mirror, head, parent));
  if (!isElsewhere) return { commit: parent, tree: null };
  const files = await wholeTree({ mirror, dir: worktree, base: head, recorded: head });
  if (files.tree !== null) return { commit: parent, tree: null };
  const work = tip !== null && (await mayStay(tip)) ? tip : parent;
  return { commit: work, tree: await treeOf(mirror, work) };
}

/** True when an agent's commits from `parent` to `head` may be kept. */
async function mayStayOn(mirror: Mirror, parent: string, head: string, ground: string | undefined): Promise<boolean> {
  if (!(await isAncestor(mirror, parent, head))) return false;
  // Commits in the person's branches, and in the ground, were merged by the agent, not written.
  const known = ground !== undefined && (await hasCommit(mirror, ground)) ? [ground] : [];
  const range = [`${parent}..${head}`, "--not", "--remotes=origin", ...known];
  const listed = ["rev-list", "--full-history", "-m", "--max-count=1", ...range, "--", ".cos"];
  const touching = await mirrorGit(mirror, listed);
  if (touching.trim() !== "") return false;
  // A forged "Cos-Approved-By" must not look like ours.
  const forged = ["rev-list", "--max-count=1", "--regexp-ignore-case", "--grep=^[[:space:]]*Cos-", ...range];
  return (await mirrorGit(mirror, forged)).trim() === "";
}

async function writeCommit(
  options: { readonly mirror: Mirror; readonly message: string; readonly trailers: Trailers; readonly author: Author },
  tree: string,
  base: string,
): Promise<string> {
  const name = oneLine(options.author.name) || "Chief of Staff";
  const email = oneLine(options.author.email) || "chief-of-staff@localhost";
  const environment = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
  const input = commitMessage(options.message, options.trailers);
  return (await mirrorGit(options.mirror, ["commit-tree", tree, "-p", base, "-F", "-"], { environment, input })).trim();
}

/** Returns the message with its trailers. Lines of the message that look like our trailers are quoted. */
export function commitMessage(message: string, trailers: Trailers): string {
  const text = shorten(cleanText(message).trim(), longestMessage).replaceAll(/^[ \t]*Cos-/gim, "> $&");
  const lines = [`Cos-Goal: ${oneLine(trailers.goal)}`, `Cos-Run: ${oneLine(trailers.run)}`];
  if (trailers.approvedBy !== undefined) lines.push(`Cos-Approved-By: ${oneLine(trailers.approvedBy)}`);
  return `${text === "" ? "Work of an agent" : text}\n\n${lines.join("\n")}\n`;
}

function oneLine(text: string): string {
  return shorten(
    cleanText(text)
      .replaceAll(/[\s<>]+/g, " ")
      .trim(),
    200,
  );
}
