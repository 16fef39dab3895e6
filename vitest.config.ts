import { defineConfig } from "vitest/config";
import { LongFirst } from "./tests/long-first.ts";
import { folderInMemory } from "./tests/in-memory.ts";

const pure = "tests/core/**/*.test.ts";
/** What looks at what its own process has started, or has asked so far. */
const alone = ["tests/agent/run-git.test.ts", "tests/db/{prepared,together,lock-and-read}.test.ts"];
const globalSetup = ["tests/global-setup.ts"];
/** `npm test` without names of files: a part of each file (`tests/short-runner.ts`), and none of those that kill processes for minutes. */
const isShort = process.env["COS_TEST_SHORT"] === "1";
const endless = [
  "tests/walks/{bench-recovery,campaign-kill,chaos,kill,machines,race,recovery-kill,rolling,tasks-kill}.test.ts",
];
const part = isShort ? { runner: "./tests/short-runner.ts" } : {};

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
          name: "walks",
          include: ["tests/**/*.test.ts"],
          exclude: [pure, ...alone, ...(isShort ? endless : [])],
          isolate: false,
          globalSetup,
          ...part,
        },
      },
      { extends: true, test: { name: "alone", include: alone, globalSetup, ...part } },
    ],
  },
});
