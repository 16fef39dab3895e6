import { join } from "node:path";
import { nameOfFolder } from "./folder-name.ts";
import { GitError, tryGit } from "./git.ts";
import { askPerson, guardMirror, type Mirror, mirrorGit, openAs, pastOdds } from "./mirror.ts";
import { inGitDir } from "./mirror-folders.ts";
import { writtenRef } from "./ref-journal.ts";
import { clearAround, holdsAlready, readRef } from "./refs.ts";

/** The base branch of the person's repository, as the mirror has it: `origin/<branch>` in the worktrees. */

/** Time limit: the first fetch copies the whole history. */
const longestFetchMs = 10 * 60_000;

/** Cache: the base branch commits that this process has found in its mirrors, by the path of the ref's file. */
const found = new Map<string, string>();

/**
 * Opens the mirror at `mirrorDir` like `openMirror`, and fetches the branch. When the branch has not moved since this process last
 * looked, only one git process is started: each phase of a goal begins with this call. Throws `GitError` when the repository cannot be
 * read or has no such branch.
 */
export async function openAtBase(options: {
  readonly mirrorDir: string;
  readonly repositoryPath: string;
  readonly branch: string;
}): Promise<{ readonly mirror: Mirror; readonly commit: string }> {
  const { mirrorDir, repositoryPath, branch } = options;
  const person = await askPerson(repositoryPath, branch);
  const mirror = await openAs(mirrorDir, repositoryPath, person);
  const file = join(mirrorDir, refOf(branch));
  if (person.commit !== null && found.get(file) === person.commit && (await holdsAlready(file, person.commit))) {
    await writtenRef(mirrorDir, refOf(branch), person.commit);
    return { mirror, commit: person.commit };
  }
  const commit = await bring(mirror, branch, person.commit);
  found.set(file, commit);
  return { mirror, commit };
}

/** Fetches one branch of the person's repository, without tags. Returns its commit. Throws `GitError` when there is no such branch. */
export async function fetchBase(mirror: Mirror, branch: string): Promise<string> {
  await guardMirror(mirror);
  const asked = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`];
  const theirs = await tryGit(asked, { cwd: mirror.repositoryPath, configuration: "person's" });
  return await bring(mirror, branch, theirs.type === "ok" ? theirs.stdout.trim() : null);
}

/**
 * Fetches the branch only if it moved: most fetches would bring nothing, and cost four times as much as a look. `theirs` is its commit,
 * if known.
 */
async function bring(mirror: Mirror, branch: string, theirs: string | null): Promise<string> {
  const ref = refOf(branch);
  const commit = theirs !== null && (await readRef(mirror, ref)) === theirs ? theirs : await fetch(mirror, branch);
  await writtenRef(mirror.dir, ref, commit);
  return commit;
}

async function fetch(mirror: Mirror, branch: string): Promise<string> {
  const ref = refOf(branch);
  const person = nameOfFolder(mirror.repositoryPath);
  const source = ["--", person.name, `+refs/heads/${branch}:${ref}`];
  const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--update-shallow", "--no-recurse-submodules"];
  const args = ["fetch", ...quietly, ...source];
  const run = () =>
    pastOdds(mirror, () =>
      tryGit(args, {
        cwd: mirror.dir,
        configuration: "person's",
        environment: { ...inGitDir(mirror.dir), ...person.environment },
        timeoutMs: longestFetchMs,
      }),
    );
  let fetched = await run();
  // The ref of an earlier base branch may be in the way: `dev` and `dev/main` cannot both exist.
  if (fetched.type === "failed" && (await clearAround(mirror, ref))) fetched = await run();
  if (fetched.type === "failed") throw new GitError(args, fetched);
  return (await mirrorGit(mirror, ["rev-parse", "--verify", `${ref}^{commit}`])).trim();
}

function refOf(branch: string): string {
  return `refs/remotes/origin/${branch}`;
}
