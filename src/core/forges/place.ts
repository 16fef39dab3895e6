import { readLocation } from "../remotes/location.ts";
import type { ForgePlace, ForgeSite, Provider } from "./forge.ts";

/** One part of a path: no dots alone, nothing that ends or changes an address. */
const part = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Where a repository is on one of the forges that we have a token for; null: on none of them. Over ssh the host decides,
 * over HTTP the address.
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

function tidy(path: string): string {
  const trimmed = path
    .split("/")
    .filter((each) => each !== "")
    .join("/");
  return trimmed.endsWith(".git") ? trimmed.slice(0, -4) : trimmed;
}

/** Groups in groups are GitLab's only. */
function isRepository(provider: Provider, path: string): boolean {
  const parts = path.split("/");
  const isLong = provider === "gitlab" ? parts.length >= 2 && parts.length <= 21 : parts.length === 2;
  return isLong && parts.every((each) => part.test(each));
}
