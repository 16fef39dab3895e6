#!/usr/bin/env node
// Compares the statements of two days in the bot's life after no goals, after 100,000 and after a million finished goals. It takes 10 to
// 20 minutes on two cores. It uses the disk of TMPDIR, not memory.
import { spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { project } from "./install.mjs";

const neededBytes = 20 * 2 ** 30;

const folder = tmpdir();
const { bavail, bsize } = statfsSync(folder);
if (bavail * bsize < neededBytes) {
  process.stderr.write(`${folder} has less than 20 GB free\nnext: TMPDIR=FOLDER npm run test:million\n`);
  process.exit(1);
}
const words = [join(project, "bin", "test.mjs"), "tests/walks/long-history.test.ts", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, words, {
  cwd: project,
  stdio: "inherit",
  env: { ...process.env, TMPDIR: folder, COS_TEST_FINISHED: "0,100000,1000000" },
});
process.exitCode = status ?? 1;
