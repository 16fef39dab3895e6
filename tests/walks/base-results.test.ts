import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** How often setup, checks and a goal's command run, and what the results of a base are good for. */

let world: TestWorld;
let path: string;
let log: string;
beforeEach(async () => {
  world = await testWorld();
  log = join(world.dataDir, "log.txt");
});
afterEach(() => world.close());

/** Every process of these kinds leaves its name in one file. */
const counted = (name: string): string => `echo ${name} >> ${log}`;

async function counts(): Promise<{ command: number; setup: number; check: number }> {
  const said = (await readFile(log, "utf8").catch(() => "")).split("\n");
  const of = (name: string) => said.filter((line) => line === name).length;
  return { command: of("command"), setup: of("setup"), check: of("check") };
}

const forget = (): Promise<void> => writeFile(log, "");

async function repository(
  check: string,
  setup = "mkdir -p node_modules; echo made > node_modules/made.txt",
): Promise<void> {
  path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "good\n", ".gitignore": "node_modules\n" });
  await world.command(
    "repo",
    "add",
    path,
    "--setup",
    `${counted("setup")}; ${setup}`,
    "--check",
    `${counted("check")}; ${check}`,
  );
}

async function work(command: string, times = 3): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Run it", "--run", `${counted("command")}; ${command}`),
  );
  await world.command("autopilot", "start");
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
  return goalId;
}

const shown = async (goalId: string) =>
  valueOf<{ status: string; state: string; outcome: string }>(await world.command("goal", "show", goalId));
const kept = async () =>
  (
    await world.deps.database.pool.query<{ result: string; fingerprint: string }>(
      "select result, fingerprint from cos.base_results order by base_result_id",
    )
  ).rows;
const rejectAll = async (): Promise<void> => {
  for (const { checkpointId } of valueOf<{ checkpointId: string }[]>(await world.command("checkpoints")))
    valueOf(await world.command("reject", checkpointId));
};

/**
 * Names no file: what a command names is frozen, and would be held against the work without asking the base. Not in .git: a
 * commit's id may hold the word.
 */
const holds = "! grep -rq --exclude-dir=.git bad .";

describe("processes of a goal with a fixed command", () => {
  it("that fails by itself: its command twice, setup in two places, no check [F-119]", async () => {
    await repository("true");
    await work("exit 3");

    expect(await counts()).toEqual({ command: 2, setup: 2, check: 0 });
  });

  it("that passes: once, with the setup of its work and of its verification", async () => {
    await repository("true");
    const goalId = await work("echo x > x.txt");

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await counts()).toEqual({ command: 1, setup: 2, check: 1 });
    expect(await kept()).toEqual([]);
  });

  it("that breaks a check: the base is asked once for both runs, each time with a setup of its own [F-119] [F-202]", async () => {
    await repository(holds);
    const goalId = await work("echo bad > a.txt");

    const { state, outcome } = await shown(goalId);
    expect({ state, outcome }).toMatchObject({ state: "waiting" });
    expect(await counts()).toEqual({ command: 2, setup: 5, check: 3 });
    expect(await kept()).toMatchObject([{ result: "pass" }]);
  });

  it("two goals on one base: the second one asks nothing again [F-119]", async () => {
    await repository(holds);
    await work("echo bad > a.txt");
    await rejectAll();
    await forget();
    await work("echo bad again > a.txt");

    expect(await counts()).toEqual({ command: 2, setup: 4, check: 2 });
    expect((await kept()).length).toBe(1);
  });
});

describe("a check that fails at the base too", () => {
  it("excuses the work after it failed twice, the second time in a new place, and then every other goal's [F-119]", async () => {
    await repository("echo broken; exit 1");
    const first = await work("echo x > x.txt");
    expect(await counts()).toEqual({ command: 1, setup: 4, check: 3 });
    await forget();
    const second = await work("echo y > y.txt");

    for (const goalId of [first, second])
      expect(await shown(goalId)).toMatchObject({
        status: "complete",
        outcome: expect.stringContaining("failed before the work began: not blamed on it") as string,
      });
    expect(await counts()).toEqual({ command: 1, setup: 2, check: 1 });
    const rows = await kept();
    expect(rows.map((row) => row.result)).toEqual(["fail", "fail"]);
    expect(rows[0]?.fingerprint).toBe(rows[1]?.fingerprint);
  });

  it("once only is no excuse: what passes there the second time is blamed on the work [F-119]", async () => {
    const once = join(world.dataDir, "once");
    await repository(`${holds} && { test -e ${once} || { touch ${once}; exit 1; }; }`);
    const goalId = await work("echo bad > a.txt");

    expect(await shown(goalId)).toMatchObject({ state: "waiting" });
    expect((await kept()).map((row) => row.result)).toEqual(["fail", "pass"]);
  });

  it("in another way each time is no excuse either, and is not tried for ever [F-119]", async () => {
    const ways = join(world.dataDir, "ways");
    const words = `printf x >> ${ways}; echo "way $(tr x '\\101' < ${ways} | head -c 99)"; exit 1`;
    await repository(words);
    const goalId = await work("echo x > x.txt");

    expect(await shown(goalId)).toMatchObject({ state: "waiting" });
    expect((await kept()).map((row) => row.result)).toEqual(["fail", "fail", "fail"]);
  });

  it("because of what the work left in the place of verification is blamed on the work [F-119]", async () => {
    await repository("sh check.sh");
    await writeFile(join(path, "check.sh"), "sh work.sh || exit 1; test ! -e node_modules/planted\n");
    await writeFile(join(path, "work.sh"), "true\n");
    await gitIn(path, "add", "--all");
    await gitIn(path, "commit", "--quiet", "--message", "A check");
    const goalId = await work("echo 'touch node_modules/planted; exit 1' > work.sh");

    expect(await shown(goalId)).toMatchObject({ state: "waiting" });
    expect((await kept()).map((row) => row.result)).toEqual(["pass"]);
  });

  it.each([
    ["", "a.txt"],
    ["with a file that is left out while it is verified ", "package.json"],
  ])("does not excuse work that breaks the setup %sfor everybody", async (_with, file) => {
    await repository("echo broken; exit 1", `! grep -q unready ${file}`);
    const goalId = await work(`echo '"unready"' > ${file}`);

    const { state, outcome } = await shown(goalId);
    expect({ state, outcome }).toMatchObject({ state: "waiting" });
    expect(outcome).toContain("the work breaks the setup");
  });

  it("is not known when its setup failed there: nothing is kept of that [F-119]", async () => {
    // The fourth setup is the one in the second place of the base.
    const fourth = `test "$(grep -c setup ${log})" -lt 4`;
    await repository("echo broken; exit 1", `mkdir -p node_modules; touch node_modules/made.txt; ${fourth}`);
    const goalId = await work("echo x > x.txt", 1);

    expect(await shown(goalId)).not.toMatchObject({ status: "complete" });
    expect((await kept()).map((row) => row.result)).toEqual(["fail"]);
  });
});

describe("what is kept of a base", () => {
  it("holds for its commit and environment only: a new commit or another setup is asked anew [F-119]", async () => {
    await repository(holds);
    await work("echo bad > a.txt");
    await rejectAll();
    await writeFile(join(path, "b.txt"), "b\n");
    await gitIn(path, "add", "--all");
    await gitIn(path, "commit", "--quiet", "--message", "Another base");
    await work("echo bad > a.txt");
    await rejectAll();
    expect((await kept()).length).toBe(2);
    await world.deps.database.pool.query("update cos.repositories set setup = setup || '; true'");
    await work("echo bad > a.txt");

    expect((await kept()).length).toBe(3);
  });

  it("is forgotten by the tick after 30 days", async () => {
    await repository(holds);
    await work("echo bad > a.txt");
    world.advance(29 * 24 * 3_600_000);
    await world.tick();
    expect((await kept()).length).toBe(1);
    world.advance(2 * 24 * 3_600_000);
    await world.tick();

    expect(await kept()).toEqual([]);
  });
});
