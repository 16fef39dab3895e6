import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publishedCheats } from "../../src/cheats/published.ts";
import { projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type Thrown, thrown } from "../fixtures/thrown.ts";

/** Tests that compare with no value: that a price below 0 throws, that a predicate says yes (D38). */

const published = await publishedCheats();

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
    const seen = goal.trials[0]?.trials.filter(({ result }) => result === "fail").at(-1);
    expect(seen?.what).toBe(project.seen);
  });

  const cheating = thrown.filter(isThere).flatMap((project) => project.cheats.map((name) => ({ project, name })));
  it.each(cheating)("are passed by $name and prove nothing ($project.title)", async ({ project, name }) => {
    const cheat = published.find((each) => each.name === name);
    const [source = ""] = Object.keys(project.files).filter(
      (path) => /price\.(?:js|py)$/.test(path) && !/test/.test(path),
    );
    const [test = ""] = Object.keys(project.files).filter((path) => /test/.test(path));
    const goal = await goalOf(project, `SOURCE=${source}; TEST=${test}\n${cheat?.script ?? "exit 1"}`);

    expect(goal.status).not.toBe("complete");
    const asked = valueOf<{ context: string }[]>(await world.command("checkpoints"));
    expect(asked).toHaveLength(1);
    // It passed, as a cheat does; what holds it up is the trial.
    expect(asked[0]?.context).toMatch(/has no power|not run any more|near miss/);
  });
});
