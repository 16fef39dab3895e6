/**
 * How many tests of a report (vitest's JSON reporter) passed, failed and did not run; null: there is none. A file that could not be loaded has no tests, and an error outside of tests belongs to none: each counts as one failure. What
 * runs in two parts is in the report twice, once as "pending": no part has begun what is pending in each.
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

/** What a title says that its test proves: `[S4-CK-12]`, `[F-101]`. */
export function rowsOf(title) {
  return title.match(/\bS[0-4]-[A-Z]+-\d+|\bF-\d{3}\b/g) ?? [];
}

/** The rows that tests name of which none was begun, in order. */
export function rowsNotTried(result) {
  const ended = outcomes(result?.testResults ?? []);
  const rowsWhere = (isMeant) => ended.filter(isMeant).flatMap(({ title }) => rowsOf(title));
  const tried = new Set(rowsWhere(({ status }) => status !== "pending"));
  return [...new Set(rowsWhere(({ status }) => status === "pending"))]
    .filter((row) => !tried.has(row))
    .toSorted((one, other) => one.localeCompare(other));
}

/** How each test ended: the heaviest of its outcomes. */
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
