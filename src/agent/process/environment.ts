/** The variables of our environment that a child process gets: an allow-list, never all (D2, PRODUCT.md security rules). */

const allowedNames: ReadonlySet<string> = new Set(
  [
    "PATH HOME LANG LANGUAGE TERM TMPDIR SHELL USER LOGNAME TZ CI",
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT",
    "http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY",
    "XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR COREPACK_HOME PNPM_HOME",
    "NVM_DIR VOLTA_HOME CARGO_HOME RUSTUP_HOME GOPATH GOMODCACHE GOCACHE GOPROXY GOSUMDB",
    "JAVA_HOME PIP_INDEX_URL UV_INDEX_URL UV_DEFAULT_INDEX UV_CACHE_DIR PLAYWRIGHT_BROWSERS_PATH",
  ].flatMap((line) => line.split(" ")),
);

/** Variables that npm sets about *our* package when it started us; they would mislead an install elsewhere. */
const ourPackage: ReadonlySet<string> = new Set(["npm_config_local_prefix"]);

/** True for variables that no child gets, even when they are given explicitly. */
export function isForbidden(name: string): boolean {
  if (name === "COS_PROMPT_FILE") return false;
  return /^(?:COS_|SLACK_|DISCORD_|GIT_)/.test(name) || name === "DATABASE_URL" || name === "REDIS_URL";
}

/** True when children inherit this variable from us. */
export function isInherited(name: string): boolean {
  if (ourPackage.has(name) || isForbidden(name)) return false;
  return allowedNames.has(name) || name.startsWith("LC_") || /^npm_config_/i.test(name);
}

/**
 * The environment of a child of run `runId`: the allowed part of `ours`, then `given`, then `COS_RUN`, and the file for refused calls.
 * Git asks nothing on a terminal, and no variable points it at a repository.
 */
export function childEnvironment(options: {
  readonly runId: string;
  readonly refusedCalls: string | null;
  readonly given: Readonly<Record<string, string>>;
  readonly ours?: NodeJS.ProcessEnv;
}): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.ours ?? process.env)) {
    if (value !== undefined && isInherited(name)) result[name] = value;
  }
  for (const [name, value] of Object.entries(options.given)) {
    // A NUL in a value makes spawn throw; only a broken configuration has one.
    if (!isForbidden(name) && !value.includes("\0")) result[name] = value;
  }
  result["GIT_TERMINAL_PROMPT"] = "0";
  result["COS_RUN"] = options.runId;
  if (options.refusedCalls !== null) result["COS_CALLS"] = options.refusedCalls;
  return result;
}

/** Returns our own variables whose name is accepted by `isGiven`. */
export function ownVariables(isGiven: (name: string) => boolean): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && isGiven(name)) given[name] = value;
  return given;
}

/** The PATH in which we look for programs. */
export function ownPath(): string {
  return process.env["PATH"] ?? "/usr/bin:/bin";
}

/** The run to which this process belongs; null when it belongs to none. */
export function ownMark(): string | null {
  const run = process.env["COS_RUN"] ?? "";
  return run === "" ? null : run;
}
