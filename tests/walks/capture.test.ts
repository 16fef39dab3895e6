import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { captureOf } from "../../bench/capture/capture.ts";
import { projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import type { ShownWorklog } from "./worklog.test.ts";

/** A worklog against its agent's own messages, as they went over the wire. */

let world: TestWorld;
afterEach(() => world.close());

type Way = "plan" | "todos" | "both";
const told = (way: Way, ...statuses: string[]) => {
  const lines = statuses.map((status, index) => ({ content: `Step ${index + 1}`, status }));
  return { ...(way === "todos" ? {} : { plan: lines }), ...(way === "plan" ? {} : { todos: lines }) };
};
const stepsOf = (way: Way) => [
  told(way, "in_progress", "pending"),
  { write: { path: "a.txt", content: "1\n" } },
  { write: { path: "deep/b.txt", content: "2\n" } },
  { replace: { path: "a.txt", find: "1", with: "3" } },
  { run: "cat a.txt" },
  { run: "npm test" },
  { run: "ls nowhere" },
  told(way, "completed", "completed"),
  { say: "Done." },
];

it.each([
  ["of the protocol", "plan"],
  ["in the tool that keeps them", "todos"],
  ["both ways, which is once", "both"],
] as const)("holds everything that its agent told, its plans %s; what is missing is named", async (_, way) => {
  world = await testWorld({ environment: { COS_ISOLATION: "off" } });
  const path = await makeRepository(join(world.dataDir, "person"), { "readme.txt": "x\n" });
  const [script, transcript] = [join(world.dataDir, "script.json"), join(world.dataDir, "transcript.jsonl")];
  await writeFile(script, JSON.stringify(stepsOf(way)));
  const [tap, agent] = [
    join(projectDir, "bench/capture/tap.mjs"),
    join(projectDir, "examples/scripted-agent/agent.mjs"),
  ];
  const command = `acp:"${process.execPath}" "${tap}" "${transcript}" -- "${process.execPath}" "${agent}" --script "${script}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", command);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--tier", "STRICT"));
  await world.command("autopilot", "start");
  await world.work();
  await world.tick();
  const log = valueOf<ShownWorklog>(await world.command("worklog", "show", goalId));
  const wire = await readFile(transcript, "utf8");

  const capture = captureOf(wire, { tier: "STRICT", entries: log.entries });
  const without = log.entries.filter((entry) => !entry.context.includes("deep/b.txt"));
  const less = captureOf(wire, { tier: "STRICT", entries: without });

  expect(log.outcome).toBe("success");
  expect(log.entries.filter((entry) => entry.action === "Verify")).toHaveLength(2);
  expect(capture.lines).toEqual([
    { action: "TodoWrite", told: 2, found: 2, missing: [] },
    { action: "Edit", told: 3, found: 3, missing: [] },
    // Reading is no operation; a test run is one, and so is what failed.
    { action: "Bash", told: 2, found: 2, missing: [] },
    { action: "Task", told: 0, found: 0, missing: [] },
  ]);
  expect([capture.told, capture.found]).toEqual([7, 7]);
  expect(less.lines[1]).toEqual({ action: "Edit", told: 3, found: 2, missing: ["b.txt"] });
});
