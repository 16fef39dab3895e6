import { lastPart } from "../files/path.ts";
import { globMatcher, readGlob } from "../text/globs.ts";
import { words } from "./options.ts";
import type { PipeWord } from "./shell-words.ts";

/**
 * Files that are called as those are in which secrets are kept. What would print one is asked about: a command that names it, or a
 * search through a folder in which one lies. Paths are relative to the folder in which the command runs.
 */

/** A pattern of hidden names may be one of them. */
const secret =
  /^(?:\.[^*?[]*[*?[].*|\.env(?:rc)?(?:\..*)?|\.(?:netrc|npmrc|pypirc|pgpass|htpasswd|ssh|aws|gnupg|git-credentials)|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:env|pem|key|p12|pfx|jks))$/i;

/** Whether a path is one of a file, or below a folder, with a name for secrets; `.env.example` is none. */
export function isSecretPath(path: string): boolean {
  return path.split(/[/:]/).some((name) => secret.test(name) && !/\.(?:example|sample|template)$/i.test(name));
}

/** Whether a word of a command names such a file: by itself, as it was at a revision (`HEAD:.env`), or by a pattern that one of `secrets` has. */
export function namesSecret(word: PipeWord, secrets: readonly string[]): boolean {
  if (isSecretPath(word.text)) return true;
  const places = [...new Set([word.text, ...word.text.split(":")].map(normal))].slice(0, 3);
  const named = places.map((place) => {
    const [isLike, isLikeFlat] = isPattern(place) ? [globOf(place), globOf(flat(place))] : [() => false, () => false];
    return { place, isLike: (path: string) => isLike(path) || isLikeFlat(flat(path)) };
  });
  return secrets.some((path) =>
    named.some(({ place, isLike }) => place === path || (isSeen(word, place, path) && isLike(path))),
  );
}

/** In place of `*` a shell puts no hidden name; a program that gets it in quotes finds one. */
function isSeen({ plain }: PipeWord, place: string, path: string): boolean {
  const names = path.split("/");
  const isHiddenName = place.split("/").some((part, index) => part === "*" && isHidden(names[index] ?? ""));
  return !(isPattern(plain) && isHiddenName);
}

/** Which of the secrets a program that reads all that lies in folders comes to. */
export function secretsReached(
  places: readonly PipeWord[],
  secrets: readonly string[],
): { path: string; below: string }[] {
  const named = places.length === 0 ? ["."] : places.map(({ text }) => normal(text));
  const folders = named.map((folder) => {
    const isLike = isPattern(folder) ? globOf(folder) : () => false;
    return { folder, depth: folder.split("/").length, isLike };
  });
  return secrets.flatMap((path) => {
    const names = path.split("/");
    return folders.flatMap(({ folder, depth, isLike }) => {
      if (folder === ".") return [{ path, below: path }];
      const above = names.slice(0, depth).join("/");
      const isIn = above === folder || isLike(above);
      return isIn ? [{ path, below: names.slice(depth).join("/") }] : [];
    });
  });
}

/** Whether a search with `rg` prints what is in secrets: hidden ones where it is told to, or where a glob names them. */
export function isSearched(
  rest: readonly PipeWord[],
  places: readonly PipeWord[],
  secrets: readonly string[],
): boolean {
  const all = rest.map(({ text }) => text);
  if (all.includes("--files")) return false;
  const globs = valuesOf(all, ["-g", "--glob", "--iglob"]).filter((each) => !each.startsWith("!"));
  const isNamed = globs.map((glob) => globOf(glob.replace(/^\//, "")));
  const letters = all.filter((each) => /^-[A-Za-z]+$/.test(each)).join("");
  const isAll = all.includes("--hidden") || letters.split("u").length > 2;
  return secretsReached(places, secrets).some(({ path, below }) => {
    if (globs.length > 0) return isNamed.some((isLike) => partsOf(path).some(isLike));
    return isAll || !below.split("/").some(isHidden);
  });
}

/** Whether a search with `grep` prints what is in secrets: all below its folders, unless it is only to look into other names. */
export function isGrepped(rest: readonly PipeWord[], places: readonly PipeWord[], secrets: readonly string[]): boolean {
  if (!isRecursive(rest)) return false;
  const all = rest.map(({ text }) => text);
  // Where what is left out stands first, all that no option names is read.
  const first = all.find((each) => /^--(?:include|exclude)(?:=|$)/.test(each));
  const globs = first?.startsWith("--include") === true ? valuesOf(all, ["--include"]) : ["*"];
  const isNamed = globs.map(globOf);
  return secretsReached(places, secrets).some(({ path }) => isNamed.some((isLike) => isLike(lastPart(path))));
}

/** Whether `grep` is told to look into folders. */
export function isRecursive(rest: readonly PipeWord[]): boolean {
  return rest.some(({ text }) => text === "--recursive" || /^-[A-Za-z]*r/.test(text));
}

/** Whether what `find` or `git ls-files` prints may hold the names of secrets, or of a folder around one (`isAround`). */
export function printsSecrets(
  [program, ...rest]: readonly PipeWord[],
  secrets: readonly string[],
  isAround: boolean,
): boolean {
  const all = rest.map(({ text }) => text);
  if (program?.text === "git") {
    const paths = all.slice(1).filter((each) => !each.startsWith("-"));
    const named = paths.map(normal).map((given) => ({ given, isLike: globOf(flat(given)) }));
    return secrets.some(
      (path) =>
        named.length === 0 ||
        named.some(({ given, isLike }) => given === "." || path.startsWith(`${given}/`) || isLike(flat(path))),
    );
  }
  const begin = all.findIndex((each) => /^[-(!]/.test(each));
  const places = rest.slice(0, begin === -1 ? rest.length : begin);
  const tests = begin === -1 ? [] : all.slice(begin);
  const found = secretsReached(places, secrets);
  // What is left out by a group of tests is not looked at.
  if (isAround || tests.some((each) => each === "!" || each === "(")) return found.length > 0;
  const choices = choicesOf(tests).map((names) => names.map(globOf));
  return found.some(({ path }) => choices.some((names) => names.every((isLike) => isLike(lastPart(path)))));
}

/** Tests of `find` that have a value. */
const valued: ReadonlySet<string> = words(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -size -mtime -mmin -ctime -cmin -perm -maxdepth -mindepth",
);

/** Of the tests of `find`, what names have to match: one of the lists, all in it. What is said beside names may leave out more. */
function choicesOf(tests: readonly string[]): string[][] {
  const choices: string[][] = [[]];
  for (let at = 0; at < tests.length; at += 1) {
    const test = tests[at] ?? "";
    if (test === "-o" || test === "-or") choices.push([]);
    const isName = test === "-name" || test === "-iname";
    if (isName && tests[at - 1] !== "-not") choices.at(-1)?.push(tests[at + 1] ?? "*");
    if (valued.has(test)) at += 1;
  }
  return choices;
}

/** The values of options, behind `=` or as the next word. */
function valuesOf(all: readonly string[], options: readonly string[]): string[] {
  return all.flatMap((word, index) => {
    const [name = ""] = word.split("=", 1);
    if (!options.includes(name)) return [];
    return [name === word ? (all[index + 1] ?? "*") : word.slice(name.length + 1)];
  });
}

/** `a/b/c`, `a/b`, `b/c`, `a`, …: what a glob without a folder of its own may be about. */
function partsOf(path: string): string[] {
  const names = path.split("/");
  return names.flatMap((_, from) => names.slice(from).map((__, more) => names.slice(from, from + more + 1).join("/")));
}

/** What a glob matches. One that cannot be read may match anything. */
function globOf(glob: string): (path: string) => boolean {
  if (!/[*?[\]{}()\\@+!]/.test(glob)) return (path) => path.toLowerCase() === glob.toLowerCase();
  return readGlob(glob).type === "wrong" ? () => true : globMatcher([glob], "any-case");
}

/** To git a star goes over folders too. */
function flat(path: string): string {
  return path.replaceAll("/", "\0");
}

function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function normal(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 ? "." : parts.join("/");
}
