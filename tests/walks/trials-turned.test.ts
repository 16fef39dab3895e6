import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type Thrown, thrown } from "../fixtures/thrown.ts";

/** Tests that compare with no value: that a price below 0 throws, that a predicate says yes (D38). */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    // The vitest of this project is the one that its project is tested with.
    writable: [join(projectDir, "node_modules")],
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 2, trials: true },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

interface Shown {
  status: string;
  tag: string;
  trials: { verdict: string; trials: { what: string; result: string }[] }[];
}

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"], { stdio: "ignore" }).status === 0;
const isThere = ({ runner }: Thrown): boolean => runner !== "pytest" || hasPytest;

/** A goal on the project, done by `run`. */
async function goalOf({ command, setup, files }: Thrown, run: string): Promise<Shown> {
  const spec = `#### AC-1: It throws\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;
  const path = await makeRepository(join(world.dataDir, "person"), { ...files, "spec.md": spec });
  await world.command("repo", "add", path, "--setup", setup, "--check", "");
  const words = ["goal", "add", "Refuse it", "--criteria", "spec.md", "--run", run];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.work();
  return valueOf<Shown>(await world.command("goal", "show", goalId));
}

describe("tests that compare with no value [F-201]", () => {
  it.each(thrown.filter(isThere))("prove honest work without a question ($title)", async (project) => {
    const goal = await goalOf(project, project.work);

    const asked = valueOf<{ context: string }[]>(await world.command("checkpoints"));
    expect(asked.map(({ context }) => context)).toEqual([]);
    expect(goal).toMatchObject({ status: "complete", tag: "verified", trials: [{ verdict: "proves" }] });
    expect(goal.trials[0]?.trials.at(-1)).toMatchObject({
      what: `${project.test}: what is asserted was turned round`,
      result: "fail",
    });
  });
});
