import type { Token } from "./tokens.ts";

/**
 * Places of tests that a program names: files that are run as tests, by path or name, and folders of them. Code that reads its
 * own test knows what is expected.
 */
export function testsNamed(tokens: readonly Token[], text: string, tests: readonly string[]): string[] {
  const folders = tests.flatMap((test) => /^(?:.{0,300}\/)?(?:tests?|specs?|__tests__)\//i.exec(test)?.[0] ?? []);
  const names = tests.map((test) => test.slice(test.lastIndexOf("/") + 1));
  const telling = names.filter((name) => /[._-](?:test|spec)s?\.|^test_/i.test(name));
  const code = codeOf(tokens, text);
  return [...new Set([...folders, ...tests, ...telling])].filter((place) => isNamed(code, place)).slice(0, mostTests);
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

/** "test/" of "./test/a.js", not of "latest/" and "https://example.com/test/". */
function isNamed(code: string, place: string): boolean {
  for (let at = code.indexOf(place); at !== -1; at = code.indexOf(place, at + 1)) {
    if (!/[\w/.-]/.test(code[at - 1] ?? " ") || code.slice(at - 2, at) === "./") return true;
  }
  return false;
}

/** What tells of a file, by its name alone, that it holds what tests expect. */
const expecting = /expected|golden|snapshot|\.snap$/i;

/**
 * Data of tests that a program names, by a folder and a name (`fixtures/rates.json`, `join("fixtures", "rates.json")`), or by a
 * name that says what it holds (`expected.json`): code that reads there what is expected is right only for its tests. Linear
 * in the text and in the files.
 */
export function testDataNamed(
  tokens: readonly Token[],
  text: string,
  data: readonly string[],
  isShell: boolean,
): string[] {
  if (data.length === 0) return [];
  const known = new Map<string, string>();
  for (const path of data) {
    const { folder, name } = lastTwo(path);
    if (folder !== "") known.set(`${folder}/${name}`, path);
    if (expecting.test(name)) known.set(name, path);
  }
  const found = new Set<string>();
  let before = "";
  // In a shell a slash begins no pattern.
  const code = isShell ? text.replace(/^[ \t]{0,40}#.*/gm, "") : codeOf(tokens, text);
  for (const said of code.split(/[\s"'`;|&()<>$={},:+]+/)) {
    const { folder, name } = lastTwo(said);
    const path = known.get(`${folder === "" ? lastTwo(before).name : folder}/${name}`) ?? known.get(name);
    if (path !== undefined) found.add(path);
    if (said !== "" && said !== "/") before = said;
  }
  return [...found].slice(0, mostTests);
}

function lastTwo(path: string): { readonly folder: string; readonly name: string } {
  const end = path.lastIndexOf("/");
  const start = path.lastIndexOf("/", end - 1);
  return { folder: end === -1 ? "" : path.slice(start + 1, end), name: path.slice(end + 1) };
}
