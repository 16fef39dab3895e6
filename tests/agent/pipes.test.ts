import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { pastPipes } from "../../src/agent/git/pipes.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { runSetup } from "../../src/agent/verify/setup.ts";
import { worktreeTree } from "../../src/agent/git/worktree-tree.ts";
import { eventually } from "../fakes/bot.ts";
import { git, makeWorktree, temporaryFolder, writeFiles } from "./fixtures.ts";

/** What is no plain file where files are read: nobody writes into it, or it has no end. */

it.each([".gitignore", ".gitattributes", "src/.gitignore", "src/.gitattributes"])(
  "a pipe at %s holds git up no longer than it takes to be noticed, and the work is whole",
  async (place) => {
    const { mirror, worktree, base } = await makeWorktree();
    writeFiles(worktree, { "work.txt": "work\n", "src/b.txt": "changed\n" });
    execFileSync("mkfifo", [join(worktree, place)]);

    const { tree } = await worktreeTree({ mirror, dir: worktree, base, recorded: base }, 50);

    const changed = git(mirror.dir, "diff", "--name-only", base, tree ?? base);
    expect(changed.split("\n")).toEqual(["src/b.txt", "work.txt"]);
    expect(existsSync(join(worktree, place))).toBe(false);
  },
);

it("a pipe in a folder whose name is no text does not hold it up either", async () => {
  const { mirror, worktree, base } = await makeWorktree();
  writeFiles(worktree, { "work.txt": "work\n" });
  const lay = "mkdir $'fold\\xffer'; mkfifo $'fold\\xffer/.gitignore'; echo 1 > $'fold\\xffer/a.txt'";
  execFileSync("bash", ["-euc", lay], { cwd: worktree });

  const { tree } = await worktreeTree({ mirror, dir: worktree, base, recorded: base }, 50);

  expect(git(mirror.dir, "diff", "--name-only", base, tree ?? base)).toBe("work.txt");
});

it("who has found a pipe and waits for it only after we have looked is freed from it, too", async () => {
  const folder = temporaryFolder();
  execFileSync("mkfifo", [join(folder, ".gitignore")]);
  const waiting = async () => {
    const moved = await eventually("the pipe to be moved", async () =>
      readdirSync(folder).find((name) => name !== ".gitignore"),
    );
    await promisify(execFile)("cat", [join(folder, moved)]);
  };

  await pastPipes(folder, waiting(), 50);

  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ["a pipe", (at: string) => void execFileSync("mkfifo", [at])],
  ["what has no end", (at: string) => symlinkSync("/dev/zero", at)],
  ["a file outside", (at: string) => symlinkSync("/proc/kmsg", at)],
])("setup is not held up by %s where a lock file was", async (_, lay) => {
  const { mirror, worktree, folder } = await makeWorktree({ "package.json": "{}" });
  const shell = {
    command: "echo ran >> ../ran",
    runId: "pipes-test",
    environment: {},
    secrets: [],
    timers: realTimers,
    timeoutMs: 600_000,
    outputFile: join(folder, "setup.log"),
  };
  unlinkSync(join(worktree, "package.json"));
  mkdirSync(join(worktree, "more"));
  lay(join(worktree, "more/odd"));
  symlinkSync("more/odd", join(worktree, "package.json"));

  expect(await runSetup({ mirror, worktree, shell })).toMatchObject({ type: "done" });
  expect(await runSetup({ mirror, worktree, shell })).toEqual({ type: "satisfied" });
});
