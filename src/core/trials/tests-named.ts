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
