import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { fillShelf, honestSetup, honestSpec, layHonest } from "../fakes/honest-shelf.ts";
import { honestGoals } from "../fixtures/honest.ts";

/**
 * Honest work is not held up (docs/proofs.md): goals on packages of others with the tests that they
 * carry. What is needed is downloaded, in pinned versions; nothing is run here but in the long variant.
 */

const isFull = process.env["COS_TEST_FULL"] === "1";

let shelf: string;
beforeAll(async () => {
  if (!isFull) return;
  shelf = await fillShelf();
});
afterAll(async () => {
  if (isFull) await rm(shelf, { recursive: true, force: true });
});

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 2, trials: true },
      // That a dependency, or a type that others build on, was changed is asked by another rule (D28).
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

interface Shown {
  status: string;
  tag: string;
  noted: { path: string }[];
  trials: { verdict: string; trials: { what: string; isKept: boolean }[] }[];
}

/** As where bwrap or chromium is missing: it is a tool of the machine. */
const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

describe.runIf(isFull)("honest work on packages of others [F-201]", () => {
  it.each(honestGoals.filter(({ of }) => of !== "pytest" || hasPytest))("$title ($of)", async (goal) => {
    const path = await layHonest(shelf, goal, join(world.dataDir, "person"));
    const setup = honestSetup(shelf, goal);
    const spec = join(world.dataDir, "spec.md");
    await writeFile(spec, honestSpec(goal));
    await world.command("repo", "add", path, "--setup", setup, "--check", "");
    const words = ["goal", "add", "Some work", "--criteria", spec, "--run", goal.work, ...(goal.options ?? [])];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    await world.work();

    const asked = valueOf<{ checkpointId: string; context: string }[]>(await world.command("checkpoints"));
    expect(asked.map(({ context }) => context)).toEqual(goal.asks === undefined ? [] : [goal.asks]);
    for (const { checkpointId } of asked) await world.command("answer", checkpointId, "Accept");
    await world.work();

    const result = await world.command("goal", "show", goalId);
    const shown = valueOf<Shown>(result);
    expect(shown).toMatchObject({
      status: "complete",
      tag: "verified",
      trials: goal.verdict === null ? [] : [{ verdict: goal.verdict }],
    });
    expect(shown.noted.map((each) => each.path)).toEqual(goal.noted);
    expect(JSON.stringify(result.type === "done" ? result.card.blocks : result)).toContain(goal.words);
    // Two at a time: in at most three turns.
    const fresh = shown.trials.flatMap(({ trials }) => trials).filter(({ isKept }) => !isKept);
    expect(fresh.length).toBeLessThanOrEqual(6);
  });

  it("asks one question in all", () => {
    expect(honestGoals.filter(({ asks }) => asks !== undefined).map(({ title }) => title)).toEqual([
      "a changed signature with its test",
    ]);
    expect(honestGoals.length).toBeGreaterThanOrEqual(15);
  });
});
