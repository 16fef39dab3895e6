import { type GitResult, tryGit } from "./git.ts";

/**
 * Earlier work of a goal on its branch, which a new commit may replace. An earlier run pushed it, or a bot did so after the backup from
 * which the database was restored, so that the database does not know it. Such work is kept under a ref. Work of anybody else on the
 * branch stays in place.
 */

/** The facts that distinguish such work from the work of others. */
export interface WorkIdentity {
  readonly goalId: string;
  /** The repository's base branch. Its commits cannot be lost by changes to another branch. */
  readonly baseBranch: string;
  /** Commits that the goal's runs have recorded: the database knows them, so they are not from before a restore. */
  readonly recorded: readonly string[];
  /** Commits that earlier runs pushed to this branch and on which this work is not built. */
  readonly replaced: readonly Earlier[];
}

/** The commit at the tip of a branch, and the ref that keeps it when another commit replaces it. */
export interface Earlier {
  readonly commit: string;
  readonly ref: string;
}

/** Author and committer of commits made by `commitWork`, or by a merge or rebase of ours. */
const us = "Chief of Staff <chief-of-staff@localhost>";

/** Maximum number of commits that are checked: more than one goal makes. */
const mostCommits = 1000;

/**
 * Keeps the tip of the goal's branch under a ref in `dir` when it is earlier work. Null when it is not, or could not be kept. An
 * unknown tip counts only when it has the goal's trailer, and we made every commit that the base branch does not have. `tip` is a full
 * ref name, and `dir` has it. Rejects only with `NoSpace`.
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

/** Like `keepEarlier`, for a branch of a remote repository. `fetchRef` gets the refspec and fetches it into `dir`. */
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
