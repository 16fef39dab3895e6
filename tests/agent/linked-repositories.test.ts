import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitWork } from "../../src/agent/git/commit.ts";
import { git, makeWorktree, type Setting, writeFiles } from "./fixtures.ts";

/** Repositories that an agent lays into its worktree: their own configuration starts nothing outside of its room. */

/** One whose files go through a program of its own whenever git asks what has changed in it. */
function layRepository(worktree: string, ran: string): string {
  const dir = join(worktree, "inner");
  writeFiles(dir, { "x.txt": "1\n" });
  git(dir, "init", "--quiet");
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message=Inner");
  writeFiles(dir, { ".gitattributes": "* filter=evil\n" });
  git(dir, "config", "core.fsmonitor", `touch ${ran}; false`);
  git(dir, "config", "filter.evil.process", `touch ${ran}; false`);
  return git(dir, "rev-parse", "HEAD");
}

async function recorded({ mirror, worktree, branch, folder }: Setting, parent: string): Promise<string> {
  const ran = join(folder, "ran");
  writeFileSync(join(worktree, "inner/x.txt"), "2\n");
  utimesSync(join(worktree, "inner/x.txt"), 1e9, 1e9);
  rmSync(ran, { force: true });
  const trailers = { goal: "g1", run: "r1" };
  const author = { name: "Chief of Staff", email: "cos@example.org" };
  const result = await commitWork({ mirror, worktree, branch, parent, message: "Work", trailers, author });

  expect(existsSync(ran)).toBe(false);
  return result.type === "committed" ? result.commit : parent;
}

test.each(["as it lies", "added", "committed"])(
  "a repository inside, %s, starts no program and is recorded as files",
  async (how) => {
    const setting = await makeWorktree();
    const { worktree, mirror, folder, base } = setting;
    layRepository(worktree, join(folder, "ran"));
    if (how !== "as it lies") git(worktree, "add", "inner");
    if (how === "committed") git(worktree, "commit", "--quiet", "--message=Link");

    const commit = await recorded(setting, base);

    expect(git(mirror.dir, "show", `${commit}:inner/x.txt`)).toBe("2");
  },
);

test("one in the place of a submodule starts no program, and the commit that it is moved to is recorded", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, folder } = setting;
  const inner = layRepository(worktree, join(folder, "ran"));
  git(worktree, "update-index", "--add", "--cacheinfo", `160000,${inner},inner`);
  git(worktree, "commit", "--quiet", "--message=Submodule");
  const base = git(worktree, "rev-parse", "HEAD");

  expect(await recorded(setting, base)).toBe(base);
  const next = git(join(worktree, "inner"), "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "Moved");
  git(join(worktree, "inner"), "update-ref", "HEAD", next);
  const moved = await recorded(setting, base);
  expect(git(mirror.dir, "rev-parse", `${moved}:inner`)).toBe(next);

  rmSync(join(worktree, "inner/.git"), { recursive: true });
  expect(await recorded(setting, base)).toBe(base);
});
