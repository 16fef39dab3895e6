import { defineConfig } from "vitest/config";
import { AgentsFirst } from "./tests/agents-first.ts";
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
    maxWorkers: 4,
    sequence: { sequencer: AgentsFirst },
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
