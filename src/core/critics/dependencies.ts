import { globMatcher } from "../text/globs.ts";
import type { Line } from "./lines.ts";

/**
 * Where a change takes code of others from: an allow list. A package comes from a registry that everybody uses under a plain version,
 * or from the repository itself; anything else is shown to a person, and so is what runs by itself when it is installed.
 */

const foreign = "installs from outside of the registry";

const isManifest = globMatcher(["**/package.json"]);
const isLockFile = globMatcher(
  [
    "**/{package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,yarn.lock,bun.lock,cargo.lock,go.sum,poetry.lock,uv.lock,pdm.lock}",
    "**/{pipfile.lock,gemfile.lock,composer.lock,deno.lock,mix.lock,pubspec.lock}",
  ],
  "any-case",
);
const isRequirements = globMatcher(
  ["**/{requirements,constraints}*.{txt,in}", "**/requirements/*.{txt,in}"],
  "any-case",
);
const isRegistryFile = globMatcher(
  ["**/{.npmrc,.yarnrc,.yarnrc.yml,pip.conf,.pypirc,.cargo/config,.cargo/config.toml,nuget.config}"],
  "any-case",
);
const isOtherManifest = globMatcher(
  [
    "**/{pyproject.toml,pipfile,setup.py,setup.cfg,cargo.toml,go.mod,go.work,gemfile,gems.rb,composer.json,deno.json,deno.jsonc}",
    "**/{pubspec.yaml,mix.exs,package.swift,environment.yml,environment.yaml,.gitmodules}",
  ],
  "any-case",
);

/** What a line of a manifest, a lock file or a file about registries brings in; null: nothing that is unusual. */
export function dependencyDanger({ path, text }: Line): string | null {
  if (isLockFile(path)) return lockDanger(text);
  if (isManifest(path)) return manifestDanger(text);
  if (isRequirements(path)) return requirementDanger(text);
  if (isOtherManifest(path)) return otherDanger(text);
  if (
    isRegistryFile(path) &&
    /\b(?:registry|index-url|find-links|npmRegistryServer|packageSources|add key)\b/i.test(text)
  )
    return foreign;
  if (/^Subproject commit [0-9a-f]{40}$/.test(text)) return "brings in another repository";
  return null;
}

const installScripts = /^\s{0,40}"(?:pre|post)?(?:install|prepare|publish|prepublish|postpack|prepack)"\s{0,5}:/;
/** `"left-pad": "^1.3.0"`: a name, and where its version comes from. */
const dependencyLine = /^\s{0,40}"((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})"\s{0,5}:\s{0,5}"([^"]{1,2000})"/;
/** From the registry: a range of versions, a tag, or a part of the same repository. */
const plainVersion =
  /^(?:[\^~]|[<>]=?|=)?\s{0,2}\d{1,6}(?:\.[\dx*]{1,6}){0,2}(?:[-+][\w.-]{1,60})?(?:\s.{0,60})?$|^(?:\*|latest|next)$|^workspace:|^catalog:/;
const elsewhere =
  /^(?:git[+:@]|github:|gitlab:|bitbucket:|gist:|https?:|file:|link:|portal:|patch:|npm:|ssh:|[\w.-]{1,60}\/[\w.-]{1,60}(?:#.{1,80})?$)/;
/** Fields of a manifest that name a file of the package, and those that name a page about it. */
const pathFields =
  /^(?:main|module|browser|types|typings|typesVersions|bin|man|exports|import|require|default|node|development|production|source|unpkg|jsdelivr|style|svelte|directory|extends|preset|schema)$/;
const pageFields = /^(?:homepage|url|repository|bugs|funding|license|author)$/;
const archive = /\.(?:tgz|tar|zip|gz|bz2|xz)(?:[?#]|$)/i;

function manifestDanger(text: string): string | null {
  if (installScripts.test(text)) return "runs by itself when it is installed";
  const [, name = "", value = ""] = dependencyLine.exec(text) ?? [];
  if (value === "" || plainVersion.test(value) || /^\.{1,2}\//.test(value)) return null;
  if (pathFields.test(name) && !value.includes(":")) return null;
  if (pageFields.test(name) && !archive.test(value)) return null;
  return elsewhere.test(value) ? foreign : null;
}

function requirementDanger(text: string): string | null {
  return /^\s{0,20}(?:(?:git|hg|svn|bzr)\+|https?:|file:|-e\s|--editable|(?:-i|-f)\s|--(?:extra-)?index-url|--find-links|--trusted-host)|@\s{0,5}(?:(?:git|hg|svn)\+|https?:|file:)/.test(
    text,
  )
    ? foreign
    : null;
}

/** Of other languages: a source by address, a fork in the place of a module, another registry. */
const otherSources =
  /\b(?:git|github|gitlab|bitbucket|svn|hg)["']?\s{0,5}(?::|=>?)\s{0,5}["']|^\s{0,20}url\s{0,5}=|@\s{0,5}(?:git\+|https?:)|\bgit\+(?:https?|ssh|file):|^\s{0,20}(?:replace\s|[\w./-]{1,200}\s.{0,60}=>)|^\s{0,20}\[\[?(?:tool\.(?:poetry|pdm)\.source|source|registries)|\[patch\b|\bdependency_links\b|"(?:repositories|vcs)"\s{0,5}:|\burl:\s{0,5}["']https?:|["']https?:\/\/(?!(?:deno\.land|jsr\.io|esm\.sh)\/)[^"']{1,500}\.[jt]sx?["']/;
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
  "repo.packagist.org",
  "api.github.com",
  "pub.dev",
  "repo.hex.pm",
]);
const crates = "registry+https://github.com/rust-lang/crates.io-index";

/** Every source that a line names: whatever it is called, an address in a lock file is where code comes from. */
function lockDanger(text: string): string | null {
  if (
    /"funding"|"homepage"|"url"\s{0,3}:\s{0,3}"https?:\/\/(?:github\.com\/sponsors|opencollective\.com|www\.patreon\.com)/.test(
      text,
    )
  )
    return null;
  if (text.includes(crates)) return null;
  const [, value = ""] =
    /^\s{0,20}"?(?:resolved"?\s{0,3}:?|tarball\s{0,3}:|source\s{0,3}=|remote:)\s{0,3}"?([^"\s,{}]{1,2000})/.exec(
      text,
    ) ?? [];
  // A link to a part of the same repository.
  if (value !== "" && !/^[a-z][a-z+.-]{1,20}:|^git@/i.test(value)) return null;
  const address = /[a-z][a-z+.-]{1,20}:\/\/[^\s"',)}\]]{1,2000}/i.exec(text)?.[0] ?? value;
  if (address === "") return null;
  const [, host = ""] = /^https:\/\/([\w.-]{1,200})(?:[/?#]|$)/.exec(address) ?? [];
  return registries.has(host) ? null : foreign;
}
