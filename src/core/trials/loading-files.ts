import { lastPart, withoutEnding } from "../files/path.ts";

import { isPythonFile, isShellFile } from "./languages.ts";
import { spelledTokens } from "./spelled.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Loaders that take a file whatever it is called. */
const fileLoaders = /^(?:SourceFileLoader|run_path|spec_from_file_location|load_source)$/;

/**
 * Which files a source loads as code, whatever they are called: `require("./rates.txt")`,
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

/** By what names a script loads others: `./price.js`, `../src/price`. */
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

/** Whether a text in a source names a file: one beside it by its whole path, a folder for its index; what begins with a sign of its own by the last part of its name. */
export function isFileNamed(said: string, from: string, path: string): boolean {
  const [named = ""] = said.split(/[?#](?=.)/, 1);
  if (!named.startsWith("."))
    return /^[#@~/]/.test(said) && withoutEnding(lastPart(said)) === withoutEnding(lastPart(path));
  const whole = wholeOf(named, from);
  const stem = withoutEnding(path);
  return whole === path || whole === stem || withoutEnding(whole) === stem || `${whole}/index` === stem;
}

/** What a name that begins with a dot comes to, said in a file. */
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

/** So many tokens of an import are read. */
const longestImport = 30;
