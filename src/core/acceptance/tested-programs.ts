import { speaksOf, wordFor } from "../files/found.ts";
import { isProgram } from "../files/kind.ts";
import { folderOf, lastPart } from "../files/path.ts";
import { programAs } from "../files/shebang.ts";
import { filesLoadedBy } from "../trials/loading-files.ts";
import { newSurroundings } from "../trials/surroundings.ts";
import { isCalledJudge, isJudge, liesWithJudges, usesNothing } from "./proven-programs.ts";

/**
 * Decides about a program outside the source folders that only tests name. It is either a test helper or the program under test. It is
 * under test when a test has its name and may be about nothing else, or when a test loads only this program.
 */

interface Code {
  readonly path: string;
  readonly text: string;
}

/** A program of the base, with the files that may show that it is under test. */
export interface NamedProgram {
  readonly program: Code;
  /** The result of `testsFor`. */
  readonly tests: readonly Code[];
  /** Code files in the source folders. */
  readonly source: readonly string[];
  /** All code and data files of the repository. */
  readonly others: readonly string[];
}

/** Maximum number of tests whose imports are read. */
const mostTests = 8;

/** The tests that may be about a program: first those with its name, then those beside it. */
export function testsFor(path: string, tests: readonly string[]): string[] {
  const like = tests.filter((test) => isCalledLike(test, path));
  const beside = tests.filter((test) => !like.includes(test) && isBeside(test, path));
  return [...like, ...beside].slice(0, mostTests);
}

/** True when a program is under test. */
export function isTested({ program, tests, source, others }: NamedProgram): boolean {
  const { path, text } = program;
  const isCode = isProgram(path) || /\.(?:vue|svelte|astro)$/i.test(path) || programAs(path, text) !== null;
  if (!isCode || liesWithJudges(path) || asserts(path, text)) return false;
  const used = new Set(usedOf(program, source, path));
  const namesakes = source.filter((file) => file !== path && plain(wordFor(file)) === plain(wordFor(path)));

  const isOfItsName = (test: Code): boolean => {
    const loads = loadedBy(test)(path);
    if (!loads && !test.text.includes(wordFor(path))) return false;
    if (isCalledJudge(path) && !isBeside(test.path, path)) return false;
    if (namesakes.length > 0 && (!loads || namesakes.some((file) => used.has(file)))) return false;
    // If the test uses source files that the program does not use, the test may be about those.
    return usedOf(test, source, path).every((file) => used.has(file));
  };
  const isOnlyLoaded = (test: Code): boolean => {
    if (isJudge(path, text) || !loadedBy(test)(path)) return false;
    const rest = others.filter((other) => other !== path && other !== test.path);
    return usesNothing(path, text, rest) && usesNothing(test.path, test.text, rest);
  };
  return tests.some((test) => (isCalledLike(test.path, path) ? isOfItsName(test) : isOnlyLoaded(test)));
}

function asserts(path: string, text: string): boolean {
  return /\bassert|\bexpect\s{0,5}\(/.test(text) || newSurroundings(path, text, null).runners.length > 0;
}

function loadedBy({ path, text }: Code): (path: string) => boolean {
  return filesLoadedBy({ path: programAs(path, text) ?? path, text });
}

/** The source files that some code loads or mentions. A file with the name of `tested` counts only if its folder is named too. */
function usedOf(code: Code, source: readonly string[], tested: string): string[] {
  const loads = loadedBy(code);
  const words = new Set(code.text.match(/\w{1,100}/g) ?? []);
  return source.filter((file) => {
    const [word = ""] = /\w{1,100}/.exec(lastPart(file)) ?? [];
    if (word !== "index" && !words.has(word)) return false;
    if (loads(file)) return true;
    if (lastPart(file) !== lastPart(tested)) return speaksOf(code.text, file);
    return code.text.includes(file.split("/").slice(-2).join("/"));
  });
}

/** Words in a test's file name that mark it as a test or give its kind. */
const ofTests = /^(?:tests?|specs?|e2e|cy|unit|integration|unittests?|browsertests?)$/;

/** File names that stand for their folder. */
const ofFolders = /^(?:index|init|main|mod)$/;

/** True when a test has a program's name: `server.test.js`, `test_server.py`, `server_test.go` and `ServerTest.java` for `server`. */
function isCalledLike(test: string, path: string): boolean {
  const words = wordsIn(wordFor(test));
  while (ofTests.test(words[0] ?? "")) words.shift();
  while (ofTests.test(words.at(-1) ?? "")) words.pop();
  const subject = words.join("");
  if (subject === "") return false;
  const name = plain(wordFor(path));
  if (!ofFolders.test(name)) return subject === name;
  return subject === name ? isBeside(test, path) : subject === plain(lastPart(folderOf(path)));
}

/** True when a test lies in the folder of a program, or in a test folder within it. */
function isBeside(test: string, path: string): boolean {
  return folderOf(test).replace(/(?:^|\/)(?:__tests?__|tests?|specs?|e2e)(?:\/.*)?$/, "") === folderOf(path);
}

function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

function plain(name: string): string {
  return wordsIn(name).join("");
}
