import { afterEach, beforeEach, expect, it } from "vitest";
import { dollars } from "../../src/core/money.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository } from "../fakes/scripted.ts";

/** An agent that is paid at a flat rate (D48): ceilings in minutes and turns, and no dollar is called spent. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    environment: { COS_ISOLATION: "off" },
    policy: (policy) => ({
      ...policy,
      goals: { ...policy.goals, flatTurns: 2 },
      // What the scripted agent says that it costs would be over every one of them.
      ceilings: {
        ...policy.ceilings,
        goalMicroUsd: dollars(0.5),
        sessionMicroUsd: dollars(0.5),
        dayMicroUsd: dollars(0.5),
      },
    }),
  });
});
afterEach(() => world.close());

const criterion =
  '#### AC-1: It is right\n\n**Description**: wanted\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "grep -qx right a.txt"\n```\n';

/** What the agent does is another thing each time: who changes nothing is not told the same again. */
async function work(content: string): Promise<string> {
  const tries = { run: "echo x >> tried.txt", quiet: true };
  const steps = [{ write: { path: "a.txt", content }, costUsd: 20 }, tries, { say: "Done." }];
  const path = await agentRepository(world, [{ steps }], { "a.txt": "a\n", "spec.md": criterion });
  valueOf(await world.command("repo", "edit", path, "--billing", "flat"));
  const added = await world.command("goal", "add", "Make it right", "--criteria", "spec.md", "--cost", "40");
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  return valueOf<{ goalId: string }>(added).goalId;
}

it("a goal is done whatever its agent says that it costs, and its card says turns and minutes", async () => {
  const goalId = await work("right\n");

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete", costUsd: 0 });
  const card = await cardWords(world, goalId);
  expect(card).toContain("1 of 2 turns, 0 of 120 min (flat rate)");
  expect(card).not.toContain("$20");
  const { rows } = await world.deps.database.pool.query(
    "select coalesce(sum(amount_micro_usd), 0)::int as sum from cos.spend",
  );
  expect(rows).toEqual([{ sum: 0 }]);
});

it("a goal that has used its turns is stopped, and that is said", async () => {
  const goalId = await work("wrong\n");

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
    status: "failed",
    outcome: "Stopped at its ceiling of 2 turns of its agent",
    costUsd: 0,
  });
});

it("a goal whose window is used up waits for its reset, which its card says, at no turn that counts as failed and no dollar", async () => {
  const steps = [{ complain: "Claude AI usage limit reached|1769486400\n" }, { crash: 1 }];
  const path = await agentRepository(world, [{ steps }], { "a.txt": "a\n", "spec.md": criterion });
  valueOf(await world.command("repo", "edit", path, "--billing", "flat"));
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Make it right", "--criteria", "spec.md"),
  );
  valueOf(await world.command("autopilot", "start"));
  await world.work();

  const shown = valueOf<{ wakeAt: string }>(await world.command("goal", "show", goalId));
  expect(shown).toMatchObject({ state: "retrying", attempts: [], errorCount: 0, costUsd: 0 });
  const reset = "2026-01-27T04:00:00.000Z";
  expect(new Date(shown.wakeAt).toISOString()).toBe(reset);
  const card = await cardWords(world, goalId);
  expect(card).toMatch(/Goes on at +2026-01-27 04:00/);
  expect(card).toContain("1 of 2 turns, 0 of 120 min (flat rate)");
  expect(card).not.toMatch(/\$\d/);
});
