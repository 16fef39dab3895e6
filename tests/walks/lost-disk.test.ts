import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { realGit } from "../../src/agent/git/door.ts";
import type { Deps } from "../../src/deps.ts";
import { runGoals } from "../../jobs/run-goal.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** A disk that goes away while the place is made in which a goal is worked. */

let world: TestWorld;
afterEach(async () => {
  await world.close();
});

async function begin(...options: string[]): Promise<string> {
  world = await testWorld();
  const path = await makeRepository(join(world.dataDir, "shop"), { "a.txt": "a\n" });
  await world.command("repo", "add", path, "--trials", "off", ...options);
  return path;
}

async function goal(...options: string[]): Promise<string> {
  const added = await world.command("goal", "add", "Write it", ...options);
  await world.command("autopilot", "start");
  return valueOf<{ goalId: string }>(added).goalId;
}

async function emptyDisk(): Promise<void> {
  for (const folder of ["mirrors", "worktrees"])
    await rm(join(world.dataDir, folder), { recursive: true, force: true });
}

/** A worker whose disk is emptied just before it makes its worktree, each of these times. */
function losing(on: readonly number[]): Deps {
  let times = 0;
  const git: typeof realGit = {
    ...realGit,
    async prepareWorktree(options) {
      times += 1;
      if (on.includes(times)) await emptyDisk();
      return await realGit.prepareWorktree(options);
    },
  };
  return { ...world.deps, git };
}

async function work(deps: Deps): Promise<void> {
  await runGoals(deps, { leasedBy: `${deps.config.machine}/1/1`, shutdown: new AbortController().signal });
}

interface Shown {
  readonly status: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly attempts: readonly unknown[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));

async function told(): Promise<unknown[]> {
  const { rows } = await world.deps.database.pool.query<{ detail: { by?: string; reason?: string } }>(
    "select detail from cos.timeline where event = 'goal.interrupted' order by at",
  );
  return rows.map(({ detail }) => detail.by ?? null);
}

const command = ["--run", "echo b > b.txt"];

describe("a disk that goes away while a worktree is made [F-605]", () => {
  it("fails no goal: it begins again in folders that are made anew", async () => {
    const path = await begin("--setup", "");
    const goalId = await goal(...command);

    await work(losing([1, 2]));

    expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{ end: "passed" }] });
    expect(await told()).toEqual(["disk", "disk"]);
    expect(await gitIn(path, "show", `cos/${goalId}:b.txt`)).toBe("b");
  });

  it("neither does it while the setup runs there", async () => {
    await begin("--setup", "sh setup.sh");
    const [repository] = valueOf<{ path: string }[]>(await world.command("repo", "list"));
    const path = repository?.path ?? "";
    const once = `[ -e ${world.dataDir}/once ] || { touch ${world.dataDir}/once; rm -rf ${world.dataDir}/mirrors ${world.dataDir}/worktrees; exit 1; }`;
    await writeFile(join(path, "setup.sh"), `${once}\n`);
    await gitIn(path, "add", ".");
    await gitIn(path, "commit", "--quiet", "-m", "setup");
    const goalId = await goal(...command);

    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{ end: "passed" }] });
    expect(await told()).toEqual(["disk"]);
  });

  it("what was recorded there is begun again from the base, also when another goal has made the mirror anew [F-605]", async () => {
    const path = await begin("--setup", "");
    // What people see was changed: that is asked about when the work is there.
    const first = await goal("--run", "mkdir -p src && date +%N > src/page.css");
    await world.work();
    expect(await shown(first)).toMatchObject({ status: "blocked" });
    await emptyDisk();
    const second = await goal(...command);
    await world.work();
    expect(await shown(second)).toMatchObject({ status: "complete" });

    await world.command("approve", await questionOf(first));
    await world.work();

    expect(await shown(first)).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "rev-list", "--count", `main..cos/${first}`)).toBe("1");
  });

  it("asks a person when it does so again and again, and a setup that fails by itself still fails", async () => {
    await begin("--setup", "");
    const goalId = await goal(...command);

    await work(losing(Array.from({ length: 20 }, (_, index) => index + 1)));

    expect(await shown(goalId)).toMatchObject({ status: "blocked" });
    const { rows } = await world.deps.database.pool.query<{ context: string }>("select context from cos.checkpoints");
    expect(rows[0]?.context).toContain("The disk does not stay");
    await world.command("repo", "edit", "shop", "--setup", "exit 3");
    const other = await goal(...command);
    await world.command("goal", "skip", goalId);
    await world.work();
    expect((await shown(other)).outcome).toContain("Setup failed: exit 3");
  });
});

async function questionOf(goalId: string): Promise<string> {
  const { rows } = await world.deps.database.pool.query<{ id: string }>(
    "select checkpoint_id as id from cos.checkpoints where goal_id = $1 and status = 'pending'",
    [goalId],
  );
  return rows[0]?.id ?? "";
}
