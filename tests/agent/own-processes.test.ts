import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { killOwn, killRun, processesOf } from "../../src/agent/process/orphans.ts";
import { runShell } from "../../src/agent/process/shell.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { eventually } from "../fakes/bot.ts";
import { temporaryFolder } from "./fixtures.ts";

/** Whoever has lost a goal ends what he has begun for its run, and nothing of the worker who has it now (D5). */

function newRun(): string {
  const runId = `run-own-${randomBytes(6).toString("hex")}`;
  onTestFinished(async () => void (await killRun(runId)));
  return runId;
}

/** Another worker of this machine, with a child of the run that is not his own. */
async function startedByAnother(runId: string): Promise<readonly number[]> {
  const program = `require("node:child_process").spawn("sh", ["-c", "sleep 1000; true"], { env: { ...process.env, COS_RUN: "${runId}" } })`;
  const { COS_RUN: _, ...environment } = process.env;
  const worker = spawn(process.execPath, ["-e", program], { stdio: "ignore", env: environment });
  onTestFinished(() => void worker.kill("SIGKILL"));
  await eventually("both", async () => processesOf(runId).length === 2);
  return processesOf(runId);
}

it("what another living worker has started for the same run stays, and whoever claims the goal ends it", async () => {
  const runId = newRun();
  const others = await startedByAnother(runId);
  const running = runShell({
    command: "setsid sleep 1000 & sleep 1000",
    runId,
    cwd: temporaryFolder(),
    environment: {},
    secrets: [],
    timers: realTimers,
    timeoutMs: 600_000,
    outputFile: join(temporaryFolder(), "output.txt"),
  });
  await eventually("ours", async () => processesOf(runId).length > 4);

  expect(await killOwn(runId)).toBeGreaterThan(0);
  await running;

  expect(processesOf(runId)).toEqual(others);
  await killRun(runId);
  expect(processesOf(runId)).toEqual([]);
});

it("what nobody is above any more is ended by whoever was at work", async () => {
  const runId = newRun();
  const environment = { ...process.env, COS_RUN: runId };
  const parent = spawn("sh", ["-c", "setsid sh -c 'sleep 1000; true' & exit"], { stdio: "ignore", env: environment });
  await new Promise((resolve) => parent.once("exit", resolve));
  await eventually("what it left", async () => processesOf(runId).length === 2);

  await killOwn(runId);

  expect(processesOf(runId)).toEqual([]);
});
