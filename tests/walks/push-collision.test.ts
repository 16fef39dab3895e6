import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeBackup } from "../../src/backup/backup.ts";
import { openBackup, restoreBackup } from "../../src/backup/restore.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { startGitServer } from "../fakes/git-server.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { scriptedAgent } from "../fakes/scripted.ts";

/** A branch `cos/GOAL` that stands elsewhere already: somebody else's is left alone, our own of before a restore is replaced and kept. */

let folder: string;
let path: string;
let served: string;
let world: TestWorld;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-collision-"));
  path = await makeRepository(join(folder, "shop"), { "a.txt": "a\n" });
  served = join(folder, "served", "shop.git");
  await gitIn(path, "clone", "--quiet", "--bare", path, served);
  await gitIn(path, "remote", "add", "origin", served);
  await mkdir(join(folder, "home"));
  vi.stubEnv("HOME", join(folder, "home"));
  world = await testWorld();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

type Way = "path" | "remote" | "URL";
const ways: readonly Way[] = ["path", "remote", "URL"];

/** Makes the repository known, and returns where its branches arrive. */
async function known(way: Way): Promise<string> {
  const agent = await scriptedAgent(world.dataDir, [
    { match: [], steps: [{ write: { path: "b.txt", content: "b\n" } }] },
  ]);
  const url = way === "URL" ? `${(await startGitServer(join(folder, "served"), null)).url}/shop.git` : path;
  const push = way === "remote" ? ["--push", "origin"] : [];
  valueOf(await world.command("repo", "add", url, "--setup", "", "--agent", agent, ...push));
  return way === "path" ? path : served;
}

async function added(...options: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", "Write b", ...options)).goalId;
}

/** A commit of Ana's on what is there, as the goal's branch. */
async function anaCommits(at: string, branch: string, on: string): Promise<string> {
  const commit = await gitIn(at, "commit-tree", `${on}^{tree}`, "-p", on, "-m", "Mine");
  await gitIn(at, "update-ref", `refs/heads/${branch}`, commit);
  return commit;
}

async function told(at: TestWorld, goalId: string, event: string): Promise<Record<string, string>[]> {
  const { timeline } = valueOf<{ timeline: { event: string; detail: Record<string, string> }[] }>(
    await at.command("why", goalId),
  );
  return timeline.filter((row) => row.event === event).map((row) => row.detail);
}

const shown = async (at: TestWorld, goalId: string) =>
  valueOf<{ status: string; state: string; outcome: string }>(await at.command("goal", "show", goalId));

async function expectAsked(at: TestWorld, goalId: string): Promise<void> {
  const goal = await shown(at, goalId);
  expect(goal).toMatchObject({ status: "blocked", state: "waiting" });
  expect(goal.outcome).toMatch(/could not be pushed: somebody has pushed to that branch of \S+ meanwhile/);
  expect(goal.outcome).not.toMatch(/To \/|hint/);
  expect(await told(at, goalId, "goal.push-refused")).toEqual([]);
}

const recommended = async () =>
  valueOf<{ recommendation: string }[]>(await world.command("checkpoints")).map((each) => each.recommendation);

it("a goal's own command is not to be edited where only its push was refused: when that is mended, Retry pushes it", async () => {
  await known("path");
  const goalId = await added("--run", "echo b > b.txt");
  await anaCommits(path, `cos/${goalId}`, "main");
  valueOf(await world.command("autopilot", "start"));
  await world.work();

  await expectAsked(world, goalId);
  expect(await recommended()).toEqual(["Retry - the work is done: mend what refused its push first."]);

  await gitIn(path, "update-ref", "-d", `refs/heads/cos/${goalId}`);
  const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  valueOf(await world.command("approve", question?.checkpointId ?? ""));
  await world.work();
  expect(await shown(world, goalId)).toMatchObject({ status: "complete" });
  // The work was done: nothing of it is done again.
  expect(await told(world, goalId, "run.executed")).toHaveLength(1);
  expect(await told(world, goalId, "recovery.again")).toEqual([{ ladder: 2, isOwnCommand: true, isPushed: true }]);
});

it("a push that is refused again after Retry goes back to the agent as often as before", async () => {
  await known("path");
  const hook = join(path, ".git/hooks/update");
  await mkdir(join(path, ".git/hooks"), { recursive: true });
  await writeFile(hook, "#!/bin/sh\necho no branches on Fridays >&2\nexit 1\n", { mode: 0o755 });
  const goalId = await added();
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  expect(await told(world, goalId, "goal.push-refused")).toHaveLength(3);
  const retry = async (): Promise<void> => {
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();
  };
  await retry();
  expect(await told(world, goalId, "goal.push-refused")).toHaveLength(6);
  const executed = (await told(world, goalId, "run.executed")).length;

  await rm(hook);
  await retry();
  expect(await shown(world, goalId)).toMatchObject({ status: "complete" });
  expect(await told(world, goalId, "run.executed")).toHaveLength(executed);
});

describe.each(ways)("a branch at a repository by %s", (way) => {
  it("that somebody else has pushed to asks a person at once, and is left alone", async () => {
    const there = await known(way);
    const goalId = await added();
    const theirs = await anaCommits(there, `cos/${goalId}`, "main");
    valueOf(await world.command("autopilot", "start"));
    await world.work();

    await expectAsked(world, goalId);
    expect(await recommended()).toEqual(["Retry - the work is done: mend what refused its push first."]);
    expect(await gitIn(there, "rev-parse", `cos/${goalId}`)).toBe(theirs);
    expect(await told(world, goalId, "run.executed")).toHaveLength(1);
    expect(await told(world, goalId, "goal.branch-replaced")).toEqual([]);
  });

  it("that a hook refuses goes back to the agent with the hook's words", async () => {
    const there = await known(way);
    await mkdir(join(there, there === path ? ".git/hooks" : "hooks"), { recursive: true });
    const hook = join(there, there === path ? ".git/hooks" : "hooks", "update");
    await writeFile(hook, "#!/bin/sh\necho no branches on Fridays >&2\nexit 1\n", { mode: 0o755 });
    const goalId = await added();
    valueOf(await world.command("autopilot", "start"));
    await world.work();

    const rounds = await told(world, goalId, "goal.push-refused");
    expect(rounds).toHaveLength(3);
    for (const { reason } of rounds)
      expect(reason).toMatch(/^\S+ refused it \(hook declined\): no branches on Fridays: do what its words say$/);
    expect((await shown(world, goalId)).outcome).toContain("no branches on Fridays");
  });

  describe("after a restore", () => {
    let empty: FreshDatabase;
    beforeEach(async () => {
      empty = await emptyDatabase();
    });
    afterEach(() => empty.drop());

    /** A backup is taken as a goal begins; what it did then is only in git. */
    async function forgotten(there: string): Promise<{ goalId: string; tip: string }> {
      const goalId = await added("--run", "echo b > b.txt");
      valueOf(await world.command("autopilot", "start"));
      const { database, config, now } = world.deps;
      const settingsFile = join(folder, "settings-there");
      await writeFile(settingsFile, "COS_TIMEZONE=Europe/Berlin\n");
      const from = { database, config, now, databaseUrl: world.databaseUrl, settingsFile, version: "1.2.3" };
      expect(await makeBackup(from, join(folder, "backup.tar.gz"))).toMatchObject({ type: "written" });
      await world.work();
      expect(await shown(world, goalId)).toMatchObject({ status: "complete" });
      return { goalId, tip: await gitIn(there, "rev-parse", `cos/${goalId}`) };
    }

    async function restored(): Promise<TestWorld> {
      const opened = await openBackup(join(folder, "backup.tar.gz"));
      if (opened.type === "refused") throw new Error(opened.reason);
      const dataDir = join(folder, "restored");
      const to = { config: { dataDir }, databaseUrl: empty.url, description: "PostgreSQL at there" };
      const outcome = await restoreBackup(opened, { ...to, settingsFile: join(folder, "settings-here") });
      expect(outcome).toMatchObject({ type: "restored" });
      return await testWorld({ through: async () => empty.url, environment: { COS_DATA_DIR: dataDir } });
    }

    it("with our own work of before is replaced, and that is kept and said once", async () => {
      const there = await known(way);
      const { goalId, tip } = await forgotten(there);
      const after = await restored();
      try {
        await after.work();

        expect(await shown(after, goalId)).toMatchObject({ status: "complete" });
        const now = await gitIn(there, "rev-parse", `cos/${goalId}`);
        expect(now).not.toBe(tip);
        expect(await gitIn(there, "rev-parse", `${now}~1`)).toBe(await gitIn(there, "rev-parse", "main"));
        const ref = `refs/cos/replaced/${goalId}/${tip}`;
        expect(await told(after, goalId, "goal.branch-replaced")).toEqual([{ ref }]);
        const [copy] = way === "URL" ? await keptIn(after) : [path];
        expect(await gitIn(copy ?? "", "for-each-ref", "--format=%(refname) %(objectname)", "refs/cos")).toBe(
          `${ref} ${tip}`,
        );
      } finally {
        await after.close();
      }
    });

    it.each(["on top of", "below"])("with a commit of somebody else's %s our work asks a person", async (where) => {
      const there = await known(way);
      const { goalId, tip } = await forgotten(there);
      let theirs = await anaCommits(there, `cos/${goalId}`, where === "below" ? "main" : tip);
      if (where === "below") theirs = await again(there, goalId, { tip, on: theirs });
      const after = await restored();
      try {
        await after.work();

        await expectAsked(after, goalId);
        expect(await gitIn(there, "rev-parse", `cos/${goalId}`)).toBe(theirs);
        // Of the remote way the folder had our own work alone.
        const replaced = await told(after, goalId, "goal.branch-replaced");
        expect(replaced).toEqual(way === "remote" ? [{ ref: `refs/cos/replaced/${goalId}/${tip}` }] : []);
      } finally {
        await after.close();
      }
    });
  });
});

/** Our copies of repositories elsewhere. */
async function keptIn(at: TestWorld): Promise<string[]> {
  const { rows } = await at.deps.database.pool.query<{ repository_id: string }>(
    "select repository_id from cos.repositories",
  );
  return rows.map((row) => join(at.deps.config.dataDir, "remotes", `${row.repository_id}.git`));
}

/** Our commit once more, with its author and trailers, on another one. */
async function again(
  at: string,
  goalId: string,
  { tip, on }: { readonly tip: string; readonly on: string },
): Promise<string> {
  const us = ["-c", "user.name=Chief of Staff", "-c", "user.email=chief-of-staff@localhost"];
  const message = await gitIn(at, "show", "-s", "--format=%B", tip);
  const names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
  const commit = execFileSync("git", [...us, "commit-tree", `${tip}^{tree}`, "-p", on, "-m", message], { cwd: at, env })
    .toString()
    .trim();
  await gitIn(at, "update-ref", `refs/heads/cos/${goalId}`, commit);
  return commit;
}
