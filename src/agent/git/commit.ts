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

/** Recorded in the commit message as `Cos-Goal: …` and so on (D23). One line each; what is not given is left out. */
export interface Trailers {
  readonly goal: string;
  readonly run: string;
  readonly approvedBy?: string;
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** Files that are as they were before, if any. */
interface LeftOut {
  /** Because their names are no text, as git quotes them. */
  readonly unnamed?: readonly string[];
  /** Because git could not add them: nobody may read them, they are called as git calls its own, or lie in a submodule. A folder ends in "/". */
  readonly notAdded?: readonly string[];
}

/** What became of a worktree. */
export type Commit =
  | ({ readonly type: "no-change" } & LeftOut)
  | ({ readonly type: "committed"; readonly commit: string } & Difference & LeftOut);

const longestMessage = 10_000;

/** Work that is to be committed. */
interface WorkToCommit {
  readonly mirror: Mirror;
  readonly worktree: string;
  readonly branch: string;
  readonly parent: string;
  /** What its run is put on: an agent that merges it has written nothing of it. */
  readonly ground?: string;
  readonly message: string;
  readonly trailers: Trailers;
  readonly author: Author;
}

/**
 * Records the worktree as it lies as a commit of `branch` that descends from `parent`, whatever an agent did to HEAD,
 * the branch or the index. Its own commits stay in between when they descend from `parent`, touch nothing of `.cos/`
 * and carry no trailers of ours; otherwise all is one commit. No hooks run; `.cos/` is never part of it, nor is what
 * setup left. Files and diffstat are against `parent`. "no-change" leaves the branch at `parent`. Safe to repeat. Throws `WorkNotAdded`
 * and `GitError`.
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
    // The files are the commit's already, unless the work was on the branch and something else was checked out.
    const reset = ["reset", "--quiet", base.tree === null ? "--mixed" : "--hard", commit];
    if ((await tryMirrorGit(mirror, reset, { environment })).type === "failed") {
      // The agent's index is none: without one every file is read.
      await rm(join(admin, "index"), { recursive: true, force: true });
      await mirrorGit(mirror, reset, { environment });
    }
  }
  if (difference === null) return { type: "no-change", ...left };
  return { type: "committed", ...left, commit, ...difference };
}

/** With what the worktree has otherwise in folders of submodules. */
async function withSubmodules(
  left: LeftOut,
  { mirror, worktree, parent }: Pick<WorkToCommit, "mirror" | "worktree" | "parent">,
  difference: Difference | null,
): Promise<LeftOut> {
  const moved = (difference?.files ?? []).map((file) => file.path);
  const changed = await changedInSubmodules({ mirror, dir: worktree, commit: parent }, moved);
  return changed.length === 0 ? left : { ...left, notAdded: [...(left.notAdded ?? []), ...changed] };
}

/** The tree of a worktree, and what is not in it. Throws `WorkNotAdded` where git stopped at a file, and `GitError`. */
async function wholeTree(
  worktree: Parameters<typeof worktreeTree>[0],
): Promise<{ readonly tree: string | null; readonly left: LeftOut }> {
  const { tree, unnamed, notAdded, stopped } = await worktreeTree(worktree);
  if (stopped !== null) throw stopped;
  const left = { ...(unnamed.length > 0 ? { unnamed } : {}), ...(notAdded.length > 0 ? { notAdded } : {}) };
  return { tree, left };
}

/**
 * On what the new commit is put: the agent's own commits where they may stay, else `parent`. `tree` is set when the
 * files are not the work, because the agent has checked out something older and changed nothing there: then the work
 * is what it committed to the branch before, or nothing.
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

/** Whether an agent's commits from `parent` to `head` may be part of the record. */
async function mayStayOn(mirror: Mirror, parent: string, head: string, ground: string | undefined): Promise<boolean> {
  if (!(await isAncestor(mirror, parent, head))) return false;
  // What the person's branches hold, and what the work is on top of, was merged by the agent, not written by it.
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

/** The message with its trailers. Lines of the message that would read as trailers of ours are quoted. */
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
