import { type RunnerTask, type RunnerTestFile, type RunnerTestSuite, TestRunner } from "vitest";
import { shortPartOf } from "./parts.ts";
import { chosenOf, keepOnly, testsOf } from "./short-runner.ts";

/** When no further test begins, in ms since 1970 (`COS_TEST_UNTIL`, set by `bin/test.mjs`); never, where it is not set. */
const untilMs = Number(process.env["COS_TEST_UNTIL"] ?? "") || Infinity;

/** Runs of each file what the short run leaves out, until the time is over: a slow machine tries less of it, and says so. */
export default class RestRunner extends TestRunner {
  /** A file of which nothing will begin is not loaded: the short run has named its tests. */
  override importFile(filepath: string, source: "collect" | "setup"): unknown {
    const isNamed = shortPartOf(filepath) !== "none";
    return source === "collect" && isNamed && isOver() ? undefined : super.importFile(filepath, source);
  }

  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) {
      const chosen = new Set<RunnerTask>(isOver() ? testsOf(file) : chosenOf(file));
      keepOnly(new Set(testsOf(file).filter((test) => !chosen.has(test))), file);
    }
  }

  override onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (isOver()) suite.mode = "skip";
    return super.onBeforeRunSuite(suite);
  }

  override onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (isOver()) test.mode = "skip";
    return super.onBeforeRunTask(test);
  }
}

function isOver(): boolean {
  return Date.now() >= untilMs;
}
