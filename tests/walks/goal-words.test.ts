import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, fails } from "../fakes/scripted.ts";

/** A goal is called the same wherever it is counted, listed and asked for. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
  await agentRepository(world, [fails("I am out of words.")]);
});
afterEach(() => world.close());

async function printed(...words: string[]): Promise<string> {
  const result = await world.command(...words);
  return result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : result.reason;
}

it("what nobody works now is not counted as working", async () => {
  valueOf(await world.command("goal", "add", "Add a footer"));
  await world.command("autopilot", "start");
  await world.work();

  expect(await printed("goals")).toMatch(/retrying goal-\w+ Add a footer/);
  expect(await printed("status")).toContain("Goals: 1 retrying");
});

it.each([
  ["skipped", 1],
  ["Deferred", 1],
  ["pending", 1],
  ["waiting", 0],
  ["parked", 0],
  ["waits for a person", 0],
  ["left to a person", 0],
  ["done", 0],
  ["working", 0],
])("goals can be asked for as %s", async (word, number) => {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Add a footer"));
  valueOf(await world.command("goal", "add", "Add a header"));
  valueOf(await world.command("goal", "skip", goalId));

  expect(valueOf(await world.command("goals", "--status", word))).toHaveLength(number);
});

it("a list that leaves older goals out says so", async () => {
  for (const text of ["Add a header", "Add a footer", "Add a menu"]) valueOf(await world.command("goal", "add", text));

  const newest = await printed("goals", "--limit", "2");
  expect(newest).toContain("The newest 2 goals; there are older ones (--limit)");
  expect(newest).not.toContain("Add a header");
  expect(await printed("goals", "--limit", "3")).toMatch(/^3 goals$/m);
});
