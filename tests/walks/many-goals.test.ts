import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** Many goals at once: lists keep their order, and what leads on leads to where they are. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
});
afterEach(() => world.close());

async function printed(...words: string[]): Promise<string> {
  const result = await world.command(...words);
  return result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : result.reason;
}

async function addList(goals: readonly object[]): Promise<void> {
  const list = join(world.dataDir, "goals.json");
  await writeFile(list, JSON.stringify(goals));
  valueOf(await world.command("goal", "add", "--from", list));
}

const parts = Array.from({ length: 12 }, (_, index) => `part ${index + 1}`);

it("goals of a list stay in its order, whatever the order in which they are worked", async () => {
  await addList(parts.map((text, index) => ({ text, run: "true", priority: index === 9 ? "high" : "low" })));
  valueOf(await world.command("autopilot", "start"));

  const { results } = valueOf<{ sessions: { results: { content: string }[] }[] }>(
    await world.command("autopilot", "status"),
  ).sessions[0] ?? { results: [] };
  expect(results[0]?.content).toBe("part 10");
  const listed = valueOf<{ content: string }[]>(await world.command("goals")).map((goal) => goal.content);
  expect(listed).toEqual(parts);
  const pending = valueOf<{ content: string }[]>(await world.command("goals", "--status", "pending"));
  expect(pending.map((goal) => goal.content)).toEqual(parts);
});

it("the rest of a standup's day, and a plan with nothing in it, lead to goals that are in a session", async () => {
  await addList(parts.map((text) => ({ text, run: "true" })));
  valueOf(await world.command("autopilot", "start"));

  const standup = await printed("standup");
  const [, command = ""] = /and \d+ more: cos (.*)/.exec(standup) ?? [];
  for (const part of parts) expect(await printed(...command.split(" "))).toContain(part);
  expect(await printed("plan")).toContain("cos goals --status pending");
  expect(await printed("plan")).not.toContain("No goal is pending");
});

it("a session is named with its repository", async () => {
  valueOf(await world.command("goal", "add", "a", "--run", "true"));
  valueOf(await world.command("autopilot", "start"));

  expect(await printed("status")).toMatch(/Session session-\w+ on \S+ is running/);
  expect(await printed("autopilot", "status")).toMatch(/session-\w+ on \S+: running/);
});

it("a session in which nothing goes on without an answer waits for it in the status, as on its card", async () => {
  valueOf(await world.command("goal", "add", "a", "--run", "true", "--tag", "ui"));
  valueOf(await world.command("autopilot", "start"));

  expect(await printed("status")).toMatch(/Session session-\w+ on \S+ is waiting for an answer/);
});

it("nobody is told to start a session where nothing could be worked", async () => {
  expect(await printed("status")).toContain("No session is open");
  expect(await printed("status")).not.toContain("cos autopilot start");

  valueOf(await world.command("goal", "add", "a", "--run", "true"));
  expect(await printed("status")).toContain("No session is open: cos autopilot start");
});
