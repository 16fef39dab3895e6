import { access } from "node:fs/promises";
import { type RemoteTrouble, remoteTrouble } from "../../core/remotes/trouble.ts";
import { type GitOptions, type GitResult, tryGit } from "./git.ts";

/** A repository elsewhere, and with what we get in. */
export interface Remote {
  /** Holds no password. */
  readonly url: string;
  readonly host: string;
  readonly transport: "ssh" | "https" | "http";
  /** The private key that was given for it, where it lies on this machine; null: the machine's own configuration decides. */
  readonly keyFile: string | null;
  /** The socket of the person's ssh agent; null: there is none. */
  readonly agentSocket: string | null;
  readonly name: string;
}

/**
 * Where a repository is for this machine: the person's own folder, or our copy of one elsewhere. The copy is bare, no agent
 * sees it, and its branches stand where they stood there when we looked last.
 */
export interface RepositoryOrigin {
  /** Absolute. */
  readonly dir: string;
  /** Null: `dir` is the repository itself. */
  readonly remote: Remote | null;
}

/** A server that does not answer a question by then does not answer. */
export const longestQuestionMs = 30_000;

/** Slower than this for a minute is no transfer any more. */
const slowest = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"];

/** Nothing is asked on a terminal, no unknown host is trusted, and a host that is silent is left. */
const sshOptions = [
  "BatchMode=yes",
  "StrictHostKeyChecking=yes",
  "ConnectTimeout=15",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
].map((option) => `-o${option}`);

/**
 * A git command that speaks to a repository elsewhere, with the person's credentials for it. A URL stands behind `--`.
 * `stderr` of what failed is read by `remoteTrouble`. Rejects only with `NoSpace`.
 */
export async function tryRemoteGit(
  remote: Remote,
  args: readonly string[],
  options: NetworkOptions,
): Promise<GitResult> {
  // The person's configuration may turn one of them into the other; http is for this machine only.
  const GIT_ALLOW_PROTOCOL = remote.transport === "http" ? "http:https:ssh" : "https:ssh";
  return await tryNetworkGit(remote, args, {
    ...options,
    environment: { ...options.environment, GIT_ALLOW_PROTOCOL },
  });
}

type NetworkOptions = Omit<GitOptions, "configuration" | "inputFile" | "maxBytes">;

/** A git command that speaks to a place that the person's own repository names. Rejects only with `NoSpace`. */
export async function tryNetworkGit(
  login: Pick<Remote, "keyFile" | "agentSocket">,
  args: readonly string[],
  options: NetworkOptions,
): Promise<GitResult> {
  const environment = { ...options.environment, ...(await sshEnvironment(login, options.cwd)) };
  return await tryGit([...slowest, ...args], { ...options, configuration: "network", environment });
}

/** Why nothing has to be tried: the key that was given is not on this machine. */
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
 * `git ls-remote` with these options, and patterns behind the URL. A web page without a line break, or an empty one, is to git a repository that has
 * nothing: where nothing is listed over HTTP it is asked again, with what was said on the wire. Rejects only with `NoSpace`.
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

/** A server of plain files speaks no protocol of git's, and lists what its repository has. */
async function listsAnything(remote: Remote, options: NetworkOptions): Promise<boolean> {
  const listed = await tryRemoteGit(remote, ["ls-remote", "--", remote.url], options);
  return listed.type === "ok" && listed.stdout !== "";
}

/** What git says of a page with line breaks. */
const pageWords = "fatal: /info/refs not valid: is this a git repository?";

const tracedPacket = /^\S+ \S+ +packet: /;

function withoutTrace(failure: Failure): Failure {
  const lines = failure.stderr.split("\n").filter((line) => !tracedPacket.test(line));
  return { ...failure, stderr: lines.join("\n") };
}

type Failure = Extract<GitResult, { type: "failed" }>;

/** What a failure of `tryRemoteGit` means. */
export function troubleOfRemote(remote: Remote, failure: Failure): RemoteTrouble {
  return remoteTrouble(failure.stderr, remote);
}

/** The person's own ssh command, if they have one, with what we ask of it where it is OpenSSH's. */
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

/** One word for the shell that git starts ssh with. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
