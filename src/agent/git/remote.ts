import { mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { longestPushMs } from "../../core/remotes/push.ts";
import type { RemoteTrouble } from "../../core/remotes/trouble.ts";
import { assertCommit, git, type GitOptions, type GitResult, tryGit } from "./git.ts";
import {
  keyTrouble,
  listRemote,
  longestQuestionMs,
  type RepositoryOrigin,
  type Remote,
  troubleOfRemote,
  tryRemoteGit,
} from "./remote-access.ts";
import { pastStaleLocks } from "./stale-locks.ts";

/**
 * Our copy of a remote repository. Asks where the remote branches stand, and fetches what has changed. Only the base branch and our own
 * `cos/*` branches are copied.
 */

/** Time limit: the first fetch copies the whole history. */
const longestFetchMs = 20 * 60_000;

/** Maximum number of looks. A branch may be deleted between the question and the fetch; then the remote is asked again. */
const mostLooks = 3;

export type Refreshed =
  | { readonly type: "fresh" }
  /** `isKnown` is true when the copy still has the branch from an earlier look. */
  | { readonly type: "failed"; readonly trouble: RemoteTrouble; readonly isKnown: boolean };

/**
 * Brings the copy up to date; does nothing for a local repository. A branch that was deleted remotely is deleted here. Safe to repeat
 * and to run concurrently. Rejects only with `NoSpace`.
 */
export async function refresh(
  { dir, remote }: RepositoryOrigin,
  branch: string,
  options: { readonly withinMs?: number } = {},
): Promise<Refreshed> {
  if (remote === null) return { type: "fresh" };
  for (let looks = 1; ; looks += 1) {
    const trouble = await look(dir, remote, branch, options.withinMs);
    if (trouble === null) return { type: "fresh" };
    const isGone = trouble.kind === "other" && /couldn't find remote ref/.test(trouble.reason);
    if (isGone && looks < mostLooks) continue;
    return { type: "failed", trouble, isKnown: (await refsIn(dir)).has(`refs/heads/${branch}`) };
  }
}

/** Returns why a remote repository cannot be read from here; null when it can. Fetches nothing. Rejects only with `NoSpace`. */
export async function askRemote(
  remote: Remote,
  { withinMs }: { readonly withinMs: number },
): Promise<RemoteTrouble | null> {
  const missing = await keyTrouble(remote);
  if (missing !== null) return missing;
  // Every repository with commits has HEAD. When nothing is listed, `listRemote` asks once more.
  const asked = { flags: [], patterns: ["HEAD"] };
  const listed = await listRemote(remote, asked, { cwd: tmpdir(), timeoutMs: withinMs });
  return listed.type === "failed" ? listed.trouble : null;
}

async function look(dir: string, remote: Remote, branch: string, withinMs?: number): Promise<RemoteTrouble | null> {
  const missing = await keyTrouble(remote);
  if (missing !== null) return missing;
  const limited = (longest: number) => (withinMs === undefined ? longest : Math.max(1, Math.min(longest, withinMs)));
  // Reads the local refs first, so that a branch which another process fetches meanwhile is not taken for a deleted one.
  const here = await refsIn(dir);
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
  const at = { cwd: dirname(dir), environment: { GIT_CEILING_DIRECTORIES: dirname(dirname(dir)) } };
  const asked = { flags: ["--refs"], patterns: [`refs/heads/${branch}`, "refs/heads/cos/*"] };
  const listed = await listRemote(remote, asked, { ...at, timeoutMs: limited(longestQuestionMs) });
  if (listed.type === "failed") return listed.trouble;
  const there = refsListed(listed.lines);
  if (!(await exists(dir))) {
    const [some] = there.values();
    if (some === undefined) return noBranch(remote, branch);
    await createCopy(dir, some.length === 64 ? "sha256" : "sha1");
  }
  // Delete before fetching: `dev` and `dev/main` cannot both exist.
  const gone = [...here].filter(([ref]) => !there.has(ref));
  for (const [ref, commit] of gone)
    await pastStaleLocks(dir, () => tryGit(["update-ref", "-d", ref, commit], inCopy(dir)));
  const changed = [...there].flatMap(([ref, commit]) => (here.get(ref) === commit ? [] : `+${ref}:${ref}`));
  if (changed.length > 0) {
    const fetched = await pastStaleLocks(dir, () => fetchRefs(dir, remote, changed, limited(longestFetchMs)));
    if (fetched.type === "failed") return troubleOfRemote(remote, fetched);
  }
  return there.has(`refs/heads/${branch}`) ? null : noBranch(remote, branch);
}

function fetchRefs(dir: string, remote: Remote, refspecs: readonly string[], timeoutMs: number): Promise<GitResult> {
  const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  return tryRemoteGit(remote, ["fetch", ...quietly, "--stdin", "--", remote.url], {
    ...inCopy(dir),
    input: `${refspecs.join("\n")}\n`,
    timeoutMs,
  });
}

function noBranch({ url, name }: Remote, branch: string): RemoteTrouble {
  const next = `name one that is there: cos repo edit ${name} --base BRANCH`;
  return { kind: "not-found", reason: `${url} has no branch ${branch}`, next };
}

/** The branches of a remote repository, for `repo add`, before anything is kept. */
export type RemoteHeads =
  | { readonly type: "read"; readonly usual: string | null; readonly branches: readonly string[] }
  | { readonly type: "failed"; readonly trouble: RemoteTrouble };

/** Reads the branches of a remote repository, and its default branch. Keeps nothing. `cwd` is any folder. */
export async function readHeads(remote: Remote, cwd: string): Promise<RemoteHeads> {
  const missing = await keyTrouble(remote);
  if (missing !== null) return { type: "failed", trouble: missing };
  const environment = { GIT_CEILING_DIRECTORIES: dirname(cwd) };
  const asked = { flags: ["--symref"], patterns: ["HEAD", "refs/heads/*"] };
  const listed = await listRemote(remote, asked, { cwd, environment, timeoutMs: longestQuestionMs });
  if (listed.type === "failed") return listed;
  const usual = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listed.lines)?.[1] ?? null;
  const branches = [...refsListed(listed.lines).keys()].flatMap((ref) =>
    ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : [],
  );
  return { type: "read", usual, branches };
}

export type Sent = { readonly type: "sent" } | { readonly type: "failed"; readonly trouble: RemoteTrouble };

/**
 * Moves one branch in the remote repository, then in our copy. `from` is the commit it must have there; null when it must not exist, or
 * be an ancestor. `to` null deletes it. Pushes nothing else. Safe to repeat. Rejects only with `NoSpace`.
 */
export async function moveRemoteBranch(
  { dir, remote }: { readonly dir: string; readonly remote: Remote },
  branch: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<Sent> {
  const missing = await keyTrouble(remote);
  if (missing !== null) return { type: "failed", trouble: missing };
  for (const commit of [from, to]) if (commit !== null) assertCommit(commit);
  const ref = `refs/heads/${branch}`;
  const lease = from === null ? [] : [`--force-with-lease=${ref}:${from}`];
  const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--quiet"];
  const args = ["push", ...only, ...lease, "--", remote.url, `${to ?? ""}:${ref}`];
  const pushed = await tryRemoteGit(remote, args, { ...inCopy(dir), timeoutMs: longestPushMs });
  if (pushed.type === "failed" && !(await standsAt(dir, remote, ref, to)))
    return { type: "failed", trouble: troubleOfRemote(remote, pushed) };
  const change = to === null ? ["-d", ref] : [ref, to];
  await pastStaleLocks(dir, () => tryGit(["update-ref", ...change], inCopy(dir)));
  return { type: "sent" };
}

/** True when a failed push was not needed: an earlier push of ours that was cut off may have arrived. */
async function standsAt(dir: string, remote: Remote, ref: string, to: string | null): Promise<boolean> {
  const asked = { flags: ["--refs"], patterns: [ref] };
  const listed = await listRemote(remote, asked, { ...inCopy(dir), timeoutMs: longestQuestionMs });
  return listed.type === "listed" && (refsListed(listed.lines).get(ref) ?? null) === to;
}

function inCopy(dir: string): Pick<GitOptions, "cwd" | "environment"> & { readonly configuration: "ours" } {
  return { cwd: dir, environment: { GIT_DIR: dir }, configuration: "ours" };
}

/** Creates an empty bare repository at `dir`. Throws `GitError`. */
export async function createCopy(dir: string, format: string): Promise<void> {
  const formats = { GIT_DEFAULT_REF_FORMAT: "files", GIT_DEFAULT_HASH: format };
  const ours = { cwd: dirname(dir), configuration: "ours", environment: formats } as const;
  await git(["init", "--quiet", "--bare", "--template=", "--initial-branch=none", dir], ours);
}

async function exists(dir: string): Promise<boolean> {
  return (await stat(join(dir, "HEAD")).catch(() => null)) !== null;
}

/** The branches of the copy, by ref; empty when there is no copy yet. */
async function refsIn(dir: string): Promise<Map<string, string>> {
  if (!(await exists(dir))) return new Map();
  const listed = await tryGit(["for-each-ref", "--format=%(objectname)%09%(refname)", "refs/heads/"], inCopy(dir));
  return listed.type === "ok" ? refsListed(listed.stdout) : new Map();
}

/** Parses lines of "commit, tab, ref", as git lists them. */
function refsListed(output: string): Map<string, string> {
  return new Map(
    output.split("\n").flatMap((line): [string, string][] => {
      const [, commit, ref] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/.+)$/.exec(line) ?? [];
      return commit === undefined || ref === undefined ? [] : [[ref, commit]];
    }),
  );
}
