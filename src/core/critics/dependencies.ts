import { globMatcher } from "../text/globs.ts";
import { composerDangers } from "./composer.ts";
import type { Artifact, Line } from "./lines.ts";
import { foreign, manifestDanger, manifestPairs } from "./manifests.ts";
import { isOfRepository } from "./own-folders.ts";
import { pairsIn } from "./pairs.ts";

/**
 * Where a change takes code of others from: an allow list. A package comes from a registry that everybody uses under a plain version,
 * or from the repository itself; anything else is shown to a person, and so is what runs by itself when it is installed.
 */

/** Whether a path is a manifest of npm. */
export const isManifest: (path: string) => boolean = globMatcher(["**/package.json"], "any-case");
const isNpmLock = globMatcher(["**/{package-lock.json,npm-shrinkwrap.json}"], "any-case");
const isComposerLock = globMatcher(["**/composer.lock"], "any-case");
const isPnpmLock = globMatcher(["**/pnpm-lock.yaml"], "any-case");
const isGoModule = globMatcher(["**/{go.mod,go.work}"], "any-case");
const isLockFile = globMatcher(
  [
    "**/{pnpm-lock.yaml,yarn.lock,bun.lock,cargo.lock,go.sum,poetry.lock,uv.lock,pdm.lock}",
    "**/{pipfile.lock,gemfile.lock,deno.lock,mix.lock,pubspec.lock}",
  ],
  "any-case",
);
const isRequirements = globMatcher(
  ["**/{requirements,constraints}*.{txt,in}", "**/requirements/*.{txt,in}"],
  "any-case",
);
const isRegistryFile = globMatcher(
  [
    "**/{.npmrc,.yarnrc,.yarnrc.yml,bunfig.toml,pip.conf,pip.ini,.pypirc,.cargo/config,.cargo/config.toml,nuget.config}",
  ],
  "any-case",
);
const isOtherManifest = globMatcher(
  [
    "**/{pyproject.toml,uv.toml,pipfile,setup.py,setup.cfg,cargo.toml,gemfile,gems.rb,composer.json,deno.json,deno.jsonc}",
    "**/{pubspec.yaml,mix.exs,package.swift,environment.yml,environment.yaml,.gitmodules}",
  ],
  "any-case",
);

/** What is looked at of a change. */
export type ManifestChange = Pick<Artifact, "added" | "removed" | "changed" | "manifests">;

/** What lines of manifests, lock files and files about registries bring in that is unusual, each with its words. Linear in the lines. */
export function dependencyDangers({
  added,
  removed,
  changed = new Set(),
  manifests = new Map(),
}: ManifestChange): Map<Line, string> {
  const isOfComposer = ({ path }: Line): boolean => isComposerLock(path);
  const found = composerDangers(added.filter(isOfComposer), removed.filter(isOfComposer), changed);
  // JSON says the same however its lines are broken.
  for (const { line, key, value } of pairsIn(added.filter(({ path }) => isNpmLock(path)))) {
    const what = npmLockDanger(key, value);
    if (what !== null) found.set(line, what);
  }
  for (const pair of manifestPairs(
    added.filter(({ path }) => isManifest(path)),
    manifests,
  )) {
    const what = manifestDanger(pair);
    if (what !== null) found.set(pair.line, what);
  }
  for (const line of added) {
    const what = lineDanger(line);
    if (what !== null) found.set(line, what);
  }
  return found;
}

function lineDanger({ path, text }: Line): string | null {
  if (isPnpmLock(path) && isProse(text)) return null;
  if (isLockFile(path)) return lockDanger(text);
  if (isRequirements(path)) return requirementDanger(text);
  if (isGoModule(path)) return goModuleDanger(path, text);
  if (isOtherManifest(path)) return otherDanger(text);
  if (
    isRegistryFile(path) &&
    /\b(?:registry|index-url|find-links|npmRegistryServer|packageSources|add key)\b/i.test(text)
  )
    return foreign;
  if (/^Subproject commit [0-9a-f]{40}$/.test(text)) return "brings in another repository";
  return null;
}

const installing =
  /\b(?:npm|pnpm|yarn|bun|pip[\d.]{0,4}|pipx|uv|poetry|gem|cargo)\s(?:[^\n;|&]{0,60}\s)?(?:install|i|add|ci|config\s{1,3}set)\s|\b(?:npx|bunx|uvx|deno\s{1,3}(?:run|install))\s|\b(?:npm_config_registry|PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?)=/i;

/** What a command installs from where nobody usually does; null: nothing that is known. Linear in the line. */
export function installDanger(text: string): string | null {
  for (const command of text.split(/[;|&]/)) {
    const begun = installing.exec(command.slice(0, 5000));
    if (begun !== null && !isUsual(command.slice(begun.index, 5000))) return foreign;
  }
  return null;
}

/** Of its addresses only pages about a package are nobody's concern. */
function npmLockDanger(key: string, value: string | null): string | null {
  if (value === null || /^(?:url|funding|homepage|bugs|repository|license|deprecated)$/.test(key)) return null;
  return value.startsWith("git@") || !isUsual(value) ? foreign : null;
}

function requirementDanger(text: string): string | null {
  return /^\s{0,20}(?:(?:git|hg|svn|bzr)\+|https?:|file:|-e\s|--editable|-[if](?:\s|https?:|file:|git[+:@])|--(?:extra-)?index-url|--find-links|--trusted-host)|@\s{0,5}(?:(?:git|hg|svn)\+|https?:|file:)/.test(
    text,
  )
    ? foreign
    : null;
}

/** Of other languages: a source by address, a fork in the place of a module, another registry. */
const otherSources =
  /\b(?:git|github|gitlab|bitbucket|svn|hg)["']?\s{0,5}(?::|=>?)\s{0,5}["']|^\s{0,20}url\s{0,5}=|@\s{0,5}(?:git\+|https?:)|\bgit\+(?:https?|ssh|file):|^\s{0,20}\[\[?(?:tool\.(?:poetry|pdm)\.source|source|registries)|\[patch\b|\bdependency_links\b|"(?:repositories|vcs)"\s{0,5}:|\burl:\s{0,5}["']https?:|["']https?:\/\/(?!(?:deno\.land|jsr\.io|esm\.sh)\/)[^"']{1,500}\.[jt]sx?["']/;

/** `replace example.com/a => ../a`, also within `replace ( … )`: what stands in the place of a module may be a folder of the repository. */
function goModuleDanger(path: string, text: string): string | null {
  const said = text.replace(/(?:^|\s)\/\/.*$/, "");
  const arrow = said.indexOf("=>");
  if (arrow === -1) return null;
  const target = said.slice(arrow + 2).trim();
  return /^\.{1,2}(?:\/[^\s"'`=>]*)?$/.test(target) && isOfRepository(path, target) ? null : foreign;
}

const usualSource = /^\s{0,20}source\s{1,5}["']https:\/\/rubygems\.org\/?["']\s*$/;

function otherDanger(text: string): string | null {
  if (/^\s{0,20}source\s{1,5}["']/.test(text)) return usualSource.test(text) ? null : foreign;
  return otherSources.test(text) ? foreign : null;
}

/** A lock file may name the registries that everybody uses, over https. */
const registries: ReadonlySet<string> = new Set([
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "npm.jsr.io",
  "jsr.io",
  "deno.land",
  "index.crates.io",
  "static.crates.io",
  "pypi.org",
  "files.pythonhosted.org",
  "rubygems.org",
  "proxy.golang.org",
  "pub.dev",
  "repo.hex.pm",
]);
const crates = "registry+https://github.com/rust-lang/crates.io-index";

/** What the author of a package says of it; in one line, and nothing beside it. */
function isProse(text: string): boolean {
  const [, said] = /^\s{1,40}deprecated:\s(.{1,2000})$/.exec(text) ?? [];
  if (said === undefined) return false;
  return /^'(?:[^']|'')*'$|^"(?:[^"\\]|\\.)*"$/.test(said) || !/[{}[\]"']|,\s{0,5}\w{1,40}:/.test(said);
}

/** Every source that a line names: whatever it is called, an address in a lock file is where code comes from. */
function lockDanger(text: string): string | null {
  const [, value = ""] =
    /^\s{0,20}"?(?:resolved"?\s{0,3}:?|tarball\s{0,3}:|source\s{0,3}=|remote:)\s{0,3}"?([^"\s,{}]{1,2000})/.exec(
      text,
    ) ?? [];
  if (/^git@/i.test(value)) return foreign;
  return isUsual(text.replaceAll(pages, " ").replaceAll(crates, " ")) ? null : foreign;
}

/** Pages about packages, which bring nothing in. */
const pages =
  /"(?:funding|homepage)"\s{0,3}:\s{0,3}"[^"]{0,2000}"|"url"\s{0,3}:\s{0,3}"https?:\/\/(?:github\.com\/sponsors|opencollective\.com|www\.patreon\.com)[^"]{0,2000}"/g;

const address = /[a-z][a-z+.-]{1,20}:\/\/[^\s"'`,)}\]]{1,2000}|\bgit@[\w.-]{1,200}:/gi;

/** Whether all addresses in a text are those of the registries. */
function isUsual(text: string): boolean {
  return (text.match(address) ?? []).every((each) => {
    const [, host = ""] = /^https:\/\/([\w.-]{1,200})(?:[/?#]|$)/.exec(each) ?? [];
    return registries.has(host);
  });
}
