import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acpRunner } from "../../src/agent/acp/acp.ts";
import { greetAgent } from "../../src/agent/acp/greet.ts";
import { processesOf } from "../../src/agent/process/orphans.ts";
import type { PermissionAsk, RunObserver, RunRequest, RunResult } from "../../src/agent/process/runner.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { handTimers } from "../fakes/timers.ts";

const agentFile = join(projectDir, "examples/scripted-agent/agent.mjs");

describe("an agent that speaks ACP", () => {
  let folder: string;
  let told: { activity: string[]; spend: number[]; sessions: string[]; asks: PermissionAsk[] };
  let reply: "allow" | "reject";

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-acp-"));
    told = { activity: [], spend: [], sessions: [], asks: [] };
    reply = "reject";
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const observer: RunObserver = {
    onActivity: (text) => void told.activity.push(text),
    onAgentSession: async (id) => void told.sessions.push(id),
    onSpend: async (microUsd) => void told.spend.push(microUsd),
    onPermission: async (ask) => {
      told.asks.push(ask);
      return reply;
    },
  };

  function request(rest: Partial<RunRequest> = {}): RunRequest {
    return {
      runId: `run-${Math.floor(performance.now() * 1000).toString(16)}`,
      goalId: "goal-1",
      worktree: folder,
      outputFile: join(folder, "output.txt"),
      prompt: "Do it",
      agentSessionId: null,
      timers: realTimers,
      timeoutMs: 600_000,
      inactivityMs: 600_000,
      environment: {},
      secrets: [],
      allowedCommands: ["npm test"],
      grants: [],
      enclosure: null,
      ...rest,
    };
  }

  async function scripted(
    steps: readonly object[],
    rest: Partial<RunRequest> = {},
    signal = new AbortController().signal,
  ): Promise<RunResult> {
    const script = join(folder, "script.json");
    await writeFile(script, JSON.stringify(steps));
    return await acpRunner(`"${process.execPath}" "${agentFile}" --script "${script}"`)(
      request(rest),
      observer,
      signal,
    );
  }

  it("edits files, says what it does and what it costs", async () => {
    const result = await scripted([
      { plan: ["AC-1: write it"] },
      { write: { path: "a.txt", content: "hello\n" }, costUsd: 0.25 },
      { say: "Written.", costUsd: 0.5 },
    ]);

    expect(result).toMatchObject({ type: "finished", exitCode: 0, summary: "Written." });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("hello\n");
    expect(told.spend).toEqual([250_000, 750_000]);
    expect(told.sessions.length).toBe(1);
    expect(await readFile(join(folder, "output.txt"), "utf8")).toContain("Written.");
  });

  it("may run what the repository lists without asking", async () => {
    const result = await scripted([
      { permission: { title: "Run the tests", command: "npm test -- --run" } },
      { say: "ok" },
    ]);

    expect(result.type).toBe("finished");
    expect(told.asks).toEqual([]);
  });

  it("is asked about for everything else, and ends when that is rejected", async () => {
    const result = await scripted([{ permission: { title: "Clean up", command: "rm -rf build" } }, { say: "never" }]);

    expect(told.asks).toMatchObject([{ kind: "execute", command: "rm -rf build" }]);
    expect(result).toMatchObject({ type: "permission", ask: { command: "rm -rf build" } });
  });

  it("goes on when a person allows it, and asks the same thing under the same fingerprint", async () => {
    const steps = [{ permission: { title: "Clean up", command: "touch cleaned && true" } }, { say: "done" }];
    await scripted(steps);
    reply = "allow";

    const result = await scripted(steps);

    expect(result.type).toBe("finished");
    expect(told.asks[0]?.fingerprint).toBe(told.asks[1]?.fingerprint);
    expect(await readFile(join(folder, "cleaned"), "utf8")).toBe("");
  });

  it("takes its session up again", async () => {
    await scripted([{ say: "one" }]);

    await scripted([{ say: "two" }], { agentSessionId: told.sessions[0] ?? null });

    expect(told.sessions[1]).toBe(told.sessions[0]);
  });

  it.each([
    ["crashes midway", [{ say: "x" }, { crash: 7 }], "failed", /exited with code 7/],
    ["refuses", [{ stop: "refusal" }], "failed", /refus/i],
  ])("that %s has failed, with the reason", async (_, steps, type, reason) => {
    const result = await scripted(steps);

    expect(result.type).toBe(type);
    expect("reason" in result ? result.reason : "").toMatch(reason);
  });

  it("that hangs is ended by inactivity, with its whole group", async () => {
    const timers = handTimers();
    const mine = request({ timers, inactivityMs: 700 });
    const script = join(folder, "script.json");
    const hung = join(folder, "hung");
    await writeFile(script, JSON.stringify([{ say: "x" }, { run: `touch ${hung}; sleep 1000` }]));
    const running = acpRunner(`"${process.execPath}" "${agentFile}" --script "${script}"`)(
      mine,
      observer,
      new AbortController().signal,
    );
    await eventually("it hangs", async () => existsSync(hung));
    timers.advance(700);
    const result = await running;

    expect(result.type).toBe("timeout");
    expect(processesOf(mine.runId)).toEqual([]);
  });

  it("that takes long has all the time of a clock that stands still [F-125]", async () => {
    const script = join(folder, "script.json");
    await writeFile(script, JSON.stringify([{ say: "x" }, { sleepMs: 1_000 }, { say: "y" }]));
    const result = await acpRunner(`"${process.execPath}" "${agentFile}" --script "${script}"`)(
      request({ timers: handTimers(), timeoutMs: 1, inactivityMs: 1, startMs: 1 }),
      observer,
      new AbortController().signal,
    );

    expect(result.type).toBe("finished");
  });

  it("that is cut stops at once", async () => {
    const controller = new AbortController();
    const running = scripted([{ say: "x" }, { sleepMs: 60_000 }], {}, controller.signal);
    setTimeout(() => controller.abort(), 300);

    expect((await running).type).toBe("cut");
  });

  it("that prints no protocol has not started, with what it printed [F-305]", async () => {
    const timers = handTimers();
    const said = join(folder, "said");
    const running = acpRunner(`sh -c "echo hello; touch ${said}; sleep 600"`)(
      request({ timers, startMs: 2_000 }),
      observer,
      new AbortController().signal,
    );
    await eventually("its words", async () => existsSync(said));
    await eventually("its start", async () => timers.waiting() > 0);
    timers.advance(2_000);
    const result = await running;

    expect(result.type).toBe("not-started");
    expect("reason" in result ? result.reason : "").toMatch(/^no answer to initialize within 2 s.*hello/);
  });

  it("that ends at once is unavailable", async () => {
    const result = await acpRunner('sh -c "exit 3"')(request(), observer, new AbortController().signal);

    expect(result.type).toBe("unavailable");
    expect("reason" in result ? result.reason : "").toMatch(/exited with code 3/);
  });

  it("that ends with a stack is told of by its error, not by the last line below it", async () => {
    const line = `"${process.execPath}" "${join(folder, "no-agent.mjs")}"`;
    const result = await acpRunner(line)(request(), observer, new AbortController().signal);
    const greeting = await greetAgent(line, { environment: {}, secrets: [], waitMs: 60_000 });

    const told = /it (?:exited with code 1|ended) before it answered.*: Error: Cannot find module .*no-agent\.mjs/;
    expect("reason" in result ? result.reason : "").toMatch(told);
    expect("reason" in greeting ? greeting.reason : "").toMatch(told);
  });

  it("that greets with other words on its output is told of by them", async () => {
    const greeting = await greetAgent('sh -c "echo usage: agent"', { environment: {}, secrets: [], waitMs: 60_000 });

    expect(greeting).toEqual({ type: "silent", reason: "it ended before it answered: usage: agent" });
  });

  it("that cannot be spawned is unavailable, by name", async () => {
    const result = await acpRunner("/no/such/agent --acp")(request(), observer, new AbortController().signal);

    expect(result.type).toBe("unavailable");
  });
});
