import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import { promisify } from "node:util";
import { toolsIn, type Tool } from "../../core/acceptance/tools.ts";
import type { Isolation } from "../../core/isolation/isolation.ts";
import { criterionEnvironment } from "../place/environment.ts";
import { pathInside } from "../place/visible.ts";
import { ownPath } from "../process/environment.ts";
import { assertCommit } from "../git/git.ts";
import { guardMirror, type Mirror, mirrorGit } from "../git/mirror.ts";
import { isLockFile } from "../git/proposals.ts";

const run = promisify(execFile);

/** Time limit for a tool to print its version. */
const longestVersionMs = 10_000;

/**
 * Hashes what a check's result depends on besides the commit and its command: the setup command, the lock files, the versions of the
 * tools used, the variables given (name and hash), and the isolation (D38).
 */
export async function checkEnvironment(options: {
  readonly mirror: Mirror;
  readonly commit: string;
  readonly setup: string | null;
  readonly checks: readonly string[];
  readonly isolation: Isolation;
}): Promise<string> {
  const { mirror, commit, setup, checks, isolation } = options;
  const environment = criterionEnvironment({ home: homedir(), temporary: tmpdir(), path: pathInside(ownPath()) });
  const tools = toolsIn([setup ?? "", ...checks]);
  const versions = await Promise.all(tools.map((tool) => versionOf(tool, mirror.dir, environment)));
  const variables = Object.entries(environment)
    .map(([name, value]) => `${name}=${hashOf(value)}`)
    .toSorted();
  return hashOf(JSON.stringify([setup, await lockFilesAt(mirror, commit), versions, variables, isolation.shown]));
}

/** The lock files and manifests of a commit, each with its blob and path. */
async function lockFilesAt(mirror: Mirror, commit: string): Promise<readonly string[]> {
  assertCommit(commit);
  await guardMirror(mirror);
  const listed = await mirrorGit(mirror, ["ls-tree", "-r", "-z", commit]);
  return listed.split("\0").filter((line) => isLockFile(line.slice(line.indexOf("\t") + 1)));
}

async function versionOf({ name, args }: Tool, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  // SIGKILL, because a tool that only prints its version has nothing to clean up, and might ignore a gentler signal.
  const limits = { timeout: longestVersionMs, killSignal: "SIGKILL", maxBuffer: 100_000 } as const;
  const said = await run(name, [...args], { cwd, env, ...limits }).catch(() => null);
  // Java prints it on standard error.
  return `${name} ${said === null ? "is not there" : `${said.stdout}${said.stderr}`.trim()}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
