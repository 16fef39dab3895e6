import type { Policy } from "../policy.ts";
import { globMatcher } from "../text/globs.ts";
import { languages } from "./languages.ts";
import { isOfOthers } from "./of-others.ts";
import { lastPart } from "./path.ts";
import { ciFiles, settingsOutsideOfSource, sourceRoots } from "./patterns.ts";
import { isWithoutEnding } from "./shebang.ts";
import { runnableTests, testClasses, testFolders, testsOutsideOfSource } from "./test-patterns.ts";

/**
 * The role of a file, by its path.
 *
 * | role | it is |
 * |---|---|
 * | generated | written by a program, or code of others |
 * | setting | decides how things are proven or built: settings, manifests, lock files |
 * | test | run as a test |
 * | proof | used by tests: helpers, fixtures, snapshots, or listed in `.cos/proof` |
 * | source | the subject of the repository: code, styles, pages, and data beside them |
 * | unsure | data and possible programs outside the source folders: it may be a proof or the subject of one |
 * | other | prose, pictures and the rest: nothing runs it |
 */
export type FileRole = "source" | "test" | "proof" | "setting" | "unsure" | "generated" | "other";

export interface FileKind {
  readonly role: FileRole;
  /** Users see it. Never set for tests and generated files. */
  readonly isUserFacing: boolean;
  /** Others build on it: interfaces, stored data, dependencies, delivery. Never set for tests and generated files. */
  readonly isStructural: boolean;
}

/** Returns a function that gives the kind of a path (F-201, F-206). */
export function fileKinds(policy: FilePolicy): (path: string) => FileKind {
  const is = matchersOf(policy);

  function roleOf(path: string): FileRole {
    if (is.setting(path)) return "setting";
    if (is.generated(path)) return "generated";
    const language = languageOf(path);
    if (is.test(path)) return language === "programming" && isRunnable(path) ? "test" : "proof";
    if (language === "programming" || language === "markup") return "source";
    if (language === "data" || (language === null && mayRun(path))) return isBelowSource(path) ? "source" : "unsure";
    return "other";
  }

  function kindOf(path: string): FileKind {
    const role = roleOf(path);
    const isShown = role !== "generated" && !is.test(path);
    return {
      role,
      isUserFacing: isShown && !isProse(path) && is.userFacing(path),
      isStructural: isShown && is.structural(path),
    };
  }

  return (path) => {
    const before = is.told.get(path);
    if (before !== undefined) return before;
    const kind = kindOf(path);
    if (is.told.size >= mostTold) is.told.clear();
    is.told.set(path, kind);
    return kind;
  };
}

/** Maximum number of cached paths. One work asks about ten times for each of its paths; a full cache is cleared. */
const mostTold = 200_000;

/** True when a file decides which checks a forge runs, or how. */
export const decidesChecks: (path: string) => boolean = globMatcher(ciFiles, "any-case");

/** The parts of a policy that decide the kinds. */
export type FilePolicy = {
  readonly triggers: Pick<Policy["triggers"], "uxFiles" | "architectureFiles">;
  readonly verification: Pick<Policy["verification"], "proofFiles" | "settingFiles" | "generatedFiles">;
};

type Matchers = Readonly<
  Record<"generated" | "setting" | "test" | "userFacing" | "structural", (path: string) => boolean>
> & { readonly told: Map<string, FileKind> };

/** Caches the matchers of a policy. A policy does not change while the process runs, and it has many globs. */
const known = new WeakMap<FilePolicy, Matchers>();

function matchersOf(policy: FilePolicy): Matchers {
  const before = known.get(policy);
  if (before !== undefined) return before;
  const matchers = {
    generated: globMatcher(policy.verification.generatedFiles, "any-case"),
    setting: eitherOf(
      globMatcher(policy.verification.settingFiles, "any-case"),
      eitherOf(isSettingOutside, isOfOthers),
    ),
    test: eitherOf(
      globMatcher(policy.verification.proofFiles, "any-case"),
      eitherOf(isTestOutside, eitherOf(isTestClass, globMatcher(testFolders))),
    ),
    userFacing: globMatcher(policy.triggers.uxFiles, "any-case"),
    structural: globMatcher(policy.triggers.architectureFiles, "any-case"),
    told: new Map<string, FileKind>(),
  };
  known.set(policy, matchers);
  return matchers;
}

function eitherOf(one: (path: string) => boolean, other: (path: string) => boolean): (path: string) => boolean {
  return (path) => one(path) || other(path);
}

const isSettingWhereNoSourceIs = globMatcher(settingsOutsideOfSource, "any-case");

function isSettingOutside(path: string): boolean {
  return isSettingWhereNoSourceIs(path) && !isBelowSource(path);
}

const isTestWhereNoSourceIs = globMatcher(testsOutsideOfSource, "any-case");

function isTestOutside(path: string): boolean {
  return isTestWhereNoSourceIs(path) && !isBelowSource(path);
}

const hasNameOfTests = globMatcher(testClasses);
const isOfMain = globMatcher(["**/src/main/**"]);

function isTestClass(path: string): boolean {
  return hasNameOfTests(path) && !isOfMain(path);
}

/** True when a file is written in a programming language. */
export function isProgram(path: string): boolean {
  return languageOf(path) === "programming";
}

/**
 * True when a file is test code. Not every language's tests can be told from the files beside them. So any program among tests and proof
 * files counts (`tests/cli.rs`, `tests/helper.js`).
 */
export function isTestCode(path: string, kindOf: (path: string) => FileKind): boolean {
  return isProgram(path) && ["test", "proof"].includes(kindOf(path).role);
}

/** True for text that only people read. Translations are read by programs. */
function isProse(path: string): boolean {
  return languageOf(path) === "prose" && !isTranslation(path);
}

const isTranslation = globMatcher(["**/*.{po,pot}"], "any-case");

/**
 * True when a file that nothing runs may be compared with a program's output: text and pictures outside the source folders, without
 * documents.
 */
export function mayBeCompared(path: string): boolean {
  const name = lastPart(path);
  return !isBelowSource(path) && !isLegal(name) && !isDocument(name);
}

const isDocument = globMatcher(
  ["*.{md,mdx,markdown,mkd,rst,adoc,asciidoc,org,tex,textile,wiki,pod,rdoc,1,5,7,8,pdf,doc,docx,odt,po,pot}"],
  "any-case",
);

/** True for a file without an extension, which may be a program. */
function mayRun(path: string): boolean {
  return isWithoutEnding(path) && !isLegal(lastPart(path));
}

const isLegal = globMatcher(
  [
    "{license,licence,copying,notice,authors,contributors,maintainers,readme,changelog,changes,history,news,todo,version}*",
  ],
  "any-case",
);

/** True when a test runner takes a file as a test by its path. */
export const isRunnable: (path: string) => boolean = eitherOf(globMatcher(runnableTests, "any-case"), isTestClass);

type Language = keyof typeof languages;

const languageByName: ReadonlyMap<string, Language> = new Map([
  ...(Object.keys(languages) as Language[]).flatMap((type) =>
    languages[type].split(" ").map((name): [string, Language] => [name, type]),
  ),
  // Extensions that several languages share get the type of the most common one.
  ...[".md", ".markdown", ".txt", ".rst", ".adoc"].map((name): [string, Language] => [name, "prose"]),
  ...[".svg", ".xhtml", ".ftl", ".ui", ".htm"].map((name): [string, Language] => [name, "markup"]),
  ...[".json", ".csv", ".tsv", ".yaml", ".yml", ".xml", ".toml"].map((name): [string, Language] => [name, "data"]),
]);

/** The type of a file's language, by its name or its longest known extension. Null when neither is known. */
function languageOf(path: string): Language | null {
  const name = lastPart(path).toLowerCase();
  const whole = languageByName.get(name);
  if (whole !== undefined) return whole;
  for (let dot = name.indexOf(".", 1); dot !== -1; dot = name.indexOf(".", dot + 1)) {
    const found = languageByName.get(name.slice(dot));
    if (found !== undefined) return found;
  }
  return null;
}

/** True when a file lies at any depth in a source folder such as `src`. */
export function isBelowSource(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .slice(0, -1)
    .some((folder) => sourceRoots.includes(folder));
}

/** True when a repository keeps source in such folders. Code outside them then has another purpose. */
export function hasSourceFolders(files: readonly string[], kindOf: (path: string) => FileKind): boolean {
  return files.some((file) => isBelowSource(file) && kindOf(file).role === "source");
}
