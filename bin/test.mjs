#!/usr/bin/env node
// Runs the tests; its last line says how many passed and failed. Without test names, the tests that try each behaviour run first
// (tests/short-runner.ts). Then the rest runs (tests/rest-runner.ts) for as long as COS_TEST_MINUTES says: eight minutes by default. With
// COS_TEST_FULL=1 all tests run.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { countTests, rowsNotTried } from "./count-tests.mjs";
import { ensureInstalled, project } from "./install.mjs";

const report = join(project, ".data", "tests.json");
const given = process.argv.slice(2);
// A search for a test by its name must find every test that has it.
const isWhole = given.every((each) => each.startsWith("-") && !/^(?:-t|--testName)/.test(each));
const isFull = process.env.COS_TEST_FULL === "1";
const part = isWhole ? (isFull ? "full" : "short") : "";
const untilMs = readUntil(process.env.COS_TEST_MINUTES ?? (part === "short" ? "8" : ""));

await ensureInstalled({ needs: ["vitest", "tsx"] });
mkdirSync(dirname(report), { recursive: true });
rmSync(report, { force: true });
const exitCode = await runVitest(given);
const ended = readReport();
const counts = countTests(ended, exitCode);
const untried = part === "" || counts.failed > 0 ? [] : rowsNotTried(ended);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
if (part !== "" && counts.notBegun > 0)
  process.stdout.write(
    `${counts.notBegun} tests were not begun, for want of time. Another commit begins with others.\n`,
  );
if (part === "short")
  process.stdout.write("This was the short run. `COS_TEST_FULL=1 npm test` runs everything, as CI does.\n");
if (untried.length > 0)
  process.stdout.write(`No test was begun that tries ${untried.join(", ")}: see tests/rows.ts.\n`);
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
process.exitCode = counts.failed === 0 && counts.passed > 0 && untried.length === 0 ? 0 : 1;

/** Returns the time, in ms since 1970, after which no further test of the rest begins; "" without a limit. */
function readUntil(minutes) {
  if (minutes === "") return "";
  if (/^\d+$/.test(minutes)) return String(Date.now() + Number(minutes) * 60_000);
  process.stderr.write(`COS_TEST_MINUTES is a whole number of minutes, not ${minutes}.\n`);
  process.exit(2);
}

/** Returns the commit, which decides the order of the rest: each commit begins with other tests. */
function readCommit() {
  return spawnSync("git", ["rev-parse", "HEAD"], { cwd: project, encoding: "utf8" }).stdout?.trim() ?? "";
}

function runVitest(args) {
  const options = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args];
  const child = spawn(process.execPath, [join(project, "node_modules", "vitest", "vitest.mjs"), ...options], {
    cwd: project,
    env: { ...process.env, COS_TEST_PART: part, COS_TEST_UNTIL: untilMs, COS_TEST_SEED: readCommit() },
    stdio: "inherit",
  });
  // A terminal sends Ctrl-C to both processes; this one stays to report.
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
