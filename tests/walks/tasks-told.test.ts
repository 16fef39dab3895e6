import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { again, check, evidence, loopGoal, taskList, work, workAndAllow, write } from "../fakes/loop.ts";

/** What the agents of tasks, and those that check them, are told of their goal. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...policy,
      checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
      tasks: { ...policy.tasks, attempts: 3 },
    }),
  });
});
afterEach(() => world.close());

const shown = async (goalId: string) =>
  valueOf<{ status: string; tasks: { id: string; attempts: number }[] }>(await world.command("goal", "show", goalId));

it("the files that their goal allows, before and after one of them has changed another", async () => {
  const list = taskList(["T1"], null).replace("holds]", 'holds], filesAllowed: ["**/*.js"]');
  const { goalId } = await loopGoal(
    world,
    list,
    [
      { match: ["Check one task", "Its goal may touch", "src/**"], steps: [evidence("PASS")] },
      again("T1", "may not: test/one.js. Its goal allows: src/**.", write("src/one.js", "1\n")),
      { match: ["Implement one task", "\nT1: ", "**/*.js", "src/**"], steps: [write("test/one.js", "1\n")] },
    ],
    { options: ["--allow", "src/**"] },
  );
  await world.work();

  expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1", attempts: 2 }] });
});

it("the document that it refers to, and whoever does the work the criteria of the whole", async () => {
  const whole = '#### AC-1: Whole\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f one.txt"\n```\n';
  const { goalId } = await loopGoal(world, taskList(["T1"], null), [
    { match: ["Check one task", "T1: ", "prices are rounded up"], steps: [evidence("PASS")] },
    {
      match: ["Implement one task", "\nT1: ", "prices are rounded up", "#### AC-1: Whole"],
      steps: [write("one.txt", "1\n")],
    },
  ]);
  await world.deps.database.pool.query("update cos.goals set criteria = $1, linked_text = $2", [
    whole,
    "All prices are rounded up.",
  ]);
  await world.work();

  expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1", attempts: 1 }] });
});

it("what a person has allowed since they asked, in the words in which they asked", async () => {
  const asks = (name: string): object => ({ permission: { title: `Remove ${name}`, command: `rm -rf ${name}` } });
  const { goalId } = await loopGoal(world, taskList(["T1"], null), [
    { match: ["Check one task", "allowed-once", "rm -rf caches"], steps: [asks("caches"), evidence("PASS")] },
    check("T1", asks("caches"), evidence("FAIL")),
    {
      match: ["Implement one task", "\nT1: ", "allowed-once", "rm -rf build"],
      steps: [asks("build"), write("one.txt", "1\n")],
    },
    work("T1", asks("build"), write("one.txt", "not told\n")),
  ]);
  await workAndAllow(world);

  expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1", attempts: 1 }] });
});
