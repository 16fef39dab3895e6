import { globMatcher } from "../text/globs.ts";
import { composerDangers } from "./composer.ts";
import type { Artifact, Line } from "./lines.ts";
import { foreign, manifestDanger, manifestPairs } from "./manifests.ts";
import { isOfRepository } from "./own-folders.ts";
import { pairsIn } from "./pairs.ts";

/**
 * Checks where a change takes third-party code from, by an allow list. Allowed are plain versions from a common registry, and code of the
 * repository itself. Everything else is shown to a person, as are scripts that run on installation.
 */

/** True for the path of an npm manifest. */
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

/** The parts of a change that are checked. */
export type ManifestChange = Pick<Artifact, "added" | "removed" | "changed" | "manifests">;

/** Unusual sources in lines of manifests, lock files and registry settings, each with its words. Linear in the lines. */
export function dependencyDangers({
  added,
  removed,
  changed = new Set(),
  manifests = new Map(),
}: ManifestChange): Map<Line, string> {
  const isOfComposer = ({ path }: Line): boolean => isComposerLock(path);
  const found = composerDangers(added.filter(isOfComposer), removed.filter(isOfComposer), changed);
  // JSON is parsed as pairs, so line breaks do not matter.
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

/** The words when a command installs from an unusual source; null when nothing known is found. Linear in the line. */
export function installDanger(text: string): string | null {
  for (const command of text.split(/[;|&]/)) {
    const begun = installing.exec(command.slice(0, 5000));
    if (begun === null) continue;
    const said = command.slice(begun.index, 5000);
    if (!isUsual(said) || (/^(?:npm|pnpm|yarn|bun)\s/i.test(said) && namesForge(said))) return foreign;
  }
  return null;
}

/** Options of npm and its like whose value is a folder or a name, not a package. */
const takesValue =
  /^(?:--(?:prefix|cwd|dir|filter|workspace|registry|cache|userconfig|tag|loglevel|omit|include)|-[CFw])$/;

/** True when an npm command installs from a forge: `npm install github:someone/pad`, `npm i someone/pad#main`. */
function namesForge(command: string): boolean {
  const words = command.split(/\s+/).slice(0, 100);
  return words.some((word, index) => {
    if (takesValue.test(words[index - 1] ?? "")) return false;
    const said = word.replace(/^["']|["']$/g, "");
    return (
      /^(?:github|gitlab|bitbucket|gist):./.test(said) || /^\w[\w.-]{0,60}\/[\w.-]{1,60}(?:#\S{1,80})?$/.test(said)
    );
  });
}

/** Only keys for pages about a package may hold any address. */
function npmLockDanger(key: string, value: string | null): string | null {
  if (value === null || /^(?:url|funding|homepage|bugs|repository|license|deprecated)$/.test(key)) return null;
  return value.startsWith("git@") || !isUsual(value) ? foreign : null;
}

function requirementDanger(text: string): string | null {
  return /^\s{0,20}(?:(?:git|hg|svn|bzr)\+|https?:|file:|-e\s|--editable|-[if](?:\s|https?:|file:|git[+:@])|(?:-[rc]|--(?:requirement|constraint))[\s=]{0,9}(?:https?|file|ftp):|--(?:extra-)?index-url|--find-links|--trusted-host)|@\s{0,5}(?:(?:git|hg|svn)\+|https?:|file:)/.test(
    text,
  )
    ? foreign
    : null;
}

/** Sources in other languages: an address, a fork that replaces a module, another registry. */
const otherSources =
  /\b(?:git|github|gitlab|bitbucket|svn|hg)["']?\s{0,5}(?::|=>?)\s{0,5}["']|^\s{0,20}url\s{0,5}=|@\s{0,5}(?:git\+|https?:)|\bgit\+(?:https?|ssh|file):|^\s{0,20}\[\[?(?:tool\.(?:poetry|pdm)\.source|source|registries)|\[patch\b|\bdependency_links\b|"(?:repositories|vcs)"\s{0,5}:|\burl:\s{0,5}["']https?:|["']https?:\/\/(?!(?:deno\.land|jsr\.io|esm\.sh)\/)[^"']{1,500}\.[jt]sx?["']/;

/** `replace example.com/a => ../a`, also in `replace ( … )`. The replacement may be a folder of the repository. */
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

/** The common registries, which a lock file may name over https. */
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

/** True for a deprecation notice by a package's author, if nothing else is on the line. */
function isProse(text: string): boolean {
  const [, said] = /^\s{1,40}deprecated:\s(.{1,2000})$/.exec(text) ?? [];
  if (said === undefined) return false;
  return /^'(?:[^']|'')*'$|^"(?:[^"\\]|\\.)*"$/.test(said) || !/[{}[\]"']|,\s{0,5}\w{1,40}:/.test(said);
}

/** Checks every source that a line names. Under any key, an address in a lock file is a source of code. */
function lockDanger(text: string): string | null {
  const [, value = ""] =
    /^\s{0,20}"?(?:resolved"?\s{0,3}:?|tarball\s{0,3}:|source\s{0,3}=|remote:)\s{0,3}"?([^"\s,{}]{1,2000})/.exec(
      text,
    ) ?? [];
  if (/^git@/i.test(value)) return foreign;
  return isUsual(text.replaceAll(pages, " ").replaceAll(crates, " ")) ? null : foreign;
}

/** Pages about packages. They install nothing. */
const pages =
  /"(?:funding|homepage)"\s{0,3}:\s{0,3}"[^"]{0,2000}"|"url"\s{0,3}:\s{0,3}"https?:\/\/(?:github\.com\/sponsors|opencollective\.com|www\.patreon\.com)[^"]{0,2000}"/g;

const address = /[a-z][a-z+.-]{1,20}:\/\/[^\s"'`,)}\]]{1,2000}|\bgit@[\w.-]{1,200}:/gi;

/** True when all addresses in a text belong to these registries. */
function isUsual(text: string): boolean {
  return (text.match(address) ?? []).every((each) => {
    const [, host = ""] = /^https:\/\/([\w.-]{1,200})(?:[/?#]|$)/.exec(each) ?? [];
    return registries.has(host);
  });
}
