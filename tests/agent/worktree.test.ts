import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fetchBase } from "../../src/agent/git/base.ts";
import { keepLeft, leftWork } from "../../src/agent/git/attempt.ts";
import { prepareCheckout, prepareWorktree, removeWorktree } from "../../src/agent/git/worktree.ts";
import { layObjectsOf, takeLeftObjects } from "../../src/agent/git/agent-objects.ts";
import { git, listing, makeWorktree, personalEnvironment, type Setting, writeFiles } from "./fixtures.ts";

function again(setting: Setting, startCommit = setting.base): Promise<{ kept: string | null; isNew: boolean }> {
  const { mirror, worktree, branch } = setting;
  return prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit });
}

test("a worktree holds the base commit on the goal's branch", async () => {
  const { worktree, base } = await makeWorktree();

  expect(git(worktree, "rev-parse", "HEAD")).toBe(base);
  expect(git(worktree, "branch", "--show-current")).toBe("cos/g1");
  expect(git(worktree, "status", "--porcelain")).toBe("");
  expect(git(worktree, "rev-parse", "origin/main")).toBe(base);
});

test("preparing it again without changes keeps nothing and changes nothing", async () => {
  const setting = await makeWorktree();

  expect(await again(setting)).toEqual({ kept: null, isNew: false });
});

test("what an attempt left, committed or not, is kept under a ref and gone from the worktree", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base } = setting;
  writeFiles(worktree, { "committed.txt": "1\n" });
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Mine");
  writeFiles(worktree, { "uncommitted.txt": "2\n", "a.txt": "changed\n" });

  const first = await again(setting);
  writeFiles(worktree, { "other.txt": "3\n" });
  const second = await again(setting);

  expect(first.kept).toBe("refs/cos/g1/attempt-1");
  expect(git(mirror.dir, "show", "refs/cos/g1/attempt-1:uncommitted.txt")).toBe("2");
  expect(git(mirror.dir, "show", "refs/cos/g1/attempt-1:committed.txt")).toBe("1");
  expect(git(mirror.dir, "show", "refs/cos/g1/attempt-1~1:a.txt")).toBe("a");
  expect(second.kept).toBe("refs/cos/g1/attempt-2");
  expect(git(worktree, "rev-parse", "HEAD")).toBe(base);
  expect(git(worktree, "status", "--porcelain", "--ignored")).toBe("");
});

test("what an attempt left is told with the commit that holds it, and is kept once", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base, branch } = setting;
  const options = { mirror, worktreeDir: worktree, branch, recorded: base };
  expect(await leftWork(options)).toEqual({ commit: base, files: [] });
  writeFiles(worktree, { "mine.txt": "1\n" });

  const { commit, files } = await leftWork(options);

  expect(files).toEqual(["mine.txt"]);
  expect(git(mirror.dir, "rev-parse", "refs/cos/g1/attempt-1")).toBe(commit);
  expect(await leftWork(options)).toEqual({ commit, files });
  expect((await again(setting)).kept).toBe("refs/cos/g1/attempt-1");
  expect(git(mirror.dir, "for-each-ref", "--format=%(refname)", "refs/cos")).toBe("refs/cos/g1/attempt-1");
});

test("of what an attempt left, files that no disk has room for are not kept: the others are, and what it committed", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base, branch } = setting;
  writeFiles(worktree, { "committed.txt": "1\n" });
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Mine");
  writeFiles(worktree, { "mine.txt": "2\n", "core.1": "", "log/a.txt": "x".repeat(1001) });
  truncateSync(join(worktree, "core.1"), 100_000_001);
  const keep = async (mostBytes: number): Promise<readonly string[]> => {
    const kept = await keepLeft({ mirror, worktreeDir: worktree, branch, recorded: base, mostBytes });
    expect(git(mirror.dir, "show", `${kept}^:committed.txt`)).toBe("1");
    return git(mirror.dir, "diff", "--name-only", base, kept ?? "")
      .split("\n")
      .filter((path) => path !== "");
  };

  expect(await keep(2_000)).toEqual(["committed.txt", "log/a.txt", "mine.txt"]);
  expect(await keep(1_000)).toEqual(["committed.txt", "mine.txt"]);
  expect(await keep(1)).toEqual([]);
  truncateSync(join(worktree, "core.1"), 3);
  expect(await keep(6)).toEqual([]);
  expect(await keep(7)).toEqual(["committed.txt", "core.1", "mine.txt"]);
});

/** As an agent's git in a room: what it makes lies in a folder of its own. */
async function inRoom({ mirror, worktree }: Setting, runId: string) {
  const objects = await layObjectsOf(mirror.dir, runId);
  writeFileSync(join(objects, "info", "alternates"), `${join(mirror.dir, "objects")}\n`);
  const env = { ...personalEnvironment, GIT_OBJECT_DIRECTORY: objects };
  const its = (...args: string[]): string => execFileSync("git", args, { cwd: worktree, env, encoding: "utf8" }).trim();
  writeFiles(worktree, { "committed.txt": "1\n", "a.txt": "changed\n" });
  its("add", "--all");
  its("commit", "--quiet", "--message=Mine");
  its("branch", "another");
  writeFiles(worktree, { "staged.txt": "2\n" });
  its("add", "--all");
  return { objects, its };
}

/** What is new at the base comes into the mirror. */
async function comesIn({ repository, mirror }: Setting): Promise<void> {
  git(repository, "commit", "--quiet", "--allow-empty", "--message=Next");
  expect(await fetchBase(mirror, "main")).toBe(git(repository, "rev-parse", "HEAD"));
}

test("while an agent works whose commits lie apart the base is fetched for others, and its branches stay", async () => {
  const setting = await makeWorktree();
  const { its } = await inRoom(setting, "run-1");
  const head = its("rev-parse", "HEAD");

  await comesIn(setting);

  expect(git(setting.mirror.dir, "rev-parse", "another", "cos/g1")).toBe(`${head}\n${head}`);
  expect(git(setting.mirror.dir, "show", "another:committed.txt")).toBe("1");
  expect(its("show", "HEAD:a.txt")).toBe("changed");
});

test("what an agent had committed when its worker was killed is taken by the next turn of its run", async () => {
  const setting = await makeWorktree();
  const { its, objects } = await inRoom(setting, "run-1");
  const head = its("rev-parse", "HEAD");
  await layObjectsOf(setting.mirror.dir, "run-2");

  await takeLeftObjects(setting.mirror.dir, "run-1");
  const { kept } = await again(setting);

  expect(git(setting.mirror.dir, "rev-parse", `${kept}~1`)).toBe(head);
  expect(existsSync(objects)).toBe(false);
  await comesIn(setting);
});

test("what its git had made is lost with its room: its files are kept, and a branch that leads nowhere stops nobody", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base } = setting;
  const { objects } = await inRoom(setting, "run-1");
  rmSync(objects, { recursive: true });

  const { kept } = await again(setting);

  expect(kept).toBe("refs/cos/g1/attempt-1");
  for (const [file, text] of Object.entries({ "committed.txt": "1", "a.txt": "changed", "staged.txt": "2" }))
    expect(git(mirror.dir, "show", `${kept}:${file}`)).toBe(text);
  expect(git(worktree, "rev-parse", "HEAD")).toBe(base);
  expect(git(worktree, "status", "--porcelain", "--ignored")).toBe("");
  await comesIn(setting);
  expect(git(mirror.dir, "for-each-ref", "refs/heads/another")).toBe("");
});

test("names that an agent gave to nothing stop nobody, whatever they are; ours stay where their object is lost", async () => {
  const setting = await makeWorktree();
  const { mirror, worktree, base } = setting;
  const missing = "1234567890".repeat(4);
  const admin = join(mirror.dir, "worktrees", basename(worktree));
  for (const name of ["refs/heads/plain", "refs/heads/a..b", "refs/remotes/origin/other"]) {
    mkdirSync(dirname(join(mirror.dir, name)), { recursive: true });
    writeFileSync(join(mirror.dir, name), `${missing}\n`);
  }
  writeFileSync(join(admin, "HEAD"), `${missing}\n`);

  await comesIn(setting);

  expect(existsSync(join(mirror.dir, "refs/heads/a..b"))).toBe(false);
  expect(git(mirror.dir, "for-each-ref", "refs/heads/plain", "refs/remotes/origin/other")).toBe("");
  await again(setting);
  expect(git(worktree, "rev-parse", "HEAD")).toBe(base);

  writeFiles(worktree, { "new.txt": "1\n" });
  const { kept } = await again(setting);
  const lost = git(mirror.dir, "rev-parse", kept ?? "");
  rmSync(join(mirror.dir, "objects", lost.slice(0, 2), lost.slice(2)));
  await expect(comesIn(setting)).rejects.toThrow(`bad object ${kept}`);
  expect(readFileSync(join(mirror.dir, kept ?? ""), "utf8").trim()).toBe(lost);
});

test("installed packages stay, other ignored files do not", async () => {
  const setting = await makeWorktree({ ".gitignore": "dist/\n" });
  const { worktree } = setting;
  writeFiles(worktree, { "node_modules/x/index.js": "x", "dist/out.js": "y", ".cos/prompt.md": "z" });

  await again(setting);

  expect(existsSync(join(worktree, "node_modules/x/index.js"))).toBe(true);
  expect(existsSync(join(worktree, "dist"))).toBe(false);
  expect(existsSync(join(worktree, ".cos"))).toBe(false);
});

const breakages: Readonly<Record<string, (setting: Setting) => void>> = {
  "a left index.lock": ({ mirror }) => writeFileSync(join(mirror.dir, "worktrees/g1/index.lock"), ""),
  "a broken index": ({ mirror }) => writeFileSync(join(mirror.dir, "worktrees/g1/index"), "garbage"),
  "a missing .git file": ({ worktree }) => rmSync(join(worktree, ".git")),
  "its own git init": ({ worktree }) => {
    rmSync(join(worktree, ".git"));
    git(worktree, "init", "--quiet");
    git(worktree, "config", "core.fsmonitor", "touch /tmp/never; false");
  },
  "a removed administration": ({ mirror }) => rmSync(join(mirror.dir, "worktrees"), { recursive: true }),
  "a removed directory": ({ worktree }) => rmSync(worktree, { recursive: true }),
  "an empty HEAD": ({ mirror }) => writeFileSync(join(mirror.dir, "worktrees/g1/HEAD"), ""),
  "a removed branch": ({ worktree }) => {
    git(worktree, "checkout", "--quiet", "--detach");
    git(worktree, "branch", "-D", "cos/g1");
  },
  "a branch below the branch's name": ({ worktree }) => {
    git(worktree, "checkout", "--quiet", "--detach");
    git(worktree, "branch", "-D", "cos/g1");
    git(worktree, "branch", "cos/g1/below");
  },
  "a symbolic branch": ({ worktree }) => {
    git(worktree, "branch", "other");
    git(worktree, "symbolic-ref", "refs/heads/cos/g1", "refs/heads/other");
  },
  "a half-done rebase": ({ worktree }) => {
    git(worktree, "commit", "--quiet", "--allow-empty", "--message=x");
    expect(() => git(worktree, "rebase", "--exec", "false", "HEAD~1")).toThrow();
  },
  "an unreadable folder": ({ worktree }) => {
    mkdirSync(join(worktree, "closed/inner"), { recursive: true });
    chmodSync(join(worktree, "closed"), 0o000);
  },
  "a configuration that names another worktree": ({ worktree }) => git(worktree, "config", "core.worktree", "/tmp"),
  "a left lock of the branch": ({ mirror }) => writeFileSync(join(mirror.dir, "refs/heads/cos/g1.lock"), ""),
};

test.each(Object.entries(breakages))("a worktree with %s is repaired", async (_name, breakIt) => {
  const setting = await makeWorktree();
  const { worktree, base } = setting;
  breakIt(setting);

  await again(setting);

  expect(git(worktree, "rev-parse", "HEAD")).toBe(base);
  expect(git(worktree, "branch", "--show-current")).toBe("cos/g1");
  expect(git(worktree, "status", "--porcelain")).toBe("");
  expect(readFileSync(join(worktree, "a.txt"), "utf8")).toBe("a\n");
});

test("files hidden by index flags are still kept and reset", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror } = setting;
  git(worktree, "update-index", "--assume-unchanged", "a.txt");
  writeFiles(worktree, { "a.txt": "hidden\n" });

  const { kept } = await again(setting);

  expect(git(mirror.dir, "show", `${kept}:a.txt`)).toBe("hidden");
  expect(readFileSync(join(worktree, "a.txt"), "utf8")).toBe("a\n");
});

test("configuration in a worktree never reaches the person's repository", async () => {
  const { worktree, repository, mirror } = await makeWorktree();
  const before = listing(join(repository, ".git"), /^$/);

  git(worktree, "config", "user.name", "Mallory");
  git(worktree, "config", "core.hooksPath", "/tmp/evil");

  expect(listing(join(repository, ".git"), /^$/)).toEqual(before);
  expect(readFileSync(join(mirror.dir, "config"), "utf8")).toContain("Mallory");
});

test("a checkout holds exactly a commit, and a worktree can be removed", async () => {
  const { mirror, folder, base, worktree, repository } = await makeWorktree();
  const checkout = join(folder, "worktrees", "check");

  await prepareCheckout({ mirror, worktreeDir: checkout, commit: base });
  writeFiles(checkout, { "stray.txt": "x" });
  await prepareCheckout({ mirror, worktreeDir: checkout, commit: base });
  await removeWorktree({ mirror, worktreeDir: worktree });
  await removeWorktree({ mirror, worktreeDir: worktree });

  expect(git(checkout, "rev-parse", "HEAD")).toBe(base);
  expect(existsSync(join(checkout, "stray.txt"))).toBe(false);
  expect(existsSync(worktree)).toBe(false);
  expect(git(mirror.dir, "worktree", "list").split("\n")).toHaveLength(2);
  expect(git(repository, "worktree", "list").split("\n")).toHaveLength(1);
});
