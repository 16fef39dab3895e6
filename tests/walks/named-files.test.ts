import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testWorld, type TestWorld, valueOf } from "../fakes/deps.ts";

/** Files of this machine that people name in the terminal. */

let world: TestWorld;
let question: string;

beforeAll(async () => {
  world = await testWorld();
  await world.repository({ "a.txt": "a\n" });
  await world.command("goal", "add", "Colours", "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.work();
  const [open] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  question = open?.checkpointId ?? "";
});
afterAll(() => world.close());

async function reasonOf(...words: string[]): Promise<string> {
  const result = await world.command(...words);
  expect(result).toMatchObject({ type: "refused", next: expect.any(String) as string });
  return result.type === "refused" ? result.reason : "";
}

const reading: readonly (readonly [string, (file: string) => string[]])[] = [
  ["--from", (file) => ["goal", "add", "--from", file]],
  ["--from", (file) => ["campaign", "create", "--from", file]],
  ["--criteria", (file) => ["modify", question, "--criteria", file]],
];

describe("a file that somebody names", () => {
  it.each(reading)("is refused in plain words where it cannot be read by %s (%#)", async (option, words) => {
    const file = join(world.dataDir, "a-file");
    await writeFile(file, "");

    expect(await reasonOf(...words("/no/such"))).toBe(`${option} /no/such cannot be read: there is no such file`);
    expect(await reasonOf(...words(world.dataDir))).toBe(`${option} ${world.dataDir} cannot be read: it is a folder`);
    expect(await reasonOf(...words(join(file, "b")))).toContain("cannot be read: a part of its path is no folder");
  });

  it.each(reading)("is not read for ever where it has no end, by %s (%#)", async (option, words) => {
    expect(await reasonOf(...words("/dev/zero"))).toMatch(
      new RegExp(`^${option} /dev/zero cannot be read: it has more than \\d+ bytes$`),
    );
  });

  it("may be a criteria file without an end, which is refused like one that is too large", async () => {
    expect(await reasonOf("goal", "add", "x", "--criteria", "/dev/zero")).toMatch(
      /cannot be read: it has more than \d+ bytes$/,
    );
  });

  it("is refused in plain words where critics cannot read it", async () => {
    expect(await reasonOf("validate", "spec", "/no/such")).toBe("/no/such cannot be read: there is no such file");
  });

  it("is a folder that critics leave as soon as it has too many files", async () => {
    const folder = join(world.dataDir, "many");
    await mkdir(folder);
    for (let index = 0; index < 2_100; index += 1) await writeFile(join(folder, `${index}.txt`), "");

    expect(await reasonOf("validate", "code", folder)).toBe(
      `${folder} has more than 2000 files, the most that are read`,
    );
  });

  it("is refused in plain words where it cannot be written", async () => {
    expect(await reasonOf("weekly", "--png", "/no/such/week.png")).toBe(
      "--png /no/such/week.png cannot be written: its folder is not there",
    );
    expect(await reasonOf("weekly", "--png", world.dataDir)).toContain("cannot be written: it is a folder");
  });
});

describe("a list of goals", () => {
  it.each([
    ["--tag", ["--tag", "ui"]],
    ["--cost, --unplanned", ["--cost", "9", "--unplanned"]],
    ["--done-when", ["--done-when", "npm test"]],
    ["TEXT", ["All of these"]],
  ])("says itself what holds for each goal: %s beside it is refused, and nothing is added", async (named, words) => {
    const file = join(world.dataDir, "goals.yaml");
    await writeFile(file, "- text: One\n  run: echo one > one.txt\n");
    const before = valueOf<unknown[]>(await world.command("goals")).length;

    const asked = await reasonOf("goal", "add", "--from", file, ...words).catch(String);
    expect(asked).toContain(`--from FILE and ${named} cannot be combined`);
    expect(valueOf<unknown[]>(await world.command("goals"))).toHaveLength(before);
    expect(await world.command("goal", "add", "--from", file, "--repo", "nowhere")).toMatchObject({
      reason: 'no repository is called "nowhere"',
    });
  });
});

it("a setting that names no repository is named itself, with what makes one known", async () => {
  const misled = await testWorld({ environment: { COS_REPO: "/here/shop" } });
  try {
    const reason = 'COS_REPO names "/here/shop", and no repository is called that';
    expect(await misled.command("goal", "add", "x")).toMatchObject({ reason, next: "cos repo add PATH" });
    await misled.repository();
    expect(await misled.command("goal", "add", "x")).toMatchObject({ reason, next: "cos repo list" });
  } finally {
    await misled.close();
  }
});

it("the colours of a chart that is not drawn are refused", async () => {
  await expect(world.command("weekly", "--dark")).rejects.toThrow("--dark needs --png FILE: it is about the chart");
});

describe("what is not there", () => {
  it("is refused where a list is asked of it alone, and no other's is shown", async () => {
    expect(await reasonOf("worklog", "list", "--goal", "goal-00000000")).toBe("Goal not found: goal-00000000");
    expect(await reasonOf("autopilot", "status", "--repo", "nowhere")).toBe('no repository is called "nowhere"');

    const other = await world.repository({ "b.txt": "b\n" });
    const all = valueOf<{ name: string; path: string }[]>(await world.command("repo", "list"));
    const { name } = all.find((each) => each.path === other) ?? { name: "" };
    expect(valueOf(await world.command("autopilot", "status", "--repo", name))).toEqual({ sessions: [] });
  });
});
