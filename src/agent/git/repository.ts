import { realpath, stat } from "node:fs/promises";
import { readLocation } from "../../core/remotes/location.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { cleanText, firstLine } from "../../core/text.ts";
import { assertCommit, git, GitError, type GitOptions, type GitResult, tryGit } from "./git.ts";
import { partialClone } from "./partial-clone.ts";
import { isRead, type Proposals, proposeCommands } from "./proposals.ts";

/** A person's repository as `repo add` finds it. `root` is absolute; for a bare repository it is its own directory. */
export type Inspection =
  | { readonly type: "ok"; readonly root: string; readonly baseBranch: string; readonly proposals: Proposals }
  /** `reason` is a sentence, `next` the remedy: a command or advice. */
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/**
 * Inspects a directory for `repo add`. `baseBranch` is the branch from which goals start; by default the checked out branch. Reads
 * only. Never rejects because of what it finds.
 */
export async function inspectRepository(
  path: string,
  options: { readonly baseBranch?: string } = {},
): Promise<Inspection> {
  const found = await stat(path).catch(() => null);
  if (found === null) return refused(`${path} does not exist`, "give the path of a git repository");
  if (!found.isDirectory()) return refused(`${path} is not a directory`, "give the path of a git repository");

  const person = { cwd: path, configuration: "person's" } as const;
  const kind = await tryGit(["rev-parse", "--is-bare-repository", "--is-inside-work-tree"], person);
  if (kind.type === "failed" && (await tryGit(["--version"], person)).type === "failed") {
    return refused("git was not found", "install git, then try again");
  }
  if (kind.type === "failed") return notARepository(path, kind);
  const [isBare, isInside] = kind.stdout.trim().split("\n");
  if (isBare !== "true" && isInside !== "true") {
    return refused(`${path} is inside a .git directory`, "give the path of its working directory");
  }

  const where = isBare === "true" ? ["rev-parse", "--absolute-git-dir"] : ["rev-parse", "--show-toplevel"];
  const root = await realpath((await git(where, person)).replace(/\n$/, ""));
  const branch = await baseBranchOf({ ...person, cwd: root }, options.baseBranch);
  if (branch.type === "refused") return branch;
  const inTheWay = await tryGit(["rev-parse", "--verify", "--quiet", "refs/heads/cos"], { ...person, cwd: root });
  if (inTheWay.type === "ok") return noRoomForOurs(root, `git -C ${shellWord(root)} branch -m cos OTHER`);
  try {
    const whole = await partialClone(root, branch.name);
    if (whole !== null)
      return refused(`${root} is a partial clone: it lacks objects of ${branch.name}, which work needs here`, whole);
    const proposals = await proposalsOf({ ...person, cwd: root }, branch.name);
    return { type: "ok", root, baseBranch: branch.name, proposals };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return unreadable(root, error.stderr);
  }
}

/** The refusal for a repository with a branch called `cos`: with that branch as a file, there can be no folder for our branches. */
export function noRoomForOurs(called: string, next: string): Extract<Inspection, { readonly type: "refused" }> {
  return refused(`${called} has a branch called cos, beside which git makes none that is called cos/GOAL`, next);
}

/** Returns why git cannot push from a person's repository to `remote`, a remote's name or a URL. Null when it can. Uses no network. */
export async function remoteProblem(
  path: string,
  remote: string,
): Promise<Extract<Inspection, { readonly type: "refused" }> | null> {
  const names = (await git(["remote"], { cwd: path, configuration: "person's" })).split("\n").filter(Boolean);
  if (names.includes(remote)) return await mirrorProblem(path, remote);
  // The rule by which git distinguishes a name from a URL.
  if (/[/:]/.test(remote)) {
    const place = readLocation(remote);
    return place.type === "wrong" ? refused(place.problem, place.next) : null;
  }
  const add = `git -C ${shellWord(path)} remote add ${shellWord(remote)} URL`;
  return names.length === 0
    ? refused(`${path} has no remote ${remote}`, add)
    : refused(`${path} has no remote ${remote}; it has ${names.join(", ")}`, `name one of them, or: ${add}`);
}

/** Git cannot push a single branch to a mirror remote. */
async function mirrorProblem(path: string, remote: string): Promise<Extract<Inspection, { type: "refused" }> | null> {
  const asked = ["config", "--type=bool", "--get", `remote.${remote}.mirror`];
  const told = await tryGit(asked, { cwd: path, configuration: "person's" });
  if (told.type === "failed" || told.stdout.trim() !== "true") return null;
  const reason = `git pushes all there is to ${remote}, and no branch alone (remote.${remote}.mirror)`;
  return refused(reason, `name another remote, or the URL instead of ${remote}`);
}

/**
 * Number of files in a person's checkout that differ from its commit, untracked ones included. 0 for a bare repository, and when git
 * fails.
 */
export async function dirtyFiles(path: string): Promise<number> {
  const person = { cwd: path, configuration: "person's" } as const;
  const status = await tryGit(["status", "--porcelain", "--no-renames", "-z"], person);
  if (status.type === "failed") return 0;
  return status.stdout.split("\0").filter((entry) => entry !== "").length;
}

type BranchChoice =
  | { readonly type: "branch"; readonly name: string }
  | Extract<Inspection, { readonly type: "refused" }>;

async function baseBranchOf(person: GitOptions, asked: string | undefined): Promise<BranchChoice> {
  const current = await tryGit(["symbolic-ref", "--quiet", "--short", "HEAD"], person);
  const name = asked ?? (current.type === "ok" ? current.stdout.trim() : null);
  if (name !== null) {
    const exists = await tryGit(["rev-parse", "--verify", "--quiet", `refs/heads/${name}^{commit}`], person);
    if (exists.type === "ok") return { type: "branch", name };
  }
  const commits = await tryGit(["rev-list", "--max-count=1", "--all"], person);
  if (commits.type === "failed") return unreadable(person.cwd, commits.stderr);
  if (commits.stdout.trim() === "") {
    return refused(
      "the repository has no commits yet",
      `git -C ${shellWord(person.cwd)} commit --allow-empty -m Start`,
    );
  }
  if (name === null) {
    return refused(
      "HEAD is detached, so the base branch is not known",
      `cos repo add ${shellWord(person.cwd)} --base BRANCH`,
    );
  }
  return refused(`there is no branch ${name} with a commit`, `cos repo add ${shellWord(person.cwd)} --base BRANCH`);
}

/** Setup and checks that a repository's files at a branch suggest. Throws `GitError`. */
export async function proposalsAt(dir: string, branch: string): Promise<Proposals> {
  return await proposalsOf({ cwd: dir, configuration: "person's" }, branch);
}

async function proposalsOf(person: GitOptions, branch: string): Promise<Proposals> {
  const tree = `refs/heads/${branch}`;
  const listed = await git(["ls-tree", "--name-only", "-z", "--full-tree", tree], person);
  const top = listed.split("\0").filter((file) => file !== "");
  const folders = ["tests", "test", "spec"].filter((folder) => top.includes(folder)).map((folder) => `${folder}/`);
  const below =
    folders.length === 0 ? "" : await git(["ls-tree", "--name-only", "-z", "--full-tree", tree, ...folders], person);
  const files = [...top, ...below.split("\0").filter((file) => file !== "")];
  const texts = new Map<string, string | null>();
  for (const file of files.filter(isRead).slice(0, mostRead))
    texts.set(file, await readCommitted(person.cwd, branch, file, longestRead));
  return proposeCommands({ files, textOf: (file) => texts.get(file) ?? null });
}

/** Maximum number of files that are read to find the tests, and maximum size of each. */
const mostRead = 20;
const longestRead = 200_000;

function notARepository(path: string, failure: Extract<GitResult, { type: "failed" }>): Inspection {
  if (/dubious ownership/.test(failure.stderr)) {
    const command = /git config --global --add safe\.directory .+/.exec(failure.stderr)?.[0];
    return refused(
      `${path} belongs to another user, and git does not trust it`,
      command ?? `git config --global --add safe.directory ${shellWord(path)}`,
    );
  }
  if (/not a git repository/.test(failure.stderr)) {
    return refused(`${path} is not a git repository`, "run git init there and commit, or give another path");
  }
  return unreadable(path, failure.stderr);
}

/** The refusal for a repository that is damaged, or that we may not read. */
function unreadable(path: string, stderr: string): Extract<Inspection, { type: "refused" }> {
  return refused(`git cannot read ${path}: ${firstLine(stderr.trim(), 300)}`, `git -C ${shellWord(path)} fsck`);
}

function refused(reason: string, next: string): Extract<Inspection, { type: "refused" }> {
  return { type: "refused", reason, next };
}

/**
 * Returns a file as committed at a branch of a person's repository, as text. Null when it is missing, is not a plain file, or is larger
 * than `maxBytes`. Links are not followed.
 */
export async function readCommitted(
  path: string,
  branch: string,
  file: string,
  maxBytes: number,
): Promise<string | null> {
  const options = { cwd: path, configuration: "person's" } as const;
  const listed = await tryGit(["ls-tree", "-z", "-l", "--full-tree", `refs/heads/${branch}`, "--", file], options);
  if (listed.type === "failed") return null;
  const [mode, type, object, size] = listed.stdout.split("\t")[0]?.split(/ +/) ?? [];
  if (type !== "blob" || mode === "120000" || object === undefined || Number(size) > maxBytes) return null;
  const found = await tryGit(["cat-file", "blob", object], options);
  return found.type === "ok" ? cleanText(found.stdout) : null;
}

/** Maximum number of bytes of attributes that are searched. */
const longestAttributes = 1_000_000;

/** The filters (`lfs`, `git-crypt`) that any `.gitattributes` of a branch names, sorted. */
export async function filtersAt(path: string, branch: string): Promise<readonly string[]> {
  const files = [":(top,glob)**/.gitattributes"];
  const asked = ["grep", "-h", "-I", "--no-color", "-e", "filter=", `refs/heads/${branch}`, "--", ...files];
  const options = { cwd: path, configuration: "person's", maxBytes: longestAttributes } as const;
  const found = await tryGit(asked, options);
  if (found.type === "failed") return [];
  const lines = cleanText(found.stdout).split("\n");
  const words = lines.flatMap((line) => (line.trimStart().startsWith("#") ? [] : line.split(/\s/).slice(1)));
  const names = words.flatMap((word) => (word.startsWith("filter=") ? [word.slice("filter=".length)] : []));
  return [...new Set(names)].filter((name) => name !== "").sort();
}

/** True when a person's repository has one of these commits. */
export async function holdsAnyOf(path: string, commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) {
    assertCommit(commit);
    const found = await tryGit(["cat-file", "-e", `${commit}^{commit}`], { cwd: path, configuration: "person's" });
    if (found.type === "ok") return true;
  }
  return false;
}
