import type { Line } from "./lines.ts";
import { foreign } from "./manifests.ts";
import { type Pair, pairsIn } from "./pairs.ts";

/**
 * Checks where a `composer.lock` takes packages from. Packagist names repositories at GitHub and GitLab: an archive (`dist`), and the
 * repository itself (`source`) if its archive is beside it. A package that was there before must stay with its repository. Every other
 * address is reported, except pages about a package.
 */

const pageKeys =
  /^(?:notification-url|homepage|issues|source|docs|forum|chat|wiki|rss|irc|email|security|description|license|role|abandoned)$/;
const ofGithub =
  /^https:\/\/(?:api\.github\.com\/repos|codeload\.github\.com)\/([\w.-]{1,100}\/[\w.-]{1,100})\/(?:zipball|tarball|zip|legacy\.zip|legacy\.tar\.gz)\//;
const ofGitlab =
  /^https:\/\/gitlab\.com\/api\/v4\/projects\/([\w.-]{1,100})%2F([\w.-]{1,100})\/repository\/archive\.(?:zip|tar\.gz)\?/;
const repository = /^https:\/\/(github|gitlab)\.com\/([\w.-]{1,100}\/[\w.-]{1,100})$/;
const mirror = /^https:\/\/repo\.packagist\.org\//;

/**
 * What changes of one or more `composer.lock` files bring in from elsewhere. `changed` holds the files that existed before. Linear in the
 * lines.
 */
export function composerDangers(
  added: readonly Line[],
  removed: readonly Line[],
  changed: ReadonlySet<string>,
): Map<Line, string> {
  const found = new Map<Line, string>();
  const pairs = pairsIn(added, (key) => key === "funding");
  const archives = new Set(pairs.flatMap(({ value }) => archiveOf(value ?? "") ?? []));
  const isMoved = movedIn(pairs, pairsIn(removed), changed);
  for (const pair of pairs) {
    const { line, key, value, isBelow } = pair;
    if (value === null || isBelow || pageKeys.test(key)) continue;
    const isAddress = key === "url" ? value.includes(":") : /:\/\/|^git@/.test(value);
    if (!isAddress || mirror.test(value)) continue;
    const archive = archiveOf(value);
    const place = archive ?? repositoryOf(value);
    const isPackagists = archive !== null || (key === "url" && place !== null && archives.has(place));
    if (!isPackagists || place === null || isMoved(pair, place)) found.set(line, foreign);
  }
  return found;
}

/** Maximum number of lines between the name of an entry and the last address of its sources. */
const farthest = 12;

/** True when a package that was in the file before now comes from a repository that no removed line of the file names. */
function movedIn(
  added: readonly Pair[],
  removed: readonly Pair[],
  changed: ReadonlySet<string>,
): (pair: Pair, place: string) => boolean {
  const named = (each: Pair): string[] => (isName(each) ? [`${each.line.path}\0${each.value}`] : []);
  const namedBefore = new Set(removed.flatMap(named));
  const placesBefore = new Set(
    removed.map(({ line, value }) => `${line.path}\0${archiveOf(value ?? "") ?? repositoryOf(value ?? "") ?? ""}`),
  );
  const begun = new Set(
    added.flatMap((each) =>
      named(each).some((name) => !namedBefore.has(name)) ? [`${each.line.path}\0${each.line.number}`] : [],
    ),
  );
  return ({ line: { path, number } }, place) => {
    if (!changed.has(path) || placesBefore.has(`${path}\0${place}`)) return false;
    return !Array.from({ length: farthest + 1 }, (_, above) => `${path}\0${number - above}`).some((at) =>
      begun.has(at),
    );
  };
}

/** `"name": "laravel/framework"`. Names of authors contain no slash. */
function isName({ key, value }: Pair): boolean {
  return key === "name" && value !== null && /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(value);
}

function repositoryOf(value: string): string | null {
  const [, host, path] = repository.exec(value.replace(/\.git$/, "")) ?? [];
  return host === undefined || path === undefined ? null : `${host}:${path}`.toLowerCase();
}

/** `github:laravel/framework`: the repository of an archive's address. */
function archiveOf(value: string): string | null {
  const [, atGithub] = ofGithub.exec(value) ?? [];
  if (atGithub !== undefined) return `github:${atGithub}`.toLowerCase();
  const [, group, name] = ofGitlab.exec(value) ?? [];
  return group === undefined || name === undefined ? null : `gitlab:${group}/${name}`.toLowerCase();
}
