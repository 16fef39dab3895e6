import { expect, it } from "vitest";
import { tickBranches, tickForges, tickTimers, tickWork } from "../../src/tick.ts";
import { type TestWorld, valueOf } from "../fakes/deps.ts";
import { forgeScene, goalAtWork, proven, pullOf, shownPull } from "../fakes/forges/scene.ts";

/** A forge that is slow, or answers nothing for a while: everything else goes on meanwhile. */

async function statusOf(world: TestWorld, goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

it("while a forge does not answer goals are worked, merged elsewhere and cards drawn; then its own go on [F-605]", async () => {
  const { world, forge } = await forgeScene("gitea");
  const there = await goalAtWork(world, "Write b", ...proven);
  await world.tick();
  valueOf(await world.command("goal", "merge", there));
  world.advance(31_000);
  let answers: (value: unknown) => void = () => undefined;
  forge.holdsUntil = new Promise((resolve) => {
    answers = resolve;
  });
  const asked = forge.asked.length;
  const looking = tickForges(world.deps);

  const path = await world.repository();
  const added = await world.command("goal", "add", "Write c", "--repo", path, "--run", "echo c > c.txt");
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start", "--repo", path);
  await world.work();
  valueOf(await world.command("goal", "merge", goalId));
  world.advance(31_000);
  await tickTimers(world.deps);
  await tickWork(world.deps);
  await tickBranches(world.deps);
  const merges = "select status from cos.merges where goal_id = $1";
  const { rows } = await world.deps.database.pool.query<{ status: string }>(merges, [goalId]);
  expect([await statusOf(world, goalId), rows]).toEqual(["complete", [{ status: "merged" }]]);
  // It was asked for the merge, and for its pull request, and nothing more until it answers.
  expect(forge.asked.length - asked).toBeLessThanOrEqual(2);
  expect(pullOf(forge).state).toBe("open");

  answers(null);
  await looking;
  // Where this machine was so slow that the question had its end before the answer, it is asked again.
  world.advance(60_000);
  await tickForges(world.deps);
  expect(pullOf(forge).state).toBe("merged");
});

it("looks for so long at a forge and no longer, and goes on at the next look", async () => {
  const { world, forge } = await forgeScene("gitlab", {
    policy: (policy) => ({ ...policy, pulls: { ...policy.pulls, lookForMs: 0 } }),
  });
  for (const name of ["b", "c"])
    await goalAtWork(
      world,
      `Write ${name}`,
      "--run",
      `echo ${name} > ${name}.txt`,
      "--done-when",
      `test -f ${name}.txt`,
    );
  await tickForges(world.deps);
  expect(forge.pulls).toHaveLength(1);
  await tickForges(world.deps);
  expect(forge.pulls).toHaveLength(2);
});

it("one that answers nothing for hours is asked ever more seldom, and what waits is said", async () => {
  const { world, forge } = await forgeScene("github");
  for (let times = 0; times < 100; times += 1) forge.next.push({ matches: /./, answer: "cut" });
  const goalId = await goalAtWork(world, "Write b", ...proven);
  for (let looks = 0; looks < 60; looks += 1) {
    await tickForges(world.deps);
    world.advance(60_000);
  }
  expect(forge.asked.length).toBeLessThan(20);
  expect((await shownPull(world, goalId))?.["trouble"]).toContain("does not answer as it should");
  expect(await statusOf(world, goalId)).toBe("complete");
});
