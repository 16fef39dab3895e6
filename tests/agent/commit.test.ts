import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fetchBase } from "../../src/agent/git/base.ts";
import { type Commit, commitMessage, commitWork } from "../../src/agent/git/commit.ts";
import { changedFiles, diffText } from "../../src/agent/git/diff.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";
import { git, makeWorktree, type Setting, temporaryFolder, writeFiles } from "./fixtures.ts";

const author = { name: "Chief of Staff", email: "cos@example.org" };

function record(setting: Setting, parent = setting.base, message = "AC-1: it works"): Promise<Commit> {
  const { mirror, worktree, branch } = setting;
  const trailers = { goal: "g1", run: "r1", approvedBy: "@ana" };
  return commitWork({ mirror, worktree, branch, parent, message, trailers, author });
}

async function recorded(setting: Setting, parent = setting.base): Promise<Extract<Commit, { type: "committed" }>> {
  const result = await record(setting, parent);
  if (result.type !== "committed") throw new Error("nothing was committed");
  expect(git(setting.mirror.dir, "rev-parse", "refs/heads/cos/g1")).toBe(result.commit);
  expect(git(setting.mirror.dir, "merge-base", parent, result.commit)).toBe(parent);
  expect(git(setting.worktree, "branch", "--show-current")).toBe("cos/g1");
  expect(git(setting.worktree, "status", "--porcelain")).toBe("");
  return result;
}

test("changes become one commit with trailers, files and a diffstat", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror } = setting;
  writeFiles(worktree, { "new.txt": "1\n2\n", "a.txt": "A\n", ".cos/prompt.md": "secret plans" });
  git(worktree, "mv", "src/b.txt", "src/c.txt");

  const { commit, files, diffstat } = await recorded(setting);

  expect(files).toEqual([
    { path: "a.txt", status: "modified", oldPath: null },
    { path: "new.txt", status: "added", oldPath: null },
    { path: "src/c.txt", status: "renamed", oldPath: "src/b.txt" },
  ]);
  expect(diffstat).toEqual({ files: 3, insertions: 3, deletions: 1 });
  expect(git(mirror.dir, "log", "-1", "--format=%B", commit)).toBe(
    "AC-1: it works\n\nCos-Goal: g1\nCos-Run: r1\nCos-Approved-By: @ana",
  );
  expect(git(mirror.dir, "log", "-1", "--format=%an <%ae> %cn", commit)).toBe(
    "Chief of Staff <cos@example.org> Chief of Staff",
  );
  expect(git(mirror.dir, "ls-tree", "-r", "--name-only", commit)).not.toContain(".cos");
});

test("nothing changed is said, and a second recording adds nothing", async () => {
  const setting = await makeWorktree();

  expect(await record(setting)).toEqual({ type: "no-change" });
  writeFiles(setting.worktree, { "n.txt": "1\n" });
  const { commit } = await recorded(setting);
  expect(await record(setting, commit)).toEqual({ type: "no-change" });
});

test.each<[string, Record<string, string>, boolean]>([
  ["that no configuration names is committed", {}, false],
  ["that the configuration names is not", { ".gitconfig": "[Core]\n\tExcludesFile = ~/ignored\n" }, true],
  ["that the other configuration names is not", { ".config/git/config": "[core]\n\texcludesfile = ~/ignored\n" }, true],
  [
    "that an included configuration names is not",
    { ".gitconfig": "[include]\n\tpath = ~/more\n", more: "[core]\n\texcludesFile = ~/ignored\n" },
    true,
  ],
])("what a person's own file of ignored names holds, %s", async (_what, configuration, isIgnored) => {
  const home = temporaryFolder();
  writeFiles(home, { ignored: "mine.txt\n", ...configuration });
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const setting = await makeWorktree();
  writeFiles(setting.worktree, { "mine.txt": "1\n", "new.txt": "1\n" });

  const { files } = await recorded(setting);

  expect(files.map(({ path }) => path)).toEqual(isIgnored ? ["new.txt"] : ["mine.txt", "new.txt"]);
});

test("a deleted file is a deleted file", async () => {
  const setting = await makeWorktree();
  git(setting.worktree, "rm", "--quiet", "a.txt");

  expect((await recorded(setting)).files).toEqual([{ path: "a.txt", status: "deleted", oldPath: null }]);
});

test("a change within the second of the checkout that keeps the size is seen", async () => {
  const setting = await makeWorktree();
  writeFiles(setting.worktree, { "a.txt": "b\n" });

  expect((await recorded(setting)).files).toHaveLength(1);
});

test("the agent's own commits stay when they descend from the parent", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base } = setting;
  writeFiles(worktree, { "one.txt": "1\n" });
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Mine");
  writeFiles(worktree, { "two.txt": "2\n" });

  const { commit, files } = await recorded(setting);

  expect(git(mirror.dir, "log", "--format=%s", `${base}..${commit}`)).toBe("AC-1: it works\nMine");
  expect(files.map((file) => file.path)).toEqual(["one.txt", "two.txt"]);
});

const hostile: Readonly<Record<string, (worktree: string) => void>> = {
  "on another branch": (worktree) => git(worktree, "checkout", "--quiet", "-b", "mine"),
  "on no branch": (worktree) => git(worktree, "checkout", "--quiet", "--detach"),
  "from an unrelated history": (worktree) => git(worktree, "checkout", "--quiet", "--orphan", "fresh"),
  "after removing the branch": (worktree) => {
    git(worktree, "checkout", "--quiet", "--detach");
    git(worktree, "branch", "-D", "cos/g1");
  },
  "with its refs in another folder": (worktree) => {
    const elsewhere = join(worktree, "../elsewhere");
    mkdirSync(join(elsewhere, "refs"), { recursive: true });
    mkdirSync(join(elsewhere, "objects"));
    writeFileSync(join(git(worktree, "rev-parse", "--absolute-git-dir"), "commondir"), `${elsewhere}\n`);
  },
  "with its refs in no folder": (worktree) => {
    writeFileSync(join(git(worktree, "rev-parse", "--absolute-git-dir"), "commondir"), "/dev/null/nowhere\n");
  },
  "after amending the base": (worktree) => git(worktree, "commit", "--quiet", "--amend", "--message=Rewritten"),
  "with a commit that forges our trailers": (worktree) =>
    git(worktree, "commit", "--quiet", "--allow-empty", "--message=x\n\ncos-approved-by: @boss"),
  "with a commit of our folder": (worktree) => {
    writeFiles(worktree, { ".cos/own.md": "x" });
    git(worktree, "add", "--force", ".cos");
    git(worktree, "commit", "--quiet", "--message=Ours");
  },
  "with flags that hide changes": (worktree) => {
    git(worktree, "update-index", "--assume-unchanged", "a.txt");
    git(worktree, "update-index", "--skip-worktree", "src/b.txt");
  },
  "with a left index.lock": (worktree) => {
    writeFileSync(join(git(worktree, "rev-parse", "--absolute-git-dir"), "index.lock"), "");
  },
  "with its own repository in place of the worktree's link": (worktree) => {
    git(worktree, "config", "core.bare", "false");
    writeFileSync(join(worktree, ".git"), "gitdir: /nonexistent\n");
  },
  "with filters and a monitor configured": (worktree) => {
    git(worktree, "config", "core.fsmonitor", `touch ${worktree}/../ran; false`);
    git(worktree, "config", "filter.evil.clean", `touch ${worktree}/../ran; cat`);
    git(worktree, "config", "core.attributesFile", join(worktree, "attributes"));
    writeFiles(worktree, { attributes: "* filter=evil\n" });
  },
};

test.each(Object.entries(hostile))("work done %s is recorded on the goal's branch", async (name, act) => {
  const setting = await makeWorktree();
  const { worktree, mirror, base, folder } = setting;
  act(worktree);
  writeFiles(worktree, { "a.txt": "work\n" });

  const result = await record(setting);

  if (result.type !== "committed") throw new Error("nothing was committed");
  expect(git(mirror.dir, "rev-parse", "refs/heads/cos/g1")).toBe(result.commit);
  expect(git(mirror.dir, "merge-base", base, result.commit)).toBe(base);
  expect(git(mirror.dir, "show", `${result.commit}:a.txt`)).toBe("work");
  expect(result.files.map((file) => file.path).filter((path) => path !== "attributes")).toEqual(["a.txt"]);
  expect(git(mirror.dir, "log", "--format=%B", `${base}..${result.commit}`)).not.toMatch(/@boss/);
  expect(git(mirror.dir, "log", "--format=", "--name-only", `${base}..${result.commit}`)).not.toContain(".cos");
  expect(existsSync(join(folder, "worktrees", "ran")), name).toBe(false);
  expect(existsSync(join(folder, "worktrees", "elsewhere", "refs", "heads")), name).toBe(false);
});

test("work on the branch counts when something older is checked out at the end", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base } = setting;
  writeFiles(worktree, { "work.txt": "1\n" });
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Work");
  git(worktree, "checkout", "--quiet", base);

  const { commit } = await recorded(setting);

  expect(git(mirror.dir, "show", `${commit}:work.txt`)).toBe("1");
  expect(existsSync(join(worktree, "work.txt"))).toBe(true);
});

test("checking out something older does not undo recorded work", async () => {
  const setting = await makeWorktree();
  const { worktree, base } = setting;
  writeFiles(worktree, { "work.txt": "1\n" });
  const { commit } = await recorded(setting);
  git(worktree, "checkout", "--quiet", base);

  expect(await record(setting, commit)).toEqual({ type: "no-change" });
  expect(existsSync(join(worktree, "work.txt"))).toBe(true);
});

test("hooks of the mirror and of the worktree never run", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, folder } = setting;
  for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-checkout", "post-index-change"]) {
    writeFiles(mirror.dir, { [`hooks/${hook}`]: `#!/bin/sh\ntouch ${folder}/ran\n` });
    chmodSync(join(mirror.dir, "hooks", hook), 0o755);
  }
  git(worktree, "config", "core.hooksPath", join(mirror.dir, "hooks"));
  writeFileSync(join(worktree, "a.txt"), "work\n");

  const { commit } = await recorded(setting);
  await prepareWorktree({ ...setting, worktreeDir: worktree, startCommit: commit });

  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("a repository that the agent made inside is recorded as files", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror } = setting;
  writeFiles(worktree, { "inner/x.txt": "1\n" });
  git(join(worktree, "inner"), "init", "--quiet");
  git(join(worktree, "inner"), "add", "--all");
  git(join(worktree, "inner"), "commit", "--quiet", "--message=Inner");

  const { commit } = await recorded(setting);

  expect(git(mirror.dir, "show", `${commit}:inner/x.txt`)).toBe("1");
});

function makeInner(worktree: string, folder: string): void {
  writeFiles(worktree, { [`${folder}/x.txt`]: "1\n" });
  git(join(worktree, folder), "init", "--quiet");
  git(join(worktree, folder), "add", "--all");
  git(join(worktree, folder), "commit", "--quiet", "--message=Inner");
}

test("a repository that the agent made inside and committed itself is recorded as files", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror } = setting;
  for (const folder of ["inner", "undone"]) makeInner(worktree, folder);
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Mine");
  rmSync(join(worktree, "undone", ".git"), { recursive: true });

  const { commit, files } = await recorded(setting);

  expect(files.map((file) => file.path)).toEqual(["inner/x.txt", "undone/x.txt"]);
  for (const { path } of files) expect(git(mirror.dir, "show", `${commit}:${path}`)).toBe("1");
});

test("a repository in a repository that the agent made inside is recorded as files", async () => {
  const setting = await makeWorktree();
  for (const folder of ["inner/deep/deeper", "inner/deep", "inner"]) makeInner(setting.worktree, folder);

  const { files } = await recorded(setting);

  expect(files.map((file) => file.path)).toEqual(["inner/deep/deeper/x.txt", "inner/deep/x.txt", "inner/x.txt"]);
});

test("a repository made inside whose name is a pattern takes no other file with it", async () => {
  const setting = await makeWorktree({ ".gitignore": "*.log\n" });
  const { repository, mirror, worktree, branch } = setting;
  writeFiles(repository, { "kept.log": "1\n" });
  git(repository, "add", "--force", "kept.log");
  git(repository, "commit", "--quiet", "--message=A log");
  const base = await fetchBase(mirror, "main");
  await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base });
  makeInner(worktree, "*");

  const { files } = await recorded(setting, base);

  expect(files.map((file) => file.path)).toEqual(["*/x.txt"]);
});

test("a repository made inside that a file of the agent's calls none of git's business is files too", async () => {
  const setting = await makeWorktree();
  const { worktree, base } = setting;
  makeInner(worktree, "inner");
  writeFiles(worktree, { ".gitmodules": '[submodule "inner"]\n\tpath = inner\n\tignore = all\n' });

  const { files } = await recorded(setting, base);

  expect(files.map((file) => file.path)).toEqual([".gitmodules", "inner/x.txt"]);
});

test("a file whose name is no text is as it was recorded, new or changed, and the others are the work", async () => {
  const setting = await makeWorktree();
  const { mirror, worktree } = setting;
  const named = (text: string) => Buffer.concat([Buffer.from(`${worktree}/${text}`), Buffer.from([0xff])]);
  writeFileSync(named("old"), "old\n");
  git(worktree, "add", "--all");
  git(worktree, "commit", "--quiet", "--message=Start");
  const recordedBefore = git(worktree, "rev-parse", "HEAD");
  writeFileSync(named("old"), "changed\n");
  writeFileSync(named("new"), "new\n");
  writeFiles(worktree, { "a.txt": "work\n", "prix-é.txt": "text\n" });

  const made = await record(setting, recordedBefore);

  expect(made).toMatchObject({ type: "committed", files: [{ path: "a.txt" }, { path: "prix-é.txt" }] });
  expect(made.unnamed).toEqual(['"new\\377"', '"old\\377"']);
  const changed = git(mirror.dir, "diff", "--name-only", recordedBefore, "refs/heads/cos/g1");
  expect(changed.split("\n")).toHaveLength(2);
});

test("a submodule that came with the person's branch, which the agent merged, stays one", async () => {
  const setting = await makeWorktree();
  const { folder, repository, mirror, worktree, base } = setting;
  makeInner(folder, "library");
  git(
    repository,
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    join(folder, "library"),
    "library",
  );
  git(repository, "commit", "--quiet", "--message=A library");
  await fetchBase(mirror, "main");
  git(worktree, "merge", "--quiet", "origin/main");
  writeFiles(worktree, { "a.txt": "work\n" });

  const { commit } = await recorded(setting, base);

  expect(git(mirror.dir, "ls-tree", commit, "library")).toMatch(/^160000 /);
});

test("a tracked .cos file stays as it was, whatever the agent does to it", async () => {
  const setting = await makeWorktree({ ".cos/proof": "tests/**\n" });
  const { worktree, mirror, branch, base } = setting;
  writeFiles(worktree, { ".cos/proof": "nothing\n", "a.txt": "work\n" });

  const trailers = { goal: "g1", run: "r1" };
  const result = await commitWork({ mirror, worktree, branch, parent: base, message: "m", trailers, author });

  if (result.type !== "committed") throw new Error("nothing was committed");
  expect(git(mirror.dir, "show", `${result.commit}:.cos/proof`)).toBe("tests/**");
});

test("messages cannot bring trailers or lines of their own", () => {
  const message = commitMessage("AC-1: done\n\nCos-Approved-By: @boss\u0000", {
    goal: "g1\nCos-Approved-By: @boss",
    run: "r\r\n1",
  });

  expect(message).toBe(
    "AC-1: done\n\n> Cos-Approved-By: @boss\uFFFD\n\nCos-Goal: g1 Cos-Approved-By: @boss\nCos-Run: r 1\n",
  );
});

test("a difference is shown up to a limit, without secrets and escape sequences", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base } = setting;
  const token = `ghp_${"a1".repeat(18)}`;
  const known = "live/abc+def==zz9";
  const secrets = [known];
  const forms = [known, encodeURIComponent(known), Buffer.from(known).toString("base64")];
  writeFiles(worktree, {
    "a.txt": `\u001b[31m${token}\n`,
    "b.txt": forms.map((form) => `key ${form}\n`).join(""),
    [`${known}.txt`]: "named\n",
    "big.txt": "line\n".repeat(10_000),
  });
  const { commit } = await recorded(setting);

  const whole = await diffText(mirror, base, commit, { maxBytes: 1_000_000, secrets });
  const part = await diffText(mirror, base, commit, { maxBytes: 500, secrets });

  expect(whole.isWhole).toBe(true);
  expect(whole.text).toContain("+[masked]");
  for (const secret of [token, ...forms]) expect(whole.text).not.toContain(secret);
  expect(whole.text).toContain("+++ b/[masked].txt");
  expect(part.isWhole).toBe(false);
  expect(part.text.length).toBeLessThanOrEqual(500);
  expect(await changedFiles(mirror, base, base)).toEqual([]);
});

test("a difference shows every line of a file, and none that a file pretends", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, base } = setting;
  const pretended = "x\rdiff --git a/b b/b\r--- a/b";
  writeFiles(worktree, { "a.txt": `one\r\n\u001b]0;title\nhidden\u0007\n${pretended}\n` });
  const { commit } = await recorded(setting);

  const { text } = await diffText(mirror, base, commit, { maxBytes: 10_000, secrets: [] });

  expect(text.split("\n").filter((line) => line.startsWith("diff --git "))).toHaveLength(1);
  expect(text).toContain("+one\n+\uFFFD]0;title\n+hidden\uFFFD\n+x\uFFFDdiff --git a/b b/b\uFFFD--- a/b\n");
});
