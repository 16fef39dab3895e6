import { lastPart } from "../files/path.ts";

import type { Token } from "./tokens.ts";

/**
 * Paths of tests that a program names: test files, by path or name, and their folders. Code that reads its own test knows what is
 * expected.
 */
export function testsNamed(tokens: readonly Token[], text: string, tests: readonly string[]): string[] {
  if (tests.length === 0) return [];
  const { order, sorted, first } = placesOf(tests);
  const code = codeOf(tokens, text);
  const found = new Set<string>();
  // "test/" of "./test/a.js", not of "latest/" and "https://example.com/test/".
  for (const { index } of code.matchAll(/(?<![\w/.-])|(?<=\.\/)/g)) {
    if (!first.has(code.slice(index, index + 2)) && !first.has(code.charAt(index))) continue;
    for (const place of beginningsOf(code.slice(index, index + longestPlace), sorted)) found.add(place);
  }
  return [...found].toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0)).slice(0, mostTests);
}

/** All strings that name a test: in the order in which they are reported, and sorted. */
interface Places {
  readonly order: ReadonlyMap<string, number>;
  readonly sorted: readonly string[];
  /** The first two characters of each. */
  readonly first: ReadonlySet<string>;
}

/** Cache: many files are searched for the same tests, so their places are kept as long as the list of tests. */
const known = new WeakMap<readonly string[], Places>();

function placesOf(tests: readonly string[]): Places {
  const before = known.get(tests);
  if (before !== undefined) return before;
  const folders = tests.flatMap((test) => /^(?:.{0,300}\/)?(?:tests?|specs?|__tests__)\//i.exec(test)?.[0] ?? []);
  const names = tests.map((test) => lastPart(test));
  const telling = names.filter((name) => /[._-](?:test|spec)s?\.|^test_/i.test(name));
  const all = [...new Set([...folders, ...tests, ...telling])];
  const places = {
    order: new Map(all.map((place, index) => [place, index])),
    sorted: all.toSorted(),
    first: new Set(all.map((place) => place.slice(0, 2))),
  };
  known.set(tests, places);
  return places;
}

/** Maximum length of a name that is looked for. */
const longestPlace = 4_096;

/**
 * The places that are a prefix of `text`. Each search takes the last place that does not sort after the text, then continues with a
 * shorter prefix: their common beginning.
 */
function beginningsOf(text: string, sorted: readonly string[]): string[] {
  const found: string[] = [];
  for (let left = text; left !== ""; ) {
    const near = sorted[notBehind(left, sorted) - 1];
    if (near === undefined) return found;
    const same = sameBeginning(near, left);
    if (same === near.length) found.push(near);
    left = left.slice(0, same === near.length ? same - 1 : same);
  }
  return found;
}

/** Number of places that do not sort after `text`. */
function notBehind(text: string, sorted: readonly string[]): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? "") <= text) from = middle + 1;
    else to = middle;
  }
  return from;
}

function sameBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

const mostTests = 5;

/** The text without its comments and patterns. */
function codeOf(tokens: readonly Token[], text: string): string {
  let code = "";
  for (const [index, { text: said, end }] of tokens.entries()) {
    const gap = text.slice(end, tokens[index + 1]?.start ?? end);
    code += said + (gap.trim() === "" ? gap : "\n");
  }
  return code;
}

/** Names that show that a file holds expected results. */
const expecting = /expected|golden|snapshot|\.snap$/i;

/**
 * Test data that a program names, by a folder and a name (`fixtures/rates.json`, `join("fixtures", "rates.json")`), or by a name that
 * tells its content (`expected.json`). Code that reads expected results there is right only for its tests. Linear in the text and in the
 * files.
 */
export function testDataNamed(
  tokens: readonly Token[],
  text: string,
  data: readonly string[],
  isShell: boolean,
): string[] {
  if (data.length === 0) return [];
  const paths = pathsByName(data);
  const found = new Set<string>();
  let before = "";
  // In a shell, a slash begins no pattern.
  const code = isShell ? text.replace(/^[ \t]{0,40}#.*/gm, "") : codeOf(tokens, text);
  for (const said of code.split(/[\s"'`;|&()<>$={},:+]+/)) {
    const { folder, name } = lastTwo(said);
    const path = paths.get(`${folder === "" ? lastTwo(before).name : folder}/${name}`) ?? paths.get(name);
    if (path !== undefined) found.add(path);
    if (said !== "" && said !== "/") before = said;
  }
  return [...found].slice(0, mostTests);
}

const namedData = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

function pathsByName(data: readonly string[]): ReadonlyMap<string, string> {
  const before = namedData.get(data);
  if (before !== undefined) return before;
  const paths = new Map<string, string>();
  for (const path of data) {
    const { folder, name } = lastTwo(path);
    if (folder !== "") paths.set(`${folder}/${name}`, path);
    if (expecting.test(name)) paths.set(name, path);
  }
  namedData.set(data, paths);
  return paths;
}

function lastTwo(path: string): { readonly folder: string; readonly name: string } {
  const end = path.lastIndexOf("/");
  const start = path.lastIndexOf("/", end - 1);
  return { folder: end === -1 ? "" : path.slice(start + 1, end), name: path.slice(end + 1) };
}
