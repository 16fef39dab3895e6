import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";
import { agentRepository, type Script } from "../fakes/scripted.ts";

/** What seed 002 asks of work towards criteria, as a goal of the engine shows it. */

let world: TestWorld;
afterEach(() => world.close());

const bash = (id: string, command: string): string =>
  `#### ${id}: Title of ${id}\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: "${command}"\n\`\`\`\n`;

async function goalWith(spec: string, scripts: readonly Script[]): Promise<{ goalId: string; path: string }> {
  const path = await agentRepository(world, scripts, { "a.txt": "a\n", "spec.md": spec });
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Build it", "--criteria", "spec.md"),
  );
  return { goalId, path };
}

describe("a goal with criteria", () => {
  it("has every criterion of the seed's own file with its method [S2-IN-03]", async () => {
    world = await testWorld();
    const { goalId } = await goalWith(
      readFileSync(join(projectDir, "tests/fixtures/verification-first.md"), "utf8"),
      [],
    );

    const { criteria } = valueOf<{ criteria: { id: string; method: string }[] }>(
      await world.command("goal", "show", goalId),
    );
    const of = (method: string): number => criteria.filter((each) => each.method === method).length;
    expect(criteria.map((each) => each.id)).toEqual(Array.from({ length: 29 }, (_, index) => `AC-${index + 1}`));
    expect([of("bash"), of("subagent")]).toEqual([14, 15]);
  });

  it("leaves no plan behind, and commits that name what they serve [S2-EX-01, S2-RJ-04]", async () => {
    world = await testWorld();
    const { goalId, path } = await goalWith(bash("AC-1", "test -f one.txt"), [
      {
        steps: [
          { plan: ["Verify AC-1: title-of-ac-1"] },
          { write: { path: "one.txt", content: "1\n" } },
          { say: "Done." },
        ],
      },
    ]);
    await world.command("autopilot", "start");
    await world.work();

    const files = await gitIn(path, "ls-tree", "-r", "--name-only", `cos/${goalId}`);
    expect(files.split("\n")).toEqual(["a.txt", "one.txt", "spec.md"]);
    expect(files).not.toMatch(/plan|chunk/i);
    expect(await gitIn(path, "log", "-1", "--format=%s", `cos/${goalId}`)).toContain("AC-1");
  });

  it("whose agent plans what serves no criterion, or ticks what is not proven, says so [S2-EX-02, S2-EX-03]", async () => {
    world = await testWorld({
      policy: (policy) => ({ ...oneAttempt(policy), verification: { ...policy.verification, rounds: 1 } }),
    });
    const { goalId } = await goalWith(`${bash("AC-1", "test -f one.txt")}\n${bash("AC-2", "true")}`, [
      {
        steps: [
          {
            plan: [
              { content: "Verify AC-1: title-of-ac-1", priority: "medium", status: "completed" },
              "Verify AC-2: title-of-ac-2",
              "Write error handling code",
            ],
          },
          { write: { path: "two.txt", content: "2\n" } },
          { say: "Done." },
        ],
      },
    ]);
    await world.command("autopilot", "start");
    await world.work();

    const card = await cardWords(world, goalId);
    expect(card).toContain("Verify AC-1: title-of-ac-1: ticked, not proven");
    expect(card).toContain("Write error handling code: serves no criterion");
    expect(card).not.toContain("Verify AC-2: title-of-ac-2:");
  });
});
