import { type RemoteTrouble, troubleSentence } from "../../core/remotes/trouble.ts";
import { assertCommit, tryGit } from "./git.ts";
import { carry } from "./merge.ts";
import { guardMirror, type Mirror } from "./mirror.ts";
import { moveRemoteBranch } from "./remote.ts";
import type { Origin, Remote } from "./remote-access.ts";

/** Their hooks run in it. */
const longestPushMs = 5 * 60_000;

/** Runs on the person's side: their hooks and rules, but no maintenance, which would rewrite their files. */
const receivePack = "git -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false receive-pack";

export type Published =
  | { readonly type: "published" }
  /** `reason` is git's or their hook's own words, masked; `isRefused`: a hook or a rule said no to what was pushed. */
  | { readonly type: "rejected"; readonly reason: string; readonly isRefused: boolean };

/** What an earlier run has pushed as this branch, and the ref under which that is kept when another commit takes its place. */
export interface Replaced {
  readonly commit: string;
  readonly ref: string;
}

/**
 * Pushes `commit` as `branch` to the person's repository and nothing else (D23): no force, no tags, no other branch.
 * Refused by git when the branch has commits of theirs, or is checked out there. In a repository elsewhere the branch may also
 * stand at one of `replaced`. Rejects only with `NoSpace`; safe to repeat.
 */
export async function publishBranch(options: {
  readonly mirror: Mirror;
  readonly origin: Origin;
  readonly branch: string;
  readonly commit: string;
  readonly replaced: readonly Replaced[];
}): Promise<Published> {
  const { mirror, branch, commit } = options;
  const { dir: repositoryPath, remote } = options.origin;
  assertCommit(commit);
  await guardMirror(mirror);
  if (remote !== null) return await publishElsewhere({ ...options, dir: repositoryPath, remote });
  const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--quiet"];
  const target = ["--", repositoryPath, `${commit}:refs/heads/${branch}`];
  const result = await tryGit(["push", ...only, `--receive-pack=${receivePack}`, ...target], {
    cwd: mirror.dir,
    configuration: "person's",
    environment: { GIT_DIR: mirror.dir },
    timeoutMs: longestPushMs,
  });
  return result.type === "ok" ? { type: "published" } : rejected(result.stderr);
}

/** By our copy, which no agent can write to: the push runs with the person's credentials. */
async function publishElsewhere(options: {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly remote: Remote;
  readonly branch: string;
  readonly commit: string;
  readonly replaced: readonly Replaced[];
}): Promise<Published> {
  const { mirror, dir, remote, branch, commit, replaced } = options;
  const carrier = `refs/cos/outgoing/${branch}`;
  const trouble = await carry({ mirror, repositoryPath: dir, to: commit, carrier });
  if (trouble !== null) return { type: "rejected", reason: trouble, isRefused: false };
  const ours = { cwd: dir, configuration: "ours" } as const;
  try {
    const tip = await tryGit(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], ours);
    const before = replaced.find((each) => tip.type === "ok" && each.commit === tip.stdout.trim());
    if (before !== undefined) await tryGit(["update-ref", before.ref, before.commit], ours);
    const sent = await moveRemoteBranch({ dir, remote }, branch, { from: before?.commit ?? null, to: commit });
    return sent.type === "sent" ? { type: "published" } : notSent(sent.trouble);
  } finally {
    await tryGit(["update-ref", "-d", carrier], ours);
  }
}

/** Only what a hook or a rule says about the work can be mended by whoever did it. */
function notSent(trouble: RemoteTrouble): Published {
  return { type: "rejected", reason: troubleSentence(trouble), isRefused: trouble.kind === "refused" };
}

function rejected(stderr: string): Published {
  return { type: "rejected", reason: stderr.trim(), isRefused: true };
}

/**
 * Pushes a branch that is in the person's repository on to one of its remotes, with the person's own configuration,
 * credentials and hooks (D24). Rejects only with `NoSpace`; safe to repeat.
 */
export async function pushToRemote(options: {
  readonly repositoryPath: string;
  readonly remote: string;
  readonly branch: string;
}): Promise<Published> {
  const { repositoryPath, remote, branch } = options;
  const refspec = `refs/heads/${branch}:refs/heads/${branch}`;
  const result = await tryGit(["push", "--quiet", "--", remote, refspec], {
    cwd: repositoryPath,
    configuration: "network",
    timeoutMs: longestPushMs,
  });
  return result.type === "ok" ? { type: "published" } : rejected(result.stderr);
}
