import { expect } from "vitest";
import { dollars } from "../../../src/core/money.ts";
import { goesOn, type Walks } from "../walk.ts";
import { type AgentWorld, right } from "../world.ts";

type Policy = AgentWorld["world"]["deps"]["policy"];

/** What its provider does to it, and what we allow it. */
export function providerWalks({ agent, walk, cannot, open, isRight, isAccounted, note }: Walks): void {
  walk("its login is missing: the session pauses", async () => {
    const at = await open();
    // Some ask once more by themselves.
    at.model.play(...Array.from({ length: 12 }, () => ({ status: 401, message: "Invalid API key" })));
    const goalId = await at.start();
    await at.world.work();
    expect(await at.query("select status from cos.sessions")).toEqual([{ status: "paused" }]);
    expect((await at.open()).map((each) => each.context).join()).toMatch(/log ?in|API key|auth/i);

    await isAccounted(at, goalId);
  });

  for (const [name, headers] of [
    ["429 with a reset", { "retry-after": "1" }],
    ["429 without a reset", {}],
  ] as const) {
    walk(name, async () => {
      const at = await open();
      at.model.play({ status: 429, headers, message: "Rate limit reached" }, ...right);
      const goalId = await at.start();
      await at.world.work();
      note((await at.shown(goalId)).status === "complete" ? "it retries by itself" : "in a new attempt");
      await goesOn(at, goalId);
      await isRight(at, goalId);
    });
  }

  walk("cut in the middle of an answer", async () => {
    const at = await open();
    at.model.play({ read: "a.txt" }, "cut", ...right);
    const goalId = await at.start();
    await at.world.work();
    await goesOn(at, goalId);
    await isRight(at, goalId);
  });

  const ceiling = "its ceiling is met";
  if (agent.tells === "nothing") return cannot(ceiling, "tells no cost: estimated by the minute");
  walk(ceiling, async () => {
    const at = await open({ policy: (policy) => withCeiling(policy, dollars(0.01)) });
    at.model.play({ read: "a.txt" }, { read: "spec.md" }, { read: "a.txt" }, { read: "spec.md" }, { say: "Not done." });
    const goalId = await at.start();
    await at.world.work();
    expect(await at.shown(goalId)).toMatchObject({ status: "failed", outcome: expect.stringMatching(/ceiling/) });
    if (at.model.left() === 0) note("at the end of its turn");
    await isAccounted(at, goalId);
  });
}

function withCeiling(policy: Policy, goalMicroUsd: number): Policy {
  return {
    ...policy,
    ceilings: { ...policy.ceilings, goalMicroUsd },
    goals: { ...policy.goals, minimumTurnMicroUsd: 1 },
  };
}
