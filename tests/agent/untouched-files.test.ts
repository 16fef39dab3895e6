import { chmodSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fetchBase } from "../../src/agent/git/base.ts";
import { type Commit, commitWork } from "../../src/agent/git/commit.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";
import { git, makeWorktree, type Setting, writeFiles } from "./fixtures.ts";

/** Files that were committed before their attributes said how, and that nobody has touched since. */

const committed = {
  "run.bat": "a\r\nb\r\n",
  "mixed.bat": "a\r\nb\n",
  "z.txt": "c\r\n",
  "id.c": "$Id: 17 $\n",
  "tool.sh": "#!/bin/sh\r\n",
};
const attributes = "*.bat text eol=crlf\n*.txt text\n*.sh text eol=lf\n*.c ident\n";

/** The worktree of a goal where each of them is as git has checked it out, with another time. */
async function made(): Promise<Setting> {
  const setting = await makeWorktree(committed);
  const { repository, mirror, worktree, branch } = setting;
  writeFiles(repository, { ".gitattributes": attributes });
  git(repository, "add", ".gitattributes");
  git(repository, "commit", "--quiet", "--message=Attributes");
  const base = await fetchBase(mirror, "main");
  await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base });
  for (const path of Object.keys(committed)) utimesSync(join(worktree, path), 1, 1);
  return { ...setting, base };
}

async function record({ mirror, worktree, branch, base }: Setting): Promise<Commit> {
  const author = { name: "A", email: "a@b" };
  const trailers = { goal: "g1", run: "r1" };
  return await commitWork({ mirror, worktree, branch, parent: base, message: "Work", trailers, author });
}

const paths = (made: Commit) => (made.type === "committed" ? made.files.map(({ path }) => path) : made.type);

test("an agent that does nothing has changed nothing, and of its work they are no part", async () => {
  const setting = await made();
  expect(await record(setting)).toEqual({ type: "no-change" });

  writeFiles(setting.worktree, { "x.txt": "x\n" });
  expect(paths(await record(setting))).toEqual(["x.txt"]);
});

test("what is changed in them is the work: their text, their ends of lines, their mode", async () => {
  const setting = await made();
  const { worktree } = setting;
  writeFileSync(join(worktree, "run.bat"), "a\r\nB\r\n");
  writeFileSync(join(worktree, "z.txt"), "c\n");
  chmodSync(join(worktree, "tool.sh"), 0o755);

  expect(paths(await record(setting))).toEqual(["run.bat", "tool.sh", "z.txt"]);
});

test("recording them by their attributes is work where the agent commits it, or changes attributes", async () => {
  const setting = await made();
  git(setting.worktree, "add", "--renormalize", "run.bat");
  git(setting.worktree, "commit", "--quiet", "--message=Normalise");
  expect(paths(await record(setting))).toEqual(["run.bat"]);

  const other = await made();
  writeFileSync(join(other.worktree, ".gitattributes"), `${attributes}*.md text\n`);
  expect(paths(await record(other))).toContain("run.bat");
  expect(readFileSync(join(other.worktree, "run.bat"), "utf8")).toBe("a\r\nb\r\n");
});
