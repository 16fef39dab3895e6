import { join } from "node:path";
import { nameOfFolder } from "./folder-name.ts";
import { GitError, tryGit } from "./git.ts";
import { askPerson, guardMirror, type Mirror, mirrorGit, openAs, pastOdds } from "./mirror.ts";
import { inGitDir } from "./mirror-folders.ts";
import { writtenRef } from "./ref-journal.ts";
import { clearAround, holdsAlready, readRef } from "./refs.ts";

/** The base branch of the person's repository, as it is in the mirror: `origin/<branch>` in the worktrees. */

/** The first fetch copies the whole history. */
const longestFetchMs = 10 * 60_000;

/** The commits of base branches that this process has found in its mirrors, by the files of their refs. */
const found = new Map<string, string>();

/**
 * Opens the mirror at `mirrorDir` as `openMirror` does, and brings the branch. Where that stands as when this process looked before,
 * it is one process of git: each phase of a goal begins with it. Throws `GitError` when the repository cannot be read or has no such
 * branch.
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

/** Fetches one branch of the person's repository, without tags, and returns its commit. Throws `GitError` when there is no such branch. */
export async function fetchBase(mirror: Mirror, branch: string): Promise<string> {
  await guardMirror(mirror);
  const asked = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`];
  const theirs = await tryGit(asked, { cwd: mirror.repositoryPath, configuration: "person's" });
  return await bring(mirror, branch, theirs.type === "ok" ? theirs.stdout.trim() : null);
}

/** `theirs`: where the branch stands, if that is known. Most fetches would bring nothing, and cost four times as much as a look. */
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
  // The base branch of before may be in the way: `dev` and `dev/main` cannot be there at once.
  if (fetched.type === "failed" && (await clearAround(mirror, ref))) fetched = await run();
  if (fetched.type === "failed") throw new GitError(args, fetched);
  return (await mirrorGit(mirror, ["rev-parse", "--verify", `${ref}^{commit}`])).trim();
}

function refOf(branch: string): string {
  return `refs/remotes/origin/${branch}`;
}
