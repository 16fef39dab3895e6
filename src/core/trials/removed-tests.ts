import { beginnings, rangeAt, titlesIn } from "./own-tests.ts";
import { fixturesOf } from "./test-fixtures.ts";
import {
  commentLines,
  importing,
  importsIn,
  isClosed,
  isImportWithout,
  isLoaded,
  withoutImports,
} from "./test-imports.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Tests of code that the work removed because it was asked to: they go with the code. */

/** Tests that are gone and each name something that is gone. */
export interface RemovedTests {
  readonly number: number;
  readonly titles: readonly string[];
}

/** A test file as it was and as it is. `now`: null when it is gone. */
export interface LessTests {
  readonly path: string;
  readonly before: string;
  readonly now: string | null;
  /** True when its name is that of the removed code. */
  readonly isCalledSo: boolean;
}

/** Names that no source contains any more, and names of code that is still there. */
export interface NamesOfCode {
  readonly gone: ReadonlySet<string>;
  readonly staying: ReadonlySet<string>;
}

const ownBeginnings: readonly (readonly [RegExp, RegExp])[] = [
  [/\.go$/i, /^func (?:Test|Benchmark|Fuzz|Example)/],
  [/\.bats$/i, /^@test /],
];

/** First lines of blocks that contain tests. */
const holders = /^(?:(?:RSpec\.)?(?:describe|context|suite)\b|(?:public |final |internal |abstract )*class \w)/;

interface Part {
  readonly from: number;
  readonly end: number;
}

/** The tests of a file that are gone together with what they name. */
export function testsRemoved(file: LessTests, names: NamesOfCode): RemovedTests {
  const lines = file.before.split("\n");
  const gone = goneParts(file, lines, namesWith(file, lines, names));
  const blocks = testsIn(file.path, lines).filter((test) => gone.some((part) => isWithin(test, part)));
  const texts = blocks.map((each) => lines.slice(each.from, each.end).map((line) => line.trim()));
  return { number: texts.length, titles: texts.flatMap(titlesIn) };
}

/** The other words that these tests name. The caller checks whether the work's source still has one of them. */
export function namedBeside(file: LessTests, gone: ReadonlySet<string>): readonly string[] {
  const lines = file.before.split("\n");
  const names = namesWith(file, lines, { gone, staying: new Set() });
  const parts = file.now === null ? [{ from: 0, end: lines.length }] : goneParts(file, lines, names);
  const found = parts.flatMap(({ from, end }) => [
    ...wordsOf(file.path, withoutImports(lines.slice(from, end)), names.gone),
  ]);
  return [...new Set(found)].filter((word) => !names.gone.has(word) && !ofTests.has(word));
}

/**
 * True when a test file differs only by tests that name something gone, and by mentions of it. Neither these tests nor the blocks around
 * them may name anything that stays. When the file is gone, each of its tests must be of this kind.
 */
export function isOnlyWithout(file: LessTests, given: NamesOfCode): boolean {
  const { path, now, isCalledSo } = file;
  const lines = file.before.split("\n");
  const names = namesWith(file, lines, given);
  if (now === null) {
    const tests = testsIn(path, lines);
    const isOfGone = tests.length === 0 ? isCalledSo && isNaming(path, lines, names) : true;
    const gone = goneParts(file, lines, names);
    const areGone = tests.every((test) => gone.some((part) => isWithin(test, part)));
    return isOfGone && areGone && !isOfStaying(path, withoutImports(lines), names);
  }
  const gone = goneParts(file, lines, names);
  if (gone.length === 0) return false;
  const left = lines.filter((_, at) => !gone.some(({ from, end }) => at >= from && at < end));
  return isWithoutNames(path, { before: linesOf(left), now: linesOf(now.split("\n")) }, names);
}

/** True when the lines are the same but for imports of what is gone, file-level values made from it, and comments. */
function isWithoutNames(
  path: string,
  { before, now }: { readonly before: readonly string[]; readonly now: readonly string[] },
  names: NamesOfCode,
): boolean {
  const comments = commentLines(path, before);
  let at = 0;
  for (const line of before) {
    const other = now[at];
    if (line === other) {
      at += 1;
      continue;
    }
    if (comments.has(line)) continue;
    if (!words(line).some((word) => names.gone.has(word))) return false;
    if (other !== undefined && importing.test(line) && isImportWithout(path, [line, other], names.gone)) {
      at += 1;
      continue;
    }
    const isAlone = isClosed(line) && (importing.test(line) || assigning.test(line));
    if ((!isAlone && !/^\s{1,20}\w{1,100},$/.test(line)) || isOfStaying(path, withoutImports([line]), names))
      return false;
  }
  return at === now.length;
}

const assigning = /^(?:(?:const|let|var) )?\w{1,100} = /;

/** Tests, and blocks that contain only such tests, that name something gone, name nothing that stays, and are gone themselves. */
function goneParts({ path, now }: LessTests, lines: readonly string[], names: NamesOfCode): readonly Part[] {
  const kept = linesOf((now ?? "").split("\n")).join("\n");
  const isGone = ({ from, end }: Part): boolean => {
    const block = lines.slice(from, end);
    return (
      isNaming(path, block, names) &&
      !isOfStaying(path, block, names) &&
      !`\n${kept}\n`.includes(`\n${linesOf(block).join("\n")}\n`)
    );
  };
  const tests = testsIn(path, lines);
  const gone = tests.filter(isGone);
  const whole = partsIn(lines, holders).filter((part) => {
    const held = tests.filter((test) => isWithin(test, part));
    // A block whose first line is still there contains other tests.
    const isKept = kept.split("\n").includes(lines[part.from]?.trimEnd() ?? "");
    return held.length > 0 && !isKept && held.every((test) => gone.includes(test)) && isGone(part);
  });
  return [...gone, ...whole];
}

/** The tests of a file; a nested test is a part of the outer one. */
function testsIn(path: string, lines: readonly string[]): readonly Part[] {
  const begins = [...ownBeginnings, ...beginnings].find(([ending]) => ending.test(path))?.[1];
  if (begins === undefined) return [];
  const found: Part[] = [];
  for (const part of partsIn(lines, begins)) if (!found.some((each) => isWithin(part, each))) found.push(part);
  return found;
}

function partsIn(lines: readonly string[], begins: RegExp): readonly Part[] {
  return lines.flatMap((line, at) => {
    const said = line.trimStart().slice(0, 400);
    return begins.test(said) && !around.test(said) ? [rangeAt(lines, at)] : [];
  });
}

/** Code that runs around tests is no test. */
const around = /^(?:(?:async )?def (?:set_?up|tear_?down)|(?:before|after)(?:Each|All)?\(|if __name__)/i;

function isWithin(inner: Part, outer: Part): boolean {
  return inner.from >= outer.from && inner.end <= outer.end;
}

/**
 * Adds names that the file itself gives: `self.exporter = LegacyExporter()` makes `exporter` gone, too. Other names that the file imports
 * from the repository stay.
 */
function namesWith({ path }: LessTests, lines: readonly string[], { gone, staying }: NamesOfCode): NamesOfCode {
  const own = importsIn(lines).filter((each) => !known.test(each));
  const imported = own.flatMap((each) => [...wordsOf(path, [each], gone)]);
  const all: NamesOfCode = {
    gone: new Set(gone),
    staying: new Set([...staying, ...imported].filter((word) => !gone.has(word) && !importWords.has(word))),
  };
  const tests = testsIn(path, lines);
  for (const [at, line] of lines.entries()) {
    if (importing.test(line)) continue;
    const [, given] =
      /^\s{0,40}(?:(?:const|let|var) )?(?:self\.|this\.|@)?([A-Za-z_]\w{0,100}) =(?![=>])/.exec(line) ?? [];
    if (given === undefined || all.staying.has(given)) continue;
    const isStaying = isOfStaying(path, [line], all);
    if (!isStaying && isNaming(path, [line], all)) (all.gone as Set<string>).add(given);
    // Made for all tests from code that stays: `shop = new Shop()`.
    const isForAll = !tests.some(({ from, end }) => at >= from && at < end);
    if (isStaying && isForAll && !all.gone.has(given)) (all.staying as Set<string>).add(given);
  }
  for (const { name, at } of fixturesOf(path, lines)) {
    const { from, end } = at === null ? { from: 0, end: 0 } : rangeAt(lines, at);
    const isStaying =
      at === null ? ![...all.gone].some((each) => name.includes(each)) : isOfStaying(path, lines.slice(from, end), all);
    if (isStaying) (all.staying as Set<string>).add(name);
  }
  return all;
}

/** Test runners and assertion libraries: they are no code of the repository. */
const known =
  /["'](?:node:[\w/]{1,40}|vitest|jest|@jest\/globals|mocha|chai|assert|tape|ava)["']|^(?:import|from) (?:unittest|pytest)\b|^#include </;
const importWords = new Set("import from const let var require use using include as type default".split(" "));
const ofTests = new Set(
  "test it describe suite context expect assert equal same toBe toEqual self def class const let return function async import from require new main int void ok is is_deeply use my true false null None True False TestCase assertEqual assertTrue raises each length map".split(
    " ",
  ),
);

function isNaming(path: string, lines: readonly string[], { gone }: NamesOfCode): boolean {
  return tokensOf(lines.join("\n"), path).some(({ type, text }) => type === "word" && gone.has(text));
}

function isOfStaying(path: string, lines: readonly string[], { gone, staying }: NamesOfCode): boolean {
  if ([...wordsOf(path, lines, gone)].some((word) => staying.has(word) || starting.test(word))) return true;
  if (/\.(?:bats|sh|bash)$/i.test(path)) {
    const started = lines.flatMap((line) => line.match(programs) ?? []);
    if (started.some((each) => !words(each).some((word) => gone.has(word)))) return true;
  }
  const tokens = tokensOf(lines.join("\n"), path);
  return tokens.some(
    ({ type, text }, at) =>
      type === "string" && (ofFile.test(text) || isLoaded(tokens, at)) && !words(text).some((word) => gone.has(word)),
  );
}

/** Calls whose name does not show what they start or request. */
const starting = /^(?:spawn|exec|subprocess|popen|system|request|fetch|supertest)/i;
/** In a shell: a file with the extension of a program, in a `bin` folder, or started by its path. */
const programs =
  /[\w./-]{1,200}\.(?:[cm]?[jt]sx?|py|rb|sh|p[lm]|php)\b|(?:^|[\s"/])bin\/[\w-]{1,100}|(?:^|\s)\.\/[\w/-]{1,100}/g;
/** In a text: a program that it starts, or a page, style or setting that it reads. */
const ofFile = /\w\.(?:[cm]?[jt]sx?|py|rb|sh|p[lm]|php|go|rs|exe|html?|css|json|ya?ml|toml|xml|sql|vue|svelte|erb)\b/;

/** The words of code. In `Shop::Legacy` and `shop.legacy`, the word before the name that is gone is left out. */
function wordsOf(path: string, lines: readonly string[], gone: ReadonlySet<string>): ReadonlySet<string> {
  const tokens = tokensOf(lines.join("\n"), path);
  const isBefore = (at: number): boolean => {
    const next = tokens.slice(at + 1, at + 4).map((token: Token) => token.text);
    return (
      (next[0] === "." && gone.has(next[1] ?? "")) || (next[0] === ":" && next[1] === ":" && gone.has(next[2] ?? ""))
    );
  };
  return new Set(tokens.flatMap(({ type, text }, at) => (type === "word" && !isBefore(at) ? [text] : [])));
}

function words(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

function linesOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()]));
}
