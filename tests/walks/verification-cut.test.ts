import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { processesOf } from "../../src/agent/process/orphans.ts";
import { getGoal } from "../../src/db/goals.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** A verification that is ended before it is over says so, once, whoever ends it: what it had not found out begins again. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const begun = (): string => join(world.dataDir, "begun");
const over = (): string => join(world.dataDir, "over");

/** A goal whose one criterion waits, under way; what ends when its worker has nothing to do any more. */
async function underVerification(): Promise<{ readonly goalId: string; readonly working: Promise<void> }> {
  const command = `touch ${begun()}; while test ! -e ${over()}; do sleep 0.05; done`;
  await world.repository({
    "spec.md": `#### AC-1: It waits\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`,
  });
  const added = await world.command("goal", "add", "Wait", "--run", "echo b > b.txt", "--criteria", "spec.md");
  const { goalId } = valueOf<{ goalId: string }>(added);
  valueOf(await world.command("autopilot", "start"));
  const working = world.work();
  await eventually("its verification", async () => existsSync(begun()));
  return { goalId, working };
}

async function cutsOf(goalId: string): Promise<unknown[]> {
  const { rows } = await world.deps.database.pool.query<{ why: string }>(
    "select detail->>'why' as why from cos.timeline where event = 'run.verification-cut' and goal_id = $1 and run_id is not null",
    [goalId],
  );
  return rows.map(({ why }) => why);
}

describe("a verification under way", () => {
  it.each<[string, (goalId: string) => readonly string[]]>([
    ["pause", () => ["autopilot", "pause"]],
    ["stop", () => ["autopilot", "stop", "--now"]],
    ["skip", (goalId) => ["goal", "skip", goalId]],
    ["modify", (goalId) => ["goal", "edit", goalId, "--text", "Wait for something else"]],
  ])("that ends for a person's %s says so once", async (why, words) => {
    const { goalId, working } = await underVerification();

    valueOf(await world.command(...words(goalId)));
    // What begins again need not wait.
    await eventually("the cut", async () => (await cutsOf(goalId)).length > 0);
    await writeFile(over(), "");
    await working;

    expect(await cutsOf(goalId)).toEqual([why]);
  });

  it("ends first what another worker of this machine, who stands still, has begun of it", async () => {
    const { goalId, working } = await underVerification();
    valueOf(await world.command("autopilot", "pause"));
    await working;
    const runId = (await getGoal(world.deps.database.db, goalId))?.runId ?? "";
    const program = `require("node:child_process").spawn("sleep", ["1000"], { env: { COS_RUN: "${runId}" } })`;
    const other = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
    onTestFinished(() => void other.kill("SIGKILL"));
    await eventually("what it has begun", async () => processesOf(runId).length === 1);

    await writeFile(over(), "");
    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    expect(processesOf(runId)).toEqual([]);
    expect(await getGoal(world.deps.database.db, goalId)).toMatchObject({ status: "complete" });
  });

  it("says who goes on with it after a pause", async () => {
    const { goalId, working } = await underVerification();
    valueOf(await world.command("autopilot", "pause"));
    await working;
    await writeFile(over(), "");
    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    const { rows } = await world.deps.database.pool.query<{ event: string }>(
      "select event from cos.timeline where goal_id = $1 and event like any(array['goal.picked-up', 'run.verif%', 'goal.complete']) order by timeline_id",
      [goalId],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      "run.verification-cut",
      "goal.picked-up",
      "run.verified",
      "goal.complete",
    ]);
  });
});
