import { folderOf, lastPart } from "./path.ts";

/** Settings of runners of JavaScript, by their names. */
const settings =
  /^(?:package\.json|(?:jest|vitest|vite|playwright|karma|wtr|web-test-runner|ava|cypress)\.config\.(?:[cm]?[jt]s|json)|\.mocharc(?:\.(?:json|jsonc|ya?ml|[cm]?js))?|\.nycrc|\.?jasmine\.json|vitest\.workspace\.[cm]?[jt]s|bunfig\.toml)$/;

/** What they call it that runs before the tests, beside them, or in the place of what they load. */
const keys =
  /\b(?:setupFiles(?:After\w{1,20})?|setupFile|globalSetup|globalTeardown|testEnvironment|testRunner|snapshotSerializers|snapshotResolver|runner|reporters|transform|resolver|moduleNameMapper|require|helpers|preload|environment|supportFile)["']?\s{0,10}[:=]\s{0,10}/g;

/** So much behind such a word is read. */
const longest = 2_000;

/** Whether a file may say of others that runners load them beside the tests. */
export function mayNameSetups(path: string): boolean {
  return settings.test(lastPart(path));
}

/** The files that settings of a runner say to load beside the tests: `"setupFiles": ["./src/boot.js"]`. */
export function setupsIn(path: string, text: string, files: readonly string[]): readonly string[] {
  const known = new Set(files);
  const found = new Set<string>();
  const own = lastPart(path) === "package.json" ? ofRunners(text) : text;
  for (const { index, 0: key } of own.matchAll(keys)) {
    const at = index + key.length;
    for (const said of namesIn(own.slice(at, at + longest))) {
      const file = fileOf(folderOf(path), said, known);
      if (file !== null) found.add(file);
    }
  }
  return [...found];
}

/** What a package says to runners; elsewhere it uses such words for what it delivers. */
function ofRunners(text: string): string {
  try {
    const { jest, mocha, ava, jasmine, vitest } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify([jest, mocha, ava, jasmine, vitest]);
  } catch {
    return "";
  }
}

/** The texts of one value: of a list or an object up to its end, else the first one. */
function namesIn(value: string): readonly string[] {
  const close = value.startsWith("[") ? "]" : value.startsWith("{") ? "}" : "";
  const whole = close === "" ? (/^[^\n]*/.exec(value)?.[0] ?? "") : value.slice(0, value.indexOf(close) + 1);
  const texts = [...whole.matchAll(/"([^"\n]{1,200})"|'([^'\n]{1,200})'/g)].map(([, one, other]) => one ?? other ?? "");
  return close === "" ? texts.slice(0, 1) : texts;
}

/** A file of the repository as a runner finds it by what is said; null: it is none. */
function fileOf(folder: string, said: string, files: ReadonlySet<string>): string | null {
  const local = said.replace(/^<rootDir>\//, "").replace(/^(?:\.\/)+/, "");
  const whole = folder === "" ? local : `${folder}/${local}`;
  return [whole, `${whole}.js`, `${whole}.ts`, `${whole}.mjs`, `${whole}.cjs`].find((each) => files.has(each)) ?? null;
}
