import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { processEntry } from "../../src/agent/process/processes.ts";
import { getCheckpoint } from "../../src/db/checkpoints.ts";
import { readGoalEvents } from "../../src/db/timeline.ts";
import { type Bot, cos, projectDir, eventually } from "../fakes/bot.ts";
import { type LiveWorld, liveWorld } from "../fakes/live.ts";

/** The terminal's door, with a real bot that works goals: who may answer there without a terminal, and who may not. */

const cosProgram = join(projectDir, "bin/cos.mjs");
const isRoot = process.getuid?.() === 0;
const hasScript = spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;
const hasSetpriv = spawnSync("setpriv", ["--version"], { stdio: "ignore" }).status === 0;

const hasPrlimit = spawnSync("prlimit", ["--version"], { stdio: "ignore" }).status === 0;

/** A process in a PID namespace of its own, where it is the first. */
const hiding = isRoot ? "--pid --fork --mount-proc" : "--user --map-root-user --pid --fork --mount-proc";
const canHide = spawnSync("unshare", [...hiding.split(" "), "true"], { stdio: "ignore" }).status === 0;

describe("the terminal, with a bot at work", () => {
  let world: LiveWorld;
  let folder: string;

  beforeAll(async () => {
    world = await liveWorld();
    folder = await mkdtemp(join(tmpdir(), "cos-terminal-"));
    await world.start();
    await startDaemon();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  /** Something like atd: it belongs to nobody, knows nothing of who left a job, and runs it with an environment of its own. */
  async function startDaemon(): Promise<void> {
    await mkdir(join(folder, "spool"));
    const loop = `cd ${folder}/spool; while [ -d ${folder}/spool ]; do for job in *.job; do [ -e "$job" ] && mv "$job" "$job.run" && env -i PATH="$PATH" sh "$job.run"; done; sleep 0.1; done`;
    await writeFile(join(folder, "daemon.sh"), loop);
    const start = spawn("sh", ["-c", `setsid sh ${folder}/daemon.sh </dev/null >/dev/null 2>&1 &`], {
      detached: true,
      env: { PATH: process.env["PATH"] ?? "" },
      stdio: "ignore",
    });
    await new Promise((resolve) => start.once("exit", resolve));
  }

  async function leaveJob(name: string, script: string): Promise<void> {
    await writeFile(join(folder, "part"), script);
    await rename(join(folder, "part"), join(folder, "spool", `${name}.job`));
  }

  /** A call of `cos` with the bot's own settings; what it said is in the file, with its exit code in the last line. */
  function call(words: string, file: string): string {
    const where = `DATABASE_URL=${world.databaseUrl} COS_DATA_DIR=${world.dataDir} COS_INSTALLED=1`;
    const called = `env ${where} ${process.execPath} ${cosProgram} ${words}`;
    return `${called} > ${file}.part 2>&1; echo "exit $?" >> ${file}.part; mv ${file}.part ${file}`;
  }

  async function resultIn(file: string): Promise<string> {
    await eventually(file, async () => existsSync(file));
    return await readFile(file, "utf8");
  }

  const statusOf = async (id: string) => (await getCheckpoint(world.deps.database.db, id))?.status;

  it("[F-104] refuses what a daemon runs, and says how to go on; nobody has answered", async () => {
    const { checkpointId } = await world.ask();
    const file = join(folder, "daemon.result");
    await leaveJob("approve", call(`approve ${checkpointId}`, file));

    const said = await resultIn(file);

    expect(said).toContain("an unknown local process cannot decide: it has no terminal");
    expect(said).toContain("COS_UNKNOWN_CALLERS=allow");
    expect(said).toContain("exit 1");
    expect(await statusOf(checkpointId)).toBe("pending");
    expect(await world.decisions()).toEqual([]);
    const notices = "select subject from cos.messages where subject like 'refused.%'";
    expect((await world.deps.database.pool.query(notices)).rows).toHaveLength(1);
  });

  it("[F-104] lets what a daemon runs read", async () => {
    const file = join(folder, "read.result");
    await leaveJob("read", call("checkpoints", file));

    expect(await resultIn(file)).toContain("exit 0");
  });

  it("[F-104] believes no process that says of itself that it counts", async () => {
    const { checkpointId } = await world.ask();
    const file = join(folder, "said.result");
    await leaveJob("said", `export COS_UNKNOWN_CALLERS=allow\n${call(`approve ${checkpointId}`, file)}`);

    expect(await resultIn(file)).toContain("exit 1");
    expect(await statusOf(checkpointId)).toBe("pending");
  });

  it.each([
    ["was twice forked", (lie: string) => `(env -i setsid sh -c '(env -i setsid sh ${lie} &) &') &`],
    ["was forked by a grandchild that has gone", (lie: string) => `sh -c '(sh ${lie} &)' &`],
    [
      "waits until its parent has gone",
      (lie: string) =>
        `sh -c 'p=$$; (while kill -0 $p 2>/dev/null; do sleep 0.1; done; env -i sh ${lie}) & sleep 0.2' &`,
    ],
  ])("[F-104] [F-106] refuses a goal's process that %s and is configured as the bot is", async (_name, lie) => {
    const { checkpointId } = await world.ask();
    const file = join(folder, `goal-${checkpointId}.result`);
    const script = join(folder, `approve-${checkpointId}.sh`);
    await writeFile(script, call(`approve ${checkpointId}`, file));

    const goalId = await world.run(`${lie(script)} while [ ! -e ${file} ]; do sleep 0.1; done`);

    expect(await resultIn(file)).toContain("a goal's own process cannot decide (run run-");
    expect(await statusOf(checkpointId)).toBe("pending");
    const told = await eventually("its timeline", async () => {
      const events = await readGoalEvents(world.deps.database.db, goalId, "agent.refused");
      return events.length > 0 && events;
    });
    expect(told).toMatchObject([{ detail: { what: "cos approve" } }]);
  });

  it.skipIf(!canHide)(
    "[F-104] refuses a goal's process that sees no other process, with or without a terminal",
    async () => {
      const { checkpointId } = await world.ask();
      const files = [join(folder, "hidden-1.result"), join(folder, "hidden-2.result")];
      const [first = "", second = ""] = files.map((file) => file.replace(/result$/, "sh"));
      await writeFile(first, call(`approve ${checkpointId}`, files[0] ?? ""));
      await writeFile(second, call(`approve ${checkpointId}`, files[1] ?? ""));
      const hidden = (words: string) => `unshare ${hiding} env -i ${words} &`;
      const inTerminal = hasScript ? `script -qec "sh ${second}" /dev/null` : `sh ${second}`;

      await world.run(
        `${hidden(`sh ${first}`)} ${hidden(inTerminal)} while [ ! -e ${files[0]} ] || [ ! -e ${files[1]} ]; do sleep 0.1; done`,
      );

      for (const file of files) expect(await resultIn(file)).toContain("a goal's own process cannot decide");
      expect(await statusOf(checkpointId)).toBe("pending");
    },
  );

  it.skipIf(!isRoot || !hasSetpriv)("[F-104] refuses a goal's process that changed its user", async () => {
    const { checkpointId } = await world.ask();
    await chmod(folder, 0o777);
    const file = join(folder, "other.result");
    const script = join(folder, "other.sh");
    await writeFile(script, call(`approve ${checkpointId}`, file), { mode: 0o644 });
    const other = "setpriv --reuid 65534 --regid 65534 --clear-groups env -i";

    await world.run(`${other} sh ${script}; [ -e ${file} ] || echo "not readable" > ${file}`);

    expect(await resultIn(file)).toContain("cannot decide");
    expect(await statusOf(checkpointId)).toBe("pending");
  });

  it("[F-104] lets a script answer that was started from where the bot was", async () => {
    const { checkpointId } = await world.ask();

    const answered = await cos(world.place, "approve", checkpointId);

    expect(answered.code).toBe(0);
    expect(await statusOf(checkpointId)).toBe("approved");
  });

  it.skipIf(!hasScript)("[F-104] lets a person's shell answer, whatever session it is", async () => {
    const { checkpointId } = await world.ask();
    const file = join(folder, "shell.result");
    await writeFile(join(folder, "shell.sh"), call(`approve ${checkpointId}`, file));

    // script(1) opens a terminal, as a terminal's window or sshd does.
    const shell = spawn("script", ["-qec", `sh ${folder}/shell.sh`, "/dev/null"], { detached: true, stdio: "ignore" });
    await new Promise((resolve) => shell.once("exit", resolve));

    expect(await resultIn(file)).toContain("exit 0");
    expect(await statusOf(checkpointId)).toBe("approved");
  });

  it("[F-104] lets a daemon's script answer when the project's settings say so, and doctor says that they do", async () => {
    const { checkpointId } = await world.ask();
    const copy = join(folder, "project");
    for (const name of [
      "bin",
      "src",
      "jobs",
      "migrations",
      "skills",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
    ])
      cpSync(join(projectDir, name), join(copy, name), { recursive: true });
    symlinkSync(join(projectDir, "node_modules"), join(copy, "node_modules"));
    await writeFile(join(copy, ".env"), "COS_UNKNOWN_CALLERS=allow\n", { mode: 0o600 });
    const files = { doctor: join(folder, "doctor.result"), approve: join(folder, "allowed.result") };
    const calls = [call("doctor", files.doctor), call(`approve ${checkpointId}`, files.approve)];
    await leaveJob("allowed", calls.join("\n").replaceAll(projectDir, copy));

    expect(await resultIn(files.approve)).toContain("exit 0");
    expect(await statusOf(checkpointId)).toBe("approved");
    expect(readFileSync(files.doctor, "utf8")).toContain("count as you");
  });
});

describe.skipIf(!hasScript || !hasPrlimit)("the terminal, after a goal ended its guard", () => {
  let world: LiveWorld;
  let folder: string;
  let bot: Bot;

  beforeEach(async () => {
    world = await liveWorld();
    folder = await mkdtemp(join(tmpdir(), "cos-lost-"));
    bot = await world.start();
  });
  afterEach(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const cosCall = (words: string, file: string) =>
    `env DATABASE_URL=${world.databaseUrl} COS_DATA_DIR=${world.dataDir} COS_INSTALLED=1 ${process.execPath} ${cosProgram} ${words} > ${file}.part 2>&1; echo "exit $?" >> ${file}.part; mv ${file}.part ${file}`;

  const statusOf = async (id: string) => (await getCheckpoint(world.deps.database.db, id))?.status;

  async function pidIn(name: string): Promise<number> {
    const file = join(folder, name);
    await eventually(file, async () => existsSync(file));
    return Number(await readFile(file, "utf8"));
  }

  /** A goal's process that has a terminal of its own and calls when it may, and what its goal does when it is there. */
  async function runsLate(words: string, ends: string): Promise<{ readonly goalId: string; readonly said: string }> {
    const said = join(folder, "said");
    await writeFile(
      join(folder, "late.sh"),
      `touch ${folder}/began; while [ ! -e ${folder}/go ]; do sleep 0.1; done; ${cosCall(words, said)}`,
    );
    // Nobody finds it to end it: it has changed what it is known by.
    await writeFile(
      join(folder, "goal.sh"),
      `guard=$PPID
(prlimit --locks=7:7 env -i PATH="$PATH" setsid script -qfc "sh ${folder}/late.sh" /dev/null </dev/null >/dev/null 2>&1 &)
while [ ! -e ${folder}/began ]; do sleep 0.05; done
echo $guard > ${folder}/part; mv ${folder}/part ${folder}/guard
${ends}
while [ ! -e ${said} ]; do sleep 0.1; done
kill -CONT $guard`,
    );
    return { goalId: await world.run(`exec sh ${folder}/goal.sh`), said };
  }

  const hasState = (pid: number, states: string) =>
    eventually("the guard's end", async () => states.includes(processEntry(pid)?.state ?? "gone"));

  it.each([
    ["was killed by the goal's command", "kill -9 $guard", "gone Z"],
    ["was killed by a grandchild", `setsid sh -c 'setsid sh -c "kill -9 $1" &' sh $guard`, "gone Z"],
    ["was stopped", "kill -STOP $guard", "T"],
    [
      "was killed with everything above it, the bot too",
      "bot=$(ps -o ppid= -p $guard); kill -STOP $bot; kill -9 $guard $bot $$",
      "gone",
    ],
  ])("[F-104] refuses a goal's process that has a terminal, when its guard %s", async (_name, ends, states) => {
    const { checkpointId } = await world.ask();
    const { goalId, said } = await runsLate(`approve ${checkpointId}`, ends);
    await hasState(await pidIn("guard"), states);
    if (ends.includes("$bot")) await bot.exited;
    else if (states !== "T")
      await eventually("its card", async () => {
        const told = await readGoalEvents(world.deps.database.db, goalId, "agent.not-followed");
        return told[0]?.detail["why"] === "guard-ended";
      });
    await writeFile(join(folder, "go"), "");
    await eventually(said, async () => existsSync(said));

    expect(await readFile(said, "utf8")).toContain("a goal's own process cannot decide");
    expect(await readFile(said, "utf8")).toContain("exit 1");
    expect(await statusOf(checkpointId)).toBe("pending");
    expect(await world.decisions()).toEqual([]);

    // A person's terminal, opened only now, is theirs as ever.
    const file = join(folder, "person");
    const line = cosCall(`approve ${checkpointId}`, file);
    const shell = spawn("script", ["-qec", line, "/dev/null"], { detached: true, stdio: "ignore" });
    await new Promise((resolve) => shell.once("exit", resolve));
    expect(await readFile(file, "utf8")).toContain("exit 0");
    expect(await statusOf(checkpointId)).toBe("approved");
  });
});
