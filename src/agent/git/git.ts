import { join } from "node:path";
import { safeOutput } from "../../core/secrets/mask.ts";
import { NoSpace, readOnlyWords, spaceLineIn } from "../../core/space/no-space.ts";
import { runGitProcess } from "./run-git.ts";
import type { Ended } from "./run.mjs";

/**
 * Runs git (D23), for all of the code. Whatever a configuration says: no signing, no pager, no editor, no file system monitor, no
 * background maintenance, no questions on a terminal, and hooks only where asked for. A bare repository that is named is always used.
 * Arguments are a list, never a shell line.
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
 * Credentials are only for remote repositories: no other command may run a credential program of the person's. A local repository is
 * fetched without `fsck`: it may hold objects that git would refuse (`fetch.fsck.…`), and the person's other settings do not say which.
 */
const onThisMachine = ["-c", "credential.helper=", "-c", "fetch.fsckObjects=false"];

/** In our own repositories the configuration of the system and of the person is not read. */
const ownConfigurationOnly = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** In our own repositories git waits for nobody, but a large tree takes long to write. Elsewhere a program may wait forever. */
const defaultTimeoutMs = { ours: 10 * 60_000, "person's": 120_000, network: 120_000 } as const;

/** Enough for a list of two million files. More output from one command is a mistake, unless `maxBytes` asks for its beginning. */
const longestOutput = 256 * 1024 * 1024;

export interface GitOptions {
  readonly cwd: string;
  /**
   * "ours": a mirror and its worktrees, with only the mirror's configuration. "person's": with the person's configuration, which says
   * which directories are safe; their own hooks run on their side of a push. "network": like "person's", with their credentials and
   * proxies, for remote repositories.
   */
  readonly configuration: "ours" | "person's" | "network";
  /** Runs the person's hooks at this end too. When git fails, their output is part of `stderr`. */
  readonly withHooks?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** "latin1": one character for each byte of `input` and of the output, so that file names that are not valid text are unchanged. */
  readonly encoding?: "latin1";
  /** Path of a file that becomes the standard input. An unreadable file counts as empty. */
  readonly inputFile?: string;
  readonly timeoutMs?: number;
  /** Ends git after this much output, which is then a success. */
  readonly maxBytes?: number;
}

export type GitResult =
  /** `stderr` has warnings, not masked. */
  | { readonly type: "ok"; readonly stdout: string; readonly isWhole: boolean; readonly stderr: string }
  /** `exitCode` is null when git was not started, or was ended by a signal. `stderr` is masked. */
  | { readonly type: "failed"; readonly exitCode: number | null; readonly stderr: string };

/** Thrown by `git` when a command fails. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(args: readonly string[], failure: Extract<GitResult, { type: "failed" }>) {
    super(`git ${args[0] ?? ""} failed: ${failure.stderr.trim()}`);
    this.exitCode = failure.exitCode;
    this.stderr = failure.stderr;
  }
  /** Git's words about files of an agent, which the agent can change. Null when the error is not about such files. */
  get aboutWork(): string | null {
    return null;
  }
}

/** Returns the standard output of a git command. Throws `GitError`, and `NoSpace` like `tryGit`. */
export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await tryGit(args, options);
  if (result.type === "failed") throw new GitError(args, result);
  return result.stdout;
}

/**
 * Runs a git command and returns a failure as a value. Rejects only with `NoSpace`, when git or a hook of the person's reports a full
 * disk: that is not an answer.
 */
export async function tryGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const result = await runGit(args, options);
  const isElsewhere = options.configuration === "network";
  const noSpace = result.type === "failed" ? noSpaceIn(isElsewhere ? ownLines(result.stderr) : result.stderr) : null;
  // In repositories of ours nobody else keeps anything from being written.
  if (result.type === "failed" && options.configuration === "ours" && isReadOnly(ownLines(result.stderr)))
    throw new NoSpace(`git ${args[0] ?? ""}: ${readOnlyWords}`);
  if (noSpace !== null) throw new NoSpace(`git ${args[0] ?? ""}: ${noSpace}`);
  return result;
}

/**
 * Finds words about a full disk. For a file of a checkout, an index or a ref, git only says that it could not be written, not why;
 * missing permission is reported in other words.
 */
function noSpaceIn(stderr: string): string | null {
  const said = spaceLineIn(stderr);
  if (said !== null) return said;
  if (/\bcouldn't write '[^'\n]*\.lock'$/m.test(stderr)) return "it could not write a ref";
  return /^(?:error|fatal): (unable to write (?:file|new[ _]index) .*)$/m.exec(stderr)?.[1] ?? null;
}

function isReadOnly(stderr: string): boolean {
  return /\bRead-only file system\b/i.test(stderr);
}

/** Removes lines that report the remote side's state, whose disks are not ours. */
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

/** Proxies, and certificates for hosts behind them. */
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

/** The paths of the person's global git configurations. Absolute; they need not exist. */
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
  // Node reports ENOENT for a missing program and for a missing working directory.
  if (error.code === "ENOENT") return "git is not installed, or the directory does not exist";
  return `git could not be started: ${error.message}`;
}
