import { join } from "node:path";
import { safeOutput } from "../../core/secrets/mask.ts";
import { NoSpace, spaceLineIn } from "../../core/space/no-space.ts";
import { runGitProcess } from "./run-git.ts";
import type { Ended } from "./run.mjs";

/**
 * The one door to git (D23). No hooks but where they are asked for, no signing, no pager, no editor, no file system monitor, no
 * background maintenance and no questions on a terminal, whatever a configuration says; whoever names a bare repository means it. A list
 * of arguments, never a shell.
 */

const neverFromConfiguration = [
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.quotePath=false",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "push.gpgSign=false",
  "push.followTags=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "protocol.ext.allow=never",
  "safe.bareRepository=all",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

const noHooks = ["-c", "core.hooksPath=/dev/null"];

/**
 * Credentials are for repositories elsewhere; no other command asks a program of the person's for some. And what lies on this machine
 * is brought as it is: what their own repository may hold that git would not take (`fetch.fsck.…`), their other settings do not say.
 */
const onThisMachine = ["-c", "credential.helper=", "-c", "fetch.fsckObjects=false"];

/** The system's and the person's own configuration are not read in our own repositories. */
const ownConfigurationOnly = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** In our own repositories nobody is waited for, and a large tree takes long to write; elsewhere a program may wait for ever. */
const defaultTimeoutMs = { ours: 10 * 60_000, "person's": 120_000, network: 120_000 } as const;

/** The list of two million files. More from one command is a mistake, unless `maxBytes` asks for the beginning. */
const longestOutput = 256 * 1024 * 1024;

export interface GitOptions {
  readonly cwd: string;
  /**
   * "ours": a mirror and its worktrees, with no configuration but the mirror's. "person's": with the person's
   * configuration, because it says which directories are safe; their own hooks run on their side of a push. "network": the
   * same, with their credentials and proxies, for repositories elsewhere.
   */
  readonly configuration: "ours" | "person's" | "network";
  /** The person's own hooks run at this end, too; what they print is in `stderr` where it failed. */
  readonly withHooks?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** "latin1": `input` and what it says have a character for each byte, so that names of files that are no text stay what they are. */
  readonly encoding?: "latin1";
  /** The path of a file that is given to it instead. One that cannot be read is an empty one. */
  readonly inputFile?: string;
  readonly timeoutMs?: number;
  /** Stops after this much output, which is then a success. */
  readonly maxBytes?: number;
}

export type GitResult =
  /** `stderr`: what it said all the same, raw: warnings. */
  | { readonly type: "ok"; readonly stdout: string; readonly isWhole: boolean; readonly stderr: string }
  /** `exitCode` null: not started, or ended by a signal. `stderr` is masked. */
  | { readonly type: "failed"; readonly exitCode: number | null; readonly stderr: string };

/** Thrown by `git` for a command that was expected to work. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(args: readonly string[], failure: Extract<GitResult, { type: "failed" }>) {
    super(`git ${args[0] ?? ""} failed: ${failure.stderr.trim()}`);
    this.exitCode = failure.exitCode;
    this.stderr = failure.stderr;
  }
  /** What git says of files that were left to it, which who left them can do otherwise; null: it is about none. */
  get aboutWork(): string | null {
    return null;
  }
}

/** The standard output of a git command. Throws `GitError`, and `NoSpace` (`tryGit`). */
export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await tryGit(args, options);
  if (result.type === "failed") throw new GitError(args, result);
  return result.stdout;
}

/**
 * A git command whose failure is an answer; rejects only with `NoSpace`, when it, or a hook of the person's, says that there
 * is no space left: that is an answer to nothing.
 */
export async function tryGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const result = await runGit(args, options);
  const isElsewhere = options.configuration === "network";
  const noSpace = result.type === "failed" ? noSpaceIn(isElsewhere ? ownLines(result.stderr) : result.stderr) : null;
  if (noSpace !== null) throw new NoSpace(`git ${args[0] ?? ""}: ${noSpace}`);
  return result;
}

/** Of a file of a checkout, of its index and of a ref, git says only that they could not be written, and not why: what may not be is told otherwise. */
function noSpaceIn(stderr: string): string | null {
  const said = spaceLineIn(stderr);
  if (said !== null) return said;
  if (/\bcouldn't write '[^'\n]*\.lock'$/m.test(stderr)) return "it could not write a ref";
  return /^(?:error|fatal): (unable to write (?:file|new[ _]index) .*)$/m.exec(stderr)?.[1] ?? null;
}

/** Without what git says for the other side, whose disks are its own. */
function ownLines(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !/^(?:remote:|error: remote unpack failed:)/.test(line))
    .join("\n");
}

async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const safety = options.configuration === "ours" ? ["-c", "safe.directory=*"] : [];
  const here = options.configuration === "network" ? [] : onThisMachine;
  const hooks = options.withHooks === true ? [] : noHooks;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs[options.configuration];
  const maxBytes = options.maxBytes ?? longestOutput;
  const { exitCode, error, endedFor, stdout, stderr } = await runGitProcess({
    args: [...neverFromConfiguration, ...hooks, ...here, ...safety, ...args],
    cwd: options.cwd,
    env: gitEnvironment(options),
    input: options.encoding === undefined ? (options.input ?? "") : Buffer.from(options.input ?? "", options.encoding),
    ...(options.inputFile === undefined ? {} : { inputFile: options.inputFile }),
    timeoutMs,
    maxBytes,
  });
  if (error !== null) return failed(null, notStarted(error));
  if (endedFor === "time") return failed(null, `no end after ${Math.round(timeoutMs / 1000)} s`);
  if (endedFor === "limit" && options.maxBytes === undefined)
    return failed(null, `more than ${maxBytes} bytes of output`);
  const output = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength).toString(options.encoding);
  if (endedFor === "limit") return { type: "ok", stdout: output, isWhole: false, stderr };
  if (exitCode === 0) return { type: "ok", stdout: output, isWhole: true, stderr };
  return failed(exitCode, options.withHooks === true ? `${output}${stderr}` : stderr);
}

function failed(exitCode: number | null, text: string): GitResult {
  return { type: "failed", exitCode, stderr: safeOutput(text, []) };
}

/** Throws unless `commit` is a full object name: anything else could be read as an option or a range. */
export function assertCommit(commit: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) throw new Error(`not a commit: ${JSON.stringify(commit)}`);
}

const keptNames = ["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME"];

/** The way out, and who signs for what is found there. */
const networkNames = [
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "CURL_CA_BUNDLE",
  "XDG_RUNTIME_DIR",
];

/** Where git looks for what holds in all of a person's repositories; absolute paths, which need not exist. */
export function personsConfigurations(): string[] {
  const home = process.env["HOME"] ?? "";
  const configured = process.env["XDG_CONFIG_HOME"] || join(home, ".config");
  return [join(home, ".gitconfig"), join(configured, "git", "config")];
}

function gitEnvironment(options: GitOptions): Record<string, string> {
  const kept: Record<string, string> = {};
  const names = options.configuration === "network" ? [...keptNames, ...networkNames] : keptNames;
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return {
    ...kept,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_EDITOR: "true",
    ...(options.configuration === "ours" ? ownConfigurationOnly : {}),
    ...options.environment,
  };
}

function notStarted(error: NonNullable<Ended["error"]>): string {
  // Node says ENOENT for a missing program and for a missing working directory; only the first names the program.
  if (error.code === "ENOENT") return "git is not installed, or the directory does not exist";
  return `git could not be started: ${error.message}`;
}
