import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { setBranchAside } from "../../src/agent/git/aside.ts";
import { fetchBase } from "../../src/agent/git/base.ts";
import { moveBranch } from "../../src/agent/git/merge.ts";
import { type BranchMove, moveHere } from "../../src/agent/git/move-here.ts";
import { NoSpace } from "../../src/core/space/no-space.ts";
import { mayMount } from "../fakes/mount.ts";
import { git, makeRepository, makeWorktree, type Setting, temporaryFolder, writeFiles } from "./fixtures.ts";

/** What happens to a person's checkout where a merge moves the branch that it is on. */

/** A commit of the worktree's files as they are now, on `main` as it is. */
function commitIn({ worktree }: Setting, files: Readonly<Record<string, string>>): string {
  writeFiles(worktree, files);
  git(worktree, "add", "--", ...Object.keys(files));
  git(worktree, "commit", "--quiet", "--message=Work");
  return git(worktree, "rev-parse", "HEAD");
}

async function merge({ mirror, repository }: Setting, to: string): Promise<BranchMove> {
  const from = git(repository, "rev-parse", "main");
  const origin = { dir: repository, remote: null };
  return await moveBranch({ mirror, origin, branch: "main", from, to, carrier: "refs/cos/merging/g1" });
}

/** Files called `*.big` go through this command of a shell when they are checked out there. */
function filterBy(repository: string, smudge: string): void {
  git(repository, "config", "filter.slow.smudge", smudge);
  git(repository, "config", "filter.slow.required", "true");
}

test.each([
  ["git is ended", "kill $PPID; sleep 5", "git gave no reason"],
  ["a filter fails", "exit 1", "smudge filter slow failed"],
  ["there is no space", "echo No space left on device >&2; exit 1", "No space left on device"],
])("a checkout that is half written when %s is called that", async (_, smudge, words) => {
  const setting = await makeWorktree({ ".gitattributes": "*.big filter=slow\n" });
  const { repository, base } = setting;
  filterBy(repository, smudge);
  const to = commitIn(setting, { "a.txt": "b\n", "z.big": "x\n" });

  const moved = await merge(setting, to);

  expect(moved).toMatchObject({ type: "refused", reason: "cut" });
  expect((moved as { details: string }).details).toContain(words);
  expect(git(repository, "rev-parse", "main")).toBe(base);
  expect(readFileSync(join(repository, "a.txt"), "utf8")).toBe("b\n");
  expect(existsSync(join(repository, ".git/index.lock"))).toBe(false);
});

test("a checkout is half written, too, where git has left only files that are new, and they are named", async () => {
  const setting = await makeWorktree({ ".gitattributes": "*.big filter=slow\n" });
  const { repository } = setting;
  filterBy(repository, "exit 1");
  const to = commitIn(setting, { "new.txt": "n\n", "z.big": "x\n" });

  const moved = await merge(setting, to);

  expect(moved).toMatchObject({ reason: "cut", details: expect.stringContaining("to be removed: new.txt (in ") });
  expect(git(repository, "status", "--porcelain")).toBe("?? new.txt");
  expect(await merge(setting, to)).toMatchObject({ reason: "blocked" });
});

/** Of a file that it could not write git does not say why. */
test.skipIf(!mayMount())("a merge whose first word git cannot write on a full disk waits for space", async () => {
  const disk = temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
  onTestFinished(() => void execFileSync("umount", ["-l", disk]));
  const repository = makeRepository(disk);
  const from = git(repository, "rev-parse", "main");
  const to = git(repository, "commit-tree", "main^{tree}", "-p", "main", "-m", "Work");
  spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "ballast")}`, "bs=4k"]);

  const merged = moveHere(repository, { branch: "main", from, to });

  await expect(merged).rejects.toThrow(/^git merge: it could not write a ref$/);
  await expect(merged).rejects.toBeInstanceOf(NoSpace);
  expect(git(repository, "rev-parse", "main")).toBe(from);
});

test.skipIf(!mayMount())(
  "(where this process may mount) a checkout whose disk is full is called half written where new files are",
  async () => {
    const setting = await makeWorktree();
    const { repository } = setting;
    const disk = temporaryFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    onTestFinished(() => void execFileSync("umount", ["-l", disk]));
    git(repository, "checkout", "--quiet", "--detach");
    git(repository, "worktree", "add", "--quiet", join(disk, "checkout"), "main");
    const to = commitIn(setting, { "large.txt": "0123456789abcdef".repeat(100_000) });

    const moved = await merge(setting, to).catch((error: unknown) => error);

    expect(moved).toMatchObject({ reason: "cut", details: expect.stringMatching(/unable to write file.*large\.txt/) });
  },
);

test("a submodule at another commit than the checkout's stands in the way of no merge", async () => {
  const setting = await makeWorktree();
  const { repository, worktree } = setting;
  const inner = join(repository, "sub");
  git(worktree, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
  const bumped = commitIn(setting, { "a.txt": "b\n" });
  const after = commitIn(setting, { "a.txt": "c\n" });
  expect(await merge(setting, bumped)).toEqual({ type: "moved" });
  git(repository, "init", "--quiet", inner);
  git(inner, "commit", "--quiet", "--allow-empty", "--message=Inner");
  expect(git(repository, "status", "--porcelain")).toBe("M sub");

  expect(await merge(setting, after)).toEqual({ type: "moved" });

  expect(readFileSync(join(repository, "a.txt"), "utf8")).toBe("c\n");
  writeFiles(repository, { "src/b.txt": "mine\n" });
  expect(await merge(setting, commitIn(setting, { "a.txt": "d\n" }))).toMatchObject({ reason: "dirty" });
});

/** Leaves `main` in the middle of something, at a commit of its own. */
const inTheMiddle: readonly [string, (repository: string) => void][] = [
  ["a rebase", (repository) => expect(() => git(repository, "rebase", "--quiet", "other")).toThrow()],
  ["a rebase by patches", (repository) => expect(() => git(repository, "rebase", "--apply", "other")).toThrow()],
  ["a bisection", (repository) => void git(repository, "bisect", "start", "main", "main~2")],
];

test.each(inTheMiddle)("a branch in the middle of %s is neither moved nor taken away", async (_, begin) => {
  const setting = await makeWorktree();
  const { repository, base, mirror } = setting;
  git(repository, "branch", "other");
  for (const text of ["mine\n", "and mine\n"]) {
    writeFiles(repository, { "a.txt": text });
    git(repository, "commit", "--quiet", "--all", "--message=Mine");
  }
  const mine = git(repository, "rev-parse", "main");
  await fetchBase(mirror, "main");
  git(repository, "checkout", "--quiet", "other");
  writeFiles(repository, { "a.txt": "theirs\n" });
  git(repository, "commit", "--quiet", "--all", "--message=Theirs");
  git(repository, "checkout", "--quiet", "main");
  git(setting.worktree, "reset", "--quiet", "--hard", mine);
  const to = commitIn(setting, { "src/b.txt": "b2\n" });
  expect(base).not.toBe(mine);
  begin(repository);

  const moved = await merge(setting, to);
  const aside = await setBranchAside(
    { dir: repository, remote: null },
    { branch: "main", commit: mine, ref: "refs/cos/a" },
  );

  expect(moved).toEqual({
    type: "refused",
    reason: "blocked",
    details: `a rebase or bisection of it is under way in ${repository}, which has to end first`,
  });
  expect(aside).toBe(false);
  expect(git(repository, "rev-parse", "main")).toBe(mine);
});
