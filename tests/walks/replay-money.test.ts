import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCalls } from "../../src/db/spend.ts";
import { goalTotal } from "../../src/db/totals.ts";
import { outputPathOf } from "../../src/paths.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { check, evidence, type LoopGoal, loopGoal, taskList, work, write } from "../fakes/loop.ts";

/** What a replay of recorded tasks costs, also when it cannot check them. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
});
afterEach(() => world.close());

const scripts = [
  check("T1", evidence("PASS"), { costUsd: 0.2 }),
  work("T1", write("one.txt", "one\n"), { costUsd: 0.1 }),
];

async function worked(): Promise<LoopGoal & { readonly runId: string }> {
  const goal = await loopGoal(world, taskList(["T1"], false), scripts);
  await world.work();
  const { rows } = await world.deps.database.pool.query("select status, run_id from cos.goals");
  expect(rows).toMatchObject([{ status: "complete" }]);
  return { ...goal, runId: String(rows[0]?.run_id) };
}

const total = (goalId: string) => goalTotal(world.deps.database.db, goalId);

describe("a replay", () => {
  it("that fails in the middle leaves no money reserved", async () => {
    const { goalId, runId } = await worked();
    const before = await total(goalId);
    // The folder of the run's output is a file, so nothing can be written there.
    const folder = join(world.dataDir, dirname(outputPathOf(runId, 0, "x")));
    await rename(folder, `${folder}.away`);
    await writeFile(folder, "");

    await expect(world.command("replay", "--goal", goalId)).rejects.toThrow();

    expect(await openCalls(world.deps.database.db, runId)).toEqual([]);
    expect(await total(goalId)).toMatchObject({ committedMicroUsd: before.committedMicroUsd });
  });

  it("of work that is not on this machine is refused, and reserves nothing", async () => {
    const { goalId } = await worked();
    const before = await total(goalId);
    await world.deps.database.pool.query(`update cos.tasks set "commit" = $1`, ["0".repeat(40)]);

    expect(await world.command("replay", "--goal", goalId)).toMatchObject({
      type: "refused",
      reason: "the recorded commit of T1 is not in the mirror on this machine",
    });
    expect(await total(goalId)).toEqual(before);
  });

  it("whose agent does not begin is refused with the reason, and costs nothing", async () => {
    const { goalId, broken } = await worked();
    const before = await total(goalId);
    await writeFile(broken, "");

    expect(await world.command("replay", "--goal", goalId)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("the agent could not begin the check: "),
    });
    expect(await total(goalId)).toEqual(before);
  });

  it("with an agent at a flat rate reserves and costs nothing", async () => {
    const { goalId } = await worked();
    await world.deps.database.pool.query("update cos.repositories set billing = 'flat'");
    // Nothing is left for an agent that is paid by use.
    await world.deps.database.pool.query("update cos.goals set ceiling_micro_usd = 1");
    const before = await total(goalId);

    const replayed = valueOf<{ checks: object[] }>(await world.command("replay", "--goal", goalId));

    expect(replayed.checks).toMatchObject([
      { mode: "legacy", verdict: "passed", costMicroUsd: 0, costIsEstimated: false },
      { mode: "layered", verdict: "passed", costMicroUsd: 0, costIsEstimated: false },
    ]);
    expect(await total(goalId)).toEqual(before);
  });
});
