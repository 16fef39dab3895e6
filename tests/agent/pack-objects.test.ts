import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { packObjects } from "../../src/agent/git/pack-objects.ts";
import { git } from "../../src/agent/git/git.ts";
import { gitIn } from "../fakes/repository.ts";

/** Many small objects become a pack, and none of them goes, whether a ref leads to it or not. */

let folder: string;
let bare: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-pack-"));
  bare = join(folder, "mirror.git");
  await gitIn(folder, "init", "--quiet", "--bare", bare);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Objects that nothing leads to, a file each. */
async function layLoose(count: number, from = 0): Promise<string[]> {
  const paths: string[] = [];
  for (let index = from; index < from + count; index += 1) {
    const path = join(folder, `f${index}`);
    await writeFile(path, `content ${index}\n`);
    paths.push(path);
  }
  const input = `${paths.join("\n")}\n`;
  const written = await git(["hash-object", "-w", "--stdin-paths"], { cwd: bare, configuration: "ours", input });
  return written.trim().split("\n");
}

async function counted(): Promise<{ readonly loose: number; readonly packs: number; readonly packed: number }> {
  const said = await gitIn(bare, "count-objects", "-v");
  const number = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(said)?.[1]);
  return { loose: number("count"), packs: number("packs"), packed: number("in-pack") };
}

it("packs what nothing leads to as well, and leaves few objects alone", async () => {
  const few = await layLoose(1_000);
  expect(await packObjects(bare)).toBe(false);
  expect(await counted()).toEqual({ loose: 1_000, packs: 0, packed: 0 });

  const more = await layLoose(1_100, 1_000);
  expect(await packObjects(bare)).toBe(true);

  expect(await counted()).toEqual({ loose: 0, packs: 1, packed: 2_100 });
  const input = `${[...few, ...more].join("\n")}\n`;
  const asked = await git(["cat-file", "--batch-check"], { cwd: bare, configuration: "ours", input });
  expect(asked).not.toContain("missing");
});

it("makes one pack of many small ones, beside a large one, though a ref leads nowhere", async () => {
  await layLoose(2_100);
  expect(await packObjects(bare)).toBe(true);
  for (let index = 0; index < 21; index += 1) {
    const input = (await layLoose(1, 3_000 + index)).join("\n");
    await git(["pack-objects", "-q", join(bare, "objects/pack/pack")], { cwd: bare, configuration: "ours", input });
  }
  await gitIn(bare, "prune-packed", "-q");
  await writeFile(join(bare, "refs/heads/lost"), `${"1".repeat(40)}\n`);
  expect(await counted()).toEqual({ loose: 0, packs: 22, packed: 2_121 });

  expect(await packObjects(bare)).toBe(true);

  expect(await counted()).toEqual({ loose: 0, packs: 2, packed: 2_121 });
  expect((await readdir(join(bare, "objects/pack"))).filter((name) => name.startsWith("tmp_"))).toEqual([]);
});

it("is not tried again at once where git comes to no end", async () => {
  for (let index = 0; index < 21; index += 1) await writeFile(join(bare, "objects/pack", `${index}.pack`), "no pack");
  await rm(join(bare, "HEAD"));

  await expect(packObjects(bare)).rejects.toThrow("git repack failed");

  expect(await packObjects(bare)).toBe(false);
});
