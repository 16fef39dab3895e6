import { readLocation } from "../../core/remotes/location.ts";
import { longestPushMs } from "../../core/remotes/push.ts";
import {
  ownHookTrouble,
  type RemotePlace,
  type RemoteTrouble,
  remoteTrouble,
  troubleSentence,
} from "../../core/remotes/trouble.ts";
import { type Earlier, keepEarlier, keepEarlierThere, type WorkIdentity } from "./earlier-work.ts";
import { assertCommit, type GitResult, tryGit } from "./git.ts";
import { carry } from "./carry.ts";
import { nameOfFolder } from "./folder-name.ts";
import { guardMirror, type Mirror } from "./mirror.ts";
import { inGitDir } from "./mirror-folders.ts";
import { hasHook, hooksAreTheirs, receivePack } from "./own-hooks.ts";
import { moveRemoteBranch } from "./remote.ts";
import { longestQuestionMs, type RepositoryOrigin, type Remote, tryNetworkGit, tryRemoteGit } from "./remote-access.ts";

export type Published =
  /** `earlier` is the ref that keeps earlier work of the goal which the database does not know; null when there was none. */
  { readonly type: "published"; readonly earlier: string | null } | ({ readonly type: "rejected" } & PushTrouble);

/** Why a branch could not be published. */
export interface PushTrouble {
  /** A sentence, with a hook's own words, masked. */
  readonly reason: string;
  /** True when a hook or a rule rejected the commits. */
  readonly isRefused: boolean;
  /** True when a remote repository does not answer, which may be temporary. */
  readonly isAway: boolean;
}

interface BranchToPublish {
  readonly mirror: Mirror;
  readonly origin: RepositoryOrigin;
  readonly branch: string;
  readonly commit: string;
  readonly pushing: WorkIdentity;
}

/**
 * Pushes `commit` as `branch` to the person's repository, and nothing else (D23): no force, no tags, no other branch. Refused when the
 * branch has commits of theirs, or is checked out there. It may be at work that earlier runs pushed, or at work of the goal from before
 * a restore; such work is kept. Rejects only with `NoSpace`; safe to repeat.
 */
export async function publishBranch(options: BranchToPublish): Promise<Published> {
  const { mirror, branch, commit, pushing } = options;
  const { dir: repositoryPath, remote } = options.origin;
  assertCommit(commit);
  await guardMirror(mirror);
  if (remote !== null) return await publishElsewhere(options, repositoryPath, remote);
  const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--quiet"];
  const ref = `refs/heads/${branch}`;
  const receives = `--receive-pack=${await receivePack(repositoryPath)}`;
  const person = nameOfFolder(repositoryPath);
  const push = (lease: readonly string[]): Promise<GitResult> =>
    tryGit(["push", ...only, ...lease, receives, "--", person.name, `${commit}:${ref}`], {
      cwd: mirror.dir,
      configuration: "person's",
      environment: { ...inGitDir(mirror.dir), ...person.environment },
      timeoutMs: longestPushMs,
    });
  const place = folder(repositoryPath);
  const earlier = () => keepEarlier(repositoryPath, ref, pushing);
  // An earlier push of a killed process of ours may still run, and may have been in the way.
  const hasArrived = async () => (await tipHere(repositoryPath, ref)) === commit;
  return await pushPast({ push, place, ref, pushing, earlier, hasArrived, asksOwnHook: false });
}

/** The commit of a ref in a person's repository; null when there is none. */
async function tipHere(repositoryPath: string, ref: string): Promise<string | null> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const tip = await tryGit(["rev-parse", "--verify", "--quiet", ref], person);
  return tip.type === "ok" ? tip.stdout.trim() : null;
}

/** A local folder as a place for messages. */
function folder(path: string): RemotePlace {
  return { url: path, host: path };
}

/** Pushes. When the branch is at work of ours that may be replaced, pushes again, with a lease on exactly that commit. */
async function pushPast(options: {
  readonly push: (lease: readonly string[]) => Promise<GitResult>;
  readonly place: RemotePlace;
  readonly ref: string;
  readonly pushing: WorkIdentity;
  readonly earlier: () => Promise<Earlier | null>;
  /** True when a local `pre-push` hook runs. */
  readonly asksOwnHook: boolean;
  /** True when the branch has arrived nevertheless: a push that was cut off may have succeeded. */
  readonly hasArrived: () => Promise<boolean>;
}): Promise<Published> {
  const { place, ref, pushing } = options;
  const send = async (lease: readonly string[]): Promise<RemoteTrouble | null> => {
    const sent = await options.push(lease);
    if (sent.type === "ok" || (await options.hasArrived())) return null;
    return (options.asksOwnHook ? ownHookTrouble(sent.stderr) : null) ?? remoteTrouble(sent.stderr, place);
  };
  const trouble = await send([]);
  if (trouble === null) return { type: "published", earlier: null };
  const earlier = trouble.kind === "moved" ? await options.earlier() : null;
  if (earlier === null) return notSentWithHooks(trouble, place);
  const again = await send([`--force-with-lease=${ref}:${earlier.commit}`]);
  return again === null ? { type: "published", earlier: unknownRef(earlier, pushing) } : notSentWithHooks(again, place);
}

/** The ref of work that the database does not know; null for known work. */
function unknownRef(earlier: Earlier, { replaced }: WorkIdentity): string | null {
  return replaced.some(({ commit }) => commit === earlier.commit) ? null : earlier.ref;
}

/** Pushes from our copy, which no agent can write to: the push uses the person's credentials. */
async function publishElsewhere(options: BranchToPublish, dir: string, remote: Remote): Promise<Published> {
  const { mirror, branch, commit, pushing } = options;
  const carrier = `refs/cos/outgoing/${branch}`;
  const trouble = await carry({ mirror, repositoryPath: dir, to: commit, carrier });
  // The refusal came from our own copy.
  if (trouble !== null) return { ...notSent(remoteTrouble(trouble, folder(dir)), folder(dir)), isRefused: false };
  const ours = { cwd: dir, configuration: "ours" } as const;
  try {
    const tip = await tryGit(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], ours);
    const before = pushing.replaced.find((each) => tip.type === "ok" && each.commit === tip.stdout.trim());
    if (before !== undefined) await tryGit(["update-ref", before.ref, before.commit], ours);
    const send = (from: string | null) => moveRemoteBranch({ dir, remote }, branch, { from, to: commit });
    const sent = await send(before?.commit ?? null);
    if (sent.type === "sent") return { type: "published", earlier: null };
    if (sent.trouble.kind !== "moved") return notSent(sent.trouble, remote);
    const at = { cwd: dir, environment: { GIT_DIR: dir }, timeoutMs: longestPushMs };
    const earlier = await keepEarlierThere(dir, branch, pushing, (refspec) =>
      tryRemoteGit(remote, ["fetch", ...quietly, "--", remote.url, refspec], at),
    );
    if (earlier === null) return notSent(sent.trouble, remote);
    const again = await send(earlier.commit);
    return again.type === "sent"
      ? { type: "published", earlier: unknownRef(earlier, pushing) }
      : notSent(again.trouble, remote);
  } finally {
    await tryGit(["update-ref", "-d", carrier], ours);
  }
}

/** Fetches write only the given refs. */
const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap="];

/**
 * `isRefused` is true only for a refusal by a hook or rule, which the author of the work can fix. A local folder is never away: if it
 * does not answer, its hooks hang.
 */
function notSent(trouble: RemoteTrouble, place: RemotePlace): Extract<Published, { type: "rejected" }> {
  return {
    type: "rejected",
    reason: troubleSentence(trouble),
    isRefused: trouble.kind === "refused",
    isAway: trouble.kind === "unreachable" && isElsewhere(place.url),
  };
}

/** True for `https://host/…` and `git@host:…`; false for paths and `file://`. */
function isElsewhere(url: string): boolean {
  return /^[^/]*:/.test(url) && !/^file:/i.test(url);
}

/**
 * Like `notSent`, for a push that runs the person's hooks. A timeout may be caused by a hook, so it does not mean that the remote is
 * away.
 */
function notSentWithHooks(trouble: RemoteTrouble, place: RemotePlace): Extract<Published, { type: "rejected" }> {
  const rejected = notSent(trouble, place);
  return /\bno end after \d+ s\b/.test(rejected.reason) ? { ...rejected, isAway: false } : rejected;
}

/**
 * Pushes a branch of the person's repository to one of its remotes, with the person's own configuration, credentials and hooks (D24).
 * The remote branch may be at the same commits as for `publishBranch`. Rejects only with `NoSpace`; safe to repeat.
 */
export async function pushToRemote(options: {
  readonly repositoryPath: string;
  readonly remote: string;
  /** The socket of the person's ssh agent; null when there is none. */
  readonly agentSocket: string | null;
  readonly branch: string;
  readonly pushing: WorkIdentity;
}): Promise<Published> {
  const { repositoryPath, remote, agentSocket, branch, pushing } = options;
  const ref = `refs/heads/${branch}`;
  const login = { keyFile: null, agentSocket };
  const at = { cwd: repositoryPath, timeoutMs: longestPushMs };
  const withHooks = await hooksAreTheirs(repositoryPath);
  const urls = await pushUrls(repositoryPath, remote);
  const standsAt = async (url: string, commit: string) => {
    const asked = ["ls-remote", "--refs", "--", url, ref];
    const listed = await tryNetworkGit(login, asked, { ...at, timeoutMs: longestQuestionMs });
    return listed.type === "ok" && listed.stdout.startsWith(`${commit}\t`);
  };
  return await pushPast({
    push: (lease) =>
      tryNetworkGit(login, ["push", "--quiet", ...lease, "--", remote, `${ref}:${ref}`], { ...at, withHooks }),
    place: placeOfRemote(urls[0] ?? "", remote),
    ref,
    pushing,
    asksOwnHook: withHooks && (await hasHook(repositoryPath, "pre-push")),
    hasArrived: async () => {
      const commit = await tipHere(repositoryPath, ref);
      if (commit === null || urls.length === 0) return false;
      return (await Promise.all(urls.map((url) => standsAt(url, commit)))).every(Boolean);
    },
    earlier: () =>
      keepEarlierThere(repositoryPath, branch, pushing, (refspec) =>
        tryNetworkGit(login, ["fetch", ...quietly, "--", remote, refspec], at),
      ),
  });
}

/** The push URLs of a remote, which may be several. Empty when git cannot say. */
async function pushUrls(repositoryPath: string, remote: string): Promise<string[]> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const asked = await tryGit(["remote", "get-url", "--push", "--all", "--", remote], person);
  return asked.type === "ok" ? asked.stdout.split("\n").filter((url) => url !== "") : [];
}

/** The place for messages: the URL, or the remote's name when the URL must not be shown. */
function placeOfRemote(url: string, remote: string): RemotePlace {
  const found = readLocation(url);
  if (found.type === "url") return { url: found.url, host: found.host };
  return found.type === "path" ? { url: found.path, host: found.path } : { url: remote, host: remote };
}
