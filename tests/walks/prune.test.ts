import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/agent/git/git.ts";
import { lockOwner } from "../../src/db/housekeeping.ts";
import { outputDir, worktreesDir } from "../../src/paths.ts";
import { prune } from "../../src/turns/housekeeping/prune.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

/** What goals leave on disk, and when it goes. */

const hour = 60 * 60_000;
const day = 24 * hour;

let world: TestWorld;
let repository: string;

beforeEach(async () => {
  world = await testWorld();
  repository = await world.repository();
});
afterEach(async () => {
  await world.close();
});

async function names(folder: string): Promise<string[]> {
  const found = await readdir(folder).catch(() => []);
  return found.filter((name) => !name.startsWith(".")).toSorted();
}

const worktrees = () => names(worktreesDir(world.dataDir));
const outputs = () => names(outputDir(world.dataDir));

/** A goal of its own session that was worked as often as a fixed command is: then it is complete, or a person is asked. */
async function worked(run: string): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", `Do ${run}`, "--run", run));
  await world.command("autopilot", "start");
  for (let times = 0; times < 3; times += 1) {
    await world.work();
    world.advance(10_000);
  }
  return goalId;
}

async function attemptsIn(): Promise<string[]> {
  const [mirror] = await names(join(world.dataDir, "mirrors"));
  const refs = await gitIn(
    join(world.dataDir, "mirrors", mirror ?? ""),
    "for-each-ref",
    "--format=%(refname)",
    "refs/cos",
  );
  return refs.split("\n").filter((ref) => ref.includes("/attempt-"));
}

async function show(goalId: string): Promise<{ status: string }> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId));
}

describe("worktrees and output of goals [F-604]", () => {
  it("of a cos done goes 30 days after it ran, and what somebody else put there stays", async () => {
    const began = world.deps.now().getTime();
    const folder = `done-${began.toString(36)}-123`;
    for (const name of [folder, "done-notes"]) {
      await mkdir(join(outputDir(world.dataDir), name), { recursive: true });
      await writeFile(join(outputDir(world.dataDir), name, "AC-1.txt"), "passed\n");
    }
    world.advance(30 * day - hour);
    await prune(world.deps);
    expect(await outputs()).toEqual(["done-notes", folder].toSorted());
    world.advance(2 * hour);

    expect(await prune(world.deps)).toMatchObject([{ kind: "done", name: folder }]);
    expect(await outputs()).toEqual(["done-notes"]);
  });

  it("go by themselves when their goal has been over for long enough, and only those", async () => {
    const over = await worked("echo a > a.txt");
    const open = await worked("echo left > left.txt; exit 1");
    expect((await show(open)).status).toBe("blocked");
    expect((await worktrees()).some((name) => name.startsWith(over))).toBe(true);

    world.advance(23 * hour);
    await world.tick();
    expect((await worktrees()).some((name) => name.startsWith(over))).toBe(true);
    world.advance(2 * hour);
    await world.tick();

    expect((await worktrees()).every((name) => name.startsWith(open))).toBe(true);
    expect((await worktrees()).length).toBeGreaterThan(0);
    expect(await outputs()).toHaveLength(2);
    expect(await gitIn(repository, "log", "-1", "--format=%s", `cos/${over}`)).not.toBe("");
    expect(valueOf(await world.command("diff", over))).toBeDefined();

    world.advance(30 * day);
    await world.tick();
    expect(await outputs()).toHaveLength(1);
  });

  it("a goal whose worktree has gone is worked again as any other", async () => {
    const goalId = await worked("echo a > a.txt");
    world.advance(25 * hour);
    await world.tick();
    expect(await worktrees()).toEqual([]);

    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");
    await world.work();

    expect((await show(goalId)).status).toBe("complete");
  });

  it("many small objects of a mirror are packed, and its goals are worked on", async () => {
    await worked("true");
    const [mirror = ""] = await names(join(world.dataDir, "mirrors"));
    const objects = join(world.dataDir, "mirrors", mirror);
    const paths = Array.from({ length: 2_001 }, (_, index) => join(world.dataDir, `file-${index}`));
    await Promise.all(paths.map((path) => writeFile(path, path)));
    await git(["hash-object", "-w", "--stdin-paths"], {
      cwd: objects,
      configuration: "ours",
      input: `${paths.join("\n")}\n`,
    });

    await prune(world.deps);

    expect(await gitIn(objects, "count-objects")).toBe("0 objects, 0 kilobytes");
    expect(await show(await worked("test -f README.md"))).toMatchObject({ status: "complete" });
  });

  it("commits of attempts go with the output", async () => {
    const goalId = await worked("echo left > left.txt; exit 1");
    await world.command("goal", "skip", goalId);
    const [kept = ""] = await attemptsIn();
    const [mirror = ""] = await names(join(world.dataDir, "mirrors"));
    expect(await gitIn(join(world.dataDir, "mirrors", mirror), "show", `${kept}:left.txt`)).toBe("left");

    // The worktree goes before, with nothing that is not kept already.
    world.advance(29 * day);
    await world.tick();
    expect(await worktrees()).toEqual([]);
    expect(await attemptsIn()).toEqual([kept]);
    world.advance(2 * day);
    await world.tick();
    expect(await attemptsIn()).toEqual([]);
  });

  it("what the last attempt left uncommitted is kept as a commit before its worktree goes", async () => {
    const goalId = await worked("echo left > left.txt; exit 1");
    await world.command("goal", "skip", goalId);
    await writeFile(join(worktreesDir(world.dataDir), goalId, "hours.txt"), "of work\n");
    world.advance(25 * hour);
    await world.tick();

    expect(await worktrees()).toEqual([]);
    const [mirror = ""] = await names(join(world.dataDir, "mirrors"));
    const last = (await attemptsIn()).toSorted().at(-1) ?? "";
    expect(await gitIn(join(world.dataDir, "mirrors", mirror), "show", `${last}:hours.txt`)).toBe("of work");
  });

  it("what killed workers left goes too: places, copies for agents that examine, and rooms among temporary files", async () => {
    const goalId = await worked("echo a > a.txt");
    const place = join(world.dataDir, "places", goalId, "0123456789ab");
    await mkdir(join(place, "home"), { recursive: true });
    await mkdir(join(worktreesDir(world.dataDir), `${goalId}-verify-examine-1`), { recursive: true });
    const [old, young] = [await mkdtemp(join(tmpdir(), "cos-room-")), await mkdtemp(join(tmpdir(), "cos-room-"))];
    const ofRestore = await mkdtemp(join(tmpdir(), "cos-migrations-"));
    onTestFinished(() => rm(young, { recursive: true, force: true }));
    await mkdir(join(old, "tmp"));
    const lastWeek = new Date(Date.now() - 8 * day);
    for (const each of [old, ofRestore]) await utimes(each, lastWeek, lastWeek);
    const packs = join(world.dataDir, "remotes", "repo-1.git", "objects", "pack");
    await mkdir(packs, { recursive: true });
    const unfinished = ["tmp_pack_a", ".tmp-7-pack-a.pack", "tmp_pack_b"];
    for (const name of unfinished) await writeFile(join(packs, name), "half of it");
    const yesterday = new Date(Date.now() - 25 * hour);
    for (const name of unfinished.slice(0, 2)) await utimes(join(packs, name), yesterday, yesterday);
    world.advance(25 * hour);
    await prune(world.deps);

    expect(await names(join(world.dataDir, "places"))).toEqual([]);
    expect(await worktrees()).toEqual([]);
    expect([old, ofRestore, young].map((each) => existsSync(each))).toEqual([false, false, true]);
    expect(await names(packs)).toEqual(["tmp_pack_b"]);
  });

  it("the commit of a branch that was replaced goes from the repository as long after", async () => {
    const goalId = await worked("echo a > a.txt");
    const refs = async () => (await gitIn(repository, "for-each-ref", "--format=%(refname)", "refs/cos")).split("\n");
    const [replaced, others] = [`refs/cos/replaced/${goalId}/run-1`, "refs/cos/replaced/goal-00000000/run-1"];
    for (const ref of [replaced, others]) await gitIn(repository, "update-ref", ref, `cos/${goalId}`);

    world.advance(29 * day);
    await world.tick();
    expect(await refs()).toEqual([others, replaced]);
    world.advance(2 * day);
    const gone = valueOf<{ name: string; goalId: string }[]>(await world.command("prune"));

    expect(await refs()).toEqual([others]);
    expect(gone).toContainEqual(expect.objectContaining({ kind: "replaced", name: `${goalId}/run-1`, goalId }));
    expect(await gitIn(repository, "log", "-1", "--format=%s", `cos/${goalId}`)).not.toBe("");
  });

  it("what a backup that was killed has left in a mirror goes after a day, packed or not", async () => {
    const goalId = await worked("echo a > a.txt");
    const [name] = await names(join(world.dataDir, "mirrors"));
    const mirror = join(world.dataDir, "mirrors", name ?? "");
    const refs = () => gitIn(mirror, "for-each-ref", "--format=%(refname)", "refs/cos/backup");
    const commit = await gitIn(mirror, "rev-parse", `cos/${goalId}`);
    const ref = `refs/cos/backup/${commit}`;
    const leave = async (file: string) => {
      await gitIn(mirror, "update-ref", ref, commit);
      if (file === "packed-refs") await gitIn(mirror, "pack-refs", "--all");
      await utimes(join(mirror, file), world.deps.now(), world.deps.now());
    };

    for (const file of [ref, "packed-refs"]) {
      await leave(file);
      world.advance(23 * hour);
      await world.tick();
      expect(await refs()).toBe(ref);
      expect(JSON.stringify(await world.command("prune", "--dry-run"))).toContain("a backup may be reading it");
      world.advance(2 * hour);
      await world.tick();
      expect(await refs()).toBe("");
    }
  });

  it("what belongs to no goal of this database stays, whatever it is", async () => {
    await mkdir(join(worktreesDir(world.dataDir), "goal-00000000", "src"), { recursive: true });
    await mkdir(join(outputDir(world.dataDir), "run-00000000"), { recursive: true });
    await writeFile(join(worktreesDir(world.dataDir), "notes.txt"), "mine\n");

    world.advance(365 * day);
    await world.tick();

    expect(await worktrees()).toEqual(["goal-00000000", "notes.txt"]);
    expect(await outputs()).toEqual(["run-00000000"]);
  });

  it("is looked through once an hour, also after a clock was put back", async () => {
    const goalId = await worked("true");
    world.advance(25 * hour);
    await world.tick();
    expect(await worktrees()).toEqual([]);
    await mkdir(join(worktreesDir(world.dataDir), goalId));

    world.advance(59 * 60_000);
    await world.tick();
    expect(await worktrees()).toEqual([goalId]);
    world.advance(60_000);
    await world.tick();
    expect(await worktrees()).toEqual([]);

    world.advance(3 * hour);
    await world.tick();
    await mkdir(join(worktreesDir(world.dataDir), goalId));
    world.advance(-hour);
    await world.tick();
    expect(await worktrees()).toEqual([]);
  });

  it("stays when its goal goes on in the same moment", async () => {
    const goalId = await worked("echo a > a.txt");
    const before = await worktrees();
    world.advance(25 * hour);
    const { database } = world.deps;
    const pruning: Promise<unknown>[] = [];

    await database.transaction(async (tx) => {
      await lockOwner(tx, goalId);
      pruning.push(prune(world.deps));
      await someoneWaits();
      await tx.execute(sql`update cos.goals set status = 'pending', phase = 'start', wake_at = now()`);
    });
    await Promise.all(pruning);

    expect(await worktrees()).toEqual(before);
  });
});

describe("cos prune [F-604]", () => {
  it("says what would go and why the rest stays, with sizes, and changes nothing", async () => {
    const over = await worked("head -c 100000 /dev/zero > big.bin");
    const open = await worked("exit 1");
    world.advance(25 * hour);
    const before = await worktrees();

    const said = valueOf<{ kind: string; name: string; bytes: number | null; goes: boolean; because: string | null }[]>(
      await world.command("prune", "--dry-run"),
    );

    expect(said.find((each) => each.name === over)).toMatchObject({ kind: "worktree", goes: true, because: null });
    expect(said.find((each) => each.name === over)?.bytes).toBeGreaterThan(100_000);
    expect(said.find((each) => each.name === open)).toMatchObject({ goes: false, because: "goal not over" });
    expect(said.filter((each) => each.kind === "output").map((each) => each.because)).toContain("not long enough");
    expect(await worktrees()).toEqual(before);
  });

  it("is named by doctor beside how much lies there, the largest first", async () => {
    const sizes = async () => {
      const found = valueOf<{ name: string; says: string }[]>(await world.command("doctor"));
      return found.find(({ name }) => name === "kept on disk")?.says;
    };
    expect(await sizes()).toMatch(/^nothing yet$|^0\.\d MB: mirrors /);
    await worked("head -c 3000000 /dev/urandom > big.bin");

    expect(await sizes()).toMatch(
      /^\d\.\d MB: (?:worktrees|mirrors) 3\.\d MB, (?:worktrees|mirrors) 3\.\d MB, kept output 0\.\d MB; cos prune --dry-run says what would go$/,
    );
  });

  it("removes it, and says what is gone", async () => {
    const over = await worked("echo a > a.txt");
    world.advance(25 * hour);

    const gone = valueOf<{ name: string; goalId: string }[]>(await world.command("prune"));

    expect(gone.length).toBeGreaterThan(0);
    expect(gone.every((each) => each.goalId === over)).toBe(true);
    expect(await worktrees()).toEqual([]);
    expect(valueOf(await world.command("prune"))).toEqual([]);
  });
});

describe("mirrors and copies of a repository that was removed [F-604]", () => {
  const there = async () => [
    ...(await names(join(world.dataDir, "mirrors"))),
    ...(await names(join(world.dataDir, "remotes"))),
    ...(await names(join(world.dataDir, "downloads"))).map((name) => `${name}.git`),
  ];

  it("go a month later, and not where it is known again", async () => {
    const goalId = await worked("echo a > a.txt");
    const [mirror = ""] = await names(join(world.dataDir, "mirrors"));
    await mkdir(join(world.dataDir, "remotes", mirror), { recursive: true });
    await mkdir(join(world.dataDir, "downloads", mirror.replace(/\.git$/, "")), { recursive: true });
    valueOf(await world.command("goal", "discard", goalId));
    await world.command("autopilot", "stop", "--all");
    valueOf(await world.command("repo", "remove", repository));
    world.advance(29 * day);
    await prune(world.deps);
    expect(await there()).toEqual([mirror, mirror, mirror]);
    const said = valueOf<{ kind: string; because: string }[]>(await world.command("prune", "--dry-run"));
    expect(said.filter(({ kind }) => kind === "mirror" || kind === "copy")).toMatchObject([
      { because: "not long enough" },
      { because: "not long enough" },
    ]);

    valueOf(await world.command("repo", "add", repository, "--setup", ""));
    world.advance(2 * day);
    await prune(world.deps);
    expect(await there()).toEqual([mirror, mirror, mirror]);

    valueOf(await world.command("repo", "remove", repository));
    world.advance(31 * day);
    const gone = valueOf<{ kind: string }[]>(await world.command("prune"));
    expect(gone.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["mirror", "copy"]));
    expect(await there()).toEqual([]);

    // What was there is made anew when it is needed.
    valueOf(await world.command("repo", "add", repository, "--setup", ""));
    expect(await show(await worked("echo b > b.txt"))).toMatchObject({ status: "complete" });
  });
});

/** Until somebody waits for a lock. */
async function someoneWaits(): Promise<void> {
  for (;;) {
    const { rows } = await world.deps.database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}
