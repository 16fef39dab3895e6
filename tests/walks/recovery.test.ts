import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** The recovery ladder on real git and real children, with a clock set by hand. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
});
afterEach(() => world.close());

interface Attempt {
  number: number;
  rung: number;
  ladder: number;
  approach: string;
  end: string;
  error: string;
}

interface Shown {
  goalId: string;
  status: string;
  state: string;
  phase: string;
  recoveryLevel: number;
  errorCount: number;
  outcome: string | null;
  checkpointId: string | null;
  attempts: Attempt[];
  sessionId: string;
}

interface Question {
  checkpointId: string;
  kind: string;
  context: string;
  goalId: string;
  options: { label: string; isRecommended: boolean; description: string }[];
  recommendation: string;
  facts: { details: string[] };
  createdAt: string;
}

type Step = object;

/** A goal worked by a scripted agent that counts its calls in a file beside the repository. */
async function agentGoal(scripts: readonly { match?: readonly string[]; steps: readonly Step[] }[]): Promise<string> {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts.map(({ match = [], steps }) => ({ match, steps }))));
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  await world.command("repo", "add", path, "--setup", "", "--agent", agent);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
  await world.command("autopilot", "start");
  return goalId;
}

async function ownGoal(command: string, ...more: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Run it", "--run", command, ...more));
  await world.command("autopilot", "start");
  return goalId;
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const questions = async (): Promise<Question[]> => valueOf<Question[]>(await world.command("checkpoints"));
const events = async (goalId: string) =>
  valueOf<{ timeline: { event: string; detail: Record<string, unknown>; at: string }[] }>(await world.command("why", goalId))
    .timeline;

/** Works until nothing is due, moving the clock over every wait of the ladder. */
async function climb(times = 12): Promise<void> {
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
}

const fails = { run: "echo boom; exit 3", mustPass: true };

describe("the ladder", () => {
  it("tries the same three times, one alternative twice, once more, and then asks a person [S4-RM-01, S4-RM-09, S4-RM-12]", async () => {
    await world.repository();
    const goalId = await ownGoal("echo boom >&2; exit 3");
    await climb();

    const goal = await shown(goalId);
    expect(goal.attempts.map((each) => [each.number, each.rung, each.end])).toEqual([
      [1, 1, "work"],
      [2, 1, "work"],
      [3, 1, "work"],
      [4, 2, "work"],
      [5, 2, "work"],
      [6, 3, "work"],
    ]);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", recoveryLevel: 4, errorCount: 6 });
    expect(goal.outcome).toBe("Escalated to human: exit code 3: boom");
    const [question] = await questions();
    expect(question).toMatchObject({ kind: "escalation", goalId });
    expect(question?.context).toBe("Recovery failed after 4 levels. Goal: Run it. Error: exit code 3: boom");
  });

  it("of a command of its own says 6 attempts, 1 approach (D19)", async () => {
    await world.repository();
    const goalId = await ownGoal("exit 3");
    await climb();

    const [question] = await questions();
    const markdown = valueOf<{ markdown: string }>(
      await world.command("escalation", question?.checkpointId ?? "", "--markdown"),
    ).markdown;
    expect(markdown).toContain("6 attempts, 1 approach: the command is fixed");
    expect(markdown).toContain(goalId);
  });
});
