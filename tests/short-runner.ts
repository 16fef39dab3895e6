import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from "vitest";
import { shortPartOf } from "./parts.ts";

/** What a title says that its test proves: `[S4-CK-12]`, `[F-101]`. */
const row = /\bS[0-4]-[A-Z]+-\d+|\bF-\d{3}\b/g;

/**
 * Runs of each file the tests that name a row which none before them in the file has named, and at least one test: each row of
 * the whole run is tried in the short one too.
 */
export default class ShortRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) keepOnly(new Set(chosenOf(file)), file);
  }
}

/** Those that the short run runs of a file; `rest-runner.ts` runs the others. */
export function chosenOf(file: RunnerTestFile): readonly RunnerTestCase[] {
  const tests = testsOf(file);
  switch (shortPartOf(file.filepath)) {
    case "all":
      return tests;
    case "some":
      return chooseTests(tests, titleOf);
    case "none":
      return [];
  }
}

/** Those of a file's tests that its short run runs, in their order. */
export function chooseTests<Test>(tests: readonly Test[], title: (test: Test) => string): readonly Test[] {
  const named = new Set<string>();
  const chosen = tests.filter((test) => {
    const rows = title(test).match(row) ?? [];
    const isNew = rows.some((each) => !named.has(each));
    for (const each of rows) named.add(each);
    return isNew;
  });
  return chosen.length > 0 ? chosen : tests.slice(0, 1);
}

/** Skips all others, and groups that have none of them: what these prepare is not needed. */
export function keepOnly(chosen: ReadonlySet<RunnerTask>, task: RunnerTask): void {
  if (task.type === "test") {
    if (!chosen.has(task)) task.mode = "skip";
    return;
  }
  for (const each of task.tasks) keepOnly(chosen, each);
  if (task.tasks.every(({ mode }) => mode !== "run")) task.mode = "skip";
}

/** Those that would run, also in groups. */
export function testsOf(task: RunnerTask): readonly RunnerTestCase[] {
  if (task.mode !== "run") return [];
  return task.type === "test" ? [task] : task.tasks.flatMap(testsOf);
}

function titleOf(test: RunnerTask): string {
  return test.suite === undefined ? test.name : `${titleOf(test.suite)} ${test.name}`;
}
