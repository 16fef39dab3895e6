import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { fetchBase } from "../../src/agent/git/base.ts";
import { type Mirror, openMirror } from "../../src/agent/git/mirror.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";

/** A folder of its own for one test, removed after it. */
export function temporaryFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cos-agent-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Runs git as a person or an agent would, with their rights and hooks. Throws when it fails. */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", env: personalEnvironment, stdio: "pipe" }).trim();
}

export const personalEnvironment = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_AUTHOR_NAME: "Ana",
  GIT_AUTHOR_EMAIL: "ana@example.org",
  GIT_COMMITTER_NAME: "Ana",
  GIT_COMMITTER_EMAIL: "ana@example.org",
};

/** A repository with one commit on `main`: `a.txt` and `src/b.txt`. Returns its path. */
export function makeRepository(folder: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, "repository");
  mkdirSync(path, { recursive: true });
  git(path, "init", "--quiet", "--initial-branch=main");
  writeFiles(path, { "a.txt": "a\n", "src/b.txt": "b\n", ...files });
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "--message=Start");
  return path;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export interface Setting {
  readonly folder: string;
  readonly repository: string;
  readonly mirror: Mirror;
  readonly worktree: string;
  readonly branch: string;
  readonly base: string;
}

/** A repository, its mirror, and the worktree of the goal `g1` at the base commit. */
export async function makeWorktree(files: Readonly<Record<string, string>> = {}): Promise<Setting> {
  const folder = temporaryFolder();
  const repository = makeRepository(folder, files);
  const mirror = await openMirror({ mirrorDir: join(folder, "mirror"), repositoryPath: repository });
  const base = await fetchBase(mirror, "main");
  const worktree = join(folder, "worktrees", "g1");
  await prepareWorktree({ mirror, worktreeDir: worktree, branch: "cos/g1", startCommit: base });
  return { folder, repository, mirror, worktree, branch: "cos/g1", base };
}

/** Path and content of every file under a folder but those whose path `leftOut` matches. */
export function listing(folder: string, leftOut: RegExp): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, entry);
    if (leftOut.test(entry) || !statSync(path).isFile()) continue;
    result[entry] = readFileSync(path, "base64");
  }
  return result;
}
