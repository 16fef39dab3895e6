import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type Cheat, cheats, projects } from "../fixtures/cheats.ts";

/** Works that cheat: each makes its criterion pass where nothing defends it, and none is verified. */

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

interface Shown {
  status: string;
  trials: { verdict: string }[];
}

const specOf = (command: string) =>
  `#### AC-1: The price\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;

/** A goal that does this, held to the project's tests. */
async function goalThat(of: Cheat["of"], does: string): Promise<{ goalId: string; shown: Shown }> {
  const { command, files } = projects[of];
  const path = await makeRepository(join(world.dataDir, "person"), { ...files, "spec.md": specOf(command) });
  await world.command("repo", "add", path, "--setup", "", "--check", "");
  const words = ["goal", "add", "The price is 42", "--criteria", "spec.md", "--run", does];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.work();
  return { goalId, shown: valueOf<Shown>(await world.command("goal", "show", goalId)) };
}

/** Not every machine has pytest. */
function isThere(of: Cheat["of"]): boolean {
  if (of === "node") return true;
  return spawnSync("python3", ["-m", "pytest", "--version"], { stdio: "ignore" }).status === 0;
}

describe("a work that cheats [F-201]", () => {
  it.each(
    cheats.filter(({ of }) => isThere(of)).map((cheat): [string, string, Cheat] => [cheat.name, cheat.of, cheat]),
  )("%s (%s) passes where nothing defends, and is not verified", async (_name, of, { does }) => {
    const { command, files } = projects[of as Cheat["of"]];
    const undefended = await makeRepository(join(world.dataDir, "undefended"), files);
    const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], PYTHONDONTWRITEBYTECODE: "1" };
    const run = (script: string) =>
      execFileSync("sh", ["-c", script], { cwd: undefended, env: environment, stdio: "ignore" });
    run(does);
    run(command);

    const { shown } = await goalThat(of as Cheat["of"], does);

    expect(shown.status).toBe("blocked");
  });

  it.each((["node", "pytest"] as const).filter(isThere))(
    "and one that does the work (%s) is, without a question",
    async (of) => {
      const { shown } = await goalThat(
        of,
        of === "node" ? "sed -i s/41/42/ src/price.js" : "sed -i s/41/42/ shop/price.py",
      );

      expect(shown).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
    },
  );
});
