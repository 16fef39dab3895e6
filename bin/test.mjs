#!/usr/bin/env node
// Runs the tests and says in its last line how many passed and failed: without names, a part of most files (tests/short-runner.ts).
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureInstalled, project } from "./install.mjs";

const report = join(project, ".data", "tests.json");
const given = process.argv.slice(2);
// Who looks for a test by its name wants each that has it.
const isShort =
  process.env.COS_TEST_FULL !== "1" && given.every((each) => each.startsWith("-") && !/^(?:-t|--testName)/.test(each));

await ensureInstalled({ needs: ["vitest", "tsx"] });
mkdirSync(dirname(report), { recursive: true });
rmSync(report, { force: true });
const exitCode = await runVitest(given);
const counts = count(readReport(), exitCode);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
if (isShort) process.stdout.write("This was the short run. `COS_TEST_FULL=1 npm test` runs everything, as CI does.\n");
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;

function runVitest(args) {
  const options = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args];
  const child = spawn(process.execPath, [join(project, "node_modules", "vitest", "vitest.mjs"), ...options], {
    cwd: project,
    env: { ...process.env, COS_TEST_SHORT: isShort ? "1" : "" },
    stdio: "inherit",
  });
  // A terminal sends Ctrl-C to both; we stay to report.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return null;
  }
}

/** A file that could not be loaded has no tests, and an error outside of tests belongs to none: each counts as one failure. */
function count(result, exitCode) {
  if (result === null) return { passed: 0, failed: 1, skipped: 0 };
  const unloaded = result.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failed = result.numFailedTests + unloaded;
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: result.numTotalTests - result.numPassedTests - result.numFailedTests,
  };
}
