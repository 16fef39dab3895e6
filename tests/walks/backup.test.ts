import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readlinkSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { hiddenMounts } from "../../src/agent/place/hidden.ts";
import { makeBackup } from "../../src/backup/backup.ts";
import { openBackup, restoreBackup, type RestoreOutcome } from "../../src/backup/restore.ts";
import { dropClient, openDatabaseClient } from "../../src/db/connection/connections.ts";
import { knownMigrations, lockMigrations, migrateUntil } from "../../src/db/connection/migrate.ts";
import { restoreUnfinished } from "../../src/core/backups/restore.ts";
import { restoredLines } from "../../src/core/cards/backup-words.ts";
import type { Finding } from "../../src/core/reports/finding.ts";
import { prunedFileOf } from "../../src/paths.ts";
import { cos, eventually, startBot } from "../fakes/bot.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** A backup that is taken in the middle of a session, and what becomes of it on an empty machine. */

const run = promisify(execFile);

let folder: string;
let path: string;
let world: TestWorld;
let empty: FreshDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-backup-"));
  path = await makeRepository(join(folder, "shop"), { "README.md": "A shop.\n" });
  world = await testWorld();
  empty = await emptyDatabase();
  valueOf(await world.command("repo", "add", path, "--setup", ""));
});
afterEach(async () => {
  await world.close();
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, "backup.tar.gz");
const restoredDir = (): string => join(folder, "restored");
const settings = "COS_TIMEZONE=Europe/Berlin\n";

async function backup(to = file()): ReturnType<typeof makeBackup> {
  const settingsFile = join(folder, "settings-there");
  await writeFile(settingsFile, settings);
  const { database, config, now } = world.deps;
  return await makeBackup(
    { database, config, now, databaseUrl: world.databaseUrl, settingsFile, version: "1.2.3" },
    to,
  );
}

async function restore(from = file(), databaseUrl = empty.url): Promise<RestoreOutcome> {
  const opened = await openBackup(from);
  if (opened.type === "refused") return opened;
  return await restoreBackup(opened, {
    config: { dataDir: restoredDir() },
    databaseUrl,
    description: "PostgreSQL at there",
    settingsFile: join(folder, "settings-here"),
  });
}

/** Ends where the settings are to be written: after the commit. */
async function restoreUntilSettings(dataDir: string): Promise<void> {
  const opened = await openBackup(file());
  if (opened.type === "refused") throw new Error(opened.reason);
  await writeFile(join(folder, "no-folder"), "");
  const there = { config: { dataDir }, databaseUrl: empty.url, description: "PostgreSQL at there" };
  await expect(
    restoreBackup(opened, { ...there, settingsFile: join(folder, "no-folder", "settings") }),
  ).rejects.toThrow();
}

/** A bot on what was restored: another database, another data directory, nothing else. */
async function elsewhere(): Promise<TestWorld> {
  return await testWorld({ through: async () => empty.url, environment: { COS_DATA_DIR: restoredDir() } });
}

async function add(name: string, ...options: string[]): Promise<string> {
  const command = `echo ${name} >> "${join(folder, "ran")}"; echo ${name} > ${name}.txt`;
  const added = await world.command("goal", "add", `Write ${name}`, "--repo", path, "--run", command, ...options);
  return valueOf<{ goalId: string }>(added).goalId;
}

const ran = async (): Promise<string[]> => (await readFile(join(folder, "ran"), "utf8")).trim().split("\n").toSorted();

const hasEnded = async (work: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([work, Promise.resolve("goes on")])) !== "goes on";

async function statusOf(at: TestWorld, goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await at.command("goal", "show", goalId)).status;
}

const questions = async (at: TestWorld) => valueOf<{ checkpointId: string }[]>(await at.command("checkpoints"));

async function subjects(at: TestWorld, condition: string): Promise<string[]> {
  const { rows } = await at.deps.database.pool.query<{ subject: string }>(
    `select subject from cos.messages where ${condition}`,
  );
  return rows.map(({ subject }) => subject);
}

/** A session with a goal that is done, one that asks, one on top of it, and one that is parked. */
async function halfWay(): Promise<Record<"done" | "asks" | "follows", string>> {
  const done = await add("one");
  const asks = await add("two", "--tag", "ui");
  const follows = await add("three", "--after", asks);
  valueOf(await world.command("autopilot", "start"));
  // What has happened until now was read into the memory of past runs; what comes now was not.
  await world.tick();
  await world.work();
  await world.deliver();
  return { done, asks, follows };
}

describe("a backup of a session that is half-way", () => {
  it("[F-606] restored on an empty machine: the session goes on, and nothing of before is asked, said or run again", async () => {
    const { done, asks, follows } = await halfWay();
    await mkdir(join(world.dataDir, "keys"));
    await writeFile(join(world.dataDir, "keys", "repo-1"), "a key\n", { mode: 0o600 });
    expect([await statusOf(world, done), await ran(), (await questions(world)).length]).toEqual([
      "complete",
      ["one"],
      1,
    ]);
    // A server that has counted many more transactions than the one on which it is restored.
    await world.deps.database.pool.query("alter table cos.timeline disable trigger user");
    for (const table of ["timeline", "readers"])
      await world.deps.database.pool.query(
        `update cos.${table} set xid = (xid::text::bigint + 4000000000)::text::xid8`,
      );

    const written = await backup();
    expect(written).toMatchObject({ type: "written", backedUp: { bundles: 1, hasSettings: true } });
    expect(await restore()).toMatchObject({ type: "restored", restored: { settings: "written", missing: [] } });

    const there = await elsewhere();
    try {
      const [shown, wantedAtOnce] = [await subjects(world, "not is_wanting"), await subjects(there, "is_wanting")];
      await there.tick();
      const wanted = await subjects(there, "is_wanting");
      expect([shown.length > 3, wantedAtOnce, wanted.filter((each) => shown.includes(each))]).toEqual([true, [], []]);
      expect((await questions(there)).length).toBe(1);
      expect(await statusOf(there, done)).toBe("complete");
      expect(valueOf<{ patch: string }>(await there.command("diff", done)).patch).toContain("+one");
      expect(await readFile(join(folder, "settings-here"), "utf8")).toBe(settings);
      expect(await readFile(join(restoredDir(), "keys", "repo-1"), "utf8")).toBe("a key\n");
      const episodes = async () => valueOf<unknown[]>(await there.command("episodes")).length;
      const before = await episodes();

      const [question] = await questions(there);
      valueOf(await there.command("answer", question?.checkpointId ?? "", "Proceed"));
      await there.work();
      there.advance(60_000);
      await there.work();
      await there.tick();

      expect(await Promise.all([done, asks, follows].map((id) => statusOf(there, id)))).toEqual([
        "complete",
        "complete",
        "complete",
      ]);
      expect(await ran()).toEqual(["one", "three", "two"]);
      expect([before, await episodes()]).toEqual([1, 3]);
      valueOf(await there.command("goal", "merge", done));
      there.advance(60_000);
      await there.tick();
      expect(await gitIn(path, "show", "main:one.txt")).toBe("one");
    } finally {
      await there.close();
    }
  });

  it("is of one moment, while goals come and are worked", async () => {
    await halfWay();
    const coming = (async () => {
      for (let number = 0; number < 5; number += 1) await add(`more-${number}`);
      await world.work();
    })();

    const written = await backup();
    await coming;

    expect(written.type).toBe("written");
    // Every key among the rows is checked again when they come.
    expect((await restore()).type).toBe("restored");
  });

  it("of a repository whose folder is a shallow clone comes back whole, also where git cannot read its history", async () => {
    const shallow = join(folder, "shallow");
    await gitIn(path, "commit", "--quiet", "--allow-empty", "-m", "Later");
    await gitIn(folder, "clone", "--quiet", "--depth", "1", `file://${path}`, shallow);
    const id = valueOf<{ repositoryId: string }>(
      await world.command("repo", "add", shallow, "--name", "cut", "--setup", ""),
    ).repositoryId;
    const added = await world.command("goal", "add", "Write x", "--repo", shallow, "--run", "echo x > x.txt");
    const { goalId } = valueOf<{ goalId: string }>(added);
    valueOf(await world.command("autopilot", "start"));
    await world.work();
    expect(await statusOf(world, goalId)).toBe("complete");

    expect(await backup()).toMatchObject({ type: "written" });
    expect(await restore()).toMatchObject({ type: "restored", restored: { unread: [] } });
    const there = join(restoredDir(), "mirrors", `${id}.git`);
    expect(await gitIn(there, "log", "--all", "--format=%s")).toContain("Write x");

    // As backups of before are: they do not say where history is cut.
    const out = join(folder, "out");
    await mkdir(out);
    await run("tar", ["-xzf", file(), "-C", out]);
    const sums = await readFile(join(out, "SHA256SUMS"), "utf8");
    await writeFile(join(out, "SHA256SUMS"), sums.replace(/.*\.shallow\n/, ""));
    const order = (await run("tar", ["-tzf", file()])).stdout.trim().split("\n");
    const before = join(folder, "before.tar.gz");
    await run("tar", ["-czf", before, "-C", out, ...order.filter((name) => !name.endsWith(".shallow"))]);
    await rm(restoredDir(), { recursive: true });
    const other = await emptyDatabase();
    onTestFinished(() => other.drop());
    expect(await restore(before, other.url)).toMatchObject({ type: "restored", restored: { unread: ["cut"] } });
    expect(existsSync(there)).toBe(false);
  });

  it("is hidden from rooms where it is written, alone or beside other files, and so is what comes there", async () => {
    const own = join(folder, "backups");
    await mkdir(own);
    expect([(await backup()).type, (await backup(join(own, "b"))).type]).toEqual(["written", "written"]);
    await writeFile(join(folder, "note"), "");

    const ours = { dataDir: world.dataDir, hidden: [], seen: [] };
    const hidden = hiddenMounts(ours, [{ type: "read", from: "/", at: "/" }]);
    expect(hidden).toContainEqual({ type: "read", from: "/dev/null", at: file() });
    expect(hidden).toContainEqual({ type: "empty", at: own });
  });

  it("is read by tar and sha256sum, by its owner only", async () => {
    await halfWay();
    await backup();
    const out = join(folder, "out");
    await mkdir(out);

    await run("tar", ["-xzf", file(), "-C", out]);

    expect((await run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: out })).stdout).toBe("");
    expect((await readFile(join(out, "database", "goals.copy"), "utf8")).match(/\n/g)).toHaveLength(3);
    const bundles = (await run("sh", ["-c", "ls git/mirrors"], { cwd: out })).stdout.trim();
    await gitIn(folder, "clone", "--quiet", "--mirror", join(out, "git", "mirrors", bundles), "cloned.git");
    expect(await gitIn(join(folder, "cloned.git"), "for-each-ref", "--format=%(refname)", "refs/heads")).toContain(
      "cos/",
    );
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });
});

it("a backup is written while kept files go, come again, and are shorter than before", async () => {
  await halfWay();
  const output = join(world.dataDir, "output");
  // Its own process, so that it changes files at any moment of a backup.
  const churn = `const { mkdirSync, rmSync, truncateSync, writeFileSync } = require("node:fs");
    console.log("begun");
    for (let round = 0; ; round += 1)
      for (let run = 0; run < 20; run += 1) {
        const folder = \`\${process.argv[1]}/churn-\${run}/part\`;
        mkdirSync(folder, { recursive: true });
        writeFileSync(\`\${folder}/1-check.txt\`, Buffer.alloc(300_000, round));
        truncateSync(\`\${folder}/1-check.txt\`, 10);
        if (round % 2 === 0) rmSync(\`\${process.argv[1]}/churn-\${run}\`, { recursive: true });
      }`;
  await mkdir(join(output, "run-kept"), { recursive: true });
  await writeFile(join(output, "run-kept", "1-check.txt"), "kept\n");
  const churning = spawn(process.execPath, ["-e", churn, output], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(churning.stdout, "data");
    for (const number of [1, 2, 3, 4, 5]) {
      const to = join(folder, `backup-${number}.tar.gz`);
      expect(await backup(to)).toMatchObject({ type: "written" });
      expect((await run("tar", ["-tzf", to])).stdout).toContain("data/output/run-kept/1-check.txt");
    }
  } finally {
    churning.kill("SIGKILL");
  }
});

describe("a backup is refused", () => {
  it("where something is already, and where there is no folder", async () => {
    await writeFile(file(), "mine");
    expect(await backup()).toMatchObject({ type: "refused", reason: `${file()} is there already` });
    expect(await readFile(file(), "utf8")).toBe("mine");
    expect(await backup(join(folder, "nowhere", "b"))).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("no folder"),
    });
  });
});

describe("a restore is refused, and nothing is there afterwards", () => {
  const reasonOf = (outcome: RestoreOutcome): string => (outcome.type === "refused" ? outcome.reason : "restored");

  async function nothingThere(): Promise<void> {
    const found = await run("sh", ["-c", `ls -A "${restoredDir()}" 2>/dev/null || true`]);
    expect(found.stdout).toBe("");
    expect((await restoreState()).rows).toEqual([]);
  }
  async function restoreState() {
    const there = await testWorld({ through: async () => empty.url });
    try {
      return await there.deps.database.pool.query("select 1 from pg_tables where schemaname = 'cos'");
    } finally {
      await there.close();
    }
  }

  it("for a file that is none, is not whole, or was changed", async () => {
    await halfWay();
    await backup();
    const whole = await readFile(file());
    const other = join(folder, "other.tar.gz");
    const tried = async (bytes: Uint8Array | string) => {
      await writeFile(other, bytes);
      return reasonOf(await restore(other)).replace(`${other}: `, "");
    };

    expect(reasonOf(await restore(join(folder, "no-such-file")))).toContain("it is not there");
    expect(reasonOf(await restore(folder))).toContain("cannot be read");
    expect(await tried("")).toMatch(/no end|no backup/);
    expect(await tried("a text\n")).toContain("it is no backup");
    for (const part of [0.3, 0.9]) expect(await tried(whole.subarray(0, whole.length * part))).toContain("cut off");
    expect(await tried(whole.subarray(0, whole.length - 4))).toContain("cut off");
    const changed = Buffer.from(whole);
    changed[Math.floor(changed.length / 2)] = (changed[Math.floor(changed.length / 2)] ?? 0) ^ 0xff;
    expect(await tried(changed)).toMatch(/damaged|changed|cut off/);
    await nothingThere();
  });

  it("for what somebody made who means harm", async () => {
    await halfWay();
    await backup();
    const out = join(folder, "out");
    await mkdir(out);
    await run("tar", ["-xzf", file(), "-C", out]);
    const order = (await run("tar", ["-tzf", file()])).stdout.trim().split("\n");
    const packed = async (names: readonly string[], ...options: string[]) => {
      const made = join(folder, "made.tar.gz");
      await run("tar", ["-czf", made, ...options, "-C", out, ...names]);
      return reasonOf(await restore(made));
    };
    const head = ["manifest.json", "settings.env"];

    await run("ln", ["-s", "/etc/passwd", join(out, "data", "output", "link")]);
    expect(await packed([...head, "data/output/link", ...order.slice(2)])).toContain("no part of a backup");
    await run("cp", [join(out, "settings.env"), join(out, "extra")]);
    expect(
      await packed([...head, "extra", ...order.slice(2)], "--transform", "s,^extra,data/output/../../../evil,"),
    ).toContain("no part of a backup");
    expect(await packed([...head, ...order.slice(2, -2), "SHA256SUMS"])).toContain("changed since it was made");
    expect(await packed(order.slice(0, -1))).toContain("SHA256SUMS is missing");
    await appendFile(join(out, "database", "goals.copy"), "\n");
    expect(await packed(order)).toContain("database/goals.copy is not what its sum says");
    const manifest = await readFile(join(out, "manifest.json"), "utf8");
    const otherDigit = (digit: string) => (digit === "0" ? "1" : "0");
    for (const [from, to, said] of [
      ['"version": 1', '"version": 2', "format 2"],
      ['"name": "goals"', '"name": "goals; drop table x"', "not that of a backup"],
      [/"count": \d+/, '"count": 900', "another version"],
      [/(?<="lastHash": ")[0-9a-f]/, otherDigit, "another version"],
    ] as const) {
      await writeFile(
        join(out, "manifest.json"),
        manifest.replace(from, (found) => (typeof to === "string" ? to : to(found))),
      );
      expect(await packed(order)).toContain(said);
    }
    await nothingThere();
  });

  it("and what one that was killed has left is no hindrance", async () => {
    await halfWay();
    await backup();
    await mkdir(join(restoredDir(), ".restoring", "data", "output", "run-half"), { recursive: true });

    expect(await restore()).toMatchObject({ type: "restored" });
    expect((await run("ls", ["-A", restoredDir()])).stdout.split("\n")).not.toContain(".restoring");
    expect((await run("ls", [join(restoredDir(), "output")])).stdout).not.toContain("run-half");
  });

  it("[F-606] a data directory that was used since one was killed there is not replaced, whatever the database", async () => {
    await halfWay();
    await backup();
    await mkdir(join(restoredDir(), ".restoring", "database"), { recursive: true });
    await mkdir(join(restoredDir(), "keys"));
    await writeFile(join(restoredDir(), "keys", "mine"), "a key\n");
    expect(reasonOf(await restore())).toMatch(/data directory .* is not empty: keys/);

    // Nor where the rows of this backup are in the database already.
    await rm(join(restoredDir(), "keys"), { recursive: true });
    await restoreUntilSettings(join(folder, "other"));
    await mkdir(join(restoredDir(), "keys"));
    await writeFile(join(restoredDir(), "keys", "mine"), "a key\n");
    expect(reasonOf(await restore())).toMatch(/data directory .* is not empty: keys/);
    expect(await readFile(join(restoredDir(), "keys", "mine"), "utf8")).toBe("a key\n");
  });

  it("what one that was killed has left is named by doctor, with what to do", async () => {
    const left = join(restoredDir(), ".restoring");
    await mkdir(left, { recursive: true });

    const findings = (await cos({ databaseUrl: empty.url, dataDir: restoredDir() }, "doctor")).json<Finding[]>();
    expect(findings).toContainEqual(
      expect.objectContaining({ ok: false, says: expect.stringContaining(`has left ${left}, with keys and tokens`) }),
    );
  });

  it("while another one into the same data directory is at work, whatever its database", async () => {
    await halfWay();
    await backup();
    const other = await emptyDatabase();
    onTestFinished(() => other.drop());

    const both = await Promise.all([restore(), restore(file(), other.url)]);

    expect(both.map(reasonOf).toSorted()).toEqual([
      expect.stringContaining(`another restore into the data directory ${restoredDir()} is at work`),
      "restored",
    ]);
  });

  it("says that files lie unpacked when they are on the disk, and ends when they are in their places there", async () => {
    await halfWay();
    await mkdir(join(world.deps.config.dataDir, "keys"), { recursive: true });
    await writeFile(join(world.deps.config.dataDir, "keys", "repo-1"), "a key\n");
    await backup();
    const handle = await open(file());
    const synced: { readonly path: string; readonly isSaid: boolean }[] = [];
    const real = Reflect.get(Object.getPrototypeOf(handle), "sync");
    const spied = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(function (this: typeof handle) {
      const path = readlinkSync(`/proc/self/fd/${this.fd}`);
      synced.push({ path, isSaid: existsSync(join(restoredDir(), ".restoring", "unpacked")) });
      return Reflect.apply(real, this, []);
    });
    await handle.close();

    expect(await restore()).toMatchObject({ type: "restored" });
    spied.mockRestore();
    const before = synced.filter(({ isSaid }) => !isSaid).map(({ path }) => path);
    expect(before).toEqual(
      expect.arrayContaining(
        ["data/keys/repo-1", "database/goals.copy", "data/keys", ""].map((name) =>
          join(restoredDir(), ".restoring", name),
        ),
      ),
    );
    expect(synced).toContainEqual({ path: restoredDir(), isSaid: true });
  });

  it("and work that comes while one unpacks stays", async () => {
    await halfWay();
    await backup();
    const first = await openDatabaseClient({ url: empty.url, onError: () => undefined, longestStatementMs: null });
    await lockMigrations(first);
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";

    const restoring = restore();
    await eventually(
      "the restore",
      async () => (await first.query(waiting)).rowCount === 1 || (await hasEnded(restoring)),
    );
    await migrateUntil(first, knownMigrations().length);
    const beside = await elsewhere();
    try {
      valueOf(await beside.command("repo", "add", path, "--setup", ""));
      dropClient(first);

      expect(reasonOf(await restoring)).toMatch(/not empty: it has repositories \(1\)/);
      expect(valueOf<unknown[]>(await beside.command("repo", "list"))).toHaveLength(1);
    } finally {
      await beside.close();
    }
  });

  it("while another one into the same database is at work", async () => {
    await halfWay();
    await backup();

    const both = await Promise.all([restore(), restore()]);

    expect(both.map(reasonOf).toSorted()).toEqual([
      expect.stringContaining("another restore into PostgreSQL at there"),
      "restored",
    ]);
  });

  it("[F-606] one that was ended after its rows were there goes on with the same file, also where the files are lost", async () => {
    const { done } = await halfWay();
    await backup();
    await restoreUntilSettings(restoredDir());

    // A bot is not started on it, doctor says so, another file is not mixed with it.
    const place = { databaseUrl: empty.url, dataDir: restoredDir() };
    await expect(startBot(place)).rejects.toThrow(/was not finished.*cos restore once more/s);
    const unfinished = expect.objectContaining({ name: "restore", ok: false, says: restoreUnfinished });
    const findings = async () => (await cos(place, "doctor")).json<Finding[]>();
    expect(await findings()).toContainEqual(unfinished);
    await add("later");
    const other = join(folder, "other.tar.gz");
    expect(await backup(other)).toMatchObject({ type: "written" });
    expect(reasonOf(await restore(other))).toContain("rows of another backup");

    await rm(restoredDir(), { recursive: true });
    expect(await restore()).toMatchObject({ type: "restored", restored: { settings: "written" } });
    expect(await findings()).not.toContainEqual(expect.objectContaining({ name: "restore" }));
    expect(reasonOf(await restore())).toContain("not empty");
    const begun = await elsewhere();
    try {
      expect(await statusOf(begun, done)).toBe("complete");
      expect((await run("ls", [join(restoredDir(), "mirrors")])).stdout).toContain(".git");
    } finally {
      await begun.close();
    }
  });

  it("a commit whose branch was put elsewhere after the rows were read is in it [F-606]", async () => {
    const { done } = await halfWay();
    const asked =
      "select r.head_commit as commit, g.repository_id as id from cos.goals g join cos.runs r using (run_id) where g.goal_id = $1";
    const { rows } = await world.deps.database.pool.query<{ commit: string; id: string }>(asked, [done]);
    const [{ commit, id } = { commit: "", id: "" }] = rows;
    const mirror = join(world.dataDir, "mirrors", `${id}.git`);
    const named = await gitIn(mirror, "for-each-ref", "--contains", commit, "--format=%(refname)");
    for (const ref of named.split("\n").filter((each) => each !== "")) await gitIn(mirror, "update-ref", "-d", ref);

    await backup();
    expect(await gitIn(mirror, "for-each-ref", "refs/cos/backup")).toBe("");
    expect(await restore()).toMatchObject({ type: "restored" });
    const there = join(restoredDir(), "mirrors", `${id}.git`);
    expect(await gitIn(there, "cat-file", "-t", commit)).toBe("commit");
  });

  it("not where a bot ran that had nothing to do", async () => {
    await halfWay();
    await writeFile(join(world.dataDir, "console-token"), "token-of-before\n");
    await backup();
    const bot = await startBot({ databaseUrl: empty.url, dataDir: restoredDir() });
    await eventually("it has looked what may go", async () => existsSync(prunedFileOf(restoredDir())));
    bot.kill("SIGTERM");
    await bot.exited;

    // The one that the bot there has made gives way, since people's sessions in the console belong to that of the backup, and that is said.
    const token = join(restoredDir(), "console-token");
    expect((await readFile(token, "utf8")).trim()).not.toBe("token-of-before");
    const restored = await restore();
    expect(restored).toMatchObject({ type: "restored", restored: { replaced: ["console-token"] } });
    expect((await readFile(token, "utf8")).trim()).toBe("token-of-before");
    if (restored.type === "restored")
      expect(restoredLines(restored.restored)).toContain(
        "  replaced: console-token is that of the backup; the one that was here is not valid any more",
      );
  });

  it("for a file where a folder of the backup belongs", async () => {
    await halfWay();
    await backup();
    await mkdir(restoredDir());
    await writeFile(join(restoredDir(), "mirrors"), "mine");

    expect(reasonOf(await restore())).toMatch(/data directory .* is not empty: mirrors/);
    expect(await readFile(join(restoredDir(), "mirrors"), "utf8")).toBe("mine");
  });

  it("where there are goals, or files of some, already", async () => {
    await halfWay();
    await backup();

    expect(reasonOf(await restore(file(), world.databaseUrl))).toMatch(
      /not empty: it has repositories \(1\), goals \(3\), sessions \(1\)/,
    );
    await mkdir(join(restoredDir(), "output", "run-1"), { recursive: true });
    expect(reasonOf(await restore())).toMatch(/data directory .* is not empty: output/);
    await rm(restoredDir(), { recursive: true });
    expect(await restore()).toMatchObject({ type: "restored" });
    expect(reasonOf(await restore())).toContain("not empty");
  });
});
