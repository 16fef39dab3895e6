import { access } from "node:fs/promises";
import { type RemoteTrouble, remoteTrouble } from "../../core/remotes/trouble.ts";
import { type GitOptions, type GitResult, tryGit } from "./git.ts";

/** A remote repository, and how we log in. */
export interface Remote {
  /** Contains no password. */
  readonly url: string;
  readonly host: string;
  readonly transport: "ssh" | "https" | "http";
  /** Path of the private key given for it on this machine. Null when the machine's own configuration decides. */
  readonly keyFile: string | null;
  /** The socket of the person's ssh agent; null when there is none. */
  readonly agentSocket: string | null;
  readonly name: string;
}

/**
 * Where this machine finds a repository: the person's own folder, or our copy of a remote one. The copy is bare and hidden from agents.
 * Its branches are as of our last fetch.
 */
export interface RepositoryOrigin {
  /** Absolute path. */
  readonly dir: string;
  /** Null when `dir` is the repository itself. */
  readonly remote: Remote | null;
}

/** Time limit for a question to a server. */
export const longestQuestionMs = 30_000;

/** A transfer that is slower than this for a minute is ended. */
const slowest = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"];

/** No questions on a terminal, no unknown hosts, and a timeout for a silent host. */
const sshOptions = [
  "BatchMode=yes",
  "StrictHostKeyChecking=yes",
  "ConnectTimeout=15",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
].map((option) => `-o${option}`);

/**
 * Runs a git command against a remote repository, with the person's credentials. A URL must follow `--`. `remoteTrouble` reads the
 * `stderr` of a failure. Rejects only with `NoSpace`.
 */
export async function tryRemoteGit(
  remote: Remote,
  args: readonly string[],
  options: NetworkOptions,
): Promise<GitResult> {
  // The person's configuration may turn https into ssh, or the reverse. http is only for this machine.
  const GIT_ALLOW_PROTOCOL = remote.transport === "http" ? "http:https:ssh" : "https:ssh";
  return await tryNetworkGit(remote, args, {
    ...options,
    environment: { ...options.environment, GIT_ALLOW_PROTOCOL },
  });
}

type NetworkOptions = Omit<GitOptions, "configuration" | "inputFile" | "maxBytes">;

/** Runs a git command against a place named in the person's own repository. Rejects only with `NoSpace`. */
export async function tryNetworkGit(
  login: Pick<Remote, "keyFile" | "agentSocket">,
  args: readonly string[],
  options: NetworkOptions,
): Promise<GitResult> {
  const environment = { ...options.environment, ...(await sshEnvironment(login, options.cwd)) };
  return await tryGit([...slowest, ...args], { ...options, configuration: "network", environment });
}

/** The trouble when the given key is not on this machine, so that no connection is tried. Null when there is none. */
export async function keyTrouble({ keyFile, url, name }: Remote): Promise<RemoteTrouble | null> {
  if (keyFile === null) return null;
  const isThere = await access(keyFile).then(
    () => true,
    () => false,
  );
  if (isThere) return null;
  return {
    kind: "key-missing",
    reason: `the deploy key for ${url} is not in the data directory of this machine`,
    next: `give it here: cos repo edit ${name} --deploy-key FILE`,
  };
}

export type Listed =
  /** Lines of "commit, tab, ref". */
  { readonly type: "listed"; readonly lines: string } | { readonly type: "failed"; readonly trouble: RemoteTrouble };

/**
 * Runs `git ls-remote` with these options, and patterns after the URL. Git takes an empty web page, or one without a line break, for an
 * empty repository. When nothing is listed over HTTP, git is run again with a packet trace, which shows whether a git server answered.
 * Rejects only with `NoSpace`.
 */
export async function listRemote(
  remote: Remote,
  { flags, patterns }: { readonly flags: readonly string[]; readonly patterns: readonly string[] },
  options: NetworkOptions,
): Promise<Listed> {
  const args = ["ls-remote", ...flags, "--", remote.url, ...patterns];
  const listed = await tryRemoteGit(remote, args, options);
  if (listed.type === "failed") return { type: "failed", trouble: troubleOfRemote(remote, listed) };
  if (listed.stdout !== "" || remote.transport === "ssh") return { type: "listed", lines: listed.stdout };
  const environment = { ...options.environment, GIT_TRACE_PACKET: "1" };
  const heard = await tryRemoteGit(remote, args, { ...options, environment });
  if (heard.type === "failed") return { type: "failed", trouble: troubleOfRemote(remote, withoutTrace(heard)) };
  const isGit = heard.stdout !== "" || heard.stderr.split("\n").some((line) => tracedPacket.test(line));
  if (isGit || (await listsAnything(remote, options))) return { type: "listed", lines: heard.stdout };
  return { type: "failed", trouble: remoteTrouble(pageWords, remote) };
}

/** A server of plain files does not speak git's protocol, but lists its refs. */
async function listsAnything(remote: Remote, options: NetworkOptions): Promise<boolean> {
  const listed = await tryRemoteGit(remote, ["ls-remote", "--", remote.url], options);
  return listed.type === "ok" && listed.stdout !== "";
}

/** Git's message for a web page with line breaks. */
const pageWords = "fatal: /info/refs not valid: is this a git repository?";

const tracedPacket = /^\S+ \S+ +packet: /;

function withoutTrace(failure: Failure): Failure {
  const lines = failure.stderr.split("\n").filter((line) => !tracedPacket.test(line));
  return { ...failure, stderr: lines.join("\n") };
}

type Failure = Extract<GitResult, { type: "failed" }>;

/** Reads the failure of a `tryRemoteGit` call. */
export function troubleOfRemote(remote: Remote, failure: Failure): RemoteTrouble {
  return remoteTrouble(failure.stderr, remote);
}

/** The person's own ssh command, if configured. Our options are added when it is OpenSSH. */
async function sshEnvironment(
  { keyFile, agentSocket }: Pick<Remote, "keyFile" | "agentSocket">,
  cwd: string,
): Promise<Record<string, string>> {
  const configured = await tryGit(["config", "--get", "core.sshCommand"], { cwd, configuration: "network" });
  const theirs = configured.type === "ok" ? configured.stdout.trim() : "";
  const command = theirs === "" ? "ssh" : theirs;
  const agent = agentSocket === null || keyFile !== null ? {} : { SSH_AUTH_SOCK: agentSocket };
  const isOpenSsh = /^(?:[\w./-]*\/)?ssh(?:\s|$)/.test(command);
  if (!isOpenSsh) return { ...agent, GIT_SSH_COMMAND: command };
  const key = keyFile === null ? [] : ["-i", quoted(keyFile), "-oIdentitiesOnly=yes", "-oIdentityAgent=none"];
  return { ...agent, GIT_SSH_COMMAND: [command, ...sshOptions, ...key].join(" "), GIT_SSH_VARIANT: "ssh" };
}

/** Quotes a word for the shell that git uses to start ssh. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
