import { globMatcher } from "../text/globs.ts";
import { type Artifact, issueAt, type Line } from "./lines.ts";

/**
 * What no change may bring in unseen: lines for a shell that fetch and run, delete or open up, and dependencies. An allow list, not a
 * block list, where that can be said: a package comes from the registry under a plain version, or it is shown to a person.
 * Every pattern is bounded: the scan is linear in the change.
 */
const shellDangers: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: "runs what it fetches",
    pattern:
      /\b(?:curl|wget|fetch|http)\b[^|\n]{0,500}\|\s{0,5}(?:sudo\s{1,5})?(?:env\s{1,5})?(?:\/\S{0,40}\/)?(?:ba|z|da|k|c|fi)?sh\b/i,
  },
  {
    what: "runs what it fetches",
    pattern:
      /\b(?:curl|wget)\b[^|\n]{0,500}\|\s{0,5}(?:sudo\s{1,5})?(?:python|perl|ruby|node|php|deno|bun)[\d.]{0,5}\b/i,
  },
  {
    what: "runs what it fetches",
    pattern:
      /(?:\b(?:ba|z|da|k)?sh\b[^\n]{0,40}-c[^\n]{0,20}|\beval\b[^\n]{0,20}|<)\s{0,5}["'(]?\$?\(\s{0,5}(?:curl|wget)\b/i,
  },
  {
    what: "runs what it decodes",
    pattern: /\bbase64\b[^|\n]{0,80}(?:-d|--decode|-D)\b[^|\n]{0,200}\|\s{0,5}(?:ba|z|da|k)?sh\b/i,
  },
  {
    what: "deletes outside of its folder",
    pattern:
      /\brm\s{1,5}(?:-\w{1,10}\s{1,5}){1,5}["']?(?:\/(?:\s|$|\*|["'])|~|\$HOME\b|\/(?:etc|usr|var|home|root|bin)\b)/,
  },
  { what: "opens files to everybody", pattern: /\bchmod\s{1,5}(?:-R\s{1,5})?(?:0?777|a\+rwx)\b/ },
  {
    what: "writes to a disk itself",
    pattern: /\b(?:mkfs(?:\.\w{1,10})?|dd\s[^\n]{0,100}of=\/dev\/(?:sd|nvme|disk|hd))/,
  },
  {
    what: "opens a shell to somebody else",
    pattern: /(?:\/dev\/tcp\/|\bnc\b[^\n]{0,60}\s-\w{0,5}e\b|\bbash\s{1,5}-i\s{0,5}>&)/,
  },
  {
    what: "turns off the check of certificates",
    pattern:
      /NODE_TLS_REJECT_UNAUTHORIZED\s{0,5}[=:]\s{0,5}["']?0|strict-ssl\s{0,5}[= ]\s{0,5}false|GIT_SSL_NO_VERIFY/i,
  },
  {
    what: "runs text as code",
    pattern: /\beval\s{0,3}\(\s{0,3}(?:atob|Buffer\.from|request|req\.|process\.argv|input)/,
  },
];

/** Files that a package manager runs or installs from. */
const isManifest = globMatcher(["**/package.json"]);
const isLockFile = globMatcher([
  "**/{package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,yarn.lock,bun.lock,Cargo.lock,go.sum,poetry.lock,uv.lock,Gemfile.lock}",
]);
const isRequirements = globMatcher(["**/requirements*.txt"]);
const isRegistryFile = globMatcher(["**/{.npmrc,.yarnrc,.yarnrc.yml,pip.conf,.pypirc}"]);

const installScripts = /^\s{0,40}"(?:pre|post)?(?:install|prepare|publish|prepublish|postpack|prepack)"\s{0,5}:/;
/** `"left-pad": "^1.3.0"`: a name, and where its version comes from. */
const dependencyLine = /^\s{0,40}"((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})"\s{0,5}:\s{0,5}"([^"]{1,300})"/;
/** From the registry: a range of versions, a tag, or a part of the same repository. */
const plainVersion =
  /^(?:[\^~]|[<>]=?|=)?\s{0,2}\d{1,6}(?:\.[\dx*]{1,6}){0,2}(?:[-+][\w.-]{1,60})?(?:\s.{0,60})?$|^(?:\*|latest|next)$|^workspace:|^catalog:/;
const elsewhere =
  /^(?:git[+:@]|github:|gitlab:|bitbucket:|https?:|file:|link:|npm:|ssh:|[\w.-]{1,60}\/[\w.-]{1,60}(?:#.{1,80})?$)/;

/** What is dangerous in what was written; one issue a line, with the line. */
export function dangersIn({ added }: Pick<Artifact, "added">): string[] {
  return added.flatMap((line) => {
    const what = dangerOf(line);
    return what === null ? [] : [issueAt(line, what)];
  });
}

/** Longer lines hold nothing that a person wrote; only their beginning is looked at, and that they are long is said elsewhere. */
const longestLine = 5000;

function dangerOf(line: Line): string | null {
  if (isLockFile(line.path)) return foreignSource(line.text);
  const text = line.text.slice(0, longestLine);
  const shell = shellDangers.find(({ pattern }) => pattern.test(text));
  if (shell !== undefined) return shell.what;
  if (isManifest(line.path)) return manifestDanger(text);
  if (isRequirements(line.path) && /^\s{0,5}(?:git\+|https?:|-e\s|--(?:extra-)?index-url|--find-links)/.test(text))
    return "installs from outside of the registry";
  if (isRegistryFile(line.path) && /registry|index-url|always-auth|_auth/i.test(text))
    return "changes where packages come from";
  return null;
}

function manifestDanger(text: string): string | null {
  if (installScripts.test(text)) return "runs by itself when it is installed";
  const dependency = dependencyLine.exec(text);
  const version = dependency?.[2] ?? "";
  if (dependency === null || plainVersion.test(version)) return null;
  return elsewhere.test(version) ? "installs from outside of the registry" : null;
}

/** A lock file may name the registries that everybody uses, over https. */
const registries = [
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "npm.jsr.io",
  "index.crates.io",
  "static.crates.io",
  "pypi.org",
  "files.pythonhosted.org",
  "rubygems.org",
  "proxy.golang.org",
];

function foreignSource(text: string): string | null {
  const source =
    /(?:"resolved"\s{0,3}:\s{0,3}"|resolution:\s{0,3}\{tarball:\s{0,3}|^\s{0,10}resolved\s{1,3}")([^"\s,}]{1,500})/.exec(
      text,
    )?.[1];
  if (source === undefined) return null;
  const host = /^https:\/\/([\w.-]{1,200})\//.exec(source)?.[1] ?? "";
  return registries.includes(host) ? null : "installs from outside of the registry";
}
