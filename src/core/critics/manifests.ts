import { readJson } from "../text/json.ts";
import type { Line } from "./lines.ts";
import { isOfRepository } from "./own-folders.ts";
import { type Pair, pairsIn } from "./pairs.ts";

/** The issue for code that comes from anywhere else. */
export const foreign = "installs from outside of the registry";

/**
 * Where a `package.json` takes packages from. Below its dependency fields every value is a source of a package; elsewhere the same text
 * names a file.
 */

/** `isOfPackages` is true when the pair says where a package comes from; null when the lines do not show it. */
export interface ManifestPair extends Pair {
  readonly isOfPackages: boolean | null;
}

/**
 * The pairs in lines that were added to manifests. The enclosing keys come from the whole manifest if it is known and valid JSON. In a
 * manifest with comments, which some tools accept, braces in comments could mislead. Linear in the lines and the manifests.
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

/** All lines of a manifest, with the added ones among them. Null when they are not known, or an added line is not one of them. */
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

/** True for `dependencies`, `devDependencies`, `overrides` and the like, of npm and tools that read its manifests. */
function isOfPackages(key: string): boolean {
  return key !== "patchedDependencies" && /dependencies$|^(?:overrides|resolutions|catalogs?)$/i.test(key);
}

const installScripts = /^(?:pre|post)?(?:install|prepare|publish|prepublish|postpack|prepack)$/;
/** A possible package name: `left-pad` or `@types/node`. */
const packageName = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/;
/** A source in the registry or the same repository: a version range, a tag, or a workspace reference. */
const plainVersion =
  /^(?:[\^~]|[<>]=?|=)?\s{0,2}\d{1,6}(?:\.[\dx*]{1,6}){0,2}(?:[-+][\w.-]{1,60})?(?:\s.{0,60})?$|^(?:\*|latest|next)$|^workspace:|^catalog:/;
const elsewhere = /^(?:git[+:@]|github:|gitlab:|bitbucket:|gist:|https?:|file:|link:|portal:|patch:|npm:|ssh:)/;
/** `someone/left-pad#main`: a GitHub repository, in a field that names a package. */
const shorthand = /^[\w.-]{1,60}\/[\w.-]{1,60}(?:#.{1,80})?$/;
/** Taken as a file of the package when it is not known whether the field names a package: `dist/cli.js`. */
const ownFile =
  /^(?:dist|bin|lib|src|build|out|esm|cjs|test|tests|scripts)\/[\w.-]{1,60}\.(?:[cm]?[jt]sx?|json|css|sh)$/;
const ownAddress = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)|^https:\/\/registry\.npmjs\.org\/?$/;
/** Fields of a manifest that name a file of the package, and fields that name a page about it. */
const pathFields =
  /^(?:main|module|browser|types|typings|typesVersions|bin|man|exports|import|require|default|node|development|production|source|unpkg|jsdelivr|style|svelte|directory|extends|preset|schema)$/;
const pageFields = /^(?:homepage|url|repository|bugs|funding|license|author)$/;
const archive = /\.(?:tgz|tar|zip|gz|bz2|xz)(?:[?#]|$)/i;

/** What is unusual about a pair; null when nothing is. `key` is empty when only the value was written and its key was there before. */
export function manifestDanger({ key, value, line, isOfPackages: isPackage }: ManifestPair): string | null {
  if (installScripts.test(key)) return "runs by itself when it is installed";
  if (value === null) return null;
  // npm runs a script with this name after each change of node_modules. An object with this name lists packages.
  if (key === "dependencies") return "runs by itself when it is installed";
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

/** True for a folder of the repository: `file:../core`. An archive is not accepted, because its content is not visible. */
function isOwnFolder(path: string, value: string): boolean {
  const [, target] = /^(?:file|link|portal):(?!\/\/)(.{1,300})$/.exec(value) ?? [];
  return target !== undefined && !archive.test(target) && isOfRepository(path, target);
}
