import type { TestReport } from "./report.ts";

/** How JavaScript and Python say that something is not there, with its name. */
const missing: readonly RegExp[] = [
  /([A-Za-z_$][\w$]{0,80})\)? is not (?:a function|a constructor|defined)\b/,
  /name '(\w{1,80})' is not defined/,
  /has no attribute '(\w{1,80})'/,
  /does not provide an export named '([\w$]{1,80})'/,
  /cannot import name '(\w{1,80})'/,
];

/** What a failure says that is not there: `isError` of "isError is not a function"; null where it says nothing of the kind. */
export function missingIn(message: string): string | null {
  const short = message.slice(0, 500);
  for (const pattern of missing) {
    const [, name] = pattern.exec(short) ?? [];
    if (name !== undefined) return name;
  }
  return null;
}

/** More names than that are not looked for. */
const mostNames = 5;

/**
 * What failed tests say that is not there, and the work's source adds: a test that fails for want of it fails every time. `added`: the
 * lines that the work adds to its source. Whether the base knew the name is for the caller to see.
 */
export function wantedOfWork(report: TestReport | null, added: readonly string[]): readonly string[] {
  if (report?.type !== "names") return [];
  const said = report.tests.flatMap(({ outcome, missing: name }) =>
    outcome === "failed" && name !== undefined ? [name] : [],
  );
  const isAdded = (name: string): boolean => added.some((line) => wordsOf(line).includes(name));
  return [...new Set(said)].filter(isAdded).slice(0, mostNames);
}

function wordsOf(line: string): readonly string[] {
  return line.split(/[^\w$]+/);
}
