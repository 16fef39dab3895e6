import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A real git repository on branch main with the files in one commit. Returns its path. */
export async function makeRepository(path: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(path, { recursive: true });
  await gitIn(path, "init", "--quiet", "--initial-branch=main");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  await gitIn(path, "add", "--all");
  await gitIn(path, "commit", "--quiet", "--message", "Start");
  return path;
}

/** What git prints, as a person with a name and without a configuration of their own. */
export async function gitIn(path: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("git", args, {
    cwd: path,
    env: {
      PATH: process.env["PATH"],
      HOME: path,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ana",
      GIT_AUTHOR_EMAIL: "ana@example.com",
      GIT_COMMITTER_NAME: "Ana",
      GIT_COMMITTER_EMAIL: "ana@example.com",
    },
  });
  return stdout.trim();
}
