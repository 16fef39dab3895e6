import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { promisify } from "node:util";
import { toolsIn, type Tool } from "../../core/acceptance/tools.ts";
import { childEnvironment } from "../process/environment.ts";
import { assertCommit } from "../git/git.ts";
import { guardMirror, type Mirror, mirrorGit } from "../git/mirror.ts";
import { lockFileNames } from "../git/proposals.ts";

const run = promisify(execFile);

/** A tool that does not say its version by then counts as one that says none. */
const longestVersionMs = 10_000;

/** Differs from run to run and decides nothing. */
const ours: ReadonlySet<string> = new Set(["COS_RUN"]);

/**
 * What a check's result at a commit depends on beside the commit and its command, hashed: the setup command, the lock
 * files, the versions of the tools that are used, and the variables that are given, by name and hash (D38).
 */
export async function checkEnvironment(options: {
  readonly mirror: Mirror;
  readonly commit: string;
  readonly setup: string | null;
  readonly checks: readonly string[];
  readonly runId: string;
}): Promise<string> {
  const { mirror, commit, setup, checks, runId } = options;
  const environment = childEnvironment({ runId, refusedCalls: null, given: {} });
  const tools = toolsIn([setup ?? "", ...checks]);
  const versions = await Promise.all(tools.map((tool) => versionOf(tool, mirror.dir, environment)));
  const variables = Object.entries(environment)
    .filter(([name]) => !ours.has(name))
    .map(([name, value]) => `${name}=${hashOf(value)}`)
    .toSorted();
  return hashOf(JSON.stringify([setup, await lockFilesAt(mirror, commit), versions, variables]));
}

/** The lock files and manifests of a commit, each with its blob and path. */
async function lockFilesAt(mirror: Mirror, commit: string): Promise<readonly string[]> {
  assertCommit(commit);
  await guardMirror(mirror);
  const listed = await mirrorGit(mirror, ["ls-tree", "-r", "-z", commit]);
  return listed.split("\0").filter((line) => lockFileNames.includes(basename(line.slice(line.indexOf("\t") + 1))));
}

async function versionOf({ name, args }: Tool, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const said = await run(name, [...args], { cwd, env, timeout: longestVersionMs, maxBuffer: 100_000 }).catch(
    () => null,
  );
  // Java says it on standard error.
  return `${name} ${said === null ? "is not there" : `${said.stdout}${said.stderr}`.trim()}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
