import type { Line } from "./lines.ts";
import { foreign } from "./manifests.ts";
import { pairsIn } from "./pairs.ts";

/**
 * Where a `composer.lock` takes packages from. Packagist names repositories at GitHub and GitLab: an archive of one (`dist`), and the
 * repository itself (`source`) where its archive stands beside it. Everything else is said with an address of a page about a package.
 */

const pageKeys =
  /^(?:notification-url|homepage|issues|source|docs|forum|chat|wiki|rss|irc|email|security|description|license|role|abandoned)$/;
const ofGithub =
  /^https:\/\/(?:api\.github\.com\/repos|codeload\.github\.com)\/([\w.-]{1,100}\/[\w.-]{1,100})\/(?:zipball|tarball|zip|legacy\.zip|legacy\.tar\.gz)\//;
const ofGitlab =
  /^https:\/\/gitlab\.com\/api\/v4\/projects\/([\w.-]{1,100})%2F([\w.-]{1,100})\/repository\/archive\.(?:zip|tar\.gz)\?/;
const repository = /^https:\/\/(github|gitlab)\.com\/([\w.-]{1,100}\/[\w.-]{1,100})$/;
const mirror = /^https:\/\/repo\.packagist\.org\//;

/** What added lines of one or more `composer.lock` bring in from elsewhere. Linear in the lines. */
export function composerDangers(added: readonly Line[]): Map<Line, string> {
  const found = new Map<Line, string>();
  const pairs = pairsIn(added, (key) => key === "funding");
  const archives = new Set(pairs.flatMap(({ value }) => archiveOf(value ?? "") ?? []));
  for (const { line, key, value, isBelow } of pairs) {
    if (value === null || isBelow || pageKeys.test(key)) continue;
    const isAddress = key === "url" ? value.includes(":") : /:\/\/|^git@/.test(value);
    if (!isAddress || mirror.test(value) || archiveOf(value) !== null) continue;
    const [, host = "", path = ""] = repository.exec(value.replace(/\.git$/, "")) ?? [];
    if (key !== "url" || !archives.has(`${host}:${path}`.toLowerCase())) found.set(line, foreign);
  }
  return found;
}

/** `github:laravel/framework`: the repository whose archive an address is. */
function archiveOf(value: string): string | null {
  const [, atGithub] = ofGithub.exec(value) ?? [];
  if (atGithub !== undefined) return `github:${atGithub}`.toLowerCase();
  const [, group, name] = ofGitlab.exec(value) ?? [];
  return group === undefined || name === undefined ? null : `gitlab:${group}/${name}`.toLowerCase();
}
