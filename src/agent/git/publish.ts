import { assertCommit, tryGit } from "./git.ts";
import { guardMirror, type Mirror } from "./mirror.ts";

/** Their hooks run in it. */
const longestPushMs = 5 * 60_000;

/** Runs on the person's side: their hooks and rules, but no maintenance, which would rewrite their files. */
const receivePack = "git -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false receive-pack";

export type Published =
  | { readonly type: "published" }
  /** `reason` is git's or their hook's own words, masked. */
  | { readonly type: "rejected"; readonly reason: string };

/**
 * Pushes `commit` as `branch` to the person's repository and nothing else (D23): no force, no tags, no other branch.
 * Refused by git when the branch has commits of theirs, or is checked out there. Rejects only with `NoSpace`; safe to repeat.
 */
export async function publishBranch(options: {
  readonly mirror: Mirror;
  readonly repositoryPath: string;
  readonly branch: string;
  readonly commit: string;
}): Promise<Published> {
  const { mirror, repositoryPath, branch, commit } = options;
  assertCommit(commit);
  await guardMirror(mirror);
  const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--quiet"];
  const target = ["--", repositoryPath, `${commit}:refs/heads/${branch}`];
  const result = await tryGit(["push", ...only, `--receive-pack=${receivePack}`, ...target], {
    cwd: mirror.dir,
    configuration: "person's",
    environment: { GIT_DIR: mirror.dir },
    timeoutMs: longestPushMs,
  });
  return result.type === "ok" ? { type: "published" } : { type: "rejected", reason: result.stderr.trim() };
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
    configuration: "person's",
    timeoutMs: longestPushMs,
  });
  return result.type === "ok" ? { type: "published" } : { type: "rejected", reason: result.stderr.trim() };
}
