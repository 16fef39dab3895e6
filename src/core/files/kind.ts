import type { Policy } from "../policy.ts";
import { globMatcher } from "../text/globs.ts";
import { languages } from "./languages.ts";
import { isOfOthers } from "./of-others.ts";
import { lastPart } from "./path.ts";
import { ciFiles, settingsOutsideOfSource, sourceRoots } from "./patterns.ts";
import { isWithoutEnding } from "./shebang.ts";
import { runnableTests, testClasses, testFolders, testsOutsideOfSource } from "./test-patterns.ts";

/**
 * What a path says of a file.
 *
 * | role | it is |
 * |---|---|
 * | generated | written by a program, or of other people |
 * | setting | what decides how things are proven or built, a manifest, a lock file |
 * | test | run as a test |
 * | proof | what tests work with: helpers, fixtures, snapshots, or what `.cos/proof` lists |
 * | source | what the repository is about: code, styles, pages, data that lies with them |
 * | unsure | data, and what may be a program, that no folder of source holds: it may prove or be proven |
 * | other | prose, pictures and the rest: nothing runs it |
 */
export type FileRole = "source" | "test" | "proof" | "setting" | "unsure" | "generated" | "other";

export interface FileKind {
  readonly role: FileRole;
  /** What people see; never of tests and of what is generated. */
  readonly isUserFacing: boolean;
  /** What others build on: interfaces, stored data, dependencies, delivery; never of tests and of what is generated. */
  readonly isStructural: boolean;
}

/** Tells the kinds of paths apart (F-201, F-206). */
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

/** A work is looked at some ten times, each time at all of its paths; of more than these the kinds are told anew. */
const mostTold = 200_000;

/** Whether a file says which checks a forge runs, or how. */
export const decidesChecks: (path: string) => boolean = globMatcher(ciFiles, "any-case");

/** The lists of a policy that the kinds are made of. */
export type FilePolicy = {
  readonly triggers: Pick<Policy["triggers"], "uxFiles" | "architectureFiles">;
  readonly verification: Pick<Policy["verification"], "proofFiles" | "settingFiles" | "generatedFiles">;
};

type Matchers = Readonly<
  Record<"generated" | "setting" | "test" | "userFacing" | "structural", (path: string) => boolean>
> & { readonly told: Map<string, FileKind> };

/** A policy stays as it is for as long as its process runs, and its globs are many: read once. */
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

/** Whether a file is written in a programming language. */
export function isProgram(path: string): boolean {
  return languageOf(path) === "programming";
}

/**
 * Whether a file is code that tests: not every language's tests are told from what lies with them, so what counts is a program among
 * files that prove (`tests/cli.rs`, `tests/helper.js`).
 */
export function isTestCode(path: string, kindOf: (path: string) => FileKind): boolean {
  return isProgram(path) && ["test", "proof"].includes(kindOf(path).role);
}

/** Text for people that no program reads; translations are read. */
function isProse(path: string): boolean {
  return languageOf(path) === "prose" && !isTranslation(path);
}

const isTranslation = globMatcher(["**/*.{po,pot}"], "any-case");

/**
 * Whether a file that nothing runs may be what a program's output is compared with: text and pictures, but no document that people
 * read, and none that lies with the source.
 */
export function mayBeCompared(path: string): boolean {
  const name = lastPart(path);
  return !isBelowSource(path) && !isLegal(name) && !isDocument(name);
}

const isDocument = globMatcher(
  ["*.{md,mdx,markdown,mkd,rst,adoc,asciidoc,org,tex,textile,wiki,pod,rdoc,1,5,7,8,pdf,doc,docx,odt,po,pot}"],
  "any-case",
);

/** A file without an extension may be a program. */
function mayRun(path: string): boolean {
  return isWithoutEnding(path) && !isLegal(lastPart(path));
}

const isLegal = globMatcher(
  [
    "{license,licence,copying,notice,authors,contributors,maintainers,readme,changelog,changes,history,news,todo,version}*",
  ],
  "any-case",
);

/** Whether a runner takes a file for a test by its path. */
export const isRunnable: (path: string) => boolean = eitherOf(globMatcher(runnableTests, "any-case"), isTestClass);

type Language = keyof typeof languages;

const languageByName: ReadonlyMap<string, Language> = new Map([
  ...(Object.keys(languages) as Language[]).flatMap((type) =>
    languages[type].split(" ").map((name): [string, Language] => [name, type]),
  ),
  // Extensions that several languages share are those of the common one.
  ...[".md", ".markdown", ".txt", ".rst", ".adoc"].map((name): [string, Language] => [name, "prose"]),
  ...[".svg", ".xhtml", ".ftl", ".ui", ".htm"].map((name): [string, Language] => [name, "markup"]),
  ...[".json", ".csv", ".tsv", ".yaml", ".yml", ".xml", ".toml"].map((name): [string, Language] => [name, "data"]),
]);

/** The type of a file's language by its name or its longest known extension; null when none is known. */
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

/** Whether it lies where a repository keeps what it is about: in a folder such as `src`, at whatever depth. */
export function isBelowSource(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .slice(0, -1)
    .some((folder) => sourceRoots.includes(folder));
}

/** Whether a repository keeps source in such folders: code beside them is something else then. */
export function hasSourceFolders(files: readonly string[], kindOf: (path: string) => FileKind): boolean {
  return files.some((file) => isBelowSource(file) && kindOf(file).role === "source");
}
