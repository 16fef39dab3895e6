import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FinishedBranch, RepositoryTrouble, SeenBranch } from "../../core/reports/branches.ts";
import { arrivalOf, heldByAny, type HistoryCommit, type Revert, revertInForce } from "../../core/reports/history.ts";
import { readsObjectsOf } from "./alternates.ts";
import { type GitResult, tryGit } from "./git.ts";
import { type AskGit, type Patch, changesIn, gitLines, type Touched, touchedBy, touchingTheSame } from "./patch-ids.ts";

/**
 * Reads what became of finished branches in a person's repository. Plumbing only: writes and fetches nothing, and runs neither hooks
 * nor programs of the person's configuration.
 */

/** Maximum number of base branch commits that are read: years of work. */
const mostCommits = 20_000;

const mostReverts = 2_000;

/** Maximum number of commits of one goal; of more, only the newest are judged. */
const mostOwnCommits = 200;

const longestCommandMs = 10_000;

export interface SeenBranches {
  /** By goal id. */
  readonly branches: ReadonlyMap<string, SeenBranch>;
  readonly trouble: RepositoryTrouble | null;
}

/**
 * Reads the state of each branch, newest goals first in case the time is too short for all. Never rejects: a missing or broken
 * repository is a value. Objects of our mirror at `mirrorDir` are visible too, so that a commit is known when its branch is gone. Takes
 * about `withinMs` at most.
 */
export async function readBranches(options: {
  readonly repositoryPath: string;
  readonly baseBranch: string;
  readonly mirrorDir: string;
  readonly branches: readonly FinishedBranch[];
  readonly withinMs: number;
}): Promise<SeenBranches> {
  const { repositoryPath, baseBranch, branches, withinMs } = options;
  const endsAt = Date.now() + withinMs;
  const unread = (trouble: RepositoryTrouble): SeenBranches => ({ branches: new Map(), trouble });
  if ((await stat(repositoryPath).catch(() => null))?.isDirectory() !== true) return unread({ type: "missing" });

  const ask = asker(repositoryPath, await objectsOf(options.mirrorDir), endsAt);
  const opened = await ask(["rev-parse", "--git-dir"]);
  if (opened.type === "failed") return unread(troubleOf(opened, branches));
  const tip = await ask(["rev-parse", "--verify", "--quiet", `refs/heads/${baseBranch}^{commit}`]);
  if (tip.type === "failed" && tip.exitCode === 1) return unread({ type: "no-base", branch: baseBranch });
  if (tip.type === "failed") return unread(troubleOf(tip, branches));

  const base = await readBase(ask, tip.stdout.trim(), branches);
  if (base.type === "failed") return unread(troubleOf(base, branches));
  const seen = new Map<string, SeenBranch>();
  for (const branch of branches) {
    if (Date.now() >= endsAt) break;
    seen.set(branch.goalId, await readBranch(ask, base, branch));
  }
  const left = branches.filter((branch) => (seen.get(branch.goalId)?.type ?? "unread") === "unread").length;
  return { branches: seen, trouble: left === 0 ? null : { type: "slow", unread: left } };
}

/** Returns a function that runs git in the repository, each command limited to the remaining time. */
function asker(repositoryPath: string, objects: string | null, endsAt: number): AskGit {
  const environment = {
    // Fetch no objects: a partial clone is read as it is.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    // A folder that is no repository any more must not use its parent's.
    GIT_CEILING_DIRECTORIES: dirname(repositoryPath),
    ...(objects === null ? {} : readsObjectsOf(objects)),
  };
  return (args, more = {}) =>
    tryGit(args, {
      cwd: repositoryPath,
      configuration: "person's",
      environment,
      timeoutMs: Math.max(1, Math.min(longestCommandMs, endsAt - Date.now())),
      ...more,
    });
}

/** The folder of a mirror's objects; null when there is no mirror. */
async function objectsOf(mirrorDir: string): Promise<string | null> {
  const path = join(mirrorDir, "objects");
  return (await stat(path).catch(() => null)) === null ? null : path;
}

type Failure = Extract<GitResult, { type: "failed" }>;

/** A command without an exit code was ended by its time limit. */
function troubleOf(failure: Failure, branches: readonly FinishedBranch[]): RepositoryTrouble {
  if (failure.exitCode === null) return { type: "slow", unread: branches.length };
  const line = failure.stderr.trim().split("\n")[0] ?? "";
  return { type: "broken", reason: line.replace(/^(?:fatal|error): /, "") || `exit code ${failure.exitCode}` };
}

interface Base {
  readonly type: "read";
  readonly tip: string;
  readonly history: readonly HistoryCommit[];
  /** True when the history reaches back to the start of every known goal. Then a commit that is not in it is not in the base. */
  readonly isWhole: boolean;
  readonly commits: ReadonlySet<string>;
  /** Null when there are too many commits. */
  readonly touched: Touched | null;
  /** Newest first. */
  readonly reverts: readonly Revert[];
  /** The commits of all branches, by ref. */
  readonly refs: ReadonlyMap<string, string>;
  /** The recorded commits that exist in the repository. */
  readonly known: ReadonlySet<string>;
}

/** The base branch since the oldest goal began, and other facts that all goals need. */
async function readBase(ask: AskGit, tip: string, branches: readonly FinishedBranch[]): Promise<Base | Failure> {
  const listed = await ask(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/"]);
  if (listed.type === "failed") return listed;
  const refs = new Map(
    gitLines(listed.stdout).map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]),
  );
  const wanted = branches.flatMap(({ headCommit, baseCommit }) => [headCommit, baseCommit ?? headCommit]);
  const checked = await ask(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    input: `${wanted.join("\n")}\n`,
  });
  if (checked.type === "failed") return checked;
  const known = new Set(
    gitLines(checked.stdout).flatMap((line) => (line.endsWith(" commit") ? [line.slice(0, line.indexOf(" "))] : [])),
  );

  const starts = branches.flatMap(({ baseCommit }) => (baseCommit !== null && known.has(baseCommit) ? baseCommit : []));
  const oldest = starts.length === 0 ? null : await ask(["merge-base", "--octopus", tip, ...new Set(starts)]);
  // A shallow clone may not have the start; then all of its history is read.
  const range = oldest?.type === "ok" ? [tip, `^${oldest.stdout.trim()}`] : [tip];
  const walked = await ask(["rev-list", "--topo-order", "--parents", `--max-count=${mostCommits}`, ...range]);
  if (walked.type === "failed") return walked;
  const history = gitLines(walked.stdout).map((line): HistoryCommit => {
    const [commit = "", ...parents] = line.split(" ");
    return { commit, parents };
  });
  const words = ["--fixed-strings", "--grep=This reverts commit ", `--max-count=${mostReverts}`];
  const messages = ["--no-commit-header", "--encoding=UTF-8", "--format=%x00%H%n%B"];
  const reverted = await ask(["rev-list", "--topo-order", ...words, ...messages, ...range]);
  if (reverted.type === "failed") return reverted;
  const commits = new Set(history.map((each) => each.commit));
  const touched = await touchedBy(ask, [...commits]);
  const isWhole = oldest?.type === "ok" && history.length < mostCommits;
  return { type: "read", tip, history, isWhole, commits, touched, reverts: revertsIn(reverted.stdout), refs, known };
}

/** Finds reverts in messages; one message may name several commits. */
function revertsIn(output: string): Revert[] {
  return output.split("\0").flatMap((part) => {
    const commit = /^[0-9a-f]{40,64}(?=\n)/.exec(part)?.[0];
    if (commit === undefined) return [];
    return [...part.matchAll(/^This reverts commit ([0-9a-f]{7,64})\b/gm)].map(([, names = ""]) => ({ commit, names }));
  });
}

async function readBranch(ask: AskGit, base: Base, branch: FinishedBranch): Promise<SeenBranch> {
  const { headCommit: head } = branch;
  const tip = base.refs.get(`refs/heads/${branch.branch}`) ?? null;
  const nothing = { type: "read", tip, held: "no", arrivedAs: null, revertedBy: null } as const;
  if (!base.known.has(head)) return nothing;

  const isHeld = await holds(ask, base, branch);
  if (isHeld === null) return { type: "unread" };
  const own = await ownCommits(ask, base, branch);
  if (own === null) return { type: "unread" };
  if (isHeld) {
    const arrivedAs = arrivalOf(base.history, head);
    const revertedBy = revertedSince(base, own, [...own, arrivedAs ?? head]);
    return { type: "read", tip, held: "commit", arrivedAs, revertedBy };
  }
  const change = await sameChange(ask, base, branch);
  if (change.type === "unread") return change;
  if (change.type === "none") return nothing;
  const revertedBy = revertedSince(base, own, change.commits);
  return { type: "read", tip, held: "change", arrivedAs: change.commits[0] ?? null, revertedBy };
}

/** True when the base contains the branch's commit. Null when git did not answer. */
async function holds(ask: AskGit, base: Base, { headCommit, baseCommit }: FinishedBranch): Promise<boolean | null> {
  if (base.commits.has(headCommit)) return true;
  if (base.isWhole && baseCommit !== null && base.known.has(baseCommit)) return false;
  return await isAncestor(ask, headCommit, base.tip);
}

/** Null when git did not answer. */
async function isAncestor(ask: AskGit, older: string, newer: string): Promise<boolean | null> {
  const answered = await ask(["merge-base", "--is-ancestor", older, newer]);
  if (answered.type === "ok") return true;
  return answered.exitCode === 1 ? false : null;
}

/** The revert in force. Reverts that the goal made itself do not count. */
function revertedSince(base: Base, own: readonly string[], commits: readonly string[]): string | null {
  return revertInForce(
    base.reverts.filter((revert) => !own.includes(revert.commit)),
    commits,
  );
}

/** The commits that the goal added, newest first, to look for their reverts. Null when git did not answer. */
async function ownCommits(
  ask: AskGit,
  base: Base,
  { headCommit, baseCommit }: FinishedBranch,
): Promise<string[] | null> {
  if (base.reverts.length === 0 || baseCommit === null || !base.known.has(baseCommit)) return [headCommit];
  const listed = await ask(["rev-list", `--max-count=${mostOwnCommits}`, headCommit, `^${baseCommit}`]);
  return listed.type === "ok" ? gitLines(listed.stdout) : null;
}

type SameChange =
  | { readonly type: "unread" }
  | { readonly type: "none" }
  /** The commits of the base that make the same change, newest first. */
  | { readonly type: "found"; readonly commits: readonly string[] };

/** Looks for the same change in other commits of the base: all in one (squashed), or each commit (picked). */
async function sameChange(ask: AskGit, base: Base, { headCommit, baseCommit }: FinishedBranch): Promise<SameChange> {
  if (base.touched === null) return { type: "unread" };
  const start = baseCommit !== null && base.known.has(baseCommit) ? baseCommit : null;
  // Most branches touch files that nobody else has touched.
  const same = start === null ? null : await touchingTheSame(ask, base.touched, start, headCommit);
  if (same?.size === 0) return { type: "none" };

  const forked = await ask(["merge-base", base.tip, headCommit]);
  // Exit code 1: no common history, or cut off in a shallow clone.
  if (forked.type === "failed") return { type: forked.exitCode === 1 ? "none" : "unread" };
  const fork = forked.stdout.trim();
  const touching = same ?? (await touchingTheSame(ask, base.touched, fork, headCommit));
  if (touching === null) return { type: "unread" };
  const older = heldByAny(base.history, fork);
  const candidates = base.history.flatMap(({ commit }) => (touching.has(commit) && !older.has(commit) ? commit : []));
  if (candidates.length === 0) return { type: "none" };
  const found = await changesIn(ask, { fork, head: headCommit, candidates });
  if (found === null) return { type: "unread" };
  const onBase = (change: Patch) => found.base.find((each) => each.patchId === change.patchId)?.commit ?? null;
  const squashed = found.whole === null ? null : onBase(found.whole);
  if (squashed !== null) return { type: "found", commits: [squashed] };
  const picked = found.own.map(onBase);
  const commits = picked.filter((commit) => commit !== null);
  return commits.length > 0 && commits.length === picked.length ? { type: "found", commits } : { type: "none" };
}
