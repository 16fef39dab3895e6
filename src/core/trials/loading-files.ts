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
  if (/\.(?:sh|bash|ksh|zsh)$/i.test(from)) {
    const named = new Set([...text.matchAll(sourcing)].map(([, said = ""]) => lastPart(said)));
    return (path) => named.has(lastPart(path));
  }
  let tokens: readonly Token[] | null = null;
  return (path) => {
    const stem = withoutEnding(lastPart(path));
    if (!text.includes(stem) && stem !== "index") return false;
    tokens ??= spelledTokens(tokensOf(text, from), from);
    return /\.pyi?$/i.test(from) ? loadsInPython(tokens, path) : loadsInScript(tokens, from, path);
  };
}

function loadsInScript(tokens: readonly Token[], from: string, path: string): boolean {
  const required = new Set(["require", "import", ")", ...requiresOf(tokens)]);
  return tokens.some(({ type, text: said }, index) => {
    if (type !== "string" || !isNamed(said.slice(1, -1), from, path)) return false;
    const before = tokens[index - 1]?.text ?? "";
    return before === "(" ? required.has(tokens[index - 2]?.text ?? "") : before === "from" || before === "import";
  });
}

const sourcing = /(?:^|[\s;&|(])(?:\.|source)[ \t]{1,4}["']?([^\s"';&|)]{1,200})/gm;

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function withoutEnding(path: string): string {
  return path.replace(/\.\w{1,10}$/, "");
}

/** A file beside the source by its whole path, a folder for its index; what begins with a sign of its own by the last part of its name. */
function isNamed(said: string, from: string, path: string): boolean {
  const [named = ""] = said.split(/[?#](?=.)/, 1);
  if (!named.startsWith("."))
    return /^[#@~/]/.test(said) && withoutEnding(lastPart(said)) === withoutEnding(lastPart(path));
  const parts = from.split("/").slice(0, -1);
  for (const part of named.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const whole = parts.join("/");
  const stem = withoutEnding(path);
  return whole === path || whole === stem || withoutEnding(whole) === stem || `${whole}/index` === stem;
}

/** `const load = createRequire(import.meta.url)`. */
function requiresOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text }, index) =>
    text === "createRequire" && tokens[index - 1]?.text === "=" ? [tokens[index - 2]?.text ?? ""] : [],
  );
}

function loadsInPython(tokens: readonly Token[], path: string): boolean {
  const stem = withoutEnding(lastPart(path));
  const hasLoader = tokens.some(({ text }) => fileLoaders.test(text));
  return tokens.some(({ type, text, line }, index) => {
    if (type === "string") return hasLoader && lastPart(text.slice(1, -1)) === lastPart(path);
    if (text !== stem || !/\.pyi?$/i.test(path)) return false;
    const near = tokens.slice(Math.max(0, index - longestImport), index);
    return near.some((each) => each.line === line && /^(?:import|from)$/.test(each.text));
  });
}

/** So many tokens of an import are read. */
const longestImport = 30;
