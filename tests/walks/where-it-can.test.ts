import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGoals } from "../../jobs/run-goal.ts";
import { openPlaces } from "../../src/agent/place/place.ts";
import { type Config, placeSettings } from "../../src/config.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { lastMerge } from "../../src/db/merges.ts";
import { servingUrl } from "../../src/db/serving.ts";
import type { Deps } from "../../src/deps.ts";
import { keyFileOf } from "../../src/paths.ts";
import { projectMarked } from "../../src/projection/project.ts";
import { finishDueBranches } from "../../src/turns/merging/merge.ts";
import { decideSessions } from "../../src/turns/shared/next.ts";
import { beginWorking, endWorking, reportWorking } from "../../src/turns/shared/working.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { startGitServer } from "../fakes/git-server.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Workers of several machines, of which not each can work everything. */

let world: TestWorld;
let root: string;
const machines: Deps[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cos-where-"));
  world = await testWorld({ environment: { COS_AGENT: "command:true" } });
});
afterEach(async () => {
  for (const { database } of machines.splice(0)) await database.close();
  await world.close();
  await rm(root, { recursive: true, force: true });
});

/** A worker with connections and a data directory of its own, which says that it works. */
async function machine(name: string, changes: Partial<Config> = {}): Promise<Deps> {
  const serving = { pid: machines.length + 1, namespace: null, allowsUnknown: false };
  const database = openDatabase(servingUrl(world.databaseUrl, name, serving), () => undefined);
  const config = { ...world.deps.config, machine: name, dataDir: join(root, name), ...changes };
  await mkdir(config.dataDir);
  const deps: Deps = { ...world.deps, database, config, places: openPlaces(placeSettings(config)) };
  decideSessions(database, deps);
  database.onMarks(async () => {
    await projectMarked(deps);
  });
  machines.push(deps);
  await beginWorking(deps);
  return deps;
}

async function work(deps: Deps): Promise<void> {
  await runGoals(deps, { leasedBy: `${deps.config.machine}/1/1`, shutdown: new AbortController().signal });
}

async function goalIn(name: string, ...options: string[]): Promise<string> {
  const added = await world.command("goal", "add", `Work in ${name}`, "--repo", name, ...options);
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start", "--repo", name);
  return goalId;
}

async function stateOf(goalId: string): Promise<{ status: string; turn: number; error: string | null }> {
  const { status, turn, error } = valueOf<{ status: string; turn: number; error: string | null }>(
    await world.command("goal", "show", goalId),
  );
  return { status, turn, error };
}

const why = async (goalId: string): Promise<string> =>
  valueOf<{ waitsFor: string }>(await world.command("why", goalId)).waitsFor;

async function cardOf(goalId: string): Promise<string> {
  const result = await world.command("goal", "show", goalId);
  if (result.type !== "done") throw new Error("no card");
  return terminalLines(result.card, "UTC").join("\n");
}

async function workersIn(name: string): Promise<{ ok: boolean; says: string } | undefined> {
  const findings = valueOf<{ name: string; ok: boolean; says: string }[]>(await world.command("doctor"));
  const found = findings.find((finding) => finding.name === `workers for ${name}`);
  return found === undefined ? undefined : { ok: found.ok, says: found.says };
}

/** A repository that is a path; `away` takes it from every machine until `back`. */
async function repositoryAt(name: string): Promise<{ path: string; away(): Promise<void>; back(): Promise<void> }> {
  const path = await makeRepository(join(root, name), { "README.md": "x\n" });
  await world.command("repo", "add", path, "--setup", "");
  return { path, away: () => rename(path, `${path}.away`), back: () => rename(`${path}.away`, path) };
}

describe("a worker of several machines", () => {
  it("gives back what it cannot reach, as due as it was, and does not claim it again [F-605]", async () => {
    const shop = await repositoryAt("shop");
    const first = await machine("build-1");
    const second = await machine("build-2");
    const goalId = await goalIn("shop", "--run", "echo a > a.txt");
    await shop.away();

    await work(second);
    await work(second);

    expect(await stateOf(goalId)).toEqual({ status: "pending", turn: 1, error: null });
    expect(await workersIn("shop")).toMatchObject({ ok: true, says: expect.stringMatching(/^build-2 leaves them/) });
    const told = await world.deps.database.pool.query<{ detail: unknown }>(
      "select detail from cos.timeline where event = 'goal.left-to-others'",
    );
    expect(told.rows).toEqual([{ detail: { machine: "build-2", reason: `there is no ${shop.path}` } }]);

    await shop.back();
    await work(second);
    expect(await stateOf(goalId)).toMatchObject({ turn: 1 });
    await work(first);

    expect(await stateOf(goalId)).toMatchObject({ status: "complete" });
    await reportWorking(second);
    world.advance(60_000);
    await reportWorking(second);
    expect(await workersIn("shop")).toBeUndefined();
  });

  it("works what it can again when it looks the next time; until then people are told what is missing, and where [F-605]", async () => {
    const shop = await repositoryAt("shop");
    const both = [await machine("build-1"), await machine("build-2")];
    const goalId = await goalIn("shop", "--run", "echo a > a.txt");
    await shop.away();

    for (const each of [...both, ...both]) await work(each);

    expect(await stateOf(goalId)).toEqual({ status: "pending", turn: 2, error: null });
    const missing = `no worker that runs can work it: on build-1, there is no ${shop.path}; on build-2, there is no ${shop.path}`;
    expect(await why(goalId)).toContain(missing);
    expect(await why(goalId)).toContain("What to do: add shop by a URL that every machine reaches, or put it there");
    expect(await cardOf(goalId)).toContain("on build-2, there is no ");
    expect(await workersIn("shop")).toMatchObject({ ok: false, says: expect.stringContaining(missing) });

    await shop.back();
    for (const each of both) await reportWorking(each);
    expect(await cardOf(goalId)).not.toContain("no worker");
    for (const each of both) await work(each);

    expect(await stateOf(goalId)).toMatchObject({ status: "complete" });
  });

  it("leaves nothing to a machine that has been gone for more than a day, also where nobody said so [F-605]", async () => {
    const shop = await repositoryAt("shop");
    const [gone] = [await machine("build-1")];
    const second = await machine("build-2");
    const goalId = await goalIn("shop", "--run", "echo a > a.txt");
    await shop.away();
    await work(second);
    expect(await stateOf(goalId)).toMatchObject({ status: "pending" });

    machines.splice(machines.indexOf(gone), 1);
    await gone.database.close();
    // Its connections end in their own time.
    await eventually("only one machine works", async () => {
      const working = "name in (select application_name from pg_stat_activity where datname = current_database())";
      const found = await second.database.pool.query(`select from cos.workers where ${working}`);
      return found.rowCount === 1;
    });
    await reportWorking(second);
    for (const hours of [23, 2]) {
      world.advance(hours * 60 * 60_000);
      await reportWorking(second);
      await work(second);
    }

    expect((await stateOf(goalId)).error).toContain(`the repository shop is not at ${shop.path} any more`);
  });

  it("leaves goals to who has their agent, and works those with a command of their own [F-605]", async () => {
    await repositoryAt("shop");
    const first = await machine("build-1");
    const second = await machine("build-2", { agent: "command:no-such-agent --fast" });
    const third = await machine("build-3", { agent: null });
    const own = await goalIn("shop", "--run", "echo a > a.txt");
    await work(second);
    expect(await stateOf(own)).toMatchObject({ status: "complete" });
    const goalId = await goalIn("shop");

    await work(second);
    await work(third);
    expect(await stateOf(goalId)).toEqual({ status: "pending", turn: 0, error: null });
    await endWorking(first);
    await work(third);

    expect(await stateOf(goalId)).toMatchObject({ turn: 0 });
    const missing = "on build-2, the agent's program no-such-agent was not found; on build-3, no agent is configured";
    expect(await why(goalId)).toContain(`${missing}; build-1 could, and no worker runs there`);
    await beginWorking(first);
    await work(first);
    expect(await stateOf(goalId)).not.toMatchObject({ turn: 0 });
  });

  it("asks a remote whether it can be read, before it claims anything there [F-605]", async () => {
    const served = join(root, "served");
    const source = await makeRepository(join(root, "elsewhere"), { "a.txt": "a\n" });
    await gitIn(source, "clone", "--quiet", "--bare", source, join(served, "shop.git"));
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "", "--trials", "off");
    // Each machine needs the key in a folder of its own.
    const { rows } = await world.deps.database.pool.query<{ id: string }>(
      "update cos.repositories set deploy_key = 'SHA256:x' returning repository_id as id",
    );
    const repositoryId = rows[0]?.id ?? "";
    const giveKey = async ({ config }: Deps) => {
      const file = keyFileOf(config.dataDir, repositoryId);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, "");
    };
    const first = await machine("build-1");
    await giveKey(first);
    await giveKey(world.deps);
    const second = await machine("build-2");
    const third = await machine("build-3");
    const goalId = await goalIn("shop", "--run", "echo a > a.txt");

    await reportWorking(second);
    await work(second);
    expect(await stateOf(goalId)).toMatchObject({ status: "pending", turn: 0 });
    // One that has not asked yet finds it out by trying.
    await work(third);
    expect(await stateOf(goalId)).toMatchObject({ status: "pending", turn: 1 });
    await giveKey(second);
    world.advance(60_000);
    await reportWorking(second);
    await work(second);

    expect(await stateOf(goalId)).toMatchObject({ status: "complete", turn: 2 });
  });
});

it("the only machine fails what it cannot reach, with the reason, as it always did", async () => {
  const shop = await repositoryAt("shop");
  const only = await machine("build-1");
  const goalId = await goalIn("shop", "--run", "echo a > a.txt");
  await shop.away();

  await work(only);

  expect(await stateOf(goalId)).toMatchObject({
    status: "failed",
    error: `Setup failed: the repository shop is not at ${shop.path} any more: cos repo add PATH --name shop`,
  });
});

describe("a merge into a repository that is not on every machine", () => {
  it("says where it is not once, and only while no worker runs that has it", async () => {
    const shop = await repositoryAt("shop");
    const goalId = await goalIn("shop", "--run", "echo a > a.txt");
    const first = await machine("build-1");
    await work(first);
    valueOf(await world.command("goal", "merge", goalId));
    const outcome = async (): Promise<string | null> =>
      (await lastMerge(world.deps.database.db, goalId))?.outcome ?? null;
    await shop.away();
    const second = await machine("build-2");
    world.advance(90_000);

    await finishDueBranches(second);
    expect(await outcome()).toBeNull();

    await reportWorking(first);
    await finishDueBranches(second);
    const said = await outcome();
    expect(said).toContain(`Waits: shop is not at ${shop.path} on build-2.`);

    await finishDueBranches(first);
    expect(await outcome()).toBe(said);
  });

  it("is told to who asks for it from elsewhere as merged there, while a worker there has it", async () => {
    const shop = await repositoryAt("shop");
    const goalId = await goalIn("shop", "--run", "echo a > a.txt");
    const first = await machine("build-1");
    await work(first);
    await shop.away();
    const asked = async (): Promise<string> => {
      const result = await world.command("goal", "merge", goalId);
      return JSON.stringify(result.type === "done" ? result.card : result.reason);
    };

    const said = await asked();
    expect(said).toContain("It is merged on build-1, which has it");
    expect(said).not.toContain("Put it back");

    await world.command("goal", "undo", goalId);
    await machine("build-2");
    world.advance(90_000);
    await reportWorking(first);
    expect(await asked()).toContain("Put it back");
  });
});
