import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readBranches } from "../../src/agent/git/git-state.ts";
import { branchState, type FinishedBranch, type RepositoryTrouble } from "../../src/core/reports/branches.ts";
import { git, listing, makeRepository, temporaryFolder, writeFiles } from "./fixtures.ts";

const endedAt = new Date("2026-01-26T09:00:00Z");

let folder: string;
let path: string;
let start: string;
let goal: FinishedBranch;
beforeEach(() => {
  folder = temporaryFolder();
  path = makeRepository(folder);
  start = git(path, "rev-parse", "HEAD");
  goal = finished("g1", { "one.txt": "one\n" }, { "two.txt": "two\n" });
});

function commit(files: Readonly<Record<string, string>>, message = "Work"): string {
  writeFiles(path, files);
  git(path, "add", "--all");
  git(path, "commit", "--quiet", `--message=${message}`);
  return git(path, "rev-parse", "HEAD");
}

/** A branch `cos/<id>` from the start with a commit for each set of files; main is checked out afterwards. */
function finished(id: string, ...commits: Readonly<Record<string, string>>[]): FinishedBranch {
  git(path, "checkout", "--quiet", "-b", `cos/${id}`, start);
  for (const files of commits) commit(files);
  const headCommit = git(path, "rev-parse", "HEAD");
  git(path, "checkout", "--quiet", "main");
  return { goalId: id, content: id, branch: `cos/${id}`, headCommit, baseCommit: start, endedAt, merge: null };
}

async function read(branches: readonly FinishedBranch[] = [goal], base = "main", at = path) {
  const mirrorDir = join(folder, "mirror");
  return await readBranches({ repositoryPath: at, baseBranch: base, mirrorDir, branches, withinMs: 300_000 });
}

async function seen(branch = goal) {
  const { branches, trouble } = await read([branch]);
  expect(trouble).toBeNull();
  return branches.get(branch.goalId);
}

const main = (): string => git(path, "rev-parse", "main");
const revert = (what: string, ...options: string[]): string => {
  git(path, "revert", "--no-edit", ...options, what);
  return main();
};

describe("a finished branch in a person's repository", () => {
  it("that nobody has merged stands where it was left", async () => {
    commit({ "other.txt": "theirs\n" });

    expect(await seen()).toEqual({
      type: "read",
      tip: goal.headCommit,
      held: "no",
      arrivedAs: null,
      revertedBy: null,
    });
  });

  it("is held after a fast-forward, as itself", async () => {
    git(path, "merge", "--quiet", "--ff-only", "cos/g1");

    expect(await seen()).toMatchObject({ held: "commit", arrivedAs: goal.headCommit, revertedBy: null });
  });

  it("is held after a merge commit, also when it came with another branch", async () => {
    const other = finished("g2", { "three.txt": "three\n" });
    commit({ "other.txt": "theirs\n" });
    git(path, "merge", "--quiet", "--no-ff", "cos/g1");
    const merge = main();
    git(path, "checkout", "--quiet", "-b", "develop");
    git(path, "merge", "--quiet", "--no-ff", "cos/g2");
    git(path, "checkout", "--quiet", "main");
    commit({ "more.txt": "theirs\n" });
    git(path, "merge", "--quiet", "--no-ff", "develop");

    expect(await seen()).toMatchObject({ held: "commit", arrivedAs: merge });
    expect(await seen(other)).toMatchObject({ held: "commit", arrivedAs: main() });
  });

  it("is held as the same change after a squash by hand, wherever the lines have moved to", async () => {
    commit({ "a.txt": "new first line\na\n" });
    git(path, "merge", "--squash", "--quiet", "cos/g1");
    git(path, "commit", "--quiet", "--message=Squashed");
    const squashed = main();
    commit({ "other.txt": "theirs\n" });

    expect(await seen()).toMatchObject({ held: "change", arrivedAs: squashed });
  });

  it("is held as the same change when every commit was picked, and not when only one was", async () => {
    commit({ "other.txt": "theirs\n" });
    git(path, "cherry-pick", "cos/g1~1");
    expect(await seen()).toMatchObject({ held: "no" });
    git(path, "cherry-pick", "cos/g1");

    expect(await seen()).toMatchObject({ held: "change", arrivedAs: main() });
  });

  it("is held as the same change when main was merged into it before it was squashed", async () => {
    commit({ "a.txt": "theirs\n" });
    git(path, "checkout", "--quiet", "cos/g1");
    git(path, "merge", "--quiet", "--no-edit", "main");
    const headCommit = git(path, "rev-parse", "HEAD");
    git(path, "checkout", "--quiet", "main");
    git(path, "merge", "--squash", "--quiet", "cos/g1");
    git(path, "commit", "--quiet", "--message=Squashed");

    expect(await seen({ ...goal, headCommit })).toMatchObject({ held: "change", arrivedAs: main() });
  });

  it("is not held when main made the same change before the goal began, and took it back", async () => {
    commit({ "three.txt": "three\n" });
    revert("HEAD");
    const before = goal;
    start = main();
    const again = finished("g2", { "three.txt": "three\n" });
    commit({ "other.txt": "theirs\n" });

    const { branches } = await read([again, before]);
    expect(branches.get("g2")).toMatchObject({ held: "no" });
  });

  it("is held when it was merged and its branch deleted", async () => {
    git(path, "merge", "--quiet", "--ff-only", "cos/g1");
    git(path, "branch", "--quiet", "-D", "cos/g1");

    expect(await seen()).toMatchObject({ held: "commit", tip: null });
  });

  it("is gone when it was deleted, and also when its commit is not there any more", async () => {
    git(path, "branch", "--quiet", "-D", "cos/g1");
    expect(await seen()).toMatchObject({ held: "no", tip: null });
    git(path, "reflog", "expire", "--expire=now", "--all");
    git(path, "gc", "--quiet", "--prune=now");

    expect(() => git(path, "cat-file", "-e", goal.headCommit)).toThrow();
    expect(await seen()).toMatchObject({ held: "no", tip: null });
  });

  it("that was squashed, deleted and collected is still recognised by what the mirror has", async () => {
    git(folder, "clone", "--quiet", "--bare", path, "mirror");
    git(path, "merge", "--squash", "--quiet", "cos/g1");
    git(path, "commit", "--quiet", "--message=Squashed");
    git(path, "branch", "--quiet", "-D", "cos/g1");
    git(path, "reflog", "expire", "--expire=now", "--all");
    git(path, "gc", "--quiet", "--prune=now");

    expect(await seen()).toMatchObject({ held: "change", arrivedAs: main(), tip: null });
  });

  it("is not there for a goal that began at a later commit than another one", async () => {
    git(path, "merge", "--quiet", "--ff-only", "cos/g1");
    start = main();
    const later = finished("g2", { "three.txt": "three\n" });

    const { branches } = await read([later, goal]);
    expect(branches.get("g1")).toMatchObject({ held: "commit" });
    expect(branches.get("g2")).toMatchObject({ held: "no" });
  });
});

describe("work that was reverted", () => {
  it("by its commit, by its merge, by the squash, by a picked commit", async () => {
    const [merged, squashed, picked] = [
      finished("g2", { "3.txt": "3\n" }),
      finished("g3", { "4.txt": "4\n" }),
      finished("g4", { "5.txt": "5\n" }),
    ];
    git(path, "merge", "--quiet", "--ff-only", "cos/g1");
    const first = revert(goal.headCommit);
    git(path, "merge", "--quiet", "--no-ff", "cos/g2");
    const second = revert("HEAD", "--mainline=1");
    git(path, "merge", "--squash", "--quiet", "cos/g3");
    git(path, "commit", "--quiet", "--message=Squashed");
    const third = revert("HEAD");
    git(path, "cherry-pick", "cos/g4");
    const fourth = revert("HEAD");

    const { branches } = await read([goal, merged, squashed, picked]);
    expect([...branches.values()]).toMatchObject([
      { held: "commit", revertedBy: first },
      { held: "commit", revertedBy: second },
      { held: "change", revertedBy: third },
      { held: "change", revertedBy: fourth },
    ]);
  });

  it("and whose revert was reverted counts; and once more does not", async () => {
    git(path, "merge", "--quiet", "--no-ff", "cos/g1");
    revert("HEAD", "--mainline=1");
    revert("HEAD");
    expect(await seen()).toMatchObject({ held: "commit", revertedBy: null });

    const again = revert("HEAD");
    expect(await seen()).toMatchObject({ revertedBy: again });
  });

  it("is not work that took back a commit of its own, nor words in somebody's message", async () => {
    git(path, "checkout", "--quiet", "cos/g1");
    revert("HEAD");
    const headCommit = commit({ "three.txt": "three\n" });
    git(path, "checkout", "--quiet", "main");
    git(path, "merge", "--quiet", "--no-ff", "cos/g1");
    commit(
      { "x.txt": "x\n" },
      `About commit ${headCommit}: This reverts commit ${headCommit} is what I would not write`,
    );

    expect(await seen({ ...goal, headCommit })).toMatchObject({ held: "commit", revertedBy: null });
  });

  it("is told from a branch that rewrote main: what our rows call merged is lost", async () => {
    git(path, "merge", "--quiet", "--ff-only", "cos/g1");
    git(path, "reset", "--quiet", "--hard", start);
    const ours = { ...goal, merge: { status: "merged", into: "main" } } as const;

    const found = await seen(ours);
    expect(branchState(ours, found ?? { type: "unread" }, "main", endedAt)).toEqual({
      type: "lost",
      isBranchThere: true,
    });
  });
});

describe("a repository that cannot be read", () => {
  const troubleOf = async (at = path, base = "main"): Promise<RepositoryTrouble | null> =>
    (await read([goal], base, at)).trouble;

  it("is missing, broken, empty, or without its base branch", async () => {
    expect(await troubleOf(join(folder, "nowhere"))).toEqual({ type: "missing" });
    expect(await troubleOf(path, "trunk")).toEqual({ type: "no-base", branch: "trunk" });
    git(folder, "init", "--quiet", "--initial-branch=main", "empty");
    expect(await troubleOf(join(folder, "empty"))).toEqual({ type: "no-base", branch: "main" });
    writeFiles(folder, { "file/x": "", "broken/.git/HEAD": "nonsense" });
    expect(await troubleOf(join(folder, "file", "x"))).toEqual({ type: "missing" });
    expect(await troubleOf(join(folder, "broken"))).toMatchObject({
      type: "broken",
      reason: expect.stringContaining("not a git repository"),
    });
  });

  it("is not the repository above it", async () => {
    git(folder, "init", "--quiet", "--initial-branch=main");
    renameSync(join(path, ".git"), join(folder, "moved"));

    expect(await troubleOf()).toMatchObject({ type: "broken" });
  });

  it("has lost objects: that is said, and nothing is thrown", async () => {
    commit({ "other.txt": "theirs\n" });
    rmSync(join(path, ".git", "objects", main().slice(0, 2), main().slice(2)), { force: true });

    expect((await troubleOf())?.type).toMatch(/broken|no-base/);
  });

  it("is shallow: what it has is read", async () => {
    git(path, "merge", "--quiet", "--ff-only", "cos/g1");
    commit({ "other.txt": "theirs\n" });
    git(folder, "clone", "--quiet", "--depth=2", `file://${path}`, "shallow");
    const other = { ...goal, goalId: "g9", headCommit: start.replace(/^./, "0") };

    const { branches, trouble } = await read([goal, other], "main", join(folder, "shallow"));
    expect(trouble).toBeNull();
    expect(branches.get("g1")).toMatchObject({ held: "commit" });
    expect(branches.get("g9")).toMatchObject({ held: "no" });
  });

  it("is slow: what there was no time for is counted", async () => {
    const late = await readBranches({
      repositoryPath: path,
      baseBranch: "main",
      mirrorDir: join(folder, "mirror"),
      branches: [goal],
      withinMs: 0,
    });

    expect(late).toEqual({ branches: new Map(), trouble: { type: "slow", unread: 1 } });
  });
});

it("reading writes nothing, and runs no program of the repository's configuration", async () => {
  const marker = join(folder, "ran");
  const program = join(folder, "program");
  writeFiles(folder, { program: `#!/bin/sh\ntouch '${marker}'\ncat\n` });
  chmodSync(program, 0o755);
  writeFiles(path, { ".gitattributes": "* diff=evil filter=evil\n" });
  for (const setting of ["diff.external", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor", "gpg.program"])
    git(path, "config", setting, program);
  git(path, "config", "log.showSignature", "true");
  git(path, "merge", "--squash", "--quiet", "cos/g1");
  git(path, "commit", "--quiet", "--message=Squashed");
  rmSync(marker, { force: true });
  const before = listing(join(path, ".git"), /^$/);

  expect(await seen()).toMatchObject({ held: "change" });

  expect(existsSync(marker)).toBe(false);
  expect(listing(join(path, ".git"), /^$/)).toEqual(before);
});
