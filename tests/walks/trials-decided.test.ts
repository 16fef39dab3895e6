import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type Decided, decided } from "../fixtures/decided.ts";

/** Commands that say little of their tests: what decided at the base decides on the work (D38). */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 2, trials: true },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

const isThere = ({ program }: Decided): boolean =>
  program === "node" || spawnSync(program, ["version"], { stdio: "ignore" }).error === undefined;

/** How a goal on the project ends that `run` does, and what a person is asked. */
async function goalOf({ command, setup, files }: Decided, run: string) {
  const spec = `#### AC-1: The price\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;
  const path = await makeRepository(join(world.dataDir, "person"), { ...files, "spec.md": spec });
  await world.command("repo", "add", path, "--setup", setup, "--check", "");
  const words = ["goal", "add", "The price is 42", "--criteria", "spec.md", "--run", run];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.work();
  const asked = valueOf<{ context: string }[]>(await world.command("checkpoints"));
  const shown = valueOf<{ status: string; trials: { verdict: string }[] }>(await world.command("goal", "show", goalId));
  return { shown, asked: asked.map(({ context }) => context) };
}

it("counts no run of the command that another one has replaced [F-205]", async () => {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  await world.command("repo", "add", path, "--check", "");
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Good", "--run", "true", "--done-when", "grep -q good a.txt"),
  );
  await world.command("autopilot", "start");
  for (let pass = 0; pass < 4; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
  const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));

  await world.command("answer", question?.checkpointId ?? "", "Edit the command", "--run", "echo good > a.txt");
  await world.work();
  world.advance(20_000);
  await world.tick();

  const shown = valueOf<{ trials: object[] }>(await world.command("goal", "show", goalId));
  expect(shown).toMatchObject({ status: "complete", trials: [{ verdict: "proves", again: null }] });
  // Nor is what was left of the work before in progress any more.
  const kept = valueOf<{ outcome: string }[]>(await world.command("worklog", "list"));
  expect(kept.map(({ outcome }) => outcome).sort()).toEqual(["aborted", "success"]);
});

describe("what decides at the base [F-201]", () => {
  it.each(decided.filter(isThere))("is not taken away by what the work brings ($title)", async (project) => {
    const isIsolated = (await world.deps.places.isolating()).tools !== null;
    const { shown, asked } = await goalOf(project, project.cheat);

    // What nothing isolates can write its own tests.
    if (project.program === "node" && !isIsolated) return;
    expect(asked).toEqual([expect.stringMatching(project.asks)]);
    expect(shown.status).toBe("blocked");
  });

  it.each(decided.filter(isThere))("is no question about honest work ($title)", async (project) => {
    const { shown, asked } = await goalOf(project, project.work);

    expect(asked).toEqual([]);
    expect(shown).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
  });
});

describe("a linter that is told of its rules in a file of its own [F-201]", () => {
  const linter = '#!/bin/sh\nif [ -f newlint.toml ]; then exit 0; fi\n! grep -rq TODO "$1"\n';
  const project: Decided = {
    title: "",
    program: "node",
    command: "sh lint.sh",
    setup: "",
    files: {
      "lint.sh": "# All of it.\nsh -c 'vendor/bin/newlint src'\n",
      "vendor/bin/newlint": linter,
      "src/price.js": "// TODO: round\nexport const price = 41;\n",
    },
    work: "sed -i /TODO/d src/price.js",
    cheat: "echo '{}' > newlint.toml && echo '// 42' >> src/price.js",
    asks: /AC-1 passes only because files that prove something were changed: newlint\.toml/,
  };
  const withSetup = { ...project, setup: "chmod +x vendor/bin/newlint" };

  it("is not silenced there by the work", async () => {
    const { shown, asked } = await goalOf(withSetup, project.cheat);

    expect(asked).toEqual([expect.stringMatching(project.asks)]);
    expect(shown.status).toBe("blocked");
  });

  it("passes what is honest", async () => {
    const { shown, asked } = await goalOf(withSetup, project.work);

    expect(asked).toEqual([]);
    expect(shown.status).toBe("complete");
  });
});
