import { wholeOf } from "../trials/loading-files.ts";
import { closingOf } from "../trials/type-places.ts";
import { nameIn, type Token, tokensOf } from "../trials/tokens.ts";
import { lastPart } from "./path.ts";

/** Settings keys of JavaScript runners for files that are loaded with the tests. */
const ofJest =
  /^(?:setupFiles(?:AfterEnv)?|setupTestFrameworkScriptFile|globalSetup|globalTeardown|testEnvironment|testRunner|runner|resolver|transform|reporters|snapshotSerializers|snapshotResolver|moduleNameMapper)$/;
const ofVitest = /^(?:setupFiles|globalSetup|environment|runner|reporters|snapshotSerializers)$/;
const required = /^require$/;

/** The files that contain such keys, by name or by part of a package's manifest. */
interface Settings {
  readonly name: RegExp;
  /** The part of `package.json` with the same settings. */
  readonly part?: string;
  readonly keys: RegExp;
  /** Only keys below this key, or in the TOML section of this name, count. The rest configures delivered code. */
  readonly below?: string;
}

const known: readonly Settings[] = [
  { name: /^jest\.config\.(?:[cm]?[jt]s|json)$/, part: "jest", keys: ofJest },
  { name: /^(?:vitest|vite)\.config\.[cm]?[jt]s$|^vitest\.workspace\.[cm]?[jt]s$/, keys: ofVitest, below: "test" },
  { name: /^playwright\.config\.[cm]?[jt]s$/, keys: /^global(?:Setup|Teardown)$/ },
  { name: /^cypress\.config\.[cm]?[jt]s$/, keys: /^supportFile$/ },
  { name: /^\.mocharc(?:\.(?:json|jsonc|ya?ml|[cm]?js))?$/, part: "mocha", keys: required },
  { name: /^ava\.config\.[cm]?js$/, part: "ava", keys: required },
  { name: /^\.nycrc(?:\.json)?$/, part: "nyc", keys: required },
  { name: /^\.?jasmine\.json$/, part: "jasmine", keys: /^(?:helpers|requires)$/ },
  { name: /^bunfig\.toml$/, keys: /^preload$/, below: "test" },
];

/** The name of a stand-in for a module. Another name may be an alias for the repository's own module. */
const isStandIn = /(?:^|[\W_])(?:mock|stub|fake|dummy)|(?:Mock|Stub|Fake|Dummy)/;

/** Maximum number of strings of one settings file that are tried as paths. */
const mostTexts = 500;

/** True when a file may name others that runners load with the tests. */
export function mayNameSetups(path: string): boolean {
  const name = lastPart(path);
  return name === "package.json" || known.some((each) => each.name.test(name));
}

/** The files that a runner's settings load with the tests: `"setupFiles": ["./src/boot.js"]`. */
export function setupsIn(path: string, text: string, files: readonly string[]): readonly string[] {
  const among = new Set(files);
  const texts = lastPart(path) === "package.json" ? saidInManifest(text) : saidInSettings(path, text);
  const found = texts.slice(0, mostTexts).flatMap((said) => fileOf(path, said, among) ?? []);
  return [...new Set(found)];
}

/** Only the runners' parts of a manifest are read. Elsewhere such keys describe delivered code. */
function saidInManifest(text: string): string[] {
  try {
    const manifest = Object(JSON.parse(text)) as Record<string, unknown>;
    return known.flatMap(({ part, keys }) =>
      part === undefined ? [] : saidIn(tokensOf(JSON.stringify(manifest[part] ?? {}), "package.json"), keys),
    );
  } catch {
    return [];
  }
}

function saidInSettings(path: string, text: string): string[] {
  const { keys, below } = known.find(({ name }) => name.test(lastPart(path))) ?? {};
  if (keys === undefined) return [];
  const tokens = tokensOf(text, path);
  if (below === undefined) return saidIn(tokens, keys);
  const said: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (nameIn(tokens[at]) !== below) continue;
    const end = path.endsWith(".toml") ? endOfSection(tokens, at) : endOfObject(tokens, at);
    if (end <= at) continue;
    said.push(...saidIn(tokens.slice(at + 1, end), keys));
    at = end - 1;
  }
  return said;
}

/** The end of an object `test: { … }`. */
function endOfObject(tokens: readonly Token[], index: number): number {
  const isBegun = tokens[index + 1]?.text === ":" && tokens[index + 2]?.text === "{";
  return isBegun ? closingOf(tokens, index + 2) : -1;
}

/** The end of a TOML section `[test]`: the next section header. */
function endOfSection(tokens: readonly Token[], index: number): number {
  const isHead = (at: number): boolean =>
    tokens[at]?.text === "[" && tokens[at - 1]?.text !== "=" && tokens[at - 1]?.line !== tokens[at]?.line;
  if (tokens[index - 1]?.text !== "[" || !isHead(index - 1)) return index;
  const next = tokens.findIndex((_, at) => at > index && isHead(at));
  return next === -1 ? tokens.length : next;
}

/** The strings in the values of such keys. */
function saidIn(tokens: readonly Token[], keys: RegExp): string[] {
  const said: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const key = nameIn(tokens[at]) ?? "";
    if (!keys.test(key) || !/^[:=]$/.test(tokens[at + 1]?.text ?? "")) continue;
    const value = tokens.slice(at + 2, endOfValue(tokens, at + 2));
    const texts = value.flatMap(({ type, text }) => (type === "string" ? [text.slice(1, -1)] : []));
    if (key === "moduleNameMapper") said.push(...texts.filter((each) => isStandIn.test(each)));
    else said.push(...(/^[[{]$/.test(value[0]?.text ?? "") ? texts : texts.slice(0, 1)));
    at += value.length + 1;
  }
  return said;
}

/** The end of a list or an object; for other values, the end of the line or the next `;`. */
function endOfValue(tokens: readonly Token[], from: number): number {
  if (/^[[{]$/.test(tokens[from]?.text ?? "")) return Math.max(from, closingOf(tokens, from));
  let at = from;
  while (at < tokens.length && tokens[at]?.line === tokens[from]?.line && tokens[at]?.text !== ";") at += 1;
  return at;
}

/** The repository's file that a runner finds for a string in its settings. Null when there is none. */
function fileOf(path: string, said: string, files: ReadonlySet<string>): string | null {
  const whole = wholeOf(said.replace(/^<rootDir>\//, ""), path);
  return (
    [whole, ...["js", "ts", "mjs", "cjs"].map((ending) => `${whole}.${ending}`)].find((each) => files.has(each)) ?? null
  );
}
