import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import type { CommandResult } from "../../src/commands/command.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, type Script } from "../fakes/scripted.ts";

/** What an agent that changes nothing said, and how often it is paid for that. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const question = "Which currency should I use, euros or dollars?";

/** A goal of one criterion, worked until its ladder has ended or for so many of its attempts. */
async function ended(scripts: readonly Script[], passes = 12): Promise<string> {
  await agentRepository(world, scripts);
  const added = await world.command("goal", "add", "Set the currency", "--done-when", "test -s currency.txt");
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start");
  for (let pass = 0; pass < passes; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
  return goalId;
}

function drawn(result: CommandResult): string {
  return result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : "";
}

async function timesRun(goalId: string): Promise<number> {
  const { timeline } = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
  return timeline.filter(({ event }) => event === "run.executed").length;
}

it("an agent that asks and changes nothing is told once more what fails, and not five times an attempt [D21]", async () => {
  const goalId = await ended([{ steps: [{ say: `I looked at it.\n${question}` }] }]);

  const { attempts } = valueOf<{ attempts: { output: string }[] }>(await world.command("goal", "show", goalId));
  expect(attempts).toHaveLength(6);
  expect(attempts.map(({ output }) => output.split("\n").at(-1))).toEqual(attempts.map(() => question));
  expect(await timesRun(goalId)).toBe(7);
});

it("its last words and that it changed nothing stand on the escalation, its document and with the goal", async () => {
  const goalId = await ended([{ steps: [{ say: question }] }]);

  for (const told of [await world.command("escalation", goalId), await world.command("goal", "show", goalId)]) {
    const words = drawn(told);
    expect(words).toContain("The agent said last");
    expect(words).toContain(question);
    expect(words).toContain("changed nothing · ");
  }
  expect(drawn(await world.command("escalation", goalId))).toContain("The agent was run 7 times in 6 attempts.");
  const { markdown } = valueOf<{ markdown: string }>(await world.command("escalation", goalId));
  expect(markdown).toContain("  - Changed: nothing");
  expect(markdown).toContain(`  - Said: ${question}`);
});

it("a failure that every approach met is told once, and nothing of it when somebody has it tried again", async () => {
  const goalId = await ended([{ steps: [{ say: question }] }]);
  const told = drawn(await world.command("goal", "show", goalId));
  expect(told.match(/Not verified: AC-1/g)).toHaveLength(3);
  expect(told.match(/failed the same way/g)).toHaveLength(2);
  const { checkpointId } = valueOf<{ checkpointId: string }>(await world.command("goal", "show", goalId));

  await world.command("answer", checkpointId, "Retry");

  const { outcome } = valueOf<{ outcome: string | null }>(await world.command("goal", "show", goalId));
  expect(outcome).toBeNull();
});

it("one that changes something each time has all five rounds [D21]", async () => {
  const goalId = await ended([{ steps: [{ run: "echo x >> other.txt", quiet: true }, { say: "Done." }] }], 1);

  expect(await timesRun(goalId)).toBe(5);
  expect(drawn(await world.command("goal", "show", goalId))).toContain("changed other.txt · ");
});
