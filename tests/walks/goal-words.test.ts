import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
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
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  await world.work();

  expect(await printed("goals")).toMatch(/retrying: goal-\w+ Add a footer, until 2026-01-26 09:00/);
  expect(await printed("status")).toContain("Goals: 1 retrying");
  expect(await printed("autopilot", "status")).toMatch(/retrying: goal-\w+ Add a footer, until 2026-01-26 09:00/);
  expect(await cardWords(world, sessionId)).toContain("retrying: Add a footer, until 2026-01-26 09:00");
});

it("what is only queued, or waits for its next attempt, is working nowhere, and what is tried again is", async () => {
  const [begun, goesOn] = [join(world.dataDir, "begun"), join(world.dataDir, "goes-on")];
  const run = `if [ ! -f ${begun}.1 ]; then touch ${begun}.1; exit 1; fi; touch ${begun}.2; until [ -f ${goesOn} ]; do sleep 0.05; done`;
  valueOf(await world.command("goal", "add", "Add a footer", "--run", run));
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  const everywhere = async (now: string): Promise<void> => {
    await world.deps.project();
    expect(await printed("goals")).toMatch(new RegExp(`${now}: goal-\\w+ Add a footer`));
    expect(await printed("autopilot", "status")).toMatch(new RegExp(`${now}: goal-\\w+ Add a footer`));
    expect(await cardWords(world, sessionId)).toContain(`${now}: Add a footer`);
  };

  await everywhere("next");
  await world.work();
  await everywhere("retrying");
  world.advance(60_000);
  const working = world.work();
  await eventually("its second attempt", async () => existsSync(`${begun}.2`));
  await everywhere("working");
  writeFileSync(goesOn, "");
  await working;
  await everywhere("complete, claimed");
});

it("what is complete says in every list how that is known", async () => {
  const run = ["--run", "echo 1 > one.txt"];
  valueOf(await world.command("goal", "add", "Prove it", ...run, "--done-when", "test -f one.txt"));
  valueOf(await world.command("goal", "add", "Say it", "--run", "echo 2 > two.txt"));
  valueOf(await world.command("autopilot", "start"));
  await world.work();

  expect(await printed("goals")).toMatch(
    /complete, verified: goal-\w+ Prove it[\s\S]*complete, claimed: goal-\w+ Say it/,
  );
  expect(await printed("autopilot", "status")).toMatch(
    /complete, verified: goal-\w+ Prove it[\s\S]*complete, claimed: goal-\w+ Say it/,
  );
  expect(valueOf<{ status: string }[]>(await world.command("goals"))).toMatchObject([
    { status: "complete" },
    { status: "complete" },
  ]);
});

it("what is tried again in a paused session is not said to go on at a time", async () => {
  const added = await world.command("goal", "add", "Add a footer", "--run", "exit 1");
  const { goalId } = valueOf<{ goalId: string }>(added);
  await world.command("autopilot", "start");
  await world.work();
  expect(await printed("why", goalId)).toContain("Goes on at ");

  await world.command("autopilot", "pause");
  expect(await printed("why", goalId)).toMatch(/waits: its session is paused by ana\n +- Next: cos autopilot resume/);
  expect(await printed("why", goalId)).not.toContain("Goes on at ");
});

it("a paused session says who paused it and what lets it go on, in the status, in its own and of its goals", async () => {
  const added = await world.command("goal", "add", "Add a footer");
  const { goalId } = valueOf<{ goalId: string }>(added);
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  await world.command("autopilot", "pause");
  await world.deps.project();

  expect(await printed("why", goalId)).toMatch(
    /^Add a footer: waits: its session is paused by ana\n +- Next: cos autopilot resume --repo \S+/,
  );
  expect(await printed("autopilot", "status")).toMatch(/Paused by ana: cos autopilot resume --repo \S+/);
  expect(await cardWords(world, sessionId)).toMatch(/Paused by ana: cos autopilot resume --repo \S+/);
  const status = await printed("status");
  expect(status).toContain(`Session ${sessionId} on`);
  expect(status.match(/paused by ana/g)).toHaveLength(2);
  expect(status.match(/cos autopilot resume/g)).toHaveLength(1);
});

it("a goal in no session says what begins one", async () => {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Add a footer"));

  expect(await printed("why", goalId)).toMatch(/^Add a footer: waits for a session\n +- Next: cos autopilot start/);
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

it("what is parked or skipped says how it goes on, and a word about it that decides nothing says that", async () => {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Add a footer"));
  expect(await printed("goal", "pause", goalId)).toContain(`To work it after all: cos goal resume ${goalId}`);
  expect(await printed("reply", goalId, "ok")).toMatch(
    new RegExp(`Nothing follows from it: no question is open here. What it waits for: cos why ${goalId}$`),
  );
  expect(await printed("goal", "skip", goalId)).toContain(`To work it after all: cos goal resume ${goalId}`);
});

it("a list that leaves older goals out says so", async () => {
  for (const text of ["Add a header", "Add a footer", "Add a menu"]) valueOf(await world.command("goal", "add", text));

  const newest = await printed("goals", "--limit", "2");
  expect(newest).toContain("The newest 2 goals; there are older ones (--limit)");
  expect(newest).not.toContain("Add a header");
  expect(await printed("goals", "--limit", "3")).toMatch(/^3 goals$/m);
});

it("what waits and what comes next is told with its repository where there are several, and with its command", async () => {
  await world.command("repo", "add", await world.repository(), "--name", "laden", "--setup", "", "--check", "");
  for (const repo of ["person", "laden"])
    valueOf(
      await world.command("goal", "add", "Round prices up", "--run", "touch a.css", "--tag", "ui", "--repo", repo),
    );

  expect(await printed("plan")).toMatch(
    /^The next sessions, each in this order\n\n {2}Session on laden\n {2}- .*\n\n {2}Session on person\n {2}- .*$/,
  );
  expect(await printed("plan", "--repo", "laden")).toMatch(
    /^The next session, in this order\n\n {2}Session on laden\n {2}- [^\n]*$/,
  );
  await world.command("autopilot", "start");
  for (const list of ["standup", "status"])
    for (const name of ["laden", "person"])
      expect(await printed(list)).toMatch(
        new RegExp(`Round prices up: about to make user-facing changes · ${name}.* cos answer cp-\\w+ Proceed`),
      );
});
