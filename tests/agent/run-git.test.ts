import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runGitProcess } from "../../src/agent/git/run-git.ts";
import { type Ended, type Run, runHere } from "../../src/agent/git/run.mjs";
import { eventually } from "../fakes/bot.ts";

const program = fileURLToPath(new URL("../../src/agent/git/run-server.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cos-run-git-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const usual = { cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, input: "", timeoutMs: 600_000, maxBytes: 1e6 };
const git = (args: readonly string[], other: Partial<Run> = {}): Run => ({ ...usual, args, ...other });
const version = git(["--version"]);

/** The small processes of this one. */
function servers(of = process.pid): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && read(name, "cmdline").split("\0")[1] === program)
    .filter((name) => read(name, "status").includes(`\nPPid:\t${of}\n`))
    .map(Number);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Whether a process runs that was started with these words. */
function running(words: string): boolean {
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && read(name, "cmdline").includes(words));
}

/** What was ended at its limit may have come to its own end in the same moment. */
function inWords(ended: Ended) {
  const { exitCode, stderr, ...said } = { ...ended, stdout: Buffer.from(ended.stdout).toString() };
  return ended.endedFor === "limit" ? said : { ...said, exitCode, stderr };
}

describe.skipIf(process.platform !== "linux")("a process that runs git often", () => {
  beforeAll(async () => {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    for (let times = 0; times < 10; times += 1) await runGitProcess(version);
    expect(servers()).toEqual([]);
    await runGitProcess(version);
  });

  it.each<[string, Run]>([
    ["what it prints", git(["rev-parse", "--is-inside-work-tree"])],
    ["a failure and its words", git(["rev-parse", "--verify", "nothing"])],
    ["what is written to it", git(["hash-object", "--stdin"], { input: "Grüße\n" })],
    ["output over the limit", git(["help", "--all"], { maxBytes: 7 })],
    ["a command that does not end in time", git(["hash-object", "--stdin-paths"], { timeoutMs: 1, input: "" })],
    ["a directory that is not there", git(["--version"], { cwd: join(folder, "none") })],
    ["no git", git(["--version"], { env: { PATH: folder } })],
  ])("hears the same of a small process as without one: %s", async (_, run) => {
    const slow = run.timeoutMs === 1 ? { ...run, args: ["-c", "alias.wait=!sleep 600", "wait"] } : run;
    const [here, there] = await Promise.all([runHere(slow), runGitProcess(slow)]);

    expect(inWords(there)).toEqual(inWords(here));
  });

  it("tells what is over its limit to end, which can take its locks away, and kills what does not hear", async () => {
    const lock = join(folder, "lock");
    const waits = "echo $$; while :; do sleep 0.1; done";
    // One that prints on its way to its end, as a shell does of itself, takes its lock away nevertheless.
    const hears = `!touch ${lock}; trap 'echo >&2; sleep 0.1; echo; rm ${lock}; exit' TERM; ${waits}`;
    const deaf = `!trap '' TERM; ${waits}`;
    const ended = await Promise.all(
      [hears, deaf].map((alias) => runGitProcess(git(["-c", `alias.wait=${alias}`, "wait"], { maxBytes: 2 }))),
    );

    expect(ended.map(({ endedFor, stdout }) => [endedFor, stdout.length])).toEqual([
      ["limit", 2],
      ["limit", 2],
    ]);
    expect(existsSync(lock)).toBe(false);
    await eventually("the end of what hears nothing", async () => !running(waits));
  });

  it("stays itself until nothing is left of what it has told to end, which was started by what has ended already", async () => {
    const lock = join(folder, "left");
    const waits = "echo $$; while :; do sleep 0.1; done; : left";
    const source = new URL("../../src/agent/git/run.mjs", import.meta.url).href;
    const runs = ["sleep 0.2; echo; rm left; exit", ""].map((hears) =>
      git(["-c", `alias.wait=!touch left; (trap '${hears}' TERM; ${waits}) & wait`, "wait"], { maxBytes: 2 }),
    );
    const script = `import { runHere } from ${JSON.stringify(source)};
      await Promise.all(${JSON.stringify(runs)}.map(runHere));`;
    execFileSync(process.execPath, ["--input-type=module", "-e", script]);

    expect(existsSync(lock)).toBe(false);
    expect(running(waits)).toBe(false);
  });

  it("has one, whatever runs at once, and each caller gets its own answer", async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `${at}`);

    const said = await Promise.all(ids.map((id) => runGitProcess(git(["-c", `a.b=${id}`, "config", "a.b"]))));

    expect(said.map(({ stdout }) => Buffer.from(stdout).toString().trim())).toEqual(ids);
    expect(servers()).toHaveLength(1);
  });

  it("is told when that is killed, and has another one for the next command", async () => {
    const [pid = 0] = servers();
    const cut = runGitProcess(git(["-c", "alias.wait=!sleep 2", "wait"], { timeoutMs: 2_000 }));
    process.kill(pid, "SIGKILL");

    expect((await cut).error?.message).toBe("the process that runs git has ended");
    expect((await runGitProcess(version)).exitCode).toBe(0);
    expect(servers()).toHaveLength(1);
  });

  it("leaves none behind when it is killed, and ends by itself when it has nothing else to do", async () => {
    const source = new URL("../../src/agent/git/run-git.ts", import.meta.url).href;
    const run = JSON.stringify(version);
    const script = `const { runGitProcess } = await import(${JSON.stringify(source)});
      for (let i = 0; i < 12; i += 1) await runGitProcess(${run});
      console.log("ran");
      if (process.argv[1] === "stay") setInterval(() => {}, 1000);`;
    const node = (word: string) =>
      spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script, word], {
        stdio: ["ignore", "pipe", "inherit"],
      });
    const staying = node("stay");
    await new Promise((resolve) => staying.stdout.once("data", resolve));
    const [pid = 0] = servers(staying.pid);
    staying.kill("SIGKILL");
    const ending = node("end");

    expect(await new Promise((resolve) => ending.once("exit", resolve))).toBe(0);
    expect(pid).toBeGreaterThan(0);
    await eventually("the end of its small process", async () => read(`${pid}`, "cmdline") === "");
  });
});
