import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGoals } from "../../jobs/run-goal.ts";
import { openPlaces } from "../../src/agent/place/place.ts";
import { placeSettings } from "../../src/config.ts";
import type { Deps } from "../../src/deps.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { again, check, evidence, evidenceOf, type Script, taskList, work, write } from "../fakes/loop.ts";
import { type GitServer, startGitServer } from "../fakes/git-server.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { bucketKey, bucketSecret, type FakeBucket, startBucket } from "../fakes/s3/bucket.ts";

/** What a goal has recorded on one machine, where another machine works it next. */

let bucket: FakeBucket;
let world: TestWorld;
let server: GitServer;
/** The disk of the other machine, and bare repositories as a server keeps them. */
let otherDir: string;
let served: string;

beforeEach(async () => {
  bucket = await startBucket();
  otherDir = await mkdtemp(join(tmpdir(), "cos-other-"));
  served = await mkdtemp(join(tmpdir(), "cos-served-"));
});
afterEach(async () => {
  await world.close();
  await bucket.close();
  for (const folder of [otherDir, served]) await rm(folder, { recursive: true, force: true });
});

/** Goals that do not ask about what they changed, on a repository elsewhere. */
async function begin({
  store,
  files = {},
}: {
  readonly store: boolean;
  readonly files?: Record<string, string>;
}): Promise<void> {
  world = await testWorld({
    environment: store
      ? { COS_STORE_URL: `${bucket.url}?region=eu-central-1`, COS_STORE_KEY: bucketKey, COS_STORE_SECRET: bucketSecret }
      : {},
  });
  const work = await makeRepository(join(world.dataDir, "elsewhere"), { "a.txt": "a\n", ...files });
  await gitIn(work, "clone", "--quiet", "--bare", work, join(served, "shop.git"));
  server = await startGitServer(served, null);
  await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "", "--trials", "off");
}

/** A goal of two rounds of work that asks a person between them, worked here until it asks; its id and what it has recorded. */
async function untilItAsks(): Promise<{ readonly goalId: string; readonly commit: string }> {
  // What people see was changed: that is asked about when the work is there.
  const run = "date +%N%s > made.txt && mkdir -p src && cp made.txt src/page.css";
  const added = await world.command("goal", "add", "Write it", "--run", run);
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start");
  await world.work();
  const { rows } = await world.deps.database.pool.query<{ status: string; head_commit: string }>(
    "select g.status, u.head_commit from cos.goals g join cos.runs u using (goal_id) where g.goal_id = $1",
    [goalId],
  );
  expect(rows[0]).toMatchObject({ status: "blocked", head_commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
  return { goalId, commit: rows[0]?.head_commit ?? "" };
}

async function answer(goalId: string): Promise<void> {
  const { rows } = await world.deps.database.pool.query<{ id: string }>(
    "select checkpoint_id as id from cos.checkpoints where goal_id = $1 and status = 'pending'",
    [goalId],
  );
  await world.command("approve", rows[0]?.id ?? "");
}

/** The other machine looks for work. */
async function workElsewhere(): Promise<void> {
  const config = { ...world.deps.config, machine: "other", dataDir: otherDir };
  const deps: Deps = { ...world.deps, config, places: openPlaces(placeSettings(config)) };
  await runGoals(deps, { leasedBy: "other/1/1", shutdown: new AbortController().signal });
}

const statusOf = async (goalId: string): Promise<string> =>
  valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
const onRemote = (...args: string[]) => gitIn(join(served, "shop.git"), ...args);
const lostTimes = async (): Promise<number> =>
  (await world.deps.database.pool.query("select 1 from cos.timeline where event = 'goal.work-lost'")).rows.length;

describe("a goal that goes on on another machine", () => {
  it("gets what it has recorded from the store, and nothing is done again [F-605]", async () => {
    await begin({ store: true });
    const { goalId, commit } = await untilItAsks();

    await rm(world.dataDir, { recursive: true, force: true });
    await answer(goalId);
    await workElsewhere();

    expect(await statusOf(goalId)).toBe("complete");
    expect(await onRemote("rev-parse", `cos/${goalId}`)).toBe(commit);
    expect(await lostTimes()).toBe(0);
  });

  it("begins again where its work is on a disk that is gone, and fails nobody", async () => {
    await begin({ store: false });
    const { goalId, commit } = await untilItAsks();

    await rm(world.dataDir, { recursive: true, force: true });
    await answer(goalId);
    await workElsewhere();

    expect(await statusOf(goalId)).toBe("complete");
    expect(await onRemote("rev-parse", `cos/${goalId}`)).not.toBe(commit);
    expect(await onRemote("rev-list", "--count", `main..cos/${goalId}`)).toBe("1");
    expect(await lostTimes()).toBe(1);
  });

  it.each([
    ["from what is in the store", true],
    ["from the base where its disk is gone", false],
  ] as const)("goes on with its next round of work there, %s [F-605]", async (_, hasStore) => {
    await begin({ store: hasStore });
    // The first round does not satisfy, the second fails: the third is due later.
    const agent = join(served, "agent.sh");
    const rounds = ["echo 1 > one.txt", "exit 1", "echo 3 > three.txt"];
    const counted = `n=$(cat ${served}/n 2>/dev/null || echo 0); echo $((n + 1)) > ${served}/n`;
    await writeFile(agent, `${counted}\ncase $n in ${rounds.map((does, n) => `${n}) ${does};;`).join(" ")} esac\n`);
    await world.command("repo", "edit", "shop", "--agent", `command:sh ${agent}`);
    const wanted = hasStore ? "test -f one.txt && test -f three.txt" : "test -f three.txt";
    const added = await world.command("goal", "add", "Write it", "--done-when", wanted, "--allow-proof", "**");
    const { goalId } = valueOf<{ goalId: string }>(added);
    await world.command("autopilot", "start");
    await world.work();
    expect(await statusOf(goalId)).toBe("in_progress");

    await rm(world.dataDir, { recursive: true, force: true });
    world.advance(10_000);
    await workElsewhere();

    expect(await statusOf(goalId)).toBe("complete");
    expect(await onRemote("ls-tree", "--name-only", `cos/${goalId}`)).toBe(
      hasStore ? "a.txt\none.txt\nthree.txt" : "a.txt\nthree.txt",
    );
    expect(await lostTimes()).toBe(hasStore ? 0 : 1);
  });

  it.each([
    ["is checked and merged there from what is in the store", true],
    ["is worked again there where it cannot be had", false],
  ])("with tasks whose work was made here %s [F-605]", async (_, hasStore) => {
    await begin({ store: hasStore, files: { "tasks.yaml": taskList(["T1", "T2"], false) } });
    const begun = join(served, "begun");
    const scripts: readonly Script[] = [
      ...["T1", "T2"].map((id) =>
        work(id, { run: `echo ${id} >> '${begun}'`, quiet: true }, write(`${id}.txt`, "x\n")),
      ),
      ...["T1", "T2"].map((id) => check(id, evidence("PASS"))),
    ];
    await writeFile(join(served, "scripts.json"), JSON.stringify(scripts));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${join(served, "scripts.json")}"`;
    await world.command("repo", "edit", "shop", "--agent", agent);
    const added = await world.command("goal", "add", "Build", "--tasks", "tasks.yaml", "--parallel", "2");
    const { goalId } = valueOf<{ goalId: string }>(added);
    await world.command("autopilot", "start");
    // This machine is lost right after the wave was recorded.
    const stopping = new AbortController();
    const stopsAtMode = (log: Deps["log"]): Deps["log"] => ({
      ...log,
      about: (about) => stopsAtMode(log.about(about)),
      info(event, fields) {
        if (event === "loop.mode") stopping.abort();
        log.info(event, fields);
      },
    });
    const log = stopsAtMode(world.deps.log);
    await runGoals({ ...world.deps, log }, { leasedBy: "this/1/1", shutdown: stopping.signal });
    await rm(world.dataDir, { recursive: true, force: true });

    await workElsewhere();

    expect(await statusOf(goalId)).toBe("complete");
    expect(await onRemote("ls-tree", "--name-only", `cos/${goalId}`)).toBe("T1.txt\nT2.txt\na.txt\ntasks.yaml");
    const times = (await readFile(begun, "utf8")).trim().split("\n");
    expect(times.toSorted()).toEqual(hasStore ? ["T1", "T2"] : ["T1", "T1", "T2", "T2"]);
  });

  it("with a wave that is interrupted goes on there from what a task has, and what had finished is not worked again [F-605]", async () => {
    const list = `${taskList(["T1", "T2"], false)}  - {id: T3, title: Third, acceptanceCriteria: [T3 holds], dependsOn: [T2]}\n`;
    await begin({ store: true, files: { "tasks.yaml": list } });
    const [begun, waits] = [join(served, "begun"), join(served, "waits")];
    const says = (id: string): object => ({ run: `echo ${id} >> '${begun}'`, quiet: true });
    const ids = ["T1", "T2", "T3"];
    const better = `if [ -e better.txt ]; then echo '${evidenceOf("PASS")}'; else echo '${evidenceOf("FAIL")}'; fi`;
    const scripts: readonly Script[] = [
      check("T1", { run: `mkdir -p .cos; ${better} > .cos/evidence.json`, quiet: true }),
      ...["T2", "T3"].map((id) => check(id, evidence("PASS"))),
      again(
        "T1",
        "Your work on it, as it was last kept",
        { run: `test -e '${waits}' || { touch '${waits}'; sleep 600; }`, quiet: true },
        { run: "test -f T1.txt", mustPass: true },
        write("better.txt", "b\n"),
      ),
      ...ids.map((id) => work(id, says(id), write(`${id}.txt`, "x\n"))),
    ];
    await writeFile(join(served, "scripts.json"), JSON.stringify(scripts));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${join(served, "scripts.json")}"`;
    await world.command("repo", "edit", "shop", "--agent", agent);
    const added = await world.command("goal", "add", "Build", "--tasks", "tasks.yaml", "--parallel", "2");
    const { goalId } = valueOf<{ goalId: string }>(added);
    await world.command("autopilot", "start");
    const stopping = new AbortController();
    const working = runGoals(world.deps, { leasedBy: "this/1/1", shutdown: stopping.signal });
    const { pool } = world.deps.database;
    const ended = async () =>
      (await pool.query("select 1 from cos.evidence where criterion = 'T3'")).rows.length > 0 && existsSync(waits);
    await eventually("the end of T3 beside T1", ended);
    stopping.abort();
    await working;
    await rm(world.dataDir, { recursive: true, force: true });

    await workElsewhere();

    expect(await statusOf(goalId)).toBe("complete");
    expect((await readFile(begun, "utf8")).trim().split("\n").toSorted()).toEqual(ids);
    expect(await onRemote("ls-tree", "--name-only", `cos/${goalId}`)).toContain("better.txt");
  });

  it("waits while the store is away", async () => {
    await begin({ store: true });
    const { goalId, commit } = await untilItAsks();
    await answer(goalId);
    bucket.isAway = true;
    await workElsewhere();
    expect(await statusOf(goalId)).not.toMatch(/complete|failed|blocked/);
    expect(JSON.stringify(await world.command("goal", "show", goalId))).toContain("put into the store: the store at");

    bucket.isAway = false;
    world.advance(31_000);
    await workElsewhere();

    expect(await statusOf(goalId)).toBe("complete");
    expect(await onRemote("rev-parse", `cos/${goalId}`)).toBe(commit);
  });
});
