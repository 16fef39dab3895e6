import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { layObjectsOf, takeLeftObjects } from "../../src/agent/git/agent-objects.ts";
import { layNewObjects, takeNewObjects } from "../../src/agent/git/new-objects.ts";
import { git, makeWorktree, type Setting, temporaryFolder } from "./fixtures.ts";

/** What an agent's git makes in a folder of its own, and what of it comes into the mirror. */

/** A folder for new objects whose git sees the mirror's, and git there. */
async function makeFolder({ mirror }: Pick<Setting, "mirror">) {
  const folder = join(temporaryFolder(), "objects");
  await layNewObjects(folder);
  writeFileSync(join(folder, "info", "alternates"), `${join(mirror.dir, "objects")}\n`);
  const env = { ...process.env, GIT_DIR: mirror.dir, GIT_OBJECT_DIRECTORY: folder };
  const run = (input: string, ...args: readonly string[]): string =>
    execFileSync("git", args, { input, env, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }).trim();
  return { folder, run };
}

const pathOf = (objects: string, id: string): string => join(objects, id.slice(0, 2), id.slice(2));

function forge(objects: string, id: string, text: string): void {
  mkdirSync(dirname(pathOf(objects, id)), { recursive: true });
  writeFileSync(pathOf(objects, id), deflateSync(`blob ${text.length}\0${text}`));
}

const knows = ({ mirror }: Setting, id: string): boolean => {
  try {
    return git(mirror.dir, "cat-file", "-t", id) !== "";
  } catch {
    return false;
  }
};

it("what git has made comes into the mirror, loose and packed", async () => {
  const setting = await makeWorktree();
  const { folder, run } = await makeFolder(setting);
  const loose = run("loose\n", "hash-object", "-w", "--stdin");
  const packed = run("packed\n", "hash-object", "-w", "--stdin");
  run(`${packed}\n`, "pack-objects", "--quiet", join(folder, "pack", "pack"));
  execFileSync("rm", [pathOf(folder, packed)]);

  await takeNewObjects(setting.mirror.dir, folder);
  await takeNewObjects(setting.mirror.dir, folder);

  expect(git(setting.mirror.dir, "cat-file", "blob", loose)).toBe("loose");
  expect(git(setting.mirror.dir, "cat-file", "blob", packed)).toBe("packed");
  expect(git(setting.mirror.dir, "fsck", "--strict")).not.toMatch(/error|missing|garbage/);
});

it("what does not hold what its name says stays outside, whether the mirror has that name or not", async () => {
  const setting = await makeWorktree();
  const { folder, run } = await makeFolder(setting);
  const old = git(setting.mirror.dir, "rev-parse", `${setting.base}:a.txt`);
  const fresh = run("fresh\n", "hash-object", "--stdin");
  for (const id of [old, fresh]) forge(folder, id, "forged\n");
  const behind = run("behind\n", "hash-object", "-w", "--stdin");
  chmodSync(pathOf(folder, behind), 0o600);
  appendFileSync(pathOf(folder, behind), "more");

  await takeNewObjects(setting.mirror.dir, folder);

  expect(git(setting.mirror.dir, "cat-file", "blob", old)).toBe("a");
  expect([fresh, behind].filter((id) => knows(setting, id))).toEqual([]);
  expect(readdirSync(join(setting.mirror.dir, "objects")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
});

it("of a pack the names follow from what it holds, whatever lies beside it", async () => {
  const setting = await makeWorktree();
  const { folder, run } = await makeFolder(setting);
  const old = git(setting.mirror.dir, "rev-parse", `${setting.base}:a.txt`);
  const forged = run("forged\n", "hash-object", "--stdin");
  forge(folder, old, "forged\n");
  run(`${old}\n`, "pack-objects", "--quiet", join(folder, "pack", "pack"));

  await takeNewObjects(setting.mirror.dir, folder);

  expect(git(setting.mirror.dir, "cat-file", "blob", old)).toBe("a");
  expect(git(setting.mirror.dir, "cat-file", "blob", forged)).toBe("forged");
});

it("what is no file or folder is not read, and other files are no objects", async () => {
  const setting = await makeWorktree();
  const { folder, run } = await makeFolder(setting);
  const [linked, piped] = ["linked\n", "piped\n"].map((text) => run(text, "hash-object", "--stdin"));
  const outside = temporaryFolder();
  forge(outside, linked ?? "", "linked\n");
  symlinkSync(dirname(pathOf(outside, linked ?? "")), dirname(pathOf(folder, linked ?? "")));
  mkdirSync(dirname(pathOf(folder, piped ?? "")), { recursive: true });
  for (const path of [pathOf(folder, piped ?? ""), join(folder, "pack", "a.pack")]) execFileSync("mkfifo", [path]);
  writeFileSync(join(folder, "pack", "broken.pack"), "PACK");
  writeFileSync(join(folder, "info", "commit-graph"), "CGPH");
  cpSync(join(folder, "info"), join(folder, "aa"), { recursive: true });
  renameSync(join(folder, "aa", "commit-graph"), join(folder, "aa", "b".repeat(38)));
  const before = readdirSync(join(setting.mirror.dir, "objects"), { recursive: true });

  await takeNewObjects(setting.mirror.dir, folder);

  expect(readdirSync(join(setting.mirror.dir, "objects"), { recursive: true })).toEqual(before);
});

it("what could not be taken stays where it was, and is taken the next time", async () => {
  const setting = await makeWorktree();
  const { mirror } = setting;
  const folder = await layObjectsOf(mirror.dir, "run-1");
  const id = execFileSync("git", ["hash-object", "-w", "--stdin"], {
    input: "made\n",
    env: { ...process.env, GIT_DIR: mirror.dir, GIT_OBJECT_DIRECTORY: folder },
    encoding: "utf8",
  }).trim();
  // Where its folder is to be, a file lies.
  const place = join(mirror.dir, "objects", id.slice(0, 2));
  rmSync(place, { recursive: true, force: true });
  writeFileSync(place, "");

  await expect(takeLeftObjects(mirror.dir, "run-1")).rejects.toThrow();
  expect(knows(setting, id)).toBe(false);
  rmSync(place);
  await takeLeftObjects(mirror.dir, "run-1");

  expect(git(mirror.dir, "cat-file", "blob", id)).toBe("made");
  expect(readdirSync(dirname(mirror.dir))).not.toContain("mirror.rooms");
});
