import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dollars } from "../../src/core/money.ts";
import { addDays, formatTime, localDate, startOfDate } from "../../src/core/time.ts";
import { claimGoal } from "../fakes/claim.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

interface Shown {
  status: string;
  state: string;
  outcome: string | null;
  costUsd: number;
  costIsEstimated: boolean;
  errorCount: number;
  branch: string | null;
}

describe("a goal worked by an agent", () => {
  let world: TestWorld;
  let path: string;

  beforeEach(async () => {
    world = await testWorld({
      policy: (policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }),
    });
    path = await world.repository();
  });
  afterEach(() => world.close());

  async function agentWith(steps: readonly object[]): Promise<void> {
    const script = join(world.dataDir, "script.json");
    await writeFile(script, JSON.stringify(steps));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
    await world.command("repo", "add", path, "--setup", "", "--agent", agent);
  }

  async function start(...words: string[]): Promise<string> {
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...words));
    await world.command("autopilot", "start");
    return goalId;
  }

  async function shown(goalId: string): Promise<Shown> {
    return valueOf<Shown>(await world.command("goal", "show", goalId));
  }

  async function pending(): Promise<{ checkpointId: string; kind: string; context: string }[]> {
    return valueOf(await world.command("checkpoints"));
  }

  const cleaning = [
    { write: { path: "a.txt", content: "a\n" }, costUsd: 0.1 },
    { permission: { title: "Clean up", command: "rm -rf build && touch cleaned.txt" }, costUsd: 0.1 },
    { say: "Done." },
  ];

  it("parks at a permission nobody gives in time, and one Proceed is one use", async () => {
    await agentWith(cleaning);
    const goalId = await start();
    await world.work();
    const [question] = await pending();
    expect(question).toMatchObject({
      kind: "permission",
      context: "The agent asks to execute: rm -rf build && touch cleaned.txt",
    });
    expect(await shown(goalId)).toMatchObject({ status: "blocked", state: "waiting" });

    await world.command("approve", question?.checkpointId ?? "");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", branch: `cos/${goalId}` });
    expect(await gitIn(path, "show", `cos/${goalId}:cleaned.txt`)).toBe("");
    const { rows } = await world.deps.database.pool.query("select used_at is not null as used from cos.grants");
    expect(rows).toEqual([{ used: true }]);
  });

  it("goes on at once when somebody is quick", async () => {
    await world.close();
    world = await testWorld();
    path = await world.repository();
    await agentWith(cleaning);
    const goalId = await start();

    const working = world.work();
    const question = await eventually("the question", async () => (await pending())[0]);
    await world.command("approve", question.checkpointId);
    await working;

    expect(await shown(goalId)).toMatchObject({ status: "complete", costUsd: 0.2, costIsEstimated: false });
  });

  it("Skip on its question defers it", async () => {
    await agentWith(cleaning);
    const goalId = await start();
    await world.work();
    const [question] = await pending();

    await world.command("reject", question?.checkpointId ?? "");

    expect(await shown(goalId)).toMatchObject({ status: "deferred" });
  });

  it("is stopped at its ceiling, and what it cost is kept", async () => {
    await agentWith([
      { say: "x", costUsd: 2 },
      { say: "y", costUsd: 3.5 },
      { sleepMs: 30_000 },
      { write: { path: "b.txt", content: "b" } },
    ]);
    const goalId = await start();

    await world.work();

    expect(await shown(goalId)).toMatchObject({
      status: "failed",
      outcome: "Stopped at its cost ceiling",
      costUsd: 5.5,
      errorCount: 0,
    });
  });

  it("what it had done at its ceiling is recorded, and its card says how it goes on with that", async () => {
    await agentWith([{ write: { path: "half.txt", content: "half" }, costUsd: 5.5 }, { sleepMs: 30_000 }]);
    const goalId = await start();
    await world.work();
    const words = await cardWords(world, goalId);
    await agentWith([{ run: "test -f half.txt && cp half.txt both.txt" }, { say: "Done.", costUsd: 1 }]);

    await world.command("goal", "edit", goalId, "--cost", "7");
    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");
    await world.work();
    await world.command("approve", (await pending())[0]?.checkpointId ?? "");
    await world.work();

    expect(words).toContain(`Its ceiling is used up. It goes on with more: cos goal edit ${goalId} --cost 7`);
    expect(words).toContain(`(up to $10.50 in all), then cos goal resume ${goalId}`);
    expect(words).not.toContain("Work it again");
    expect(await shown(goalId)).toMatchObject({ status: "complete", costUsd: 6.5 });
    expect(await gitIn(path, "show", `cos/${goalId}:both.txt`)).toBe("half");
  });

  it("that the day's ceiling stopped says on its card when there is money again, and goes on then", async () => {
    await world.close();
    world = await testWorld({
      policy: (policy) => ({ ...policy, ceilings: { ...policy.ceilings, dayMicroUsd: dollars(3) } }),
    });
    path = await world.repository();
    await agentWith([{ write: { path: "half.txt", content: "half" }, costUsd: 3.2 }, { sleepMs: 30_000 }]);
    const goalId = await start();
    await world.work();
    const words = await cardWords(world, goalId);
    await agentWith([{ run: "test -f half.txt && cp half.txt both.txt" }, { say: "Done.", costUsd: 1 }]);

    world.advance(
      startOfDate(addDays(localDate(world.deps.now(), "UTC"), 1), "UTC").getTime() - world.deps.now().getTime(),
    );
    const tomorrow = formatTime(world.deps.now(), "UTC");
    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");
    await world.work();

    expect(words).toContain(
      `Work it again: cos goal resume ${goalId}. The day has $0.00 left of $3.00, and it needs $0.50`,
    );
    expect(words).toContain("there is money again at ");
    expect(words).toContain(tomorrow);
    expect(await shown(goalId)).toMatchObject({ status: "complete", costUsd: 4.2 });
    expect(await gitIn(path, "show", `cos/${goalId}:both.txt`)).toBe("half");
  });

  it("that reports nothing is charged by the minute, and that is said", async () => {
    await agentWith([{ write: { path: "a.txt", content: "a\n" } }, { sleepMs: 1300 }]);
    const goalId = await start();

    await world.work();

    const goal = await shown(goalId);
    expect(goal.costIsEstimated).toBe(true);
    expect(goal.costUsd).toBeGreaterThan(0.001);
    expect(goal.costUsd).toBeLessThan(0.05);
  });

  it("that reports nothing is stopped when its time comes to its ceiling", async () => {
    await world.close();
    world = await testWorld({
      policy: (policy) => ({ ...policy, ceilings: { ...policy.ceilings, goalMicroUsd: 500_000 } }),
    });
    path = await world.repository();
    await agentWith([{ write: { path: "a.txt", content: "a" } }, { sleepMs: 600_000 }]);
    const goalId = await start();
    const working = world.work();
    await eventually("its work", async () => (await shown(goalId)).state === "running" && world.timers.waiting() > 1);
    await eventually("its file", async () => existsSync(join(world.dataDir, "worktrees", goalId, "a.txt")));

    world.advance(10.1 * 60_000);
    await working;

    expect(await shown(goalId)).toMatchObject({ status: "failed", outcome: "Stopped at its cost ceiling" });
  });

  it("that cannot be spawned fails with its name", async () => {
    await world.command("repo", "add", path, "--setup", "", "--agent", "acp:/no/such/agent --acp");
    const goalId = await start();

    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "in_progress", state: "retrying" });
    expect((await shown(goalId)).outcome).toContain("/no/such/agent");
  });

  it("a failed setup is not a failed attempt", async () => {
    await world.command("repo", "add", path, "--setup", "echo broken lock >&2; exit 4", "--agent", "command:true");
    const goalId = await start();

    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "failed", errorCount: 0 });
    expect((await shown(goalId)).outcome).toBe("Setup failed: echo broken lock >&2; exit 4: exit code 4. broken lock");
  });

  it("a failed setup holds no money: with another setup the goal is worked, of the same ceilings [F-122]", async () => {
    await world.command("repo", "add", path, "--setup", "exit 4", "--agent", "command:touch done.txt");
    const goalId = await start();
    await world.work();
    expect(await cardWords(world, goalId)).toContain(`Work it again: cos goal resume ${goalId}`);
    const held = await world.deps.database.pool.query("select 1 from cos.call_costs where committed_micro_usd > 0");
    await world.command("repo", "add", path, "--setup", "", "--agent", "command:touch done.txt");
    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");

    await world.work();

    expect(held.rows).toEqual([]);
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await cardWords(world, goalId)).not.toContain("Work it again");
  });

  /** So many workers claim a goal and die; the next one goes on. */
  async function interrupt(times: number): Promise<void> {
    const { db, pool } = world.deps.database;
    for (let number = 0; number < times; number += 1) {
      await claimGoal(db, { leasedBy: "elsewhere/1/1", forMs: 1, now: world.deps.now() });
      await pool.query("update cos.goals set leased_until = now() - interval '1 second'");
    }
  }

  it("two interruptions in a row ask nobody [D8]", async () => {
    const goalId = await start("--run", "echo x > x.txt");
    await interrupt(2);
    await world.work();

    expect(await pending()).toEqual([]);
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  it("three interruptions in a row ask a person, and Proceed begins again [D8]", async () => {
    const goalId = await start("--run", "echo x > x.txt");
    await interrupt(3);

    await world.work();
    const [question] = await pending();
    expect(question).toMatchObject({ kind: "hiccup" });
    await world.command("approve", question?.checkpointId ?? "");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", errorCount: 0 });
  });

  it("a repository that moved away is named", async () => {
    const goalId = await start("--run", "true");
    await world.deps.database.pool.query("update cos.repositories set path = '/gone/away'");

    await world.work();

    expect((await shown(goalId)).outcome).toContain("is not at /gone/away any more");
  });

  it("pause cuts what runs, and resume goes on with the same run", async () => {
    const flag = join(world.dataDir, "flag");
    const goalId = await start("--run", `while [ ! -e ${flag} ]; do sleep 0.1; done; echo x > x.txt`);
    const first = world.work();
    await eventually("work", async () => (await shown(goalId)).state === "running" && (await hasEvent("run.started")));
    await world.command("autopilot", "pause");
    await first;
    expect(await shown(goalId)).toMatchObject({ status: "in_progress", state: "idle" });

    await writeFile(flag, "");
    await world.command("autopilot", "resume");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  async function hasEvent(event: string): Promise<boolean> {
    const { rowCount } = await world.deps.database.pool.query("select 1 from cos.timeline where event = $1", [event]);
    return rowCount !== 0;
  }
});
