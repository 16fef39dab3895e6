import { readJson } from "../text/json.ts";
import type { Line } from "./lines.ts";
import { isOfRepository } from "./own-folders.ts";
import { type Pair, pairsIn } from "./pairs.ts";

/** What is said of what comes from anywhere else. */
export const foreign = "installs from outside of the registry";

/** Where a `package.json` takes packages from: below its dependencies everything is one, elsewhere the same text names a file. */

/** `isOfPackages`: whether it says where a package comes from; null where the lines do not show it. */
export interface ManifestPair extends Pair {
  readonly isOfPackages: boolean | null;
}

/**
 * The pairs in lines that were added to manifests. What they stand below is told by the whole manifest, where it is known and is
 * JSON: with comments (which some tools read) braces may stand where none are meant. Linear in the lines and the manifests.
 */
export function manifestPairs(added: readonly Line[], manifests: ReadonlyMap<string, string>): ManifestPair[] {
  const byPath = new Map<string, Line[]>();
  for (const line of added) {
    const before = byPath.get(line.path);
    if (before === undefined) byPath.set(line.path, [line]);
    else before.push(line);
  }
  return [...byPath].flatMap(([path, lines]): ManifestPair[] => {
    const whole = wholeOf(lines, manifests.get(path));
    if (whole === null)
      return pairsIn(lines, isOfPackages).map((pair) => ({ ...pair, isOfPackages: pair.isBelow ? true : null }));
    const written = new Set(lines);
    return pairsIn(whole, isOfPackages).flatMap((pair) => {
      if (!written.has(pair.line) && !written.has(pair.keyLine)) return [];
      const line = written.has(pair.line) ? pair.line : pair.keyLine;
      return [{ ...pair, line, isOfPackages: pair.isBelow }];
    });
  });
}

/** All lines of a manifest with the added ones among them; null where they are not known, or are none of its lines. */
function wholeOf(added: readonly Line[], text: string | undefined): readonly Line[] | null {
  const [first] = added;
  if (first === undefined) return null;
  const isWhole = added.every((line, index) => line.number === index + 1);
  const texts = text === undefined ? (isWhole ? added.map((line) => line.text) : null) : text.split("\n");
  if (texts === null || readJson(texts.join("\n")).type === "wrong") return null;
  const whole = texts.map((each, index): Line => ({ path: first.path, number: index + 1, text: each }));
  for (const line of added) {
    if (whole[line.number - 1]?.text !== line.text) return null;
    whole[line.number - 1] = line;
  }
  return whole;
}

/** `dependencies`, `devDependencies`, `overrides` and the like, of npm and of those that read its manifests. */
function isOfPackages(key: string): boolean {
  return key !== "patchedDependencies" && /dependencies$|^(?:overrides|resolutions|catalogs?)$/i.test(key);
}

const installScripts = /^(?:pre|post)?(?:install|prepare|publish|prepublish|postpack|prepack)$/;
/** `left-pad` or `@types/node`: what may be a package. */
const packageName = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/;
/** From the registry: a range of versions, a tag, or a part of the same repository. */
const plainVersion =
  /^(?:[\^~]|[<>]=?|=)?\s{0,2}\d{1,6}(?:\.[\dx*]{1,6}){0,2}(?:[-+][\w.-]{1,60})?(?:\s.{0,60})?$|^(?:\*|latest|next)$|^workspace:|^catalog:/;
const elsewhere = /^(?:git[+:@]|github:|gitlab:|bitbucket:|gist:|https?:|file:|link:|portal:|patch:|npm:|ssh:)/;
/** `someone/left-pad#main`: a repository at GitHub, where a package is named. */
const shorthand = /^[\w.-]{1,60}\/[\w.-]{1,60}(?:#.{1,80})?$/;
/** What is taken for a file of the package although nothing shows that no package is named: `dist/cli.js`. */
const ownFile =
  /^(?:dist|bin|lib|src|build|out|esm|cjs|test|tests|scripts)\/[\w.-]{1,60}\.(?:[cm]?[jt]sx?|json|css|sh)$/;
const ownAddress = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)|^https:\/\/registry\.npmjs\.org\/?$/;
/** Fields of a manifest that name a file of the package, and those that name a page about it. */
const pathFields =
  /^(?:main|module|browser|types|typings|typesVersions|bin|man|exports|import|require|default|node|development|production|source|unpkg|jsdelivr|style|svelte|directory|extends|preset|schema)$/;
const pageFields = /^(?:homepage|url|repository|bugs|funding|license|author)$/;
const archive = /\.(?:tgz|tar|zip|gz|bz2|xz)(?:[?#]|$)/i;

/** What a pair brings in that is unusual. `key` is empty where a value was written whose key was there before. */
export function manifestDanger({ key, value, line, isOfPackages: isPackage }: ManifestPair): string | null {
  if (installScripts.test(key)) return "runs by itself when it is installed";
  if (value === null) return null;
  if (key === "")
    return /^(?:git[+:@]|ssh:)/.test(value) || (value.includes("://") && archive.test(value)) ? foreign : null;
  if (plainVersion.test(value) || /^\.{1,2}\//.test(value) || isOwnFolder(line.path, value)) return null;
  if (isPackage !== true) {
    if (key === "packageManager") return value.includes("://") ? foreign : null;
    if (!packageName.test(key)) return null;
    if (pathFields.test(key) && !value.includes(":")) return null;
    if (pageFields.test(key) && !archive.test(value)) return null;
    if (isPackage === null ? ownFile.test(value) : ownAddress.test(value)) return null;
  }
  return elsewhere.test(value) || (isPackage !== false && shorthand.test(value)) ? foreign : null;
}

/** `file:../core`: a folder of the repository; what is packed shows nothing of what it holds. */
function isOwnFolder(path: string, value: string): boolean {
  const [, target] = /^(?:file|link|portal):(?!\/\/)(.{1,300})$/.exec(value) ?? [];
  return target !== undefined && !archive.test(target) && isOfRepository(path, target);
}
