import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Commit, commitWork } from "../../src/agent/git/commit.ts";
import { prepareWorktree, removeWorktree } from "../../src/agent/git/worktree.ts";
import { projectDir } from "../fakes/bot.ts";
import { git, makeWorktree, type Setting, writeFiles } from "./fixtures.ts";

/** What git leaves out, and what stops it: a person is told, and nothing is lost in silence. */

function options(setting: Setting) {
  const { mirror, worktree, branch, base } = setting;
  const author = { name: "Chief of Staff", email: "cos@example.org" };
  return { mirror, worktree, branch, parent: base, message: "Work", trailers: { goal: "g1", run: "r1" }, author };
}

/** Root reads every file: what is shut stays shut only for one without that right. */
const withoutRights =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] : [];

/** Records the work in a process that may read what its user may, and no more. */
function recordedAsUser(setting: Setting): Commit {
  const script = `
    import { commitWork } from "${projectDir}/src/agent/git/commit.ts";
    console.log(JSON.stringify(await commitWork(${JSON.stringify(options(setting))})));`;
  const [program, ...args] = [...withoutRights, process.execPath, "--import", "tsx", "--input-type=module"];
  const { stdout, stderr } = spawnSync(program, [...args, "-e", script], { cwd: projectDir, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Commit;
}

function paths(made: Commit): readonly string[] {
  return made.type === "committed" ? made.files.map((file) => file.path) : [];
}

test.each<[string, (worktree: string) => void, readonly string[]]>([
  ["a new file", (dir) => chmodSync(join(dir, "new.txt"), 0), ["a.txt", "new.txt"]],
  ["a changed file", (dir) => chmodSync(join(dir, "a.txt"), 0), ["a.txt", "new.txt"]],
  ["a folder", (dir) => shutFolder(dir, 0), ["a.txt", "folder/in.txt", "new.txt"]],
  ["a folder that may only be listed", (dir) => shutFolder(dir, 0o400), ["a.txt", "folder/in.txt", "new.txt"]],
  ["a folder that may only be entered", (dir) => shutFolder(dir, 0o100), ["a.txt", "folder/in.txt", "new.txt"]],
  ["a changed file in a folder", (dir) => shutSource(dir), ["a.txt", "new.txt", "src/b.txt"]],
  ["the whole worktree", (dir) => chmodSync(dir, 0), ["a.txt", "new.txt"]],
])("%s that its own user may not read is made readable and is part of the work", async (_, shut, expected) => {
  const setting = await makeWorktree();
  writeFiles(setting.worktree, { "a.txt": "work\n", "new.txt": "new\n" });
  shut(setting.worktree);

  const made = recordedAsUser(setting);

  expect(paths(made)).toEqual(expected);
  expect(made.notAdded).toBeUndefined();
});

function shutFolder(dir: string, mode: number): void {
  writeFiles(dir, { "folder/in.txt": "in\n" });
  chmodSync(join(dir, "folder"), mode);
}

function shutSource(dir: string): void {
  writeFiles(dir, { "src/b.txt": "work\n" });
  chmodSync(join(dir, "src"), 0);
}

test("an ignore file that nobody may read still says what is ignored", async () => {
  const setting = await makeWorktree({ ".gitignore": "made\n" });
  writeFiles(setting.worktree, { "a.txt": "work\n", made: "made\n" });
  chmodSync(join(setting.worktree, ".gitignore"), 0);

  const made = recordedAsUser(setting);

  expect(paths(made)).toEqual(["a.txt"]);
});

test("files that are called as git calls its own are named, and all others are the work", async () => {
  const setting = await makeWorktree();
  writeFiles(setting.worktree, { "a.txt": "work\n", "sub/.GIT/config": "x\n", "sub/.git /a": "x\n" });
  symlinkSync("a.txt", join(setting.worktree, ".gitmodules"));

  const made = await commitWork(options(setting));

  expect(paths(made)).toEqual(["a.txt"]);
  expect(made.notAdded).toEqual([".gitmodules", "sub/.GIT/config", "sub/.git /a"]);
});

test("work that is nothing but such files is no change, and they are named", async () => {
  const setting = await makeWorktree();
  writeFiles(setting.worktree, { "sub/.GIT/config": "x\n" });

  expect(await commitWork(options(setting))).toEqual({ type: "no-change", notAdded: ["sub/.GIT/config"] });
});

test("folders deeper than a path can say are named by their beginning, and are gone for the next attempt", async () => {
  const setting = await makeWorktree();
  const { mirror, worktree, branch, base } = setting;
  makeDeepFolder(worktree);
  writeFiles(worktree, { "a.txt": "work\n" });

  const made = await commitWork(options(setting));
  await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base });

  expect(paths(made)).toEqual(["a.txt"]);
  expect(made.notAdded).toEqual([expect.stringMatching(/^d{200}\/d{200}\//)]);
  expect(readdirSync(worktree).sort()).toEqual([".git", "a.txt", "src"]);
});

test("a worktree with such folders can be removed", async () => {
  const { mirror, worktree } = await makeWorktree();
  makeDeepFolder(worktree);

  await removeWorktree({ mirror, worktreeDir: worktree });

  expect(existsSync(worktree)).toBe(false);
});

/** 6,000 bytes of path, where 4,096 are the most that a system call takes. */
function makeDeepFolder(dir: string): void {
  const name = "d".repeat(200);
  const shell = `cd -P '${dir}'; for each in $(seq 30); do mkdir ${name}; cd -P ${name}; done; echo deep > deep.txt`;
  expect(spawnSync("bash", ["-c", shell]).stderr.toString()).toBe("");
}

test("a repository that the agent made inside and never committed to is files", async () => {
  const setting = await makeWorktree();
  const inner = join(setting.worktree, "inner");
  mkdirSync(join(inner, "deeper"), { recursive: true });
  git(inner, "init", "--quiet");
  git(join(inner, "deeper"), "init", "--quiet");
  writeFiles(inner, { "x.txt": "x\n", "deeper/y.txt": "y\n" });

  const made = await commitWork(options(setting));

  expect(paths(made)).toEqual(["inner/deeper/y.txt", "inner/x.txt"]);
  expect(made.notAdded).toBeUndefined();
});

test("a file at which git stops is why nothing is recorded, and the next attempt begins as if it had never been", async () => {
  const setting = await makeWorktree();
  const { mirror, worktree, branch, base } = setting;
  writeFiles(worktree, { ".gitattributes": "*.txt working-tree-encoding=UTF-16\n", "a.txt": "work\n", "b.md": "b\n" });

  await expect(commitWork(options(setting))).rejects.toThrow(/git add failed: [^]*BOM is required in 'a.txt'/);

  expect(git(mirror.dir, "rev-parse", `refs/heads/${branch}`)).toBe(base);
  const { kept } = await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base });
  expect(git(mirror.dir, "show", `${kept}:b.md`)).toBe("b");
  expect(git(mirror.dir, "diff", "--name-only", base, `${kept}`)).toBe(".gitattributes\nb.md");
  expect(await commitWork(options(setting))).toEqual({ type: "no-change" });
});

test("what an attempt said of its files says nothing of the next attempt's", async () => {
  const { mirror, worktree, branch, base } = await makeWorktree();
  writeFiles(worktree, { ".gitattributes": "* text eol=crlf\n", "src/.gitattributes": "b.txt ident\n" });

  await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: base });

  expect(readFileSync(join(worktree, "a.txt"), "utf8")).toBe("a\n");
  expect(readdirSync(join(worktree, "src"))).toEqual(["b.txt"]);
});
