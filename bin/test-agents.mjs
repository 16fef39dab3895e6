#!/usr/bin/env node
// Tests real coding agents with a model server of our own and prints what each can do: two agents; with --all every one; or the named
// ones. The table in docs/agents.md must say the same; --write updates it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { project } from "./install.mjs";

const named = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const agents = process.argv.includes("--all") ? "all" : named.length > 0 ? named.join(",") : "two";
const isWritten = process.argv.includes("--write");
const words = [join(project, "bin", "test.mjs"), "tests/agents"];
const { status } = spawnSync(process.execPath, words, {
  cwd: project,
  stdio: "inherit",
  env: { ...process.env, COS_TEST_AGENTS: agents, ...(isWritten ? { COS_TEST_AGENTS_WRITE: "1" } : {}) },
});
process.exitCode = status ?? 1;
