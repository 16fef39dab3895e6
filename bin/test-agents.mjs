#!/usr/bin/env node
// Walks real coding agents on a model server of our own and prints what each can: two of them, with --all every one, or those
// named. The table in docs/agents.md must say the same; --write puts what was seen into it.
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
