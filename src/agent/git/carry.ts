import { setTimeout as sleep } from "node:timers/promises";
import { longestPushMs } from "../../core/remotes/push.ts";
import { nameOfFolder } from "./folder-name.ts";
import { tryGit } from "./git.ts";
import type { Mirror } from "./mirror.ts";
import { inGitDir } from "./mirror-folders.ts";
import { receivePack } from "./own-hooks.ts";

/** Maximum number of pushes while another push holds the ref's lock. */
const mostPushes = 20;

/**
 * Pushes the commit to our ref in the person's repository. Null when it arrived, else the reason for the rejection. The push of a
 * killed process may still run, as long as a hook of the person's takes. Its result is as good as ours, and its lock is waited for.
 */
export async function carry({
  mirror,
  repositoryPath,
  to,
  carrier,
}: {
  readonly mirror: Mirror;
  readonly repositoryPath: string;
  readonly to: string;
  readonly carrier: string;
}): Promise<string | null> {
  const options = ["--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--quiet", "--force"];
  const receives = `--receive-pack=${await receivePack(repositoryPath)}`;
  const person = nameOfFolder(repositoryPath);
  for (let pushes = 1; ; pushes += 1) {
    const pushed = await tryGit(["push", ...options, receives, "--", person.name, `${to}:${carrier}`], {
      cwd: mirror.dir,
      configuration: "person's",
      environment: { ...inGitDir(mirror.dir), ...person.environment },
      timeoutMs: longestPushMs,
    });
    if (pushed.type === "ok") return null;
    const there = await tryGit(["rev-parse", "--verify", "--quiet", carrier], {
      cwd: repositoryPath,
      configuration: "person's",
    });
    if (there.type === "ok" && there.stdout.trim() === to) return null;
    if (!/cannot lock ref|failed to update ref/.test(pushed.stderr) || pushes === mostPushes)
      return pushed.stderr.trim();
    await sleep(100);
  }
}
