import { lastPart, withoutEnding } from "../files/path.ts";

import { isPythonFile, isShellFile } from "./languages.ts";
import { spelledTokens } from "./spelled.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Loaders that accept a file of any name. */
const fileLoaders = /^(?:SourceFileLoader|run_path|spec_from_file_location|load_source)$/;

/**
 * Returns a predicate for paths: true for files that the source loads as code, whatever their names: `require("./rates.txt")`,
 * `createRequire(import.meta.url)("./rates")`, `import("./rates.gen.js")`, `from .rates import price`, `. ./lib/rates.txt`.
 */
export function filesLoadedBy({
  path: from,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): (path: string) => boolean {
  if (isShellFile(from)) {
    const named = new Set([...text.matchAll(sourcing)].map(([, said = ""]) => lastPart(said)));
    return (path) => named.has(lastPart(path));
  }
  const loadedIn = isPythonFile(from) ? loadedInPython : loadedInScript;
  let loads: ((path: string) => boolean) | null = null;
  return (path) => {
    const stem = withoutEnding(lastPart(path));
    if (!text.includes(stem) && stem !== "index") return false;
    loads ??= loadedIn(spelledTokens(tokensOf(text, from), from), from);
    return loads(path);
  };
}

function loadedInScript(tokens: readonly Token[], from: string): (path: string) => boolean {
  const all = [...saidIn(tokens)];
  return (path) => all.some((each) => isFileNamed(each, from, path));
}

/** The names by which a script loads other files: `./price.js`, `../src/price`. */
export function namesLoadedBy({ path, text }: { readonly path: string; readonly text: string }): readonly string[] {
  return [...saidIn(spelledTokens(tokensOf(text, path), path))];
}

function saidIn(tokens: readonly Token[]): ReadonlySet<string> {
  const required = new Set(["require", "import", ")", ...requiresOf(tokens)]);
  const named = new Set<string>();
  for (const [index, { type, text }] of tokens.entries()) {
    if (type !== "string") continue;
    const before = tokens[index - 1]?.text ?? "";
    const isLoaded = before === "(" ? required.has(tokens[index - 2]?.text ?? "") : /^(?:from|import)$/.test(before);
    if (isLoaded) named.add(text.slice(1, -1));
  }
  return named;
}

const sourcing = /(?:^|[\s;&|(])(?:\.|source)[ \t]{1,4}["']?([^\s"';&|)]{1,200})/gm;

/**
 * True when a string in source names a file. A relative name must match the whole path, or a folder with this index file. A name that
 * begins with `#`, `@`, `~` or `/` only has to match the last part.
 */
export function isFileNamed(said: string, from: string, path: string): boolean {
  const [named = ""] = said.split(/[?#](?=.)/, 1);
  if (!named.startsWith("."))
    return /^[#@~/]/.test(said) && withoutEnding(lastPart(said)) === withoutEnding(lastPart(path));
  const whole = wholeOf(named, from);
  const stem = withoutEnding(path);
  return whole === path || whole === stem || withoutEnding(whole) === stem || `${whole}/index` === stem;
}

/** Resolves a relative name in the file `from` to a path of the repository. */
export function wholeOf(said: string, from: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of said.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** `const load = createRequire(import.meta.url)`. */
function requiresOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text }, index) =>
    text === "createRequire" && tokens[index - 1]?.text === "=" ? [tokens[index - 2]?.text ?? ""] : [],
  );
}

function loadedInPython(tokens: readonly Token[]): (path: string) => boolean {
  const hasLoader = tokens.some(({ text }) => fileLoaders.test(text));
  const files = new Set<string>();
  const modules = new Set<string>();
  for (const [index, { type, text, line }] of tokens.entries()) {
    if (type === "string") {
      if (hasLoader) files.add(lastPart(text.slice(1, -1)));
      continue;
    }
    if (!/^(?:import|from)$/.test(text)) continue;
    for (const each of tokens.slice(index + 1, index + 1 + longestImport))
      if (each.line === line) modules.add(each.text);
  }
  return (path) => files.has(lastPart(path)) || (isPythonFile(path) && modules.has(withoutEnding(lastPart(path))));
}

/** Maximum number of tokens of an import that are read. */
const longestImport = 30;
