/** The place of a repository: a path of this machine, or a URL (D47). */
export type Location =
  | { readonly type: "path"; readonly path: string }
  | RemoteLocation
  /** `problem` and `next` never repeat the input, because it may contain a password. */
  | { readonly type: "wrong"; readonly problem: string; readonly next: string };

export interface RemoteLocation {
  readonly type: "url";
  /** The URL for git; contains no password. */
  readonly url: string;
  readonly transport: "ssh" | "https" | "http";
  /** Without a port. */
  readonly host: string;
  /** The usual name of the repository: the last part of its path. */
  readonly name: string;
}

const kinds = "git@HOST:PATH, ssh://…, https://… or a path of this machine";

/** Hosts to which a password may be sent unencrypted, because it does not leave the machine. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** True when a host is this machine's loopback, in any notation. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

const hostName = /^(?:[a-z\d](?:[\w.-]{0,252})|\[[\da-f:.]{2,45}\])$/i;
const userName = /^[a-z\d_](?:[\w.-]{0,99})$/i;

/**
 * Parses a person's name for a repository. Text that begins with "/", "." or "~", or has no host, is a path. A URL with a password, a
 * transport that runs programs, and anything that git would read as an option are wrong.
 */
export function readLocation(text: string): Location {
  const given = text.trim();
  if (given === "") return wrong("nothing names a repository", `give ${kinds}`);
  if (/^[/.~]/.test(given) || /^[a-z]:[\\/]/i.test(given)) return { type: "path", path: given };
  if (/^[\w+.-]+::/.test(given))
    return wrong("a transport that runs a program of its own is not taken", `give the repository as ${kinds}`);
  if (/[\s\p{Cc}]/u.test(given) && /:\/\/|@/.test(given))
    return wrong("the URL holds white space or a control character", "write it without, or as %20");
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme === undefined) return readShort(given);
  if (scheme === "ssh" || scheme === "https" || scheme === "http") return readUrl(given, scheme);
  if (scheme === "file") return wrong("file:// is not taken", "give the path itself");
  return wrong(`${scheme}:// is not taken`, `give the repository as ${kinds}`);
}

/** True when a stored location is a URL. */
export function isRemote(location: string): boolean {
  return readLocation(location).type === "url";
}

/** Parses `[user@]host:path`, as for ssh. A colon after a slash is part of a path. */
function readShort(given: string): Location {
  const colon = given.startsWith("[") || given.includes("@[") ? given.indexOf("]:") + 1 : given.indexOf(":");
  if (colon <= 0 || given.slice(0, colon).includes("/")) return { type: "path", path: given };
  const before = given.slice(0, colon);
  const path = given.slice(colon + 1);
  if (path.includes("@")) return withPassword;
  const at = before.lastIndexOf("@");
  const user = at === -1 ? null : before.slice(0, at);
  return remote({ url: given, transport: "ssh", host: before.slice(at + 1), user, path });
}

function readUrl(given: string, transport: RemoteLocation["transport"]): Location {
  const rest = given.slice(given.indexOf("://") + 3);
  const slash = rest.indexOf("/");
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? "" : rest.slice(slash);
  const at = authority.lastIndexOf("@");
  const user = at === -1 ? null : authority.slice(0, at);
  // A slash in a password ends the authority early; the @ is then found in the path.
  if (user?.includes(":") === true || (at === -1 && path.includes("@"))) return withPassword;
  if (transport !== "ssh" && user !== null)
    return wrong(
      "the URL holds a name before its host, where tokens are often put",
      "leave it out: git's credential helper knows who you are there (docs/operating.md, Repositories by URL)",
    );
  if (/[?#]/.test(given))
    return wrong("the URL holds a query, where tokens are often put", "leave out what follows the ?");
  const [, host = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority.slice(at + 1)) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return wrong("the URL's port is none", "give a port from 1 to 65535");
  if (transport === "http" && !loopback.test(host))
    return wrong("http:// sends what is read and written, and passwords, as they are", "use https:// or ssh://");
  return remote({ url: given, transport, host, user, path });
}

function remote(parts: {
  readonly url: string;
  readonly transport: RemoteLocation["transport"];
  readonly host: string;
  readonly user: string | null;
  readonly path: string;
}): Location {
  const { url, transport, host, user, path } = parts;
  if (user?.includes(":") === true) return withPassword;
  if (!hostName.test(host)) return wrong("the URL's host is none", `give the repository as ${kinds}`);
  if (user !== null && !userName.test(user))
    return wrong("the URL's user name is none that a server has", `give the repository as ${kinds}`);
  const name = (path.split("/").findLast((part) => part !== "") ?? "").replace(/\.git$/, "");
  if (name === "" || path.startsWith("-"))
    return wrong("the URL names no repository behind its host", `give the repository as ${kinds}`);
  return { type: "url", url, transport, host, name };
}

function wrong(problem: string, next: string): Extract<Location, { type: "wrong" }> {
  return { type: "wrong", problem, next };
}

const withPassword = wrong(
  "the URL holds a password; it was not kept or shown",
  "leave it out and let git's credential helper know it, or give a deploy key: --deploy-key FILE (docs/operating.md, Repositories by URL)",
);
