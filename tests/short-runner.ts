import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from "vitest";
import { rowsOf } from "../bin/count-tests.mjs";
import { shortPartOf } from "./parts.ts";
import { readHomes } from "./rows.ts";

const homes = readHomes();

/** Runs so many tests that each row which the whole run tries is tried once, and nothing of a file that has none to try. */
export default class ShortRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) keepOnly(new Set(chosenOf(file)), file);
  }
}

/** Those that the short run runs of a file; `rest-runner.ts` runs the others. */
export function chosenOf(file: RunnerTestFile): readonly RunnerTestCase[] {
  const tests = testsOf(file);
  switch (shortPartOf(file.filepath)) {
    case "pure":
    case "anywhere":
    case "all":
      return tests;
    case "some":
      return chooseTests(tests, titleOf, (row) => (homes.get(row) ?? file.filepath) === file.filepath);
    case "none":
      return [];
  }
}

/** Those of a file's tests that name a row which is tried here and which none before them has named, in their order. */
export function chooseTests<Test>(
  tests: readonly Test[],
  title: (test: Test) => string,
  isTriedHere: (row: string) => boolean,
): readonly Test[] {
  const named = new Set<string>();
  return tests.filter((test) => {
    const rows = rowsOf(title(test)).filter(isTriedHere);
    const isNew = rows.some((each) => !named.has(each));
    for (const each of rows) named.add(each);
    return isNew;
  });
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
