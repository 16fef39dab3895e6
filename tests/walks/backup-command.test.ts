import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cos, environmentOf, eventually, type Place, projectDir, startBot } from "../fakes/bot.ts";
import { emptyDatabase, freshDatabase, type FreshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";

/** `cos backup` and `cos restore` as programs: beside a bot that runs, on a disk that is full, called by an agent. */

const run = promisify(execFile);

let folder: string;
let database: FreshDatabase;
let empty: FreshDatabase;
let here: Place;
let there: Place;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-backup-"));
  [database, empty] = [await freshDatabase(), await emptyDatabase()];
  here = { databaseUrl: database.url, dataDir: join(folder, "here") };
  there = { databaseUrl: empty.url, dataDir: join(folder, "there") };
});
afterEach(async () => {
  await database.drop();
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, "backup.tar.gz");

interface Refusal {
  readonly refused: { readonly reason: string; readonly next: string };
}

it("[F-606] a backup is made while the bot works; it is restored only where no bot runs", async () => {
  const path = await makeRepository(join(folder, "shop"), { "README.md": "A shop.\n" });
  await cos(here, "repo", "add", path, "--setup", "");
  await cos(here, "goal", "add", "Write it", "--run", "echo a > a.txt");
  const bot = await startBot(here);
  try {
    expect(await cos(here, "backup", file())).toMatchObject({ code: 0 });
    const again = await cos(here, "backup", file());
    expect([again.code, again.json<Refusal>().refused.reason]).toEqual([1, `${file()} is there already`]);
    const mixed = await cos({ ...here, dataDir: there.dataDir }, "restore", file());
    expect([mixed.code, mixed.json<Refusal>().refused.reason]).toEqual([
      1,
      expect.stringContaining("a bot or worker runs with PostgreSQL at"),
    ]);
  } finally {
    bot.kill("SIGTERM");
    await bot.exited;
  }

  const restored = await cos(there, "restore", file());

  expect(restored.json<{ missing: unknown[] }>().missing).toEqual([]);
  const goals = (await cos(there, "goals")).json<{ content: string }[]>();
  expect(goals.map(({ content }) => content)).toEqual(["Write it"]);
});

it("[F-606] a restore that is killed at any moment is finished by the same command, given again", async () => {
  const path = await makeRepository(join(folder, "shop"), { "README.md": "A shop.\n" });
  await cos(here, "repo", "add", path, "--setup", "");
  for (const name of ["a", "b", "c"])
    await cos(here, "goal", "add", `Write ${name}`, "--run", `echo ${name} > ${name}.txt`);
  await mkdir(join(here.dataDir, "keys"), { recursive: true });
  await writeFile(join(here.dataDir, "keys", "repo-1"), "a key\n", { mode: 0o600 });
  expect(await cos(here, "backup", file())).toMatchObject({ code: 0 });

  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "",
    COS_DATA_DIR: there.dataDir,
    DATABASE_URL: there.databaseUrl,
    COS_TIMEZONE: "UTC",
  };
  const words = [join(projectDir, "bin/cos.mjs"), "restore", file(), "--json"];
  for (const timeout of [500, 900, 1300, 1700, 2200, 2800])
    await run(process.execPath, words, { env, timeout, killSignal: "SIGKILL" }).catch(() => null);

  const last = await cos(there, "restore", file());
  // One of those that were to be killed may have come to its end before.
  if (last.code !== 0) expect(last.json<Refusal>().refused.reason).toContain("is not empty: it has");
  expect(await readFile(join(there.dataDir, "keys", "repo-1"), "utf8")).toBe("a key\n");
  const goals = (await cos(there, "goals")).json<{ content: string }[]>().map(({ content }) => content);
  expect(goals.toSorted()).toEqual(["Write a", "Write b", "Write c"]);
  // Nothing stands in the way of a bot.
  const bot = await startBot(there);
  bot.kill("SIGTERM");
  await bot.exited;
  expect(await readdir(there.dataDir)).not.toContain(".restoring");
});

it("a backup is made of a database that takes no changes, such as a standby", async () => {
  await cos(here, "goals");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select current_database() as name");
  await client.query(`alter database "${rows[0]?.name}" set default_transaction_read_only = on`);
  await client.end();

  expect(await cos(here, "backup", file())).toMatchObject({ code: 0, stderr: "" });
});

it("a backup that is told to end leaves nothing of its own behind, and the next one removes what a killed one left [F-606]", async () => {
  await cos(here, "goals");
  const kept = join(folder, "kept");
  await mkdir(kept);
  const writing = async (name: string, signal: NodeJS.Signals): Promise<number | null> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("begin; lock table cos.goals in access exclusive mode");
    const words = [join(projectDir, "bin/cos.mjs"), "backup", join(kept, name)];
    const child = spawn(process.execPath, words, { env: environmentOf(here), stdio: "ignore" });
    const code = new Promise<number | null>((resolve) => child.once("exit", resolve));
    // Rows are counted before its other file is there.
    await eventually("it is being written", async () => (await readdir(kept)).length > 0);
    await writeFile(join(kept, `${name}.0123abcd.partial`), "half", { mode: 0 });
    child.kill(signal);
    await client.end();
    return await code;
  };

  expect(await writing("monday.gz", "SIGTERM")).toBe(143);
  // Of another backup with the same name, which may still be written.
  expect(await readdir(kept)).toEqual(["monday.gz.0123abcd.partial"]);
  await rm(join(kept, "monday.gz.0123abcd.partial"));

  await writing("tuesday.gz", "SIGKILL");
  const left = await readdir(kept);
  expect(left.filter((name) => name.startsWith("."))).toHaveLength(1);
  expect(left).toHaveLength(2);
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60_000);
  for (const name of left) await utimes(join(kept, name), longAgo, longAgo);
  await writeFile(join(kept, ".notes-abcdef"), "mine");
  expect(await cos(here, "backup", join(kept, "friday.gz"))).toMatchObject({ code: 0 });
  expect(await readdir(kept)).toEqual([".notes-abcdef", "friday.gz"]);
});

it("an agent gets none: neither file nor secret", async () => {
  const marked = { ...here, environment: { COS_RUN: "run-1" } };

  const refused = await cos(marked, "backup", file());

  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("refused")]);
  await expect(access(file())).rejects.toThrow();
  expect((await cos(marked, "restore", file())).json<Refusal>().refused.reason).not.toContain("is not there");
});

it.each([
  [["backup"], "FILE is missing"],
  [["restore", "a", "b"], "one FILE is expected"],
  [["restore", "--force", "a"], "--force"],
])("%j is wrong usage", async (words, said) => {
  const wrong = await cos(here, ...words);

  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(said)]);
});

/** A disk of so many kilobytes, seen by one command only; not every machine lets its users mount one. */
const onSmallDisk = (kilobytes: number, at: string, words: readonly string[]): string[] => [
  "-Urm",
  "sh",
  "-c",
  `mount -t tmpfs -o size=${kilobytes}k none "$0" && "$@"; code=$?; ls -A "$0" >&2; exit $code`,
  at,
  process.execPath,
  join(projectDir, "bin/cos.mjs"),
  ...words,
];
const canMount = ((): boolean => {
  try {
    execFileSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!canMount)("on a full disk nothing is left of either, and the words say so", async () => {
  await mkdir(join(here.dataDir, "output", "run-1"), { recursive: true });
  await writeFile(join(here.dataDir, "output", "run-1", "1-check.txt"), randomBytes(2_000_000));
  const small = join(folder, "small");
  await mkdir(small);
  const called = async (place: Place, at: string, ...words: string[]) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      DATABASE_URL: place.databaseUrl,
      COS_DATA_DIR: place.dataDir,
    };
    return await run("unshare", onSmallDisk(500, at, words), { env }).then(
      () => "done",
      (error: { stderr: string }) => error.stderr,
    );
  };

  const backup = await called(here, small, "backup", join(small, "backup.tar.gz"));
  expect(backup).toMatch(/^there is no space left: .*\nnext: free some, or name another disk\n$/);
  await cos(here, "backup", file());
  const restore = await called({ ...there, dataDir: small }, small, "restore", file());
  expect(restore).toMatch(/^there is no space left: .*Nothing was restored\nnext: .*\n$/);

  expect((await cos(there, "restore", file())).code).toBe(0);
  expect(await readdir(join(there.dataDir, "output"))).toEqual(["run-1"]);
  expect((await readFile(join(there.dataDir, "output/run-1/1-check.txt"))).length).toBe(2_000_000);
});
