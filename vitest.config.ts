import { defineConfig } from "vitest/config";
import { LongFirst } from "./tests/long-first.ts";
import { folderInMemory } from "./tests/in-memory.ts";
import { longFiles } from "./tests/parts.ts";

const pure = "tests/core/**/*.test.ts";
/** What looks at what its own process has started, or has asked so far. */
const alone = ["tests/agent/run-git.test.ts", "tests/db/{prepared,together,lock-and-read}.test.ts"];
const globalSetup = ["tests/global-setup.ts"];
/** What `bin/test.mjs` has chosen: "short" or "full" in two parts, what tries each behaviour (`tests/short-runner.ts`) and then the rest; or, "", all of the files it was given. */
const part = process.env["COS_TEST_PART"];
const isParted = part === "short" || part === "full";
const minutesLong = longFiles.map((name) => `tests/${name}`);

const walks = { include: ["tests/**/*.test.ts"], exclude: [pure, ...alone], isolate: false, globalSetup };
/** Begins when all others have ended. */
const rest = {
  ...walks,
  name: "rest",
  exclude: [...walks.exclude, ...(part === "short" ? minutesLong : [])],
  runner: "./tests/rest-runner.ts",
  // What is not loaded, since the time is over, has none.
  passWithNoTests: true,
  sequence: { sequencer: LongFirst, groupOrder: 1 },
};

const folder = folderInMemory();
if (folder !== null) process.env["TMPDIR"] = folder;

export default defineConfig({
  test: {
    // Limits are for what hangs, not for slow machines: no test may depend on how fast this one is.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    pool: "forks",
    // More than most machines have cores for: files also wait, for processes and real clocks.
    maxWorkers: 5,
    sequence: { sequencer: LongFirst },
    projects: [
      // Values in, values out.
      { extends: true, test: { name: "core", include: [pure], isolate: false } },
      // Files share a process, so that each module is loaded once: what a test changes of its process it puts back.
      {
        extends: true,
        test: {
          ...walks,
          name: "walks",
          ...(isParted ? { exclude: [...walks.exclude, ...minutesLong], runner: "./tests/short-runner.ts" } : {}),
        },
      },
      { extends: true, test: { name: "alone", include: alone, globalSetup } },
      ...(isParted ? [{ extends: true as const, test: rest }] : []),
    ],
  },
});
