import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { fetchBase } from "../../src/agent/git/base.ts";
import { commitWork } from "../../src/agent/git/commit.ts";
import { guardMirror, type Mirror, openMirror } from "../../src/agent/git/mirror.ts";
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
  const pushing = { goalId, baseBranch: "main", recorded: [made.commit], replaced: [] };
  const published = await publishBranch({ mirror, origin, branch, commit: made.commit, pushing });
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

const zerosFrom = (file: Buffer, at: number) => Buffer.concat([file.subarray(0, at), Buffer.alloc(file.length - at)]);

/** Replaces a file of the one pack of a mirror by what becomes of it; null: it is gone. */
function damagePack(mirrorDir: string, ending: string, become: (file: Buffer) => Buffer | null): void {
  const packs = join(mirrorDir, "objects", "pack");
  for (const name of readdirSync(packs).filter((each) => each.endsWith(ending))) {
    const left = become(readFileSync(join(packs, name)));
    rmSync(join(packs, name));
    if (left !== null) writeFileSync(join(packs, name), left);
  }
}

it.each<[string, string, (file: Buffer) => Buffer | null]>([
  ["a pack that is empty", ".pack", () => Buffer.alloc(0)],
  ["a pack that is cut", ".pack", (file) => file.subarray(0, 300)],
  ["a pack that ends in zeros", ".pack", (file) => zerosFrom(file, 60)],
  ["a pack of zeros", ".pack", (file) => zerosFrom(file, 0)],
  ["a pack that is gone", ".pack", () => null],
  ["an index of a pack that is empty", ".idx", () => Buffer.alloc(0)],
  ["an index of a pack that is cut", ".idx", (file) => file.subarray(0, 500)],
  ["an index of a pack that ends in zeros", ".idx", (file) => zerosFrom(file, 1060)],
  ["an index of a pack, of zeros,", ".idx", (file) => zerosFrom(file, 0)],
  ["an index of a pack that is gone", ".idx", () => null],
])("works and pushes goals past %s", async (_, ending, become) => {
  const { mirror, repository, worktree, base } = await makeWorktree();
  git(mirror.dir, "repack", "-adq");
  damagePack(mirror.dir, ending, become);

  const again = await openMirror({ mirrorDir: mirror.dir, repositoryPath: repository });
  expect(await fetchBase(again, "main")).toBe(base);
  rmSync(worktree, { recursive: true });
  await prepareWorktree({ mirror: again, worktreeDir: worktree, branch: "cos/g1", startCommit: base });

  expect(readdirSync(worktree)).toContain("a.txt");
  expect(await commitAndPublish({ mirror: again, repository }, { goalId: "g1", worktree, base })).toBe("published");
  expect(readdirSync(dirname(mirror.dir)).filter((name) => name.includes("-again-"))).toEqual([]);
});

it.each<[string, (file: Buffer) => Buffer]>([
  ["are cut", (file) => file.subarray(0, file.length - 6)],
  ["end in zeros", (file) => zerosFrom(file, 8)],
  ["have something behind them", (file) => Buffer.concat([file, Buffer.from("x")])],
])("works goals past files of objects that %s", async (_, become) => {
  const { mirror, repository, worktree, base } = await makeWorktree();
  for (const folder of readdirSync(join(mirror.dir, "objects")).filter((name) => name.length === 2))
    for (const name of readdirSync(join(mirror.dir, "objects", folder))) {
      const path = join(mirror.dir, "objects", folder, name);
      chmodSync(path, 0o600);
      writeFileSync(path, become(readFileSync(path)));
    }

  expect(await fetchBase(mirror, "main")).toBe(base);
  rmSync(worktree, { recursive: true });
  await prepareWorktree({ mirror, worktreeDir: worktree, branch: "cos/g1", startCommit: base });

  expect(await commitAndPublish({ mirror, repository }, { goalId: "g1", worktree, base })).toBe("published");
  git(mirror.dir, "fsck", "--full");
});

it("keeps the work of a goal that lies in a pack of which another part is damaged", async () => {
  const { mirror, repository, worktree, base } = await makeWorktree();
  writeFiles(repository, { "large.bin": randomBytes(50_000).toString("base64") });
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message=Large");
  const tip = await fetchBase(mirror, "main");
  writeFiles(worktree, { "work.txt": "work\n" });
  const trailers = { goal: "g1", run: "r1" };
  const made = await commitWork({
    mirror,
    worktree,
    branch: "cos/g1",
    parent: base,
    message: "Work",
    trailers,
    author,
  });
  if (made.type !== "committed") throw new Error(made.type);
  git(mirror.dir, "repack", "-adq");
  damagePack(mirror.dir, ".pack", (file) =>
    Buffer.concat([file.subarray(0, -30_000), Buffer.alloc(100), file.subarray(-29_900)]),
  );

  const other = join(dirname(worktree), "g2");
  await prepareWorktree({ mirror, worktreeDir: other, branch: "cos/g2", startCommit: tip });

  expect(readdirSync(other)).toContain("large.bin");
  expect(git(mirror.dir, "show", `${made.commit}:work.txt`)).toBe("work");
  git(mirror.dir, "fsck", "--full");
});

it("keeps a damaged pack as it is while the repository cannot be read, and mends it afterwards", async () => {
  const { mirror, repository, worktree, base } = await makeWorktree();
  git(mirror.dir, "repack", "-adq");
  damagePack(mirror.dir, ".pack", (file) => zerosFrom(file, 60));
  const packs = () => readdirSync(join(mirror.dir, "objects", "pack")).toSorted();
  const before = packs();
  rmSync(worktree, { recursive: true });
  const prepare = (from: Mirror) =>
    prepareWorktree({ mirror: from, worktreeDir: worktree, branch: "cos/g1", startCommit: base });

  await expect(prepare({ ...mirror, repositoryPath: `${repository}-gone` })).rejects.toThrow();
  expect(packs()).toEqual(before);

  await prepare(mirror);
  expect(readdirSync(worktree)).toContain("a.txt");
});
