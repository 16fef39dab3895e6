import { type GitResult, tryGit } from "./git.ts";

/**
 * Work of a goal that the database does not know: a bot pushed it after the backup from which the database was restored. It may be
 * replaced on the goal's own branch, and is kept; what anybody else has put there may not.
 */

/** By what such work is told from what others did. */
export interface Pushing {
  readonly goalId: string;
  /** Of the repository: what is part of it is lost by nothing that is done to another branch. */
  readonly baseBranch: string;
  /** What the runs of the goal have recorded: that is of no time before a restore. */
  readonly recorded: readonly string[];
}

/** The commit on which a branch stands, and the ref under which it is kept when another one takes its place. */
export interface Earlier {
  readonly commit: string;
  readonly ref: string;
}

/** Whom `commitWork`, and a merge or rebase of ours, name as author and committer of a commit. */
const us = "Chief of Staff <chief-of-staff@localhost>";

/** More commits than one goal makes. */
const mostCommits = 1000;

/**
 * The tip of the goal's branch, kept under a ref in `dir`, where it is such work; null: it is not, or was not kept. The tip has the
 * trailer of the goal, and we made each commit that the base branch does not have. `tip`: its full name, `dir` has it.
 * Rejects only with `NoSpace`.
 */
export async function keepEarlier(dir: string, tip: string, pushing: Pushing): Promise<Earlier | null> {
  const { goalId, baseBranch, recorded } = pushing;
  const person = { cwd: dir, configuration: "person's" } as const;
  const commit = line(await tryGit(["rev-parse", "--verify", "--quiet", `${tip}^{commit}`], person));
  if (commit === null || recorded.includes(commit)) return null;
  const trailer = "%(trailers:key=Cos-Goal,valueonly,separator=%x2C)";
  const last = await tryGit(["log", "-1", `--format=%an <%ae>%n%cn <%ce>%n${trailer}`, commit, "--"], person);
  if (last.type === "failed" || last.stdout.trimEnd() !== `${us}\n${us}\n${goalId}`) return null;
  const range = [`--max-count=${mostCommits}`, commit, "--not", `refs/heads/${baseBranch}`, "--"];
  const people = await tryGit(["log", "--format=%an <%ae>%n%cn <%ce>", ...range], person);
  if (people.type === "failed") return null;
  const names = people.stdout.split("\n").filter((name) => name !== "");
  if (names.length >= 2 * mostCommits || names.some((name) => name !== us)) return null;
  const ref = `refs/cos/replaced/${goalId}/${commit}`;
  const kept = await tryGit(["update-ref", ref, commit], person);
  return kept.type === "ok" ? { commit, ref } : null;
}

/**
 * The same for a branch that stands elsewhere: it is fetched first, by `fetchRef`, which is given what to fetch and brings it
 * into `dir`.
 */
export async function keepEarlierThere(
  dir: string,
  branch: string,
  pushing: Pushing,
  fetchRef: (refspec: string) => Promise<GitResult>,
): Promise<Earlier | null> {
  const found = `refs/cos/found/${pushing.goalId}`;
  try {
    const fetched = await fetchRef(`+refs/heads/${branch}:${found}`);
    return fetched.type === "ok" ? await keepEarlier(dir, found, pushing) : null;
  } finally {
    await tryGit(["update-ref", "-d", found], { cwd: dir, configuration: "person's" });
  }
}

function line(result: GitResult): string | null {
  return result.type === "ok" ? result.stdout.trim() : null;
}
