import { expect } from "vitest";
import { runGoals } from "../../../jobs/run-goal.ts";
import { whatIsolates } from "../../../src/agent/place/isolation.ts";
import { cardWords } from "../../fakes/deps.ts";
import { isTold, type Walks } from "../walk.ts";
import { type AgentWorld, noted, right } from "../world.ts";

const { tools } = await whatIsolates("auto");

/** Red, made green. */
export function workWalks({ agent, walk, open, isRight, isExact, isSameSession, sessionsAge }: Walks): void {
  walk("red, made green", async () => {
    const at = await open();
    at.model.play(...right);
    const goalId = await at.start();
    await at.world.work();
    await isRight(at, goalId);
    await isExact(at, goalId);
  });

  walk("wrong first, exact feedback in the same session, then green", async () => {
    const at = await open();
    at.model.play(
      { read: "notes.txt" },
      { read: "a.txt" },
      { edit: "a.txt", from: "wrong", to: "wronger" },
      { say: "Done.", once: sessionsAge },
      { read: "a.txt" },
      { edit: "a.txt", from: "wronger", to: "right" },
      { say: "Done now." },
    );
    const goalId = await at.start();
    await at.world.work();
    await isRight(at, goalId);
    expect(isTold(at, "The system has verified your work")).toBe(true);
    expect(isTold(at, "AC-1")).toBe(true);
    // What went before was read once, in the first turn.
    isSameSession(at);
    await isExact(at, goalId);
  });

  walk("its session is lost: a new one is told everything, both are counted", async () => {
    const at = await open();
    at.model.play(
      { read: "notes.txt" },
      { read: "a.txt" },
      { edit: "a.txt", from: "wrong", to: "wronger" },
      { say: "Done." },
      { read: "a.txt" },
      { edit: "a.txt", from: "wronger", to: "right" },
      { say: "Done now." },
    );
    const goalId = await at.start();
    await runGoals(forgetting(at), { leasedBy: "forgetting/1/1", shutdown: new AbortController().signal });
    await at.world.work();
    await isRight(at, goalId);
    expect(isTold(at, "Make a.txt right")).toBe(true);
    expect(isTold(at, "The system has verified your work")).toBe(true);
    expect(isTold(at, noted)).toBe(false);
    await isExact(at, goalId);
  });

  walk(
    "isolated",
    async () => {
      const at = await open({ environment: { COS_ISOLATION: "auto", ...agent.inRoom } });
      at.model.play(...right);
      const goalId = await at.start();
      await at.world.work();
      await isRight(at, goalId);
      await isExact(at, goalId);
      if (tools?.wayOut != null) expect(await cardWords(at.world, goalId)).not.toContain("not isolated");
    },
    tools !== null,
  );
}

/** The doors of a worker whose agent has forgotten its session when its first turn is over. */
function forgetting(at: AgentWorld): AgentWorld["world"]["deps"] {
  const { deps } = at.world;
  let isForgotten = false;
  return {
    ...deps,
    git: {
      ...deps.git,
      async commitWork(work) {
        if (!isForgotten) at.forget();
        isForgotten = true;
        return await deps.git.commitWork(work);
      },
    },
  };
}
