import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { awaitStoringAnew, forgetOutput, markStored, waitingOutputs } from "../../src/db/kept-outputs.ts";
import { listEvidence } from "../../src/db/evidence.ts";
import { listRepositories } from "../../src/db/repositories.ts";
import { workOf } from "../../src/db/runs.ts";
import { mirrorDirOf, workFileOf } from "../../src/paths.ts";
import { prune } from "../../src/turns/housekeeping/prune.ts";
import { forgetStored } from "../../src/turns/housekeeping/store-outputs.ts";
import { shareWork } from "../../src/turns/shared/shared-work.ts";
import { consoleOf, type TestConsole } from "../fakes/console.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { bucketKey, bucketSecret, type FakeBucket, startBucket } from "../fakes/s3/bucket.ts";

/** What one machine has kept is shown by the console of another, whose disk is its own. */

let bucket: FakeBucket;
let world: TestWorld;
let otherDir: string;
let browser: TestConsole | undefined;

beforeEach(async () => {
  bucket = await startBucket();
  otherDir = await mkdtemp(join(tmpdir(), "cos-other-"));
});
afterEach(async () => {
  await browser?.stop();
  browser = undefined;
  await world.close();
  await bucket.close();
  await rm(otherDir, { recursive: true, force: true });
});

async function begin(
  store: "postgres" | "s3",
  options: { readonly secret?: string; readonly policy?: (policy: Policy) => Policy } = {},
): Promise<void> {
  const { secret = bucketSecret, policy } = options;
  const address = {
    COS_STORE_URL: `${bucket.url}/a folder?region=eu-central-1`,
    COS_STORE_KEY: bucketKey,
    COS_STORE_SECRET: secret,
  };
  world = await testWorld({
    environment: { PORT: "0", ...(store === "postgres" ? { COS_STORE_URL: "postgres" } : address) },
    ...(policy === undefined ? {} : { policy }),
  });
}

/** Another machine with the same database and store, and nothing on its disk. */
function elsewhere(): TestWorld {
  return { ...world, deps: { ...world.deps, config: { ...world.deps.config, machine: "other", dataDir: otherDir } } };
}

/** A goal that prints something, worked here; its id and that of its execution's evidence. */
async function worked(said: string): Promise<{ readonly goalId: string; readonly evidenceId: number }> {
  const added = await world.command("goal", "add", said, "--run", `echo ${said}`);
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start");
  await world.work();
  const row = (await listEvidence(world.deps.database.db, goalId)).find((each) => each.kind === "execution");
  return { goalId, evidenceId: row?.evidenceId ?? 0 };
}

const page = async (evidenceId: number) => {
  browser ??= await consoleOf(elsewhere());
  const response = await browser.get(`/evidence/${evidenceId}`);
  return { status: response.status, text: await response.text() };
};
const loseDisk = async () => await rm(join(world.dataDir, "output"), { recursive: true, force: true });
const rows = async () => (await world.deps.database.pool.query("select file, stored_at from cos.kept_outputs")).rows;

describe.each(["postgres", "s3"] as const)("kept output in %s", (store) => {
  it("opens on another machine, also when the disk it was made on is gone [F-605]", async () => {
    await begin(store);
    await world.repository();
    const { goalId, evidenceId } = await worked("heard");

    expect(await page(evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("heard") });
    await loseDisk();
    expect(await page(evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("heard") });
    const shown = valueOf<{ evidence: { output: string | null }[] }>(await world.command("goal", "show", goalId));
    expect(shown.evidence.map((each) => each.output)).toContain("as kept");
    expect((await rows()).every((row) => row.stored_at !== null)).toBe(true);
  });

  it("goes when its goal has been over for as long as output is kept", async () => {
    await begin(store);
    await world.repository();
    const { evidenceId } = await worked("heard");
    expect((await rows()).length).toBeGreaterThan(0);

    world.advance(31 * 24 * 60 * 60_000);
    await forgetStored(world.deps);
    await prune(world.deps);

    expect(await rows()).toEqual([]);
    expect(bucket.objects.size).toBe(0);
    expect((await page(evidenceId)).status).toBe(404);
  });
});

it("kept output in the database has a bound: the oldest goes first", async () => {
  await begin("postgres", {
    policy: (policy) => ({ ...policy, housekeeping: { ...policy.housekeeping, mostStoredBytes: 40 } }),
  });
  await world.repository();
  const first = await worked("first");
  world.advance(1_000);
  const second = await worked("second");
  await forgetStored(world.deps);

  expect((await page(first.evidenceId)).status).toBe(404);
  expect(await page(second.evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("second") });
});

it("a store that is away holds no goal up, is said, and gets what waited for it", async () => {
  await begin("s3");
  await world.repository();
  bucket.isAway = true;
  const { goalId, evidenceId } = await worked("heard");

  const { status } = valueOf<{ status: string }>(await world.command("goal", "show", goalId));
  expect(status).toBe("complete");
  expect(await page(evidenceId)).toMatchObject({ status: 503, text: expect.stringContaining("SlowDown") });
  const doctor = JSON.stringify(valueOf(await world.command("doctor")));
  expect(doctor).toContain("answered 503 SlowDown (COS_STORE_URL");

  bucket.isAway = false;
  await world.tick();
  expect(await page(evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("heard") });
});

it("a store that does not answer is left alone for a minute, then longer, and gets what waited on the disk [F-605]", async () => {
  await begin("s3");
  await world.repository();
  bucket.isSilent = true;
  const { evidenceId } = await worked("first");
  await worked("second");
  await worked("third");
  await world.tick();
  expect(bucket.unanswered).toBe(1);

  world.advance(61_000);
  await world.tick();
  await world.tick();
  expect(bucket.unanswered).toBe(2);
  // Two minutes now.
  world.advance(61_000);
  await world.tick();
  expect(bucket.unanswered).toBe(2);

  bucket.isSilent = false;
  world.advance(61_000);
  await world.tick();
  expect((await rows()).every((row) => row.stored_at !== null)).toBe(true);
  expect(await page(evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("first") });
});

it("what the store refuses keeps nothing else back, and is tried again", async () => {
  await begin("s3");
  await world.repository();
  bucket.isAway = true;
  const refused = await worked("refused");
  bucket.refuses = new RegExp((await rows()).map(({ file }) => String(file).split("/").at(-2)).join("|"));
  world.advance(1000);
  const taken = await worked("taken");
  bucket.isAway = false;
  await world.tick();
  expect(await page(taken.evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("taken") });

  bucket.refuses = null;
  await world.tick();
  expect(await page(refused.evidenceId)).toMatchObject({ status: 200, text: expect.stringContaining("refused") });
});

it("what the store refuses to remove keeps nothing else there, and is removed later", async () => {
  await begin("s3");
  await world.repository();
  await worked("held");
  bucket.holds = new RegExp((await rows()).map(({ file }) => String(file).split("/").at(-2)).join("|"));
  const held = (await rows()).length;
  world.advance(1000);
  await worked("free");
  world.advance(31 * 24 * 60 * 60_000);
  await forgetStored(world.deps);
  expect(await rows()).toHaveLength(held);
  expect(bucket.objects.size).toBe(held);

  bucket.holds = null;
  await forgetStored(world.deps);
  expect(await rows()).toEqual([]);
});

it("a store that returns something else than what was stored is named by the doctor", async () => {
  await begin("s3");
  bucket.isDamaged = true;

  const doctor = JSON.stringify(valueOf(await world.command("doctor")));

  expect(doctor).toContain("returns something else than what was stored in it (COS_STORE_URL");
});

it("a file that is kept anew while it is put there is put there once more, and is never taken for stored", async () => {
  await begin("s3");
  await world.repository();
  const { db } = world.deps.database;
  const { goalId } = await worked("one");
  const row = { file: "output/run-1/work.bundle", goalId, holder: "here", sha256: "old", at: world.deps.now() };
  const stored = async () => (await rows()).find(({ file }) => file === row.file)?.stored_at ?? null;
  await awaitStoringAnew(db, row);
  await awaitStoringAnew(db, { ...row, sha256: "new" });
  const told = { file: row.file, storedBytes: 1, storedAt: world.deps.now() };
  await markStored(db, { ...told, sha256: "new" });
  expect(await stored()).not.toBeNull();
  // The older content comes there last.
  await markStored(db, { ...told, sha256: "old" });
  expect(await stored()).toBeNull();
  await forgetOutput(db, row.file, "old");
  expect(await waitingOutputs(db, "here", 10)).toEqual([{ file: row.file, sha256: "new" }]);
});

it("a key that the store refuses is named by the doctor, and the secret by nobody", async () => {
  await begin("s3", { secret: "a-wrong-secret-key" });
  await world.repository();
  await worked("heard");

  const doctor = JSON.stringify(valueOf(await world.command("doctor")));
  expect(doctor).toContain("SignatureDoesNotMatch");
  expect(doctor).not.toContain("a-wrong-secret-key");
});

it("what was changed after it was kept is not put there, and what was changed there is not shown as kept", async () => {
  await begin("s3");
  await world.repository();
  bucket.isAway = true;
  const forged = await worked("forged");
  const kept = await listEvidence(world.deps.database.db, forged.goalId);
  for (const { outputFile } of kept)
    if (outputFile !== null) await writeFile(join(world.dataDir, outputFile), "500 passed");
  bucket.isAway = false;
  await world.tick();
  expect(bucket.objects.size).toBe(0);

  const honest = await worked("honest");
  for (const name of bucket.objects.keys()) bucket.objects.set(name, Buffer.from("500 passed"));
  expect((await page(honest.evidenceId)).status).toBe(409);
});

it("without a store it says where it may be", async () => {
  world = await testWorld({ environment: { PORT: "0" } });
  await world.repository();
  const { evidenceId } = await worked("heard");

  expect(await page(evidenceId)).toMatchObject({ status: 404, text: expect.stringContaining("COS_STORE_URL") });
  expect(await rows()).toEqual([]);
});

it("recorded work is shared also where one that was killed has left a lock, and what git cannot bundle fails nothing", async () => {
  await begin("s3");
  const path = await world.repository();
  const added = await world.command("goal", "add", "Write x", "--repo", path, "--run", "echo x > x.txt");
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start");
  await world.work();
  const [repository] = await listRepositories(world.deps.database.db);
  const [run] = await workOf(world.deps.database.db, goalId);
  if (repository === undefined || run?.headCommit == null) throw new Error("nothing was recorded");
  const { runId, headCommit: commit } = run;
  const mirror = await world.deps.git.findMirror(mirrorDirOf(world.dataDir, repository.repositoryId));
  if (mirror === null) throw new Error("there is no mirror");
  const file = join(world.dataDir, workFileOf(runId));
  await rm(file);
  bucket.objects.clear();
  await writeFile(`${file}.lock`, "");

  await shareWork(world.deps, { goalId, runId, commit, repository, mirror });
  expect([...bucket.objects.keys()].some((name) => name.includes("work.bundle"))).toBe(true);
  expect((await readdir(dirname(file))).filter((name) => name.startsWith("work.bundle"))).toEqual([
    "work.bundle",
    "work.bundle.lock",
  ]);

  await shareWork(world.deps, { goalId, runId, commit: "1".repeat(40), repository, mirror });
});
