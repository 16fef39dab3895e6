import { expect } from "vitest";
import { processesOf } from "../../../src/agent/process/orphans.ts";
import { eventually, startBot } from "../../fakes/bot.ts";
import { valueOf } from "../../fakes/deps.ts";
import { goesOn, type Walks } from "../walk.ts";
import { type AgentWorld, noted, right } from "../world.ts";

const hangs = [{ read: "notes.txt" }, "hangs"] as const;

/** A turn that ends in the middle: by a person, or because somebody died. */
export function interruptionWalks({ agent, walk, open, isRight, isSameSession, sessionsAge }: Walks): void {
  walk("paused, then resumed in the same session", async () => {
    const at = await open();
    at.model.play(...hangs);
    const goalId = await at.start();
    const working = at.world.work();
    await at.asked(2);
    if (agent.isCommand !== true) await at.kept(noted);
    valueOf(await at.world.command("autopilot", "pause"));
    await working;
    expect(await at.shown(goalId)).toMatchObject({ state: "idle" });
    at.model.play(...right);
    await sessionsAge();
    valueOf(await at.world.command("autopilot", "resume"));
    await at.world.work();
    await isRight(at, goalId);
    isSameSession(at);
  });

  walk("stopped at once, no process left; resumed, it goes on", async () => {
    const at = await open();
    at.model.play(...hangs);
    const goalId = await at.start();
    const working = at.world.work();
    await at.asked(2);
    if (agent.isCommand !== true) await at.kept(noted);
    valueOf(await at.world.command("autopilot", "stop", "--now"));
    await working;
    expect(await at.shown(goalId)).toMatchObject({ status: "blocked", state: "parked" });
    expect(processesOf(await runOf(at, goalId))).toEqual([]);
    at.model.play(...right);
    valueOf(await at.world.command("goal", "resume", goalId));
    valueOf(await at.world.command("autopilot", "start"));
    await at.world.work();
    await isRight(at, goalId);
  });

  walk("the agent is killed", async () => {
    const at = await open();
    at.model.play(...hangs);
    const goalId = await at.start();
    const working = at.world.work();
    await at.asked(2);
    if (agent.isCommand !== true) await at.kept(noted);
    at.model.play(...right);
    expect(killAll(processesOf(await runOf(at, goalId)))).toBeGreaterThan(0);
    await working;
    await goesOn(at, goalId);
    await isRight(at, goalId);
  });

  walk("the bot is killed, and started again: the same session goes on", async () => {
    const at = await open();
    at.model.play(...hangs);
    at.world.advance(Date.now() - at.world.deps.now().getTime());
    const goalId = await at.start();
    const bot = await startBot(at.place);
    await at.asked(2);
    if (agent.isCommand !== true) await at.kept(noted);
    const before = await at.query("select run_id, agent_session_id from cos.runs");
    at.model.play(...right);
    bot.kill("SIGKILL");
    await bot.exited;
    await sessionsAge();
    const again = await startBot(at.place);
    await eventually("the goal's end", async () => (await at.shown(goalId)).status === "complete");
    again.kill("SIGTERM");
    await again.exited;
    await isRight(at, goalId);
    expect(await at.query("select run_id, agent_session_id from cos.runs")).toEqual(before);
    isSameSession(at);
    expect(processesOf(await runOf(at, goalId))).toEqual([]);
  });
}

async function runOf(at: AgentWorld, goalId: string): Promise<string> {
  const rows = await at.query(`select run_id from cos.runs where goal_id = '${goalId}'`);
  return String(rows[0]?.["run_id"]);
}

/** How many of them were killed; one that has ended with another is gone already. */
function killAll(pids: readonly number[]): number {
  let killed = 0;
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
      killed += 1;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
  return killed;
}
