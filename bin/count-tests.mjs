/**
 * Counts the tests in a report of vitest's JSON reporter that passed, failed and did not run; `result` is null when there is no report. A
 * file that could not be loaded has no tests, and an error outside tests belongs to none: each counts as one failure. A file that runs in
 * two parts is in the report twice, and tests of the other part are "pending". A test counts as not begun only if it is pending in both.
 */
export function countTests(result, exitCode) {
  if (result === null) return { passed: 0, failed: 1, skipped: 0, notBegun: 0 };
  const unloaded = result.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const counts = { passed: 0, failed: unloaded, pending: 0, skipped: 0, todo: 0 };
  for (const { status } of outcomes(result.testResults)) counts[status] += 1;
  return {
    passed: counts.passed,
    failed: counts.failed === 0 && exitCode !== 0 ? 1 : counts.failed,
    skipped: counts.pending + counts.skipped + counts.todo,
    notBegun: counts.pending,
  };
}

/** Returns the rows that a title says its test proves: `[S4-CK-12]`, `[F-101]`. */
export function rowsOf(title) {
  return title.match(/\bS[0-4]-[A-Z]+-\d+|\bF-\d{3}\b/g) ?? [];
}

/** Returns the rows of which no test was begun, in order. */
export function rowsNotTried(result) {
  const ended = outcomes(result?.testResults ?? []);
  const rowsWhere = (isMeant) => ended.filter(isMeant).flatMap(({ title }) => rowsOf(title));
  const tried = new Set(rowsWhere(({ status }) => status !== "pending"));
  return [...new Set(rowsWhere(({ status }) => status === "pending"))]
    .filter((row) => !tried.has(row))
    .toSorted((one, other) => one.localeCompare(other));
}

/** Returns how each test ended; of several results, the one that is first in the order of `heavier`. */
function outcomes(files) {
  const byFile = new Map();
  for (const { name, assertionResults } of files) {
    const ended = byFile.get(name) ?? [];
    for (const [index, { fullName, status }] of assertionResults.entries())
      ended[index] = { title: fullName, status: heavier(ended[index]?.status, status) };
    byFile.set(name, ended);
  }
  return [...byFile.values()].flat();
}

function heavier(one, other) {
  const heaviest = ["failed", "passed", "skipped", "todo", "pending"];
  return heaviest.find((each) => each === one || each === other);
}
