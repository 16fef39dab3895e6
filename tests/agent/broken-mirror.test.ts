import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { commitWork } from "../../src/agent/git/commit.ts";
import { fetchBase, guardMirror, type Mirror, openMirror } from "../../src/agent/git/mirror.ts";
import { makePlain } from "../../src/agent/git/plain-mirror.ts";
import { publishBranch } from "../../src/agent/git/publish.ts";
import { restoreRefs, snapshotRefs } from "../../src/agent/git/refs.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";
import { worktreeTree } from "../../src/agent/git/worktree-tree.ts";
import { git, makeWorktree, writeFiles } from "./fixtures.ts";

/** What an agent leaves in a mirror starts no program of its own outside of its room, and stops no goal, neither its own nor later ones (D23). */

const author = { name: "A", email: "a@b" };

/** Commits a file of a worktree and pushes it, as the last phase does. */
async function commitAndPublish(
  { mirror, repository }: { readonly mirror: Mirror; readonly repository: string },
  goal: { readonly goalId: string; readonly worktree: string; readonly base: string },
): Promise<string> {
  const { goalId, worktree, base } = goal;
  const branch = `cos/${goalId}`;
  writeFiles(worktree, { "work.txt": "work\n", ".gitattributes": "* filter=x\n" });
  const trailers = { goal: goalId, run: "r1" };
  const made = await commitWork({ mirror, worktree, branch, parent: base, message: "Work", trailers, author });
  if (made.type !== "committed") return made.type;
  const origin = { dir: repository, remote: null };
  const pushing = { goalId, baseBranch: "main", recorded: [made.commit] };
  const published = await publishBranch({ mirror, origin, branch, commit: made.commit, replaced: [], pushing });
  return published.type === "published" ? published.type : published.reason;
}

/** Lays a file, or a folder with something in it (null), in whatever place. */
function lay(dir: string, path: string, text: string | null): void {
  const at = join(dir, path);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(text === null ? join(at, "x") : dirname(at), { recursive: true });
  if (text !== null) writeFileSync(at, text);
}

it("obeys no configuration of a folder that an agent names in the mirror's place, not after our last look either", async () => {
  const setting = await makeWorktree();
  const { mirror, folder, worktree, branch, base } = setting;
  const theirs = join(folder, "theirs");
  writeFiles(theirs, {
    "objects/info/alternates": `${mirror.dir}/objects\n`,
    "refs/none": "",
    config: `[core]\n\tbare = true\n[filter "x"]\n\tclean = "touch ${theirs}/obeyed; cat"\n`,
  });
  lay(mirror.dir, "commondir", `${theirs}\n`);
  expect(git(mirror.dir, "config", "--get", "filter.x.clean")).toContain("obeyed");

  await worktreeTree({ mirror, dir: worktree, base, recorded: base });
  writeFiles(worktree, { "more.txt": "more\n", ".gitattributes": "* filter=x\n" });
  await worktreeTree({ mirror, dir: worktree, base, recorded: base });
  expect(await commitAndPublish(setting, { goalId: "g1", worktree, base })).toBe("published");

  expect(existsSync(join(theirs, "obeyed"))).toBe(false);
  expect(existsSync(join(mirror.dir, "commondir"))).toBe(false);
  expect(git(mirror.dir, "rev-parse", branch)).not.toBe(base);
});

const garbage = "garbage\n";
const ones = "1".repeat(40);

it.each<[string, string | null]>([
  ["commondir", garbage],
  ["commondir", null],
  ["shallow", garbage],
  ["shallow", null],
  ["packed-refs", garbage],
  ["packed-refs", null],
  ["packed-refs", `${ones} refs/heads/cut`],
  ["packed-refs", `${ones} refs/heads/../../out\n`],
  ["packed-refs", `${ones} refs/heads//x\n`],
  ["packed-refs", `${ones} refs/heads/./x\n`],
  ["packed-refs", `${ones} refs/heads/x/\n`],
  ["packed-refs", `${"1".repeat(64)} refs/heads/x\n`],
  ["shallow", `${"1".repeat(64)}\n`],
  ["refs", garbage],
  ["refs/heads", garbage],
  ["refs/heads/cos", garbage],
  ["refs/heads/cos/g2.lock", null],
  ["refs/remotes", garbage],
  ["refs/remotes/origin", garbage],
  ["refs/remotes/origin/main.lock", null],
  ["refs/remotes/origin/main.lock", ""],
  ["worktrees", garbage],
  ["worktrees/g1/index", null],
  ["worktrees/g1/index", garbage],
  ["cos-index", garbage],
  ["cos-refs", garbage],
])("its own goal and later ones are worked and pushed whatever lies at %s: %j", async (path, text) => {
  const setting = await makeWorktree();
  const { mirror, folder, repository, worktree, branch, base } = setting;
  const before = await snapshotRefs(mirror);
  lay(mirror.dir, path, text);

  await makePlain(mirror.dir);
  await guardMirror(mirror);
  await restoreRefs({ mirror, before, branch });
  expect(await commitAndPublish(setting, { goalId: "g1", worktree, base })).toBe("published");
  git(repository, "commit", "--quiet", "--allow-empty", "--message=More");
  const again = await openMirror({ mirrorDir: mirror.dir, repositoryPath: repository });
  const tip = await fetchBase(again, "main");
  const other = join(folder, "worktrees", "g2");
  await prepareWorktree({ mirror: again, worktreeDir: other, branch: "cos/g2", startCommit: tip });

  const published = await commitAndPublish({ mirror: again, repository }, { goalId: "g2", worktree: other, base: tip });
  expect(published).toBe("published");
  expect(tip).toBe(git(repository, "rev-parse", "main"));
});

it("keeps the refs that an agent has packed where it spoils the file in which they are", async () => {
  const { mirror, base } = await makeWorktree();
  git(mirror.dir, "pack-refs", "--all");
  const before = await snapshotRefs(mirror);
  const packed = join(mirror.dir, "packed-refs");
  writeFileSync(packed, `garbage\n${base} refs/heads/cos/g1\n^${ones}\n${base} refs/remotes/origin/main\n`);

  expect(await snapshotRefs(mirror)).toEqual(before);
});

it("keeps what a mirror of a repository without its beginning knows of that where an agent spoils it", async () => {
  const { folder, repository } = await makeWorktree();
  git(repository, "commit", "--quiet", "--allow-empty", "--message=More");
  const part = join(folder, "part");
  git(folder, "clone", "--quiet", "--depth=1", `file://${repository}`, part);
  const mirror = await openMirror({ mirrorDir: join(folder, "mirror-of-part"), repositoryPath: part });
  const tip = await fetchBase(mirror, "main");
  writeFileSync(join(mirror.dir, "shallow"), `garbage\n${tip}\n`);

  expect(git(part, "rev-parse", "HEAD")).toBe(await fetchBase(mirror, "main"));
  const worktree = join(folder, "worktrees", "g3");
  await prepareWorktree({ mirror, worktreeDir: worktree, branch: "cos/g3", startCommit: tip });
  expect(await commitAndPublish({ mirror, repository: part }, { goalId: "g3", worktree, base: tip })).toBe("published");
});

it.each([
  ["empty", ""],
  ["zeros", "\0".repeat(100)],
])("brings again what a disk has lost of it: files of objects that are %s", async (_, left) => {
  const { mirror, repository, worktree } = await makeWorktree();
  const objects = git(mirror.dir, "rev-list", "--objects", "--all")
    .split("\n")
    .map((line) => line.slice(0, 40));
  for (const object of objects) {
    const file = join(mirror.dir, "objects", object.slice(0, 2), object.slice(2));
    if (!existsSync(file)) continue;
    rmSync(file);
    writeFileSync(file, left);
  }

  const base = await fetchBase(mirror, "main");
  rmSync(worktree, { recursive: true });
  await prepareWorktree({ mirror, worktreeDir: worktree, branch: "cos/g1", startCommit: base });

  expect(base).toBe(git(repository, "rev-parse", "main"));
  expect(readdirSync(worktree)).toContain("a.txt");
  expect(readdirSync(dirname(mirror.dir)).filter((name) => name.includes("-again-"))).toEqual([]);
});
