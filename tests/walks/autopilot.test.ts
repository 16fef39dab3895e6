import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { dollars } from "../../src/core/money.ts";
import { appendSpend } from "../../src/db/spend.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository } from "../fakes/scripted.ts";

interface Result {
  goalId: string;
  success: boolean;
  error: string | null;
  output: string | null;
  costUsd: number;
  status: string;
  checkpointPending: boolean;
}

interface Session {
  sessionId: string;
  state: string;
  startedAt: string;
  endReason: string | null;
  totalCostUsd: number;
  goalsCompleted: number;
  results: Result[];
}

describe("an autopilot session", () => {
  let world: TestWorld;
  beforeEach(async () => {
    world = await testWorld({ policy: oneAttempt });
    await world.repository();
  });
  afterEach(() => world.close());

  async function add(text: string, ...words: string[]): Promise<string> {
    return valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...words)).goalId;
  }

  async function session(): Promise<Session> {
    const { sessions } = valueOf<{ sessions: Session[] }>(await world.command("autopilot", "status"));
    if (sessions[0] === undefined) throw new Error("no session");
    return sessions[0];
  }

  it("has an id, a start and no cost yet [S4-AP-01]", async () => {
    await add("Wait for me", "--run", "true", "--tag", "ui");

    const started = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));

    expect(started.sessionId).toMatch(/^session-[0-9a-f]{8}$/);
    expect(await session()).toMatchObject({ sessionId: started.sessionId, totalCostUsd: 0, state: "running" });
    expect((await session()).startedAt).toEqual(new Date("2026-01-26T09:00:00Z"));
  });

  it("works its goals one after another, most urgent first, then as they were added [S4-AP-03]", async () => {
    const log = join(world.dataDir, "order.txt");
    await add("low", "--run", `echo low >> ${log}`, "--priority", "low");
    await add("first", "--run", `echo first >> ${log}`);
    await add("second", "--run", `echo second >> ${log}`);
    await add("high", "--run", `echo high >> ${log}`, "--priority", "high");

    await world.command("autopilot", "start");
    await world.work();

    expect(await readFile(log, "utf8")).toBe("high\nfirst\nsecond\nlow\n");
  });

  it("counts successes and says how each goal ended [S4-AP-06, S4-AP-16]", async () => {
    await add("good", "--run", "echo x > x.txt");
    await add("bad", "--run", "echo boom >&2; exit 3");

    await world.command("autopilot", "start");
    await world.work();

    const { goalsCompleted, results } = await session();
    expect(goalsCompleted).toBe(1);
    expect(results).toMatchObject([
      { success: true, error: null },
      { success: false, status: "blocked", costUsd: 0 },
    ]);
    expect(results[1]?.error).toContain("exit code 3");
    expect(valueOf(await world.command("goal", "show", results[1]?.goalId ?? ""))).toMatchObject({ errorCount: 1 });
  });

  it("says what an agent's failure was and what it has cost [S4-AP-16, C-72]", async () => {
    await agentRepository(world, [{ steps: [{ say: "boom", costUsd: 0.3 }, { stop: "max_tokens" }] }]);
    const goalId = await add("Work", "--repo", "person");

    await world.command("autopilot", "start", "--repo", "person");
    await world.work();

    const { totalCostUsd, results } = await session();
    expect(results).toMatchObject([
      { success: false, error: "Escalated to human: the agent ran out of tokens: boom", costUsd: 0.3 },
    ]);
    expect(totalCostUsd).toBe(0.3);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ errorCount: 1 });
  });

  it("in order it stops at a question; what comes after it does not start [S4-AP-05, S4-AP-10, S4-RM-14]", async () => {
    await add("one", "--run", "echo 1 > 1.txt");
    await add("two", "--run", "echo 2 > 2.txt", "--tag", "ui");
    await add("three", "--run", "echo 3 > 3.txt");

    await world.command("autopilot", "start", "--in-order");
    await world.work();

    expect((await session()).results).toMatchObject([
      { success: true },
      { success: false, error: "Awaiting human approval", costUsd: 0, checkpointPending: true },
      { status: "pending", checkpointPending: false },
    ]);
    const asked = (await session()).results[1]?.goalId ?? "";
    expect(valueOf(await world.command("goal", "show", asked))).toMatchObject({ errorCount: 0, attempts: [] });
  });

  it("leaves a goal that nobody can work to a person, and does not count it as done [S4-AP-15]", async () => {
    await add("Call the customer");

    await world.command("autopilot", "start");
    await world.work();

    const { goalsCompleted, results } = await session();
    expect(results).toMatchObject([
      {
        success: true,
        error: null,
        status: "manual_followup",
        costUsd: 0,
        output: "Manual goal - no automated execution",
      },
    ]);
    expect(goalsCompleted).toBe(0);
  });

  it("refuses before it asks when the budget is too small [S4-AP-07, S4-AP-09, C-69]", async () => {
    const marker = join(world.dataDir, "worked");
    const goalId = await add("Make it blue", "--run", `touch ${marker}`, "--tag", "ui");
    await add("Make it red", "--run", `touch ${marker}`);

    await world.command("autopilot", "start", "--budget", "0.49");
    await world.work();

    const reason = "Insufficient budget remaining: $0.49 left of the session's ceiling, $0.50 needed";
    expect(await session()).toMatchObject({ state: "ended", endReason: reason });
    expect((await session()).results).toMatchObject([
      { success: false, costUsd: 0, status: "failed", error: reason, checkpointPending: false },
      // None after it could start either: the session ends instead of refusing each of them (C-69).
      { status: "pending", error: null },
    ]);
    expect(existsSync(marker)).toBe(false);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ checkpoints: [] });
  });

  const needs = (usd: number): string => `$8.00 left of the session's ceiling, $${usd}.00 needed`;
  const saidBy = (result: CommandResult): string => JSON.stringify(result.type === "done" ? result.card : result);

  it("says at its start which goals cannot begin with what it has", async () => {
    const dear = await add("Make it blue", "--run", "true", "--cost", "9");
    await add("Make it red", "--run", "true", "--cost", "2");

    const started = await world.command("autopilot", "start", "--budget", "8");

    const words = JSON.stringify(started.type === "done" ? started.card.blocks : started);
    expect(words.match(/cannot begin/g)).toHaveLength(1);
    expect(words).toContain(`${dear} cannot begin: $8.00 left of the session's ceiling, $9.00 needed`);
    expect(valueOf(started)).toMatchObject({ joined: false, cannotBegin: [{ goalId: dear, reason: needs(9) }] });
  });

  it("says of goals that join it, and of one that is added to it, which of them cannot begin with what it has", async () => {
    const cheap = await add("Make it red", "--run", "true", "--cost", "2");
    const dear = await add("Make it blue", "--run", "true", "--cost", "9");
    await world.command("autopilot", "start", "--budget", "8", "--goal", cheap);

    const joined = await world.command("autopilot", "start");
    const added = await world.command("goal", "add", "Make it green", "--run", "true", "--cost", "10");

    expect(valueOf(joined)).toMatchObject({ joined: true, cannotBegin: [{ goalId: dear, reason: needs(9) }] });
    expect(saidBy(joined)).toContain(`${dear} cannot begin: ${needs(9)}`);
    const { goalId } = valueOf<{ goalId: string }>(added);
    expect(valueOf(added)).toMatchObject({ cannotBegin: [{ goalId, reason: needs(10) }] });
    expect(saidBy(added)).toContain(`${goalId} cannot begin: ${needs(10)}`);
  });

  it("runs with exactly the minimum [S4-AP-08]", async () => {
    await add("Just enough", "--run", "echo x > x.txt");

    await world.command("autopilot", "start", "--budget", "0.50");
    await world.work();

    expect((await session()).results).toMatchObject([{ success: true, status: "complete" }]);
  });

  it("adds what goals cost to the session and to the day, and a new session does not lower the day [S4-AP-02, S4-AP-04]", async () => {
    const goals = [await add("one", "--run", "true", "--tag", "ui"), await add("two", "--run", "true", "--tag", "ui")];
    await world.command("autopilot", "start");
    for (const [index, usd, total] of [
      [0, 1.5, 1.5],
      [1, 2, 3.5],
    ] as const) {
      const goalId = goals[index] ?? "";
      const { runId, sessionId } = valueOf<{ runId: string; sessionId: string }>(
        await world.command("goal", "show", goalId),
      );
      const call = { callId: `call-${index}`, goalId, runId, sessionId, day: "2026-01-26" };
      const entry = {
        kind: "settled",
        amountMicroUsd: dollars(usd),
        isEstimated: false,
        at: world.deps.now(),
      } as const;
      await appendSpend(world.deps.database.db, call, entry);
      expect((await session()).totalCostUsd).toBe(total);
    }
    for (const goalId of goals) await world.command("goal", "skip", goalId);
    await add("three", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");

    expect((await session()).totalCostUsd).toBe(0);
    expect(valueOf(await world.command("status"))).toMatchObject({ spentTodayUsd: 3.5 });
  });

  it("says no change, and does not call that a branch", async () => {
    const goalId = await add("Nothing to do", "--run", "true");

    await world.command("autopilot", "start");
    await world.work();

    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      status: "complete",
      outcome: "No change: the command ended with exit code 0",
      branch: null,
    });
  });

  it("asks about finished work that changed what users see, unless that was settled before", async () => {
    const asked = await add("quiet", "--run", "echo a > app.css");
    await world.command("autopilot", "start");
    await world.work();
    const [question] = valueOf<{ checkpointId: string; context: string }[]>(await world.command("checkpoints"));
    await world.command("approve", question?.checkpointId ?? "");
    await world.work();
    const settled = await add("said", "--run", "echo b > other.css", "--tag", "ui");
    await world.command("autopilot", "start");
    const [before] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("approve", before?.checkpointId ?? "");
    await world.work();

    expect(question?.context).toBe("The finished work changed user-facing files: app.css");
    for (const goalId of [asked, settled]) {
      expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
    }
  });

  it("linked goals: feature before bug before spec, each with its document in the prompt [S4-AP-11, S4-AP-12, S4-AP-14]", async () => {
    const script = join(world.dataDir, "agent.sh");
    const prompts = join(world.dataDir, "prompts");
    await writeFile(
      script,
      `cat "$COS_PROMPT_FILE" >> ${prompts}\ngrep -Eq "passkey|Crash on save" "$COS_PROMPT_FILE"\n`,
    );
    const path = await world.repository({
      "specs/login/issues/7.md": "Log in with a passkey\n",
      "specs/other/issues/8.md": "Another one\n",
      "bugs/B1.md": "Crash on save\n",
      "bugs/B2.md": "Crash on load\n",
      "specs/plain.md": "A plain spec\n",
    });
    await world.command("repo", "add", path, "--setup", "", "--agent", `command:sh ${script}`);
    const name = path.split("/").at(-1) ?? "";
    const spec = ["--spec", "specs/plain.md"];
    const feature = await add("f", "--repo", name, "--feature", "login", "--issue", "7", "--bug", "B1", ...spec);
    const fails = await add("g", "--repo", name, "--feature", "other", "--issue", "8");
    const bug = await add("b", "--repo", name, "--bug", "B1");
    const both = await add("d", "--repo", name, "--bug", "B1", ...spec);
    const open = await add("c", "--repo", name, "--bug", "B2");

    await world.command("autopilot", "start", "--repo", name);
    await world.work();

    const said = await readFile(prompts, "utf8");
    const count = (words: string): number => said.split(words).length - 1;
    // Each goal is worked once: the document of a lower link is in no prompt.
    expect([count("Log in with a passkey"), count("Crash on save"), count("A plain spec")]).toEqual([1, 2, 0]);
    for (const goalId of [feature, bug, both])
      expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
    for (const goalId of [fails, open])
      expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "blocked", errorCount: 1 });
  });

  it("a linked spec is worked too and complete once a person approves it; a missing document names the paths tried [S4-AP-13]", async () => {
    const path = await world.repository({ "specs/plain.md": "A plain spec\n" });
    const name = path.split("/").at(-1) ?? "";
    const script = join(world.dataDir, "agent.sh");
    await writeFile(script, 'cp "$COS_PROMPT_FILE" prompt.txt; grep -q "A plain spec" prompt.txt\n');
    await world.command("repo", "add", path, "--setup", "", "--agent", `command:sh ${script}`);
    const spec = await add("s", "--repo", name, "--spec", "specs/plain.md");

    const missing = await world.command("goal", "add", "x", "--repo", name, "--feature", "f", "--issue", "1");
    await world.command("autopilot", "start", "--repo", name);
    await world.work();

    const asked = valueOf<{ checkpointId: string; status: string }>(await world.command("goal", "show", spec));
    expect(asked.status).toBe("blocked");
    await world.command("approve", asked.checkpointId);
    await world.work();
    expect(valueOf(await world.command("goal", "show", spec))).toMatchObject({ status: "complete" });
    expect(missing).toMatchObject({ type: "refused" });
    expect(missing.type === "refused" ? missing.reason : "").toContain(`${path}/specs/f/issues/1.md`);
    expect(missing.type === "refused" ? missing.reason : "").toContain(`${path}/specs/f.md#1`);
    await writeFile(join(world.dataDir, "beside.md"), "Beside the repository\n");
    await writeFile(join(path, "specs/long.md"), "x".repeat(1_000_001));
    for (const other of ["../beside.md", "specs/long.md"])
      expect(await world.command("goal", "add", "x", "--repo", name, "--spec", other)).toMatchObject({
        type: "refused",
        reason: expect.stringContaining("is not in the repository, or is larger than a megabyte"),
      });
  });
});
