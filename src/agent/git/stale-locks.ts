import { rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { GitResult } from "./git.ts";

/** Age after which a lock counts as left by a killed process: no git command of ours holds one for long. */
const staleLockMs = 1_500;

/** Runs git. When a killed process has left a lock in `dir`, it is removed, and the command is repeated. */
export async function pastStaleLocks(dir: string, run: () => Promise<GitResult>): Promise<GitResult> {
  let result = await run();
  for (let waitedMs = 0; result.type === "failed"; waitedMs += 250) {
    const lock = lockIn(result.stderr);
    if (lock === undefined || !lock.startsWith(join(dir, sep)) || waitedMs > staleLockMs) return result;
    if (waitedMs === staleLockMs) await rm(lock, { recursive: true, force: true });
    else await sleep(250);
    result = await run();
  }
  return result;
}

/** The path in "fatal: Unable to create '…/HEAD.lock': File exists"; undefined when git failed for another reason. */
export function lockIn(stderr: string): string | undefined {
  const [, after = ""] = stderr.split("Unable to create '", 2);
  const end = after.indexOf(".lock': File exists");
  return end === -1 ? undefined : `${after.slice(0, end)}.lock`;
}
