import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGoals } from "../../jobs/run-goal.ts";
import { readGoalEvents } from "../../src/db/timeline.ts";
import type { Deps } from "../../src/deps.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { agentRepository } from "../fakes/scripted.ts";

/** What an agent asks, does without asking, says of money, and says nothing of, as its goal's person sees it. */

interface Shown {
  readonly status: string;
  readonly state: string;
  readonly costUsd: number;
  readonly costIsEstimated: boolean;
}

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    environment: { COS_AGENT_ENV: "AGENT_KEY", AGENT_KEY: "sk-of-the-agent-0123456789", COS_ISOLATION: "off" },
    policy: (policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }),
  });
});
afterEach(() => world.close());

async function start(...words: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...words));
  valueOf(await world.command("autopilot", "start"));
  return goalId;
}

const shown = async (goalId: string): Promise<Shown> => valueOf(await world.command("goal", "show", goalId));
const open = async (): Promise<{ checkpointId: string; context: string }[]> =>
  valueOf(await world.command("checkpoints"));
const query = async (text: string) => (await world.deps.database.pool.query(text)).rows;

/** The doors of a worker in which something happens between the end of the agent and its record. */
function whenCut(happens: () => Promise<void>): Deps {
  const { git } = world.deps;
  return {
    ...world.deps,
    git: {
      ...git,
      async commitWork(work) {
        await happens();
        return await git.commitWork(work);
      },
    },
  };
}

const cleaning = [
  { write: { path: "a.txt", content: "b\n" }, costUsd: 0.1 },
  { permission: { title: "Clean up", command: "echo cleaned >> times.txt && true" }, costUsd: 0.1 },
  { say: "Done." },
];

describe("a permission that is answered late", () => {
  it("while the run is being cut: it is one question, one grant, one use [F-302]", async () => {
    await agentRepository(world, [{ steps: cleaning }]);
    const goalId = await start();
    let answered = 0;
    const deps = whenCut(async () => {
      const [question] = await open();
      if (question === undefined) return;
      answered += 1;
      valueOf(await world.command("approve", question.checkpointId));
    });

    await runGoals(deps, { leasedBy: "late/1/1", shutdown: new AbortController().signal });
    await world.work();

    expect(answered).toBe(1);
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await query("select status from cos.checkpoints")).toEqual([{ status: "approved" }]);
    expect(await query("select used_at is not null as used from cos.grants")).toEqual([{ used: true }]);
    const path = (await query("select path from cos.repositories"))[0]?.path;
    expect(await gitIn(path, "show", `cos/${goalId}:times.txt`)).toBe("cleaned");
  });

  it("goes on with the words of what was allowed, and each process's cost counts [F-301] [F-308]", async () => {
    const steps = [{ run: 'cp "$COS_TOLD" /dev/null 2>/dev/null; true' }, ...cleaning];
    await agentRepository(world, [{ match: ["echo cleaned >> times.txt"], steps: cleaning }, { steps }]);
    const goalId = await start();
    await world.work();
    const [question] = await open();

    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();

    // The second script is only reached by a prompt that does not name the action.
    expect(await shown(goalId)).toMatchObject({ status: "complete", costUsd: 0.4, costIsEstimated: true });
    const runs = await query("select count(*)::int as count from cos.evidence where kind = 'execution'");
    expect(runs).toEqual([{ count: 2 }]);
    const told = await query(
      "select detail -> 'agent' -> 'unasked' as unasked from cos.evidence where kind = 'execution' order by turn",
    );
    expect(told.map((each) => each.unasked.length)).toEqual([1, 0]);
  });
});

describe("an agent", () => {
  it("that asks nobody is called that on the card [F-306]", async () => {
    await agentRepository(world, [{ steps: [{ run: "rm -rf build; echo x > a.txt" }, { say: "Done." }] }]);
    const goalId = await start();
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await cardWords(world, goalId)).toContain(
      "Not asked: the agent did not ask before rm -rf build; echo x > a.txt",
    );
    expect(await query("select name, asks from cos.agents")).toEqual([{ name: "scripted-agent", asks: "asks-nobody" }]);
  });

  it("that reports an impossible cost is charged by the minute, and the card says so [F-309]", async () => {
    await agentRepository(world, [
      { steps: [{ write: { path: "a.txt", content: "b\n" } }, { say: "x", costUsd: 1e308 }, { say: "Done." }] },
    ]);
    const goalId = await start();
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", costIsEstimated: true });
    expect(goal.costUsd).toBeLessThan(5);
    expect(await cardWords(world, goalId)).toContain("impossible cost (1e+308 USD)");
  });

  it("is given the variables that were named for it, masked; a goal's own command is not [F-304]", async () => {
    await agentRepository(world, [
      { steps: [{ run: "printenv AGENT_KEY; printenv AGENT_KEY | wc -c > a.txt" }, { say: "Done." }] },
    ]);
    const goalId = await start();
    const own = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Own", "--run", 'echo "[${AGENT_KEY-none}]" > b.txt'),
    );
    await world.work();
    await world.command("autopilot", "start");
    await world.work();

    const path = (await query("select path from cos.repositories"))[0]?.path;
    expect(await gitIn(path, "show", `cos/${goalId}:a.txt`)).toBe("27");
    expect(await gitIn(path, "show", `cos/${own.goalId}:b.txt`)).toBe("[none]");
    const [kept] = await query("select output_file from cos.evidence where kind = 'execution' order by evidence_id");
    const output = await readFile(join(world.dataDir, kept?.output_file), "utf8");
    expect(output).toContain("[masked]");
    expect(output).not.toContain("sk-of-the-agent");
  });

  it.each([
    [{}, 120_000, "2 min"],
    [{ COS_AGENT_START_SECONDS: "7" }, 7_000, "7 s"],
  ] as const)(
    "that does not begin in time, with %j in %i ms, interrupts its goal, costs nothing, and is named after three times [F-305]",
    async (settings, startMs, words) => {
      await world.close();
      world = await testWorld({ environment: { COS_ISOLATION: "off", ...settings } });
      const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
      await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", 'acp:sh -c "sleep 600"');
      const goalId = await start();
      const working = world.work();
      for (let time = 1; time <= 3; time += 1) {
        await eventually("its start", async () => world.timers.waiting(startMs) > 0);
        world.advance(startMs);
        await eventually(
          "the interruption",
          async () => (await readGoalEvents(world.deps.database.db, goalId, "goal.interrupted")).length >= time,
        );
      }
      await working;

      expect(await shown(goalId)).toMatchObject({ status: "blocked", costUsd: 0, costIsEstimated: false });
      const [question] = await open();
      expect(question?.context).toContain(`The agent does not begin: no answer to initialize within ${words}`);
      const card = await cardWords(world, goalId);
      expect(card).toContain(`The agent did not begin: no answer to initialize within ${words}.`);
      expect(card).not.toContain("Goes on by itself");
      expect(await query("select count(*)::int as count from cos.attempts")).toEqual([{ count: 0 }]);
    },
  );

  it("that retries its provider's limit in silence is called silent, with when it is over; stopped, it is parked [F-307] [F-308]", async () => {
    const limit = "429 rate_limit_error: usage limit reached, resets at 15:00\n";
    const said = join(world.dataDir, "said");
    await agentRepository(world, [
      {
        steps: [
          { say: "I begin." },
          { complain: limit },
          { run: `touch ${said}` },
          // Its errors come by another way than its words: behind all of these.
          { sleepMs: 500 },
          { complain: limit },
          { hang: true },
        ],
      },
    ]);
    const goalId = await start();
    const working = world.work();
    let looks = 0;
    await eventually("its silence", async () => {
      if (
        !(await readFile(said).then(
          () => true,
          () => false,
        ))
      )
        return false;
      looks += 1;
      if (looks < 40) return false;
      world.advance(5 * 60_000);
      return (await readGoalEvents(world.deps.database.db, goalId, "agent.silent")).length > 0;
    });

    const card = await eventually("the card", async () => {
      const words = await cardWords(world, goalId);
      return words.includes("Silent: ") ? words : undefined;
    });
    expect(card).toContain("the agent is silent for 5 min");
    expect(card).toContain("429 rate_limit_error");
    // The reset time that its provider named, read.
    expect(card).toContain(", until 2026-01-26 15:00.");
    valueOf(await world.command("autopilot", "stop", "--now"));
    expect(await shown(goalId)).toMatchObject({ status: "blocked", state: "parked" });
    await working;

    const refused = await world.command("autopilot", "start");
    expect(refused).toMatchObject({ type: "refused", next: `cos goal resume ${goalId}` });
    await writeFile(said, "");
  });
});
