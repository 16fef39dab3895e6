import type { ForgeSite, Provider } from "../core/forges/forge.ts";
import { isLoopback } from "../core/remotes/location.ts";
import type { SettingName } from "../core/settings.ts";
import type { Reader } from "./reader.ts";

const known = [
  { provider: "github", token: "COS_GITHUB_TOKEN", url: "COS_GITHUB_URL", usual: "https://github.com" },
  { provider: "gitlab", token: "COS_GITLAB_TOKEN", url: "COS_GITLAB_URL", usual: "https://gitlab.com" },
  { provider: "gitea", token: "COS_GITEA_TOKEN", url: "COS_GITEA_URL", usual: "https://codeberg.org" },
] as const satisfies readonly {
  readonly provider: Provider;
  readonly token: SettingName;
  readonly url: SettingName;
  readonly usual: string;
}[];

/** The settings with the tokens for pull requests. */
export const forgeTokens: readonly SettingName[] = known.map(({ token }) => token);

/** Reads the forges for which there is a token. */
export function readForges(reader: Reader): readonly ForgeSite[] {
  return known.flatMap(({ provider, token: name, url, usual }) => {
    const address = readAddress(reader, url) ?? usual;
    const token = reader.value(name);
    if (token === null) return [];
    if (/^[\x21-\x7e]{8,1000}$/.test(token)) return [{ provider, url: address, token }];
    reader.problem(name, "a token: 8 to 1000 characters without white space");
    return [];
  });
}

/**
 * Reads the URL at which people open the console; null when none is set. Links of the console begin at the root, so the URL may have no
 * path.
 */
export function readConsoleUrl(reader: Reader): string | null {
  const address = readAddress(reader, "COS_CONSOLE_URL");
  if (address === null || new URL(address).pathname === "/") return address;
  reader.problem("COS_CONSOLE_URL", "an address without a path: give the console a host name or a port of its own");
  return null;
}

/** Reads a URL that people open, without a slash at its end; null when none is set. */
function readAddress(reader: Reader, name: SettingName): string | null {
  const given = reader.url(name, ["http:", "https:"]);
  if (given === null) return null;
  const { protocol, hostname, username, password, search, hash } = new URL(given);
  if (username !== "" || password !== "" || search !== "" || hash !== "") {
    reader.problem(name, "an address without a login, a query and a fragment");
    return null;
  }
  if (protocol === "http:" && !isLoopback(hostname)) {
    reader.problem(name, "an address that starts with https:// (http:// only on this machine)");
    return null;
  }
  return withoutLastSlash(given);
}

function withoutLastSlash(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}
