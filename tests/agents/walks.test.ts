import { afterAll, afterEach, describe, expect, it } from "vitest";
import { processesOf } from "../../src/agent/process/orphans.ts";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { dollars } from "../../src/core/money.ts";
import { eventually, startBot } from "../fakes/bot.ts";
import { cardWords, valueOf } from "../fakes/deps.ts";
import { knownAgents, type KnownAgent } from "./known.ts";
import { matrix } from "./matrix.ts";
import { type AgentWorld, agentWorld, right } from "./world.ts";

/**
 * Real agents, whole: each walk by each agent, on a model server that plays what its model says. `npm run test:agents`
 * (two of them; all with `-- --all`, some with `-- NAME …`) prints the table that stands in docs/agents.md.
 */

const chosen = agentsOf(process.env["COS_TEST_AGENTS"] ?? "");

function agentsOf(names: string): readonly KnownAgent[] {
  if (names === "all") return knownAgents;
  if (names === "two") return knownAgents.slice(0, 2);
  return knownAgents.filter((agent) => names.split(",").includes(agent.name));
}

const { tools } = await whatIsolates("auto");
const printed = matrix(chosen.map((agent) => agent.name));
afterAll(() => printed.print());

it.skipIf(chosen.length > 0)("real agents are walked by npm run test:agents", () => undefined);

describe.each(chosen)("$name", (agent) => {
  let at: AgentWorld;
  afterEach(() => at.close());

  const walk = (name: string, work: () => Promise<void>) =>
    it(`${name}: ${agent.name}`, async () => await printed.cell(agent.name, name, work));

  /** F-301: the ledger is the model server's account, within one micro-dollar an answer, or says that it is estimated. */
  async function accounted(goalId: string): Promise<void> {
    const { ledgerMicroUsd, isEstimated, serverMicroUsd } = await at.account(goalId);
    if (isEstimated) printed.note(agent.name, "estimated");
    else expect(Math.abs(ledgerMicroUsd - serverMicroUsd)).toBeLessThanOrEqual(at.model.requests.length);
  }

  async function isRight(goalId: string): Promise<void> {
    expect(await at.shown(goalId)).toMatchObject({ status: "complete" });
    expect(await at.file(goalId, "a.txt")).toBe("right");
    await accounted(goalId);
  }

  walk("red, made green", async () => {
    at = await agentWorld(agent);
    at.model.play(...right);
    const goalId = await at.start();
    await at.world.work();
    await isRight(goalId);
    expect((await at.account(goalId)).isEstimated).toBe(false);
  });

  walk("wrong first, then green in the same session", async () => {
    at = await agentWorld(agent);
    const wrong = [{ read: "a.txt" }, { edit: "a.txt", from: "wrong", to: "wronger" }, { say: "Done." }] as const;
    at.model.play(...wrong, { read: "a.txt" }, { edit: "a.txt", from: "wronger", to: "right" }, { say: "Done now." });
    const goalId = await at.start();
    await at.world.work();
    await isRight(goalId);
    // What failed was said, in the session that knew what went before.
    const last = at.model.requests.findLast((each) => each.isWork)?.body ?? "";
    expect(last).toContain("The system has verified your work");
    expect(last).toContain("wronger");
    expect((await at.account(goalId)).isEstimated).toBe(false);
  });

  const asks = [{ run: "echo x > b.txt && true" }, ...right] as const;

  walk("permission answered early", async () => {
    at = await agentWorld(agent);
    at.model.play(...asks);
    const goalId = await at.start();
    const working = at.world.work();
    const question = await eventually("the question", async () => (await at.open())[0]);
    expect(question).toMatchObject({ kind: "permission" });
    valueOf(await at.world.command("approve", question.checkpointId));
    await working;
    await isRight(goalId);
    expect(await at.file(goalId, "b.txt")).toBe("x");
  });

  const noWait = { policy: withoutWait } as const;

  walk("permission answered late", async () => {
    at = await agentWorld(agent, noWait);
    at.model.play(asks[0]);
    const goalId = await at.start();
    await at.world.work();
    const [question] = await at.open();
    expect(question).toMatchObject({ kind: "permission" });
    at.model.play(...asks);
    valueOf(await at.world.command("approve", question?.checkpointId ?? ""));
    await at.world.work();
    await isRight(goalId);
    expect(await at.query("select used_at is not null as used from cos.grants")).toEqual([{ used: true }]);
  });

  walk("permission never answered", async () => {
    at = await agentWorld(agent, noWait);
    at.model.play(asks[0]);
    const goalId = await at.start();
    await at.world.work();
    at.world.advance(at.world.deps.policy.checkpoints.expireAfterMs + 1_000);
    await at.world.tick();
    expect(await at.shown(goalId)).toMatchObject({ status: "blocked", state: "parked" });
  });

  walk("permission answered with Skip", async () => {
    at = await agentWorld(agent, noWait);
    at.model.play(asks[0]);
    const goalId = await at.start();
    await at.world.work();
    valueOf(await at.world.command("reject", (await at.open())[0]?.checkpointId ?? ""));
    expect(await at.shown(goalId)).toMatchObject({ status: "deferred" });
    await accounted(goalId);
  });

  walk("paused, then resumed", async () => {
    at = await agentWorld(agent);
    at.model.play({ read: "a.txt" }, "hangs");
    const goalId = await at.start();
    const working = at.world.work();
    await at.asked(2);
    valueOf(await at.world.command("autopilot", "pause"));
    await working;
    expect(await at.shown(goalId)).toMatchObject({ state: "idle" });
    at.model.play(...right);
    valueOf(await at.world.command("autopilot", "resume"));
    await at.world.work();
    await isRight(goalId);
  });

  walk("stopped at once, no process left", async () => {
    at = await agentWorld(agent);
    at.model.play({ read: "a.txt" }, "hangs");
    const goalId = await at.start();
    const working = at.world.work();
    await at.asked(2);
    valueOf(await at.world.command("autopilot", "stop", "--now"));
    await working;
    expect(await at.shown(goalId)).toMatchObject({ status: "blocked", state: "parked" });
    expect(processesOf(await runOf(goalId))).toEqual([]);
  });

  walk("the agent is killed", async () => {
    at = await agentWorld(agent, { policy: atOnce });
    at.model.play({ read: "a.txt" }, "hangs");
    const goalId = await at.start();
    const working = at.world.work();
    await at.asked(2);
    at.model.play(...right);
    for (const pid of processesOf(await runOf(goalId))) process.kill(pid, "SIGKILL");
    await working;
    await goesOn(goalId);
    await isRight(goalId);
  });

  walk("the bot is killed, and started again", async () => {
    at = await agentWorld(agent);
    at.model.play({ read: "a.txt" }, "hangs");
    at.world.advance(Date.now() - at.world.deps.now().getTime());
    const goalId = await at.start();
    const bot = await startBot(at.place);
    await at.asked(2);
    const before = await at.query("select agent_session_id from cos.runs");
    at.model.play(...right);
    bot.kill("SIGKILL");
    await bot.exited;
    const again = await startBot(at.place);
    await eventually("the goal's end", async () => (await at.shown(goalId)).status === "complete");
    again.kill("SIGTERM");
    await again.exited;
    await isRight(goalId);
    expect(await at.query("select agent_session_id from cos.runs")).toEqual(before);
  });

  walk("its login is missing", async () => {
    at = await agentWorld(agent);
    // Some ask once more by themselves.
    at.model.play(...Array.from({ length: 12 }, () => ({ status: 401, message: "Invalid API key" })));
    const goalId = await at.start();
    await at.world.work();
    expect(await at.query("select status from cos.sessions")).toEqual([{ status: "paused" }]);
    expect((await at.open()).map((each) => each.context).join()).toMatch(/log ?in|API key|auth/i);
    await accounted(goalId);
  });

  walk("429 with a reset", async () => {
    at = await agentWorld(agent, { policy: atOnce });
    at.model.play({ status: 429, headers: { "retry-after": "1" }, message: "Rate limit reached" }, ...right);
    const goalId = await at.start();
    await at.world.work();
    await goesOn(goalId);
    await isRight(goalId);
  });

  walk("cut in the middle of an answer", async () => {
    at = await agentWorld(agent, { policy: atOnce });
    at.model.play({ read: "a.txt" }, "cut", ...right);
    const goalId = await at.start();
    await at.world.work();
    await goesOn(goalId);
    await isRight(goalId);
  });

  walk("its ceiling is met", async () => {
    at = await agentWorld(agent, { policy: (policy) => withCeiling(policy, dollars(0.01)) });
    at.model.play({ read: "a.txt" }, { read: "spec.md" }, { read: "a.txt" }, { read: "spec.md" }, { say: "Not done." });
    const goalId = await at.start();
    await at.world.work();
    expect(await at.shown(goalId)).toMatchObject({ status: "failed", outcome: expect.stringMatching(/ceiling/) });
  });

  it.runIf(tools !== null)(`isolated: ${agent.name}`, async () => {
    await printed.cell(agent.name, "isolated", async () => {
      at = await agentWorld(agent, { environment: { COS_ISOLATION: "auto" } });
      at.model.play(...right);
      const goalId = await at.start();
      await at.world.work();
      await isRight(goalId);
      if (tools?.wayOut != null) expect(await cardWords(at.world, goalId)).not.toContain("not isolated");
    });
  });

  async function runOf(goalId: string): Promise<string> {
    const rows = await at.query(`select run_id from cos.runs where goal_id = '${goalId}'`);
    return String(rows[0]?.["run_id"]);
  }

  /** Attempts that failed are tried again as soon as they may be. */
  async function goesOn(goalId: string): Promise<void> {
    for (let times = 0; times < 5 && (await at.shown(goalId)).state === "retrying"; times += 1) {
      at.world.advance(60 * 60_000);
      await at.world.work();
    }
  }
});

type Policy = AgentWorld["world"]["deps"]["policy"];

function withoutWait(policy: Policy): Policy {
  return { ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } };
}

function atOnce(policy: Policy): Policy {
  return { ...policy, ceilings: { ...policy.ceilings, goalMicroUsd: dollars(50) } };
}

function withCeiling(policy: Policy, goalMicroUsd: number): Policy {
  return {
    ...policy,
    ceilings: { ...policy.ceilings, goalMicroUsd },
    goals: { ...policy.goals, minimumTurnMicroUsd: 1 },
  };
}
