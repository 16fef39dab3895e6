import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasLostGuard, isFollowedHere } from "../../src/agent/process/followed-child.ts";
import { startGuarded } from "../../src/agent/process/guard.ts";
import { killRun, processesOf } from "../../src/agent/process/orphans.ts";
import { processEntry, processes } from "../../src/agent/process/processes.ts";
import { runShell, type ShellOptions, type ShellResult } from "../../src/agent/process/shell.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { traceProcess } from "../../src/agent/process/trace.ts";
import { eventually } from "../fakes/bot.ts";

const follows = await isFollowedHere();
const hasPrlimit = spawnSync("prlimit", ["--version"], { stdio: "ignore" }).status === 0;

/** Where a guard can be the ancestor of everything (Linux with perl). */
describe.skipIf(!follows)("a child whose descendants are followed [F-104]", () => {
  let folder: string;
  const runId = "run-followed";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-followed-"));
  });
  afterEach(async () => {
    await killRun(runId);
    await rm(folder, { recursive: true, force: true });
  });

  function run(command: string, rest: Partial<ShellOptions> = {}): Promise<ShellResult> {
    const outputFile = join(folder, "output.txt");
    return runShell({
      command,
      cwd: folder,
      runId,
      environment: {},
      secrets: [],
      timeoutMs: 600_000,
      timers: realTimers,
      outputFile,
      ...rest,
    });
  }

  it("that is cut in its first moments loses no guard: the signal was ours", async () => {
    for (const waitMs of [0, 1, 2, 4, 8, 16]) {
      const cut = new AbortController();
      const running = run("sleep 20", { signal: cut.signal, runId: "run-first-moments" });
      await new Promise((resume) => setTimeout(resume, waitMs));
      cut.abort();
      expect((await running).end).toMatchObject({ type: "cut" });
    }
    expect(hasLostGuard("run-first-moments")).toBe(false);
  });

  /** A shell line that starts a process which writes its pid to `name`, and what it does before it does. */
  const writesPid = (name: string) => `sh -c "echo \\$\\$ > ${join(folder, name)}; exec sleep 1000"`;
  const ways = (name: string): Readonly<Record<string, string>> => ({
    "in the background": `${writesPid(name)} &`,
    "without an environment": `env -i ${writesPid(name)} &`,
    "in a session of its own": `setsid ${writesPid(name)} &`,
    "twice forked without an environment": `(env -i setsid sh -c '(env -i setsid ${writesPid(name)} &) &') &`,
  });

  async function pidIn(name: string): Promise<number> {
    return await eventually("a pid", async () => {
      const text = existsSync(join(folder, name)) ? await readFile(join(folder, name), "utf8") : "";
      return Number(text) > 1 ? Number(text) : null;
    });
  }

  it.each([
    "in the background",
    "without an environment",
    "in a session of its own",
    "twice forked without an environment",
  ])("knows one %s as its own, and ends it when the command ends", async (way) => {
    const running = run(`${ways("escaped")[way]} while [ ! -e over ]; do sleep 0.05; done`);
    const pid = await pidIn("escaped");

    await eventually("its parent's end", async () => traceProcess(pid).type === "marked");
    expect(traceProcess(pid)).toEqual({ type: "marked", runId });
    await run("touch over");
    await running;

    expect(processes().filter((entry) => entry.pid === pid)).toEqual([]);
  });

  it.each([
    ["exit 3", { type: "exited", exitCode: 3 }],
    ["kill -SEGV $$", { type: "signalled", signal: "SIGSEGV" }],
    ["kill -KILL $$", { type: "signalled", signal: "SIGKILL" }],
    ["kill -KILL 0", { type: "signalled", signal: "SIGKILL" }],
    ["trap 'exit 7' TERM; kill -TERM 0; sleep 10", { type: "exited", exitCode: 7 }],
  ])("ends as its command does: %s", async (command, end) => {
    expect((await run(command)).end).toEqual(end);
    expect(hasLostGuard(runId)).toBe(false);
  });

  it("ends as its command does when we learn of its guard's end first: a busy process reads late", async () => {
    const go = join(folder, "go");
    const followed = await startGuarded({
      command: ["sh", "-c", `while [ ! -e ${go} ]; do sleep 0.05; done; exit 7`],
      cwd: folder,
      environment: { PATH: process.env["PATH"] ?? "", COS_RUN: runId },
      stdin: false,
      streams: "merged",
    });
    if (followed.type === "not-started") throw new Error(followed.reason);
    const { pid, exited, dead } = followed.process;
    // Of another child output and end are ready together: while we read the first, the guard tells and ends.
    const other = spawn("sh", ["-c", "read line; echo said"], { stdio: ["pipe", "pipe", "ignore"] });
    other.stdout.once("data", () => {
      writeFileSync(go, "");
      blockUntilDead(pid);
    });
    await once(other, "spawn");
    other.stdin.write("\n", () => blockUntilDead(other.pid ?? 0));

    expect(await exited).toEqual({ type: "exited", exitCode: 7 });
    await dead();
    expect(hasLostGuard(runId)).toBe(false);
  });

  /** Nothing is read meanwhile; nobody has waited for the process yet. */
  function blockUntilDead(pid: number): void {
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (processEntry(pid)?.state !== "Z") Atomics.wait(clock, 0, 0, 5);
  }

  it("ends what ignores the request to end, and what escaped, when it is cut", async () => {
    const cut = new AbortController();
    const running = run(
      `trap '' TERM; ${ways("escaped")["twice forked without an environment"]} while :; do sleep 1; done`,
      {
        signal: cut.signal,
      },
    );
    const pid = await pidIn("escaped");

    cut.abort();

    expect((await running).end).toEqual({ type: "cut" });
    expect(processes().filter((entry) => entry.pid === pid)).toEqual([]);
    expect(processesOf(runId)).toEqual([]);
  });

  it.each(["sh hears.sh", "sh hears.sh; true", "sh hears.sh & wait"])(
    "has time to put away what it holds when it is cut, whoever of it is the first to go: %s",
    async (command) => {
      const lock = join(folder, "lock");
      // It prints more than a pipe holds on its way, too.
      const onItsWay = `printf %300000s x >&2; echo; rm ${lock}; exit`;
      writeFileSync(join(folder, "hears.sh"), `trap '${onItsWay}' TERM; touch ${lock}; while :; do sleep 0.05; done`);
      const cut = new AbortController();
      const running = run(command, { signal: cut.signal });
      await eventually("its lock", async () => existsSync(lock));

      cut.abort();

      expect((await running).end).toEqual({ type: "cut" });
      expect(existsSync(lock)).toBe(false);
      expect(processesOf(runId)).toEqual([]);
    },
  );

  it("leaves no dead behind while it runs: what was adopted is buried", async () => {
    // Until its guard has no other child, dead or alive.
    const result = await run(
      "for n in 1 2 3 4 5 6 7 8; do (sleep 0 &); done; while [ $(ps -o pid= --ppid $(ps -o sid= -p $$) | wc -l) -gt 1 ]; do sleep 0.05; done",
    );

    expect(result.end).toEqual({ type: "exited", exitCode: 0 });
  });

  it("that was stopped ends all the same", async () => {
    const running = run("kill -STOP $(ps -o sid= -p $$); sleep 1000", { timeoutMs: 500 });

    expect((await running).end).toMatchObject({ type: "timeout" });
    expect(processesOf(runId)).toEqual([]);
  });

  it("is not called followed any more when somebody ended its guard, and what that let go is ended all the same", async () => {
    const escaped = ways("escaped")["twice forked without an environment"];
    await run(`${escaped} while [ ! -s escaped ]; do sleep 0.05; done; kill -KILL $(ps -o sid= -p $$); sleep 5`);

    expect(hasLostGuard(runId)).toBe(true);
    expect(hasLostGuard("run-another")).toBe(false);
    expect(processesOf(runId)).toEqual([]);
    // Whoever has it now may not have buried it yet.
    expect(processEntry(Number(readFileSync(join(folder, "escaped"))))?.state ?? "Z").toBe("Z");
  });

  it.skipIf(!hasPrlimit)("is told from others without its guard, whatever it does to its mark", async () => {
    const lowers = `sh -c "prlimit --pid \\$\\$ --locks=7:7; prlimit --pid \\$\\$ --locks=unlimited; echo \\$\\$ > ${join(folder, "part")}; mv ${join(folder, "part")} ${join(folder, "late")}; exec sleep 1000"`;
    await run(
      `(env -i setsid sh -c '(env -i setsid ${lowers} &) &') & while [ ! -e late ]; do sleep 0.05; done; kill -KILL $(ps -o sid= -p $$); sleep 5`,
    );
    const pid = await pidIn("late");

    expect(traceProcess(pid)).toEqual({ type: "marked", runId: null });
    expect(traceProcess(process.pid).type).toBe("unmarked");
    process.kill(pid, "SIGKILL");
  });
});
