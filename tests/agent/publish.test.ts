import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fetchBase } from "../../src/agent/git/base.ts";
import { commitWork } from "../../src/agent/git/commit.ts";
import { moveBranch } from "../../src/agent/git/merge.ts";
import { openMirror } from "../../src/agent/git/mirror.ts";
import { publishBranch } from "../../src/agent/git/publish.ts";
import { restoreRefs, snapshotRefs, writeRef } from "../../src/agent/git/refs.ts";
import { dirtyFiles } from "../../src/agent/git/repository.ts";
import { git, listing, makeWorktree, type Setting, writeFiles } from "./fixtures.ts";

const pushing = { goalId: "g1", baseBranch: "main", recorded: [], replaced: [] };

async function work(setting: Setting): Promise<string> {
  const { mirror, worktree, branch, base } = setting;
  writeFiles(worktree, { "work.txt": "1\n" });
  const author = { name: "Cos", email: "cos@example.org" };
  const trailers = { goal: "g1", run: "r1" };
  const result = await commitWork({ mirror, worktree, branch, parent: base, message: "Work", trailers, author });
  if (result.type !== "committed") throw new Error("nothing was committed");
  return result.commit;
}

test("publishing adds one branch to the person's repository and touches nothing else", async () => {
  const setting = await makeWorktree();
  const { repository, mirror, branch, worktree } = setting;
  writeFiles(repository, { "a.txt": "dirty\n", "untracked.txt": "x\n" });
  git(repository, "tag", "v1");
  git(worktree, "tag", "evil");
  git(worktree, "config", "push.followTags", "true");
  const commit = await work(setting);
  const untouched = /^(objects|refs\/heads\/cos|logs\/refs\/heads\/cos)(\/|$)/;
  const before = listing(join(repository, ".git"), untouched);

  expect(await publishBranch({ mirror, origin: { dir: repository, remote: null }, pushing, branch, commit })).toEqual({
    type: "published",
    earlier: null,
  });
  expect(await publishBranch({ mirror, origin: { dir: repository, remote: null }, pushing, branch, commit })).toEqual({
    type: "published",
    earlier: null,
  });

  expect(git(repository, "rev-parse", "cos/g1")).toBe(commit);
  expect(git(repository, "for-each-ref", "--format=%(refname)")).toBe(
    "refs/heads/cos/g1\nrefs/heads/main\nrefs/tags/v1",
  );
  expect(listing(join(repository, ".git"), untouched)).toEqual(before);
  expect(await dirtyFiles(repository)).toBe(2);
  expect(git(repository, "worktree", "list").split("\n")).toHaveLength(1);
});

test("their receive hooks decide", async () => {
  const setting = await makeWorktree();
  const { repository, mirror, branch } = setting;
  writeFiles(repository, { ".git/hooks/pre-receive": "#!/bin/sh\necho no branches on Fridays >&2\nexit 1\n" });
  chmodSync(join(repository, ".git/hooks/pre-receive"), 0o755);

  const result = await publishBranch({
    mirror,
    origin: { dir: repository, remote: null },
    pushing,
    branch,
    commit: await work(setting),
  });

  expect(result).toEqual({
    type: "rejected",
    isRefused: true,
    isAway: false,
    reason: `${repository} refused it (pre-receive hook declined): no branches on Fridays: do what its words say`,
  });
  expect(() => git(repository, "rev-parse", "--verify", "--quiet", "cos/g1")).toThrow();
});

test("receive hooks among the repository's own files, which an agent can change, are not run", async () => {
  const setting = await makeWorktree();
  const { repository, mirror, branch, base } = setting;
  const origin = { dir: repository, remote: null };
  writeFiles(repository, { "scripts/hook": `#!/bin/sh\ntouch ${repository}/ran\nexit 1\n` });
  chmodSync(join(repository, "scripts/hook"), 0o755);
  for (const name of ["pre-receive", "reference-transaction"])
    symlinkSync("../../scripts/hook", join(repository, ".git/hooks", name));
  const commit = await work(setting);

  const published = await publishBranch({ mirror, origin, pushing, branch, commit });
  const merge = { branch: "other", from: base, to: commit, carrier: "refs/cos/merging/g1" };
  git(repository, "-c", "core.hooksPath=/dev/null", "branch", "other", base);
  expect(await moveBranch({ mirror, origin, ...merge })).toEqual({ type: "moved" });

  expect(published).toEqual({ type: "published", earlier: null });
  expect(existsSync(join(repository, "ran"))).toBe(false);
});

test("the last words of a hook that prints much decide, too", async () => {
  const setting = await makeWorktree();
  const { repository, mirror, branch } = setting;
  const prints = `node -e 'for (let at = 0; at < 12000; at += 1) console.log("test", at, "is".padEnd(60), "ok")'`;
  const hook = `#!/bin/sh\n${prints} >&2\nfor at in 1 2 3 4 5 6 7 8 9; do echo $at >&2; sleep 0.01; done\n`;
  writeFiles(repository, { ".git/hooks/pre-receive": `${hook}echo x must not be added >&2\nexit 1\n` });
  chmodSync(join(repository, ".git/hooks/pre-receive"), 0o755);

  const origin = { dir: repository, remote: null };
  const result = await publishBranch({ mirror, origin, pushing, branch, commit: await work(setting) });

  expect(result).toMatchObject({ type: "rejected", isRefused: true });
  const { reason } = result as { reason: string };
  expect(reason).toMatch(/refused it \(pre-receive hook declined\): test 0 is/);
  expect(reason).toMatch(/\n9\nx must not be added: do what its words say$/);
  expect(reason.length).toBeLessThan(7000);
});

test("a branch that is checked out there, has other commits, or is in the way is refused with git's reason", async () => {
  const setting = await makeWorktree();
  const { repository, mirror, branch } = setting;
  const commit = await work(setting);
  const publish = (): Promise<unknown> =>
    publishBranch({ mirror, origin: { dir: repository, remote: null }, pushing, branch, commit });

  git(repository, "checkout", "--quiet", "-b", "cos/g1");
  const checkedOut = await publish();
  git(repository, "commit", "--quiet", "--allow-empty", "--message=Theirs");
  git(repository, "checkout", "--quiet", "main");
  const diverged = await publish();
  git(repository, "branch", "-D", "cos/g1");
  git(repository, "branch", "cos");
  const inTheWay = await publish();
  rmSync(repository, { recursive: true });
  const gone = await publish();

  const rejected = (reason: string) => ({ type: "rejected", isRefused: false, isAway: false, reason });
  expect(checkedOut).toEqual(
    rejected(`the branch is checked out at ${repository}: check out another branch there, then try again`),
  );
  expect(diverged).toEqual(
    rejected(`somebody has pushed to that branch of ${repository} meanwhile: look at what is there, then try again`),
  );
  expect(inTheWay).toEqual(rejected(expect.stringMatching(/did not take it .*refs\/heads\/cos/)));
  expect(gone).toEqual(rejected(expect.stringContaining("there is no repository at")));
});

test("refs that an agent made, moved, removed or turned into links are put back, and named", async () => {
  const { mirror, worktree, branch, base } = await makeWorktree();
  await writeRef(mirror, "refs/cos/other/attempt-1", base);
  await writeRef(mirror, "refs/heads/cos/other", base);
  const before = await snapshotRefs(mirror);
  git(worktree, "commit", "--quiet", "--allow-empty", "--message=Mine");
  git(worktree, "branch", "mine");
  git(worktree, "tag", "v9");
  git(worktree, "update-ref", "refs/remotes/origin/main", "HEAD");
  git(worktree, "update-ref", "-d", "refs/cos/other/attempt-1");
  git(worktree, "branch", "-D", "cos/other");
  git(worktree, "symbolic-ref", "refs/heads/cos/other", "refs/heads/mine");

  const changed = await restoreRefs({ mirror, before, branch });

  expect(changed).toEqual([
    "refs/cos/other/attempt-1",
    "refs/heads/cos/other",
    "refs/heads/mine",
    "refs/remotes/origin/main",
    "refs/tags/v9",
  ]);
  const { "refs/heads/cos/g1": mine, ...others } = await snapshotRefs(mirror);
  const { "refs/heads/cos/g1": _earlier, ...othersBefore } = before;
  expect(others).toEqual(othersBefore);
  expect(mine).toBe(git(worktree, "rev-parse", "HEAD"));
  expect(await restoreRefs({ mirror, before, branch })).toEqual([]);
});

test("refs that we moved for another goal meanwhile stay", async () => {
  const { mirror, repository, branch } = await makeWorktree();
  const before = await snapshotRefs(mirror);
  git(repository, "commit", "--quiet", "--allow-empty", "--message=Theirs");
  const base = await fetchBase(mirror, "main");
  await writeRef(mirror, "refs/heads/cos/other", base);

  expect(await restoreRefs({ mirror, before, branch })).toEqual([]);
  expect(git(mirror.dir, "rev-parse", "refs/remotes/origin/main", "refs/heads/cos/other")).toBe(`${base}\n${base}`);
});

test("opening a mirror again undoes what was configured in it", async () => {
  const { mirror, repository, worktree } = await makeWorktree();
  git(worktree, "config", "core.sshCommand", "evil");
  git(worktree, "config", "include.path", "/tmp/evil");
  writeFileSync(join(mirror.dir, "info/attributes"), "* filter=evil\n");
  writeFiles(mirror.dir, { "hooks/post-checkout": "evil" });

  const opened = await openMirror({ mirrorDir: mirror.dir, repositoryPath: repository });

  expect(opened).toEqual(mirror);
  expect(git(worktree, "config", "--local", "--list")).not.toMatch(/evil/);
  expect(existsSync(join(mirror.dir, "info/attributes"))).toBe(false);
  expect(existsSync(join(mirror.dir, "hooks"))).toBe(false);
});

test("a moved base branch, a bare repository and SHA-256 objects are fetched", async () => {
  const { mirror, repository, folder, base } = await makeWorktree();
  git(repository, "commit", "--quiet", "--allow-empty", "--message=Next");
  const next = await fetchBase(mirror, "main");
  git(folder, "clone", "--quiet", "--bare", repository, join(folder, "bare.git"));
  const bare = await openMirror({ mirrorDir: join(folder, "m2"), repositoryPath: join(folder, "bare.git") });
  git(folder, "init", "--quiet", "--object-format=sha256", "--initial-branch=main", "long");
  git(join(folder, "long"), "commit", "--quiet", "--allow-empty", "--message=Start");
  const long = await openMirror({ mirrorDir: join(folder, "m3"), repositoryPath: join(folder, "long") });

  expect(next).not.toBe(base);
  expect(await fetchBase(bare, "main")).toBe(next);
  expect(await fetchBase(long, "main")).toHaveLength(64);
  await expect(fetchBase(mirror, "nowhere")).rejects.toThrow(/nowhere/);
});
