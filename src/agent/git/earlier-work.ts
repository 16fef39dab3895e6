import { type GitResult, tryGit } from "./git.ts";

/**
 * Work of a goal at which its branch stands and that another commit may take the place of: what an earlier run has pushed, and what
 * the database does not know, as a bot pushed it after the backup from which the database was restored. It is kept; what anybody
 * else has put there stays.
 */

/** By what such work is told from what others did. */
export interface WorkIdentity {
  readonly goalId: string;
  /** Of the repository: what is part of it is lost by nothing that is done to another branch. */
  readonly baseBranch: string;
  /** What the runs of the goal have recorded: that is of no time before a restore. */
  readonly recorded: readonly string[];
  /** What earlier runs have pushed as this branch and this work does not go on from. */
  readonly replaced: readonly Earlier[];
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
 * The tip of the goal's branch, kept under a ref in `dir`, where it is such work; null: it is not, or was not kept. Of what is not
 * known the tip has the trailer of the goal, and we made each commit that the base branch does not have. `tip`: its full name, `dir` has it.
 * Rejects only with `NoSpace`.
 */
export async function keepEarlier(dir: string, tip: string, identity: WorkIdentity): Promise<Earlier | null> {
  const { goalId, baseBranch, recorded, replaced } = identity;
  const person = { cwd: dir, configuration: "person's" } as const;
  const keep = async (earlier: Earlier): Promise<Earlier | null> =>
    (await tryGit(["update-ref", earlier.ref, earlier.commit], person)).type === "ok" ? earlier : null;
  const commit = line(await tryGit(["rev-parse", "--verify", "--quiet", `${tip}^{commit}`], person));
  const known = replaced.find((each) => each.commit === commit);
  if (known !== undefined) return await keep(known);
  if (commit === null || recorded.includes(commit)) return null;
  const trailer = "%(trailers:key=Cos-Goal,valueonly,separator=%x2C)";
  const last = await tryGit(["log", "-1", `--format=%an <%ae>%n%cn <%ce>%n${trailer}`, commit, "--"], person);
  if (last.type === "failed" || last.stdout.trimEnd() !== `${us}\n${us}\n${goalId}`) return null;
  const range = [`--max-count=${mostCommits}`, commit, "--not", `refs/heads/${baseBranch}`, "--"];
  const people = await tryGit(["log", "--format=%an <%ae>%n%cn <%ce>", ...range], person);
  if (people.type === "failed") return null;
  const names = people.stdout.split("\n").filter((name) => name !== "");
  if (names.length >= 2 * mostCommits || names.some((name) => name !== us)) return null;
  return await keep({ commit, ref: `refs/cos/replaced/${goalId}/${commit}` });
}

/**
 * The same for a branch that stands elsewhere: it is fetched first, by `fetchRef`, which is given what to fetch and brings it
 * into `dir`.
 */
export async function keepEarlierThere(
  dir: string,
  branch: string,
  identity: WorkIdentity,
  fetchRef: (refspec: string) => Promise<GitResult>,
): Promise<Earlier | null> {
  const found = `refs/cos/found/${identity.goalId}`;
  try {
    const fetched = await fetchRef(`+refs/heads/${branch}:${found}`);
    return fetched.type === "ok" ? await keepEarlier(dir, found, identity) : null;
  } finally {
    await tryGit(["update-ref", "-d", found], { cwd: dir, configuration: "person's" });
  }
}

function line(result: GitResult): string | null {
  return result.type === "ok" ? result.stdout.trim() : null;
}
