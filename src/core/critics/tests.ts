import { globMatcher } from "../text/globs.ts";
import { type Artifact, issueAt, type Line } from "./lines.ts";

/** What a change does to tests: what is there no more, what is skipped, and what asserts nothing. */

export const testGlobs: readonly string[] = [
  "**/*.{test,spec}.{js,mjs,cjs,jsx,ts,mts,cts,tsx}",
  "**/{test,tests,__tests__}/**",
  "**/{test_*,*_test}.{py,go,rb}",
];

/** Whether a path holds tests. */
export const isTestFile = globMatcher(testGlobs);

/** A test begins here, with its name where it stands on the line. */
const beginning =
  /^\s{0,60}(?:(?:it|test|specify)(?:\.(?:each|concurrent|only|skip|todo|fails|failing))*\s{0,3}[(`.]|(?:async\s{1,3})?def\s{1,3}test_\w|func\s{1,3}Test\w|#\[(?:tokio::)?test\]|@Test\b|Deno\.test\()/;
const skipping =
  /^\s{0,60}(?:(?:it|test|describe|specify|suite)\.(?:skip|only|todo|fixme)\b|x(?:it|describe|test)\s{0,3}\(|f(?:it|describe)\s{0,3}\(|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|#\[ignore\]|t\.Skip\()/;
const asserting =
  /\b(?:expect|assert\w*|should|must|verify|require\.\w+|t\.(?:Error|Fatal|is|equal|deepEqual|throws)|raises|fail)\b|\.to(?:Be|Equal|Match|Throw)/i;

/** Tests that were taken away and not written again under the same name; each with its line. */
export function removedTests({ added, removed }: Artifact): string[] {
  const kept = new Set(added.filter(begins).map(nameOf));
  return removed
    .filter((line) => begins(line) && !kept.has(nameOf(line)))
    .map((line) => issueAt(line, "a test was removed"));
}

/** Tests that are written and do not run, or keep others from running. */
export function skippedTests({ added }: Pick<Artifact, "added">): string[] {
  return added
    .filter((line) => isTestFile(line.path) && skipping.test(line.text))
    .map((line) => issueAt(line, "a test is skipped"));
}

/** Files in which tests were written and nothing is asserted. */
export function emptyTests({ added }: Pick<Artifact, "added">): string[] {
  const files = new Map<string, { first: Line; asserts: boolean }>();
  for (const line of added) {
    const seen = files.get(line.path);
    if (seen !== undefined) seen.asserts ||= asserting.test(line.text);
    else if (begins(line)) files.set(line.path, { first: line, asserts: asserting.test(line.text) });
  }
  return [...files.values()]
    .filter((each) => !each.asserts)
    .map(({ first }) => issueAt(first, "tests that assert nothing"));
}

/** Whether any test was written. */
export function hasTests({ added }: Pick<Artifact, "added">): boolean {
  return added.some(begins);
}

function begins(line: Line): boolean {
  return isTestFile(line.path) && beginning.test(line.text);
}

/** As it is called: its first text, or the name of its function. */
function nameOf({ text }: Line): string {
  return /["'`]([^"'`]{1,300})/.exec(text)?.[1] ?? text.trim();
}
