#!/usr/bin/env node
// Tries the published cheats on a project of each runner: one of each class, or with --all every one.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { project } from "./install.mjs";

const isFull = process.argv.includes("--all");
const words = [join(project, "bin", "test.mjs"), "tests/walks/cheats.test.ts"];
const { status } = spawnSync(process.execPath, words, {
  cwd: project,
  stdio: "inherit",
  env: { ...process.env, ...(isFull ? { COS_TEST_CHEATS: "all" } : {}) },
});
process.exitCode = status ?? 1;
