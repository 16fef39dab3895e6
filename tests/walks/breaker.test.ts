import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, type Script } from "../fakes/scripted.ts";

/** Sessions that stop themselves (D20). */

interface Question {
  checkpointId: string;
  kind: string;
  goalId: string;
  context: string;
  facts: { details: string[] };
}

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
