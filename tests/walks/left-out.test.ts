import { afterEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

/** Work that git does not take: who left it and who waits for it are told by name. */

let world: TestWorld;
afterEach(() => world.close());

const unaddable = "sub/.GIT/config";

async function added(doneWhen: string): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Write it", "--done-when", doneWhen),
  );
  await world.command("autopilot", "start");
  await world.work();
  return goalId;
}

async function why(goalId: string): Promise<string> {
  const told = await world.command("why", goalId);
  if (told.type === "refused" || told.card === null) throw new Error("why shows no card");
  return terminalLines(told.card, "UTC").join("\n");
}

it("what git could not add is on the card, in why, and told to the agent when a criterion fails", async () => {
  world = await testWorld();
  const config = { write: { path: unaddable, content: "x\n" } };
  await agentRepository(world, [
    { match: [`Not in the commit: ${unaddable}`], steps: [{ write: { path: "good.txt", content: "good\n" } }, config] },
    { steps: [{ write: { path: "first.txt", content: "1\n" } }, config, { say: "Done." }] },
  ]);

  const goalId = await added("test -f good.txt");

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
    status: "complete",
    tag: "verified",
    leftOut: { paths: [unaddable], count: 1 },
  });
  expect(await why(goalId)).toContain(`left files that are no part of the commit: ${unaddable}`);
  expect(await cardWords(world, goalId)).toContain(`Not in the commit: ${unaddable}`);
});

it("work at which git stops is a failed attempt with git's reason, which the next one is told", async () => {
  world = await testWorld();
  const encoding = { write: { path: ".gitattributes", content: "*.txt working-tree-encoding=UTF-16\n" } };
  await agentRepository(world, [
    { ...writes("good.txt", "good\n"), match: ["BOM is required"] },
    { steps: [encoding, { write: { path: "a.txt", content: "work\n" } }, { say: "Done." }] },
  ]);

  const goalId = await added("test -f good.txt");
  expect(await why(goalId)).toContain("the work could not be committed: ");
  world.advance(60_000);
  await world.tick();
  await world.work();

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete", tag: "verified" });
  expect(await why(goalId)).not.toContain("Setup failed");
});
