import { afterEach, beforeEach, expect, it } from "vitest";
import { firstPage, helpAbout } from "../../src/commands/terminal-help.ts";
import { commands } from "../../src/commands/index.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { getCheckpoint } from "../../src/db/checkpoints.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** What a terminal says to somebody who has just begun: what waits, what answers it, what is not there yet. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

/** What a command prints. */
async function printed(...words: string[]): Promise<readonly string[]> {
  const result = await world.command(...words);
  if (result.type === "refused") return [`${result.reason} > ${result.next}`];
  return terminalLines(result.card, "UTC");
}

interface Question {
  readonly checkpointId: string;
  readonly goalId: string;
}

/** Goals that ask before they are worked. */
async function asking(...texts: string[]): Promise<readonly Question[]> {
  await world.repository();
  for (const text of texts) await world.command("goal", "add", text, "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
  return valueOf<Question[]>(await world.command("checkpoints"));
}

it("the list of questions names the goal that is parked, which a standup counts among what waits", async () => {
  const [question] = await asking("Tidy up");
  await world.command("goal", "pause", question?.goalId ?? "");

  const words = (await printed("checkpoints")).join("\n");

  expect(words).toContain("No pending checkpoints.");
  expect(words).toContain(`1 goal is parked until a person resumes it: cos goal resume ${question?.goalId ?? ""}`);
});

it("without a repository the first thing is to add one", async () => {
  const [, first] = await printed("status");

  expect(first).toBe(
    "  - First: Add a repository of yours (or try everything with cos sample): none is known yet. cos repo add PATH",
  );
});

it("with a repository the first thing is a goal again", async () => {
  await world.repository();

  expect((await printed("status"))[1]).toContain("Add a goal: nothing is left to do. cos goal add TEXT");
});

it("each question stands apart, with its goal, what is asked and what answers it", async () => {
  const asked = await asking("Make it blue", "Make it red");

  const lines = (await printed("checkpoints")).map((line) => line.trim());

  for (const { checkpointId, goalId } of asked) {
    const head = lines.indexOf(`user-facing change ${checkpointId} about ${goalId}`);
    expect(lines[head - 1]).toBe("");
    expect(lines[head + 1]).toMatch(/^About to make user-facing changes: Make it (?:blue|red)$/);
    expect(lines.some((line) => line.includes(`cos approve ${checkpointId}, or cos answer ${checkpointId}`))).toBe(
      true,
    );
  }
});

it("a goal that waits names its question and the commands that answer it", async () => {
  const [question] = await asking("Make it blue");
  const { checkpointId = "", goalId = "" } = question ?? {};

  expect((await printed("goal", "show", goalId)).slice(1, 3)).toEqual([
    `  Waits for an answer to ${checkpointId}: About to make user-facing changes: Make it blue`,
    `  cos approve ${checkpointId}, or cos answer ${checkpointId} CHOICE`,
  ]);
  await world.command("approve", checkpointId);
  await world.work();
  expect((await printed("goal", "show", goalId)).join("\n")).not.toContain("Waits for an answer");
});

it("status counts goals by the words that lists and cards use", async () => {
  await asking("Make it blue", "Make it red");

  expect((await printed("status")).at(-2)).toBe("  - Goals: 2 waiting for an answer");
  const expiry = 25 * 60 * 60_000;
  world.advance(expiry);
  await world.tick();
  expect((await printed("status")).at(-2)).toBe("  - Goals: 2 parked");
});

it("modify takes its instructions as they are typed, once", async () => {
  await world.repository();
  const { goalId } = valueOf<Question>(await world.command("goal", "add", "Make it blue", "--tag", "ui"));
  await world.command("autopilot", "start");
  const [{ checkpointId } = { checkpointId: "" }] = valueOf<Question[]>(await world.command("checkpoints"));

  await expect(world.command("modify", checkpointId, "one", "--instructions", "two")).rejects.toThrow("given twice");
  await world.command("modify", checkpointId, "make", "it", "red");

  expect(await getCheckpoint(world.deps.database.db, checkpointId)).toMatchObject({ chosenOption: "Modify" });
  const { instructions } = valueOf<{ instructions: { text: string }[] }>(await world.command("goal", "show", goalId));
  expect(instructions.map(({ text }) => text)).toEqual(["make it red"]);
});

it("an escalation is asked for by its goal too, and a goal that had none says so", async () => {
  await world.repository();
  const { goalId } = valueOf<Question>(await world.command("goal", "add", "It fails", "--run", "exit 3"));
  expect(await printed("escalation", goalId)).toEqual([`${goalId} was never escalated > cos goal show ${goalId}`]);
  await world.command("autopilot", "start");
  for (let pass = 0; pass < 3; pass += 1) {
    await world.work();
    world.advance(60_000);
    await world.tick();
  }
  const [question] = valueOf<Question[]>(await world.command("checkpoints"));

  expect(await printed("escalation", goalId)).toEqual(await printed("escalation", question?.checkpointId ?? ""));
  expect((await printed("escalation", goalId)).join("\n")).toContain("It fails");
});

it("doctor ticks nothing that is not set up", async () => {
  const lines = await printed("doctor");

  for (const name of ["agent", "model", "repositories"])
    expect(lines.filter((line) => new RegExp(`^ *- (.) ${name}: `).test(line))).toEqual([
      expect.stringMatching(/^ *- – /),
    ]);
  expect(lines.find((line) => line.includes("database: "))).toContain("✓");
});

it("help's first page fits a screen, and leads to every command", () => {
  const page = firstPage(commands);

  expect(page.length).toBeLessThan(40);
  for (const { name } of commands) for (const word of name.split(" ")) expect(page.join("\n")).toContain(word);
  const everything = helpAbout(commands, ["all"]) ?? [];
  expect(commands.filter(({ name }) => !everything.some((line) => line.startsWith(`  ${name} `)))).toEqual([]);
  expect(helpAbout(commands, ["goal", "add"])?.[0]).toContain("cos goal add");
  expect(helpAbout(commands, ["goal"])?.join("\n")).toContain("cos goal show");
  expect(helpAbout(commands, ["fly"])).toBeNull();
});
