import { readLocation } from "../remotes/location.ts";
import type { ForgePlace, ForgeSite, Provider } from "./forge.ts";

/** One part of a repository path: not only dots, and no characters that could change a URL. */
const part = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Finds a repository on the forges for which we have a token; null when it is on none. An ssh location is matched by host, an HTTP
 * location by address.
 */
export function forgePlace(location: string, sites: readonly ForgeSite[]): ForgePlace | null {
  const read = readLocation(location);
  if (read.type !== "url") return null;
  for (const site of sites) {
    const path = pathOn(site, read.url, read.transport === "ssh");
    if (path !== null && isRepository(site.provider, path)) return { site, host: new URL(site.url).host, path };
  }
  return null;
}

function pathOn(site: ForgeSite, url: string, isSsh: boolean): string | null {
  const at = new URL(site.url);
  if (!isSsh) {
    const below = `${site.url.toLowerCase()}/`;
    return url.toLowerCase().startsWith(below) ? tidy(url.slice(below.length)) : null;
  }
  const [, host = "", path = ""] =
    /^ssh:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.*)$/i.exec(url) ?? /^(?:[^/@:]*@)?([^/:@]+):(.*)$/.exec(url) ?? [];
  return host.toLowerCase() === at.hostname.toLowerCase() ? tidy(path) : null;
}

/** The place of an issue, by its page's address, or why it cannot be read. */
export type IssueAt =
  | { readonly type: "issue"; readonly place: ForgePlace; readonly number: number }
  | { readonly type: "wrong"; readonly problem: string; readonly next: string };

const usualHosts: ReadonlyMap<string, string> = new Map([
  ["github.com", "COS_GITHUB_TOKEN"],
  ["gitlab.com", "COS_GITLAB_TOKEN"],
  ["codeberg.org", "COS_GITEA_TOKEN"],
]);

/**
 * Parses the address of an issue. Only forges with a configured token are ever contacted, so an address cannot lead to another host.
 * `problem` never repeats a login in it.
 */
export function issuePlace(address: string, sites: readonly ForgeSite[]): IssueAt {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    return { type: "wrong", problem: "this is no address of an issue", next: anIssue };
  if (url.username !== "" || url.password !== "")
    return { type: "wrong", problem: "the address holds a login; it was not kept or shown", next: "leave it out" };
  const page = `${url.origin}${url.pathname}`;
  const site = sites.find((each) => page.toLowerCase().startsWith(`${each.url.toLowerCase()}/`));
  if (site === undefined) {
    const setting = usualHosts.get(url.host.toLowerCase());
    const next =
      setting === undefined
        ? "set its address and a token: COS_GITHUB_URL, COS_GITLAB_URL or COS_GITEA_URL (docs/pull-requests.md)"
        : `set ${setting} (docs/pull-requests.md)`;
    return { type: "wrong", problem: `no token is set for ${url.host}`, next };
  }
  const below = page.slice(site.url.length + 1);
  const shape =
    site.provider === "gitlab" ? /^(.+?)\/-\/(?:issues|work_items)\/(\d{1,9})\/?$/ : /^(.+?)\/issues\/(\d{1,9})\/?$/;
  const [, path = "", number = ""] = shape.exec(below) ?? [];
  if (!isRepository(site.provider, path))
    return { type: "wrong", problem: `this is no address of an issue at ${url.host}`, next: anIssue };
  return { type: "issue", place: { site, host: new URL(site.url).host, path }, number: Number(number) };
}

const anIssue =
  "give the address of an issue's page: https://github.com/ana/shop/issues/12, https://gitlab.com/ana/shop/-/issues/12";

function tidy(path: string): string {
  const trimmed = path
    .split("/")
    .filter((each) => each !== "")
    .join("/");
  return trimmed.endsWith(".git") ? trimmed.slice(0, -4) : trimmed;
}

/** Only GitLab has nested groups. */
function isRepository(provider: Provider, path: string): boolean {
  const parts = path.split("/");
  const isLong = provider === "gitlab" ? parts.length >= 2 && parts.length <= 21 : parts.length === 2;
  return isLong && parts.every((each) => part.test(each));
}
