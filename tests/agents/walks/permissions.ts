import { expect } from "vitest";
import { eventually } from "../../fakes/bot.ts";
import { valueOf } from "../../fakes/deps.ts";
import type { Walks } from "../walk.ts";
import { type AgentWorld, right } from "../world.ts";

type Policy = AgentWorld["world"]["deps"]["policy"];

const asks = [{ run: "echo x > b.txt && true" }, ...right] as const;
const noWait = { policy: withoutWait } as const;

/** A command that is asked about, and how a person answers. */
export function permissionWalks(walks: Walks): void {
  const { agent, open, isRight, isAccounted } = walks;
  // Without a protocol there is nobody to ask: what it may do is what its room lets it.
  const walk = (name: string, work: () => Promise<void>): void =>
    agent.isCommand === true ? walks.cannot(name, "no protocol: asks nobody") : walks.walk(name, work);
  walk("permission answered early", async () => {
    const at = await open();
    at.model.play(...asks);
    const goalId = await at.start();
    const working = at.world.work();
    const question = await eventually("the question", async () => (await at.open())[0]);
    expect(question).toMatchObject({ kind: "permission" });
    valueOf(await at.world.command("approve", question.checkpointId));
    await working;
    await isRight(at, goalId);
    expect(await at.file(goalId, "b.txt")).toBe("x");
  });

  walk("permission answered late", async () => {
    const at = await open(noWait);
    at.model.play(asks[0]);
    const goalId = await at.start();
    await at.world.work();
    const [question] = await at.open();
    expect(question).toMatchObject({ kind: "permission" });
    at.model.play(...asks);
    valueOf(await at.world.command("approve", question?.checkpointId ?? ""));
    await at.world.work();
    await isRight(at, goalId);
    expect(await at.file(goalId, "b.txt")).toBe("x");
    expect(await at.query("select used_at is not null as used from cos.grants")).toEqual([{ used: true }]);
  });

  walk("permission never answered", async () => {
    const at = await open(noWait);
    at.model.play(asks[0]);
    const goalId = await at.start();
    await at.world.work();
    at.world.advance(at.world.deps.policy.checkpoints.expireAfterMs + 1_000);
    await at.world.tick();
    expect(await at.shown(goalId)).toMatchObject({ status: "blocked", state: "parked" });
    await isAccounted(at, goalId);
  });

  walk("permission answered with Skip", async () => {
    const at = await open(noWait);
    at.model.play(asks[0]);
    const goalId = await at.start();
    await at.world.work();
    valueOf(await at.world.command("reject", (await at.open())[0]?.checkpointId ?? ""));
    expect(await at.shown(goalId)).toMatchObject({ status: "deferred" });
    await isAccounted(at, goalId);
  });
}

function withoutWait(policy: Policy): Policy {
  return { ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } };
}
