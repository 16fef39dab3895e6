import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, type Script, scriptedAgent, writes } from "../fakes/scripted.ts";

/** Sessions that stop themselves (D20): what counts, and what becomes of the goal at which they stopped. */

interface Question {
  checkpointId: string;
  kind: string;
  goalId: string;
  context: string;
  facts: { details: string[] };
}

const hour = 3_600_000;

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
});
afterEach(() => world.close());

const add = async (text: string, ...options: string[]): Promise<string> =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;
const questions = async (): Promise<Question[]> => valueOf<Question[]>(await world.command("checkpoints"));
const kinds = async (): Promise<string[]> => (await questions()).map(({ kind }) => kind);
const start = async () => valueOf(await world.command("autopilot", "start"));
const answer = async (option: string): Promise<void> => {
  const [open] = await questions();
  valueOf(await world.command("answer", open?.checkpointId ?? "", option));
};

describe("a goal counts once, however often it is tried again", () => {
  const again: readonly [string, () => Promise<() => Promise<unknown>>][] = [
    [
      "a push that is refused",
      async () => {
        const path = await agentRepository(world, []);
        await writeFile(join(path, ".git", "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
        await add("pushes", "--run", "echo b > b.txt");
        return () => answer("Retry");
      },
    ],
    [
      "an agent that gives up",
      async () => {
        const evidence =
          "GOAL\n1. used the bus → failed: not exported\n2. used events → failed: other pattern\n3. imported it → failed: circular\nHypothesis: the goal contradicts the code\nOptions:\n1. change the goal\n2. export it\n";
        const script: Script = {
          steps: [{ write: { path: ".cos/give-up.md", content: evidence } }, { say: "I give up." }],
        };
        await agentRepository(world, [script]);
        await add("gives up");
        return () => answer("Retry");
      },
    ],
    [
      "a command that is changed",
      async () => {
        await world.repository();
        const goalId = await add("runs", "--run", "exit 1");
        let code = 1;
        return async () => valueOf(await world.command("goal", "edit", goalId, "--run", `exit ${(code += 1)}`));
      },
    ],
  ];

  it.each(again)("%s", async (_what, begin) => {
    const tryAgain = await begin();
    await start();
    await world.work();
    for (let time = 0; time < 2; time += 1) {
      expect(await kinds()).toEqual(["escalation"]);
      await tryAgain();
      await world.work();
    }

    expect(await kinds()).toEqual(["escalation"]);
  });

  it("and two others after it are three, which are named", async () => {
    await world.repository();
    const first = await add("runs", "--run", "exit 1");
    await start();
    await world.work();
    valueOf(await world.command("goal", "edit", first, "--run", "exit 2"));
    await world.work();
    const second = await add("second", "--run", "exit 3");
    await world.work();
    expect(await kinds()).toEqual(["escalation", "escalation"]);
    const third = await add("third", "--run", "exit 4");
    await world.work();

    const breaker = (await questions()).find(({ kind }) => kind === "breaker");
    expect(breaker?.context).toBe("3 goals in a row ended failed");
    expect(breaker?.facts.details.map((line) => line.split(":")[0])).toEqual([first, second, third]);
  });
});

it("goals whose clean checkout cannot be set up count like any that fail", async () => {
  const path = await world.repository();
  const setup = 'case "$PWD" in */worktrees/*) ;; *) exit 1;; esac';
  valueOf(await world.command("repo", "add", path, "--setup", setup));
  const goals = [];
  for (const text of ["one", "two", "three", "four"])
    goals.push(await add(text, "--run", `echo ${text} > ${text}.txt`, "--done-when", `test -e ${text}.txt`));
  await start();
  await world.work();

  const [breaker] = await questions();
  expect(breaker).toMatchObject({ kind: "breaker", context: "3 goals in a row ended failed" });
  expect((await shown(goals[2] ?? "")).outcome).toContain("Verification could not be run");
  expect((await shown(goals[3] ?? "")).status).toBe("pending");
});

const waitsForLogin = (flag: string): Script => ({
  steps: [{ run: `test -e ${flag}`, quiet: true }, { fail: "authentication required" }],
});

interface Shown {
  status: string;
  outcome: string | null;
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const sessions = async () => {
  const found = "select status, stopping, end_reason from cos.sessions order by started_at";
  return (await world.deps.database.pool.query<object>(found)).rows;
};

describe("a session that was to stop after its goal ends with it", () => {
  it("when that is the third failure in a row", async () => {
    await world.repository();
    const flag = join(world.dataDir, "go");
    for (const name of ["one", "two"]) await add(name, "--run", "exit 1");
    const last = await add("three", "--run", `until test -e ${flag}; do sleep 0.05; done; exit 1`);
    await add("four", "--run", "echo d > d.txt");
    await start();
    const working = world.work();
    await eventually("the third runs", async () => (await shown(last)).status === "in_progress");
    valueOf(await world.command("autopilot", "stop"));
    await writeFile(flag, "");
    await working;

    expect(await kinds()).not.toContain("breaker");
    expect(await sessions()).toMatchObject([{ status: "ended", end_reason: "Stopped." }]);
  });

  it("when a login is missing: the goal says how it goes on", async () => {
    const [flag, waits] = [join(world.dataDir, "logged-in"), join(world.dataDir, "go")];
    const { steps } = waitsForLogin(flag);
    const run = `until test -e ${waits}; do sleep 0.05; done`;
    await agentRepository(world, [{ steps: [{ run, quiet: true }, ...steps] }]);
    const goalId = await add("write the note");
    await start();
    const working = world.work();
    await eventually("it runs", async () => (await shown(goalId)).status === "in_progress");
    valueOf(await world.command("autopilot", "stop"));
    await writeFile(waits, "");
    await working;

    expect(await kinds()).toEqual([]);
    expect(await sessions()).toMatchObject([{ status: "ended", end_reason: "Stopped." }]);
    expect(await shown(goalId)).toMatchObject({
      status: "blocked",
      outcome: expect.stringMatching(`agent needs login: .*\\. Go on with: cos goal resume ${goalId}`) as string,
    });
  });
});

describe("Resume on the question of a session", () => {
  it("goes on also where it was to stop", async () => {
    const flag = join(world.dataDir, "go");
    await world.repository();
    const goalId = await add("waits", "--run", `until test -e ${flag}; do sleep 0.05; done; echo b > b.txt`);
    valueOf(await world.command("night"));
    const working = world.work();
    await eventually("it runs", async () => (await shown(goalId)).status === "in_progress");
    valueOf(await world.command("autopilot", "stop"));
    valueOf(await world.command("night", "end"));
    await working;
    expect(await kinds()).toEqual(["breaker"]);

    await writeFile(flag, "");
    await answer("Resume");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await sessions()).toMatchObject([{ status: "ended", end_reason: "All goals have been worked." }]);
  });
});

describe("a session whose question nobody answered in time", () => {
  const loggedIn = () => scriptedAgent(world.dataDir, [writes("note.txt", "note\n")]);
  let flag: string;
  beforeEach(async () => {
    flag = join(world.dataDir, "logged-in");
    await agentRepository(world, [waitsForLogin(flag)]);
  });

  it("goes on with the goal at which it stopped, when somebody resumes it", async () => {
    const goalId = await add("write the note");
    await start();
    await world.work();
    expect(await kinds()).toEqual(["breaker"]);
    world.advance(25 * hour);
    await world.tick();
    expect(await kinds()).toEqual([]);
    expect(await sessions()).toMatchObject([{ status: "paused" }]);
    expect((await shown(goalId)).outcome).toContain("Go on with: cos autopilot resume");

    await loggedIn();
    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  it("leaves parked what a person parked since then", async () => {
    const goalId = await add("write the note");
    await start();
    await world.work();
    world.advance(25 * hour);
    await world.tick();
    const { pool } = world.deps.database;
    await pool.query("update cos.runs set limit_waits = 20");
    const resumed = await world.command("goal", "resume", goalId);
    expect(JSON.stringify(resumed)).toContain("which is paused: cos autopilot resume");
    expect((await pool.query("select limit_waits from cos.runs")).rows).toEqual([{ limit_waits: 0 }]);
    valueOf(await world.command("goal", "pause", goalId));
    await add("echo", "--run", "echo b > b.txt");
    expect(await sessions()).toMatchObject([{ status: "paused" }]);

    await loggedIn();
    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "blocked" });
  });

  it("goes on so on a campaign's day too", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create("# Work\n\n## All\n### Day 1\n- write the note\n");
    valueOf(await world.command("campaign", "start", id));
    await campaign.settle();
    expect(await kinds()).toEqual(["breaker"]);
    await campaign.pass(24.5);
    expect(await campaign.status(id)).toMatchObject({ state: "paused", pausedBy: "nobody's answer" });

    await loggedIn();
    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();

    expect((await campaign.status(id)).days[0]?.goals[0]?.status).toBe("complete");
    expect(await sessions()).toMatchObject([{ end_reason: "All goals have been worked." }]);
  });
});
