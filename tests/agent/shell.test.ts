import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { killRun, processesOf } from "../../src/agent/process/orphans.ts";
import { runShell, type ShellOptions, type ShellResult, watchLimits } from "../../src/agent/process/shell.ts";
import { realTimers } from "../../src/agent/process/timers.ts";
import { traceProcess } from "../../src/agent/process/trace.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { handTimers } from "../fakes/timers.ts";

it("what is read of a command that is over sets no limit any more", () => {
  const timers = handTimers();
  const ends: unknown[] = [];
  const limits = watchLimits({ timers, timeoutMs: 60_000, inactivityMs: 1_000 }, (end) => ends.push(end));
  limits.heard();
  expect(timers.waiting()).toBe(2);

  expect(limits.stop()).toBeNull();
  limits.heard();

  expect(timers.waiting()).toBe(0);
  expect(ends).toEqual([]);
});

describe("a child process", () => {
  let folder: string;
  let runId: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-shell-"));
    runId = `run-${createHash("sha256").update(folder).digest("hex").slice(0, 8)}`;
  });
  afterEach(async () => {
    await killRun(runId);
    await rm(folder, { recursive: true, force: true });
  });

  function options(command: string, rest: Partial<ShellOptions> = {}): ShellOptions {
    const outputFile = join(folder, "output.txt");
    return {
      command,
      cwd: folder,
      runId,
      environment: {},
      secrets: [],
      timers: realTimers,
      timeoutMs: 600_000,
      outputFile,
      ...rest,
    };
  }

  function run(command: string, rest: Partial<ShellOptions> = {}): Promise<ShellResult> {
    return runShell(options(command, rest));
  }

  const hasBash = existsSync("/bin/bash") || existsSync("/usr/bin/bash");

  it.skipIf(!hasBash).each([
    ["set -o pipefail; false | cat", 1],
    ["false | cat; exit ${PIPESTATUS[0]}", 1],
    ["false &> /dev/null", 1],
    ["[[ price == p* ]]", 0],
  ])(
    "is run by bash where the machine has it, as criteria say: %s ends with %i [S2-DN-02]",
    async (command, exitCode) => {
      expect((await run(command)).end).toEqual({ type: "exited", exitCode });
    },
  );

  it("has a name that may begin with a hyphen", async () => {
    const ran = await run("-n true");

    expect(ran.end).toEqual({ type: "exited", exitCode: 127 });
    expect(await readFile(join(folder, "output.txt"), "utf8")).toMatch(/-n: (?:command )?not found/);
  });

  it("is ended by the clock that it is given, and by no other [F-125]", async () => {
    // However long it takes: by a clock that stands still it takes no time.
    const slow = await run("sleep 1; echo done", { timers: handTimers(), timeoutMs: 1, inactivityMs: 1 });
    const timers = handTimers();
    const begun = join(folder, "begun");
    const running = run(`touch ${begun}; sleep 600`, { timers, timeoutMs: 3_600_000 });
    await eventually("it has begun", async () => existsSync(begun) && timers.waiting() > 0);
    timers.advance(3_600_000);

    expect(slow.end).toEqual({ type: "exited", exitCode: 0 });
    expect((await running).end).toEqual({ type: "timeout", afterMs: 3_600_000 });
  });

  it("keeps what it wrote, under the hash of the kept file", async () => {
    const result = await run("echo out; echo err >&2; exit 3");

    const kept = await readFile(join(folder, "output.txt"));
    expect(result.end).toEqual({ type: "exited", exitCode: 3 });
    expect(kept.toString().split("\n").sort()).toEqual(["", "err", "out"]);
    expect(result.output?.sha256).toBe(createHash("sha256").update(kept).digest("hex"));
  });

  it("sees none of our secrets, and what it prints of them is masked, also over the border of two chunks", async () => {
    process.env["SLACK_BOT_TOKEN"] = "xoxb-should-not-be-seen";
    const result = await run(
      'env; printf "token ghp_0123456789abcdef"; sleep 0.2; echo "ghijklmnopqrstuvwxyz given-secret-text"',
      {
        secrets: ["given-secret-text"],
      },
    );
    delete process.env["SLACK_BOT_TOKEN"];

    const kept = await readFile(join(folder, "output.txt"), "utf8");
    expect(result.end.type).toBe("exited");
    expect(kept).not.toMatch(/xoxb|ghp_|ghijklmnop|given-secret-text|DATABASE_URL/);
    expect(kept).toContain(`COS_RUN=${runId}`);
  });

  it("may print 100 MB: about one is kept, with a line that says how much is not", async () => {
    const result = await run("yes 0123456789abcdef | head -c 100000000", {});

    expect(result.output).toMatchObject({ bytes: 100_000_000, truncated: true });
    expect((await stat(join(folder, "output.txt"))).size).toBeLessThan(1_100_000);
    expect(await readFile(join(folder, "output.txt"), "utf8")).toMatch(/\n… \d+ of 100000000 bytes left out …\n/);
  });

  it("is ended with everything it started when its time is over", async () => {
    const result = await run("sleep 1000 & sleep 1000 & wait", { timeoutMs: 300 });

    expect(result.end).toMatchObject({ type: "timeout" });
    expect(processesOf(runId)).toEqual([]);
  });

  it("leaves nothing running in the background when it ends by itself", async () => {
    const result = await run("sleep 1000 & echo started");

    expect(result.end).toEqual({ type: "exited", exitCode: 0 });
    expect(processesOf(runId)).toEqual([]);
  });

  it("is found by its run and ended when it escaped into a session of its own", async () => {
    await run("setsid sh -c 'echo $$ > pid; exec sleep 1000' & while [ ! -s pid ]; do sleep 0.05; done");

    const escaped = Number(await readFile(join(folder, "pid"), "utf8"));
    expect(escaped).toBeGreaterThan(1);
    expect(processesOf(runId)).toEqual([]);
    expect(["gone", "Z"]).toContain(await stateOf(escaped));
  });

  it("dies with us, kill -9 included", async () => {
    const script = join(folder, "parent.mts");
    const given = JSON.stringify(options("sleep 1000"));
    await writeFile(
      script,
      `import { runShell } from "${projectDir}/src/agent/process/shell.ts";
      import { realTimers } from "${projectDir}/src/agent/process/timers.ts";
      await runShell({ ...${given}, timers: realTimers });`,
    );
    const parent = spawn(process.execPath, ["--import", "tsx", script], { cwd: projectDir, stdio: "ignore" });
    await eventually("the child", async () => processesOf(runId).length > 0);

    parent.kill("SIGKILL");

    await eventually("its end", async () => processesOf(runId).length === 0);
  });

  it("knows whose process it is, whatever lies between", async () => {
    const found: unknown[] = [];
    for (const way of ["sleep 1000", "sh -c 'sleep 1000; true'", "setsid sleep 1000 & wait"]) {
      const controller = new AbortController();
      const running = run(way, { signal: controller.signal });
      await eventually("a process", async () => processesOf(runId).length > 0);
      for (const pid of processesOf(runId)) found.push(traceProcess(pid));
      controller.abort();
      await running;
      await killRun(runId);
    }

    expect(found.length).toBeGreaterThan(2);
    for (const each of found) expect(each).toEqual({ type: "marked", runId });
    expect(traceProcess(process.pid)).toMatchObject({ type: "unmarked" });
  });

  it("that is not there says so", async () => {
    const result = await runShell({ ...options("x"), command: ["/no/such/program"] });

    expect(result.end.type === "not-started" || (result.end.type === "exited" && result.end.exitCode === 127)).toBe(
      true,
    );
  });
});

/** "Z" for one that is dead and not buried by its parent yet. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat === null ? "gone" : stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
}
