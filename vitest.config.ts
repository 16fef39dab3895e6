import { defineConfig } from "vitest/config";
import { LongFirst } from "./tests/long-first.ts";
import { folderInMemory } from "./tests/in-memory.ts";

const pure = "tests/core/**/*.test.ts";

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
      // Values in, values out: these files share a process, so that each module is loaded once.
      { extends: true, test: { name: "core", include: [pure], isolate: false } },
      {
        extends: true,
        test: {
          name: "walks",
          include: ["tests/**/*.test.ts"],
          exclude: [pure],
          globalSetup: ["tests/global-setup.ts"],
        },
      },
    ],
  },
});
