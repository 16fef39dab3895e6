import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { check, evidence, evidenceOf, phasesOf, type Script, taskList, work, write } from "../fakes/loop.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Waves that end for a reason that says nothing about their tasks: what is done is kept, and no attempt is counted. */

let world: TestWorld;
beforeEach(() => start((policy) => policy));
afterEach(() => world.close());

async function start(change: (policy: Policy) => Policy): Promise<void> {
  world = await testWorld({
    policy: (policy) => change({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
}

interface Shown {
  status: string;
  state: string;
  outcome: string;
  errorCount: number;
  wakeAt: string;
  attempts: { end: string; error: string }[];
  tasks: { id: string; status: string; attempts: number; feedback: string | null; commit: string | null }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const counted = ({ tasks }: Shown) => tasks.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`);

let path: string;
async function goalWith(ids: readonly string[], scripts: readonly Script[], ...options: string[]): Promise<string> {
  path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", "tasks.yaml": taskList(ids, false) });
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts));
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Build it", "--tasks", "tasks.yaml", ...options),
  );
  await world.command("autopilot", "start");
  return goalId;
}

const agentOf = async (): Promise<string> =>
  (await world.deps.database.pool.query<{ agent: string }>("select agent from cos.repositories")).rows[0]?.agent ?? "";

/** Says outside of the worktree, a line each, that the work on a task, or its check, was begun. */
const begun = (id: string): object => ({ run: `echo ${id} >> '${join(world.dataDir, "begun")}'`, quiet: true });
const timesBegun = async (id: string): Promise<number> => {
  const lines = await readFile(join(world.dataDir, "begun"), "utf8").catch(() => "");
  return lines.split("\n").filter((line) => line === id).length;
};
/** The work on a task that goes on with what an earlier attempt at it left. */
const goingOn = (id: string, ...steps: object[]): Script => ({
  match: ["Implement one task", `\n${id}: `, "What an earlier attempt at this task left is in this directory"],
  steps,
});
const limit = { complain: 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}\nretry-after: 600\n' };
/** Lies there, and the agent of every task whose folder ends so meets its provider's limit. */
async function limitOf(id: string): Promise<string> {
  const limited = join(world.dataDir, `limited-${id}`);
  const starter = join(world.dataDir, "agent.sh");
  const line = (await agentOf()).replace("acp:", "");
  const words = limit.complain.replaceAll("\n", "\\n");
  await writeFile(
    starter,
    `case "$(pwd)" in */${id}) if [ -e '${limited}' ]; then printf '${words}' >&2; exit 1; fi ;; esac\nexec ${line}\n`,
  );
  await writeFile(limited, "");
  await world.deps.database.pool.query("update cos.repositories set agent = $1", [`acp:sh ${starter}`]);
  return limited;
}

describe("a provider's limit", () => {
  it("at a task is waited for, at no attempt, and what had finished of its wave is not worked again", async () => {
    const goalId = await goalWith(
      ["T1", "T2"],
      [
        ...["T1", "T2"].map((id) => check(id, begun(`check-${id}`), evidence("PASS"))),
        work("T1", begun("T1"), write("one.txt", "1\n")),
        work("T2", begun("T2"), write("two.txt", "2\n")),
      ],
      "--parallel",
      "2",
    );
    const limited = await limitOf("T2");
    await world.work();

    const waiting = await shown(goalId);
    expect(waiting).toMatchObject({ status: "in_progress", state: "retrying", attempts: [], errorCount: 0 });
    expect(waiting.outcome).toContain("limit");
    expect(new Date(waiting.wakeAt).getTime() - world.deps.now().getTime()).toBe(600_000);
    expect(counted(waiting)).toEqual(["T1 in_progress 1", "T2 in_progress 1"]);

    await rm(limited);
    world.advance(600_000);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2", "check-T1", "check-T2"].map(timesBegun))).toEqual([1, 1, 1, 1]);
    const { rows } = await world.deps.database.pool.query("select limit_waits from cos.runs");
    expect(rows).toEqual([{ limit_waits: 0 }]);
    const files = (await gitIn(path, "ls-tree", "-r", "--name-only", `cos/${goalId}`)).split("\n");
    expect(files).toEqual(["a.txt", "one.txt", "tasks.yaml", "two.txt"]);
  });

  it.each([
    ["as its error", [limit, { crash: 1 }]],
    ["in the place of a result", [{ say: "You've hit your limit · try again in 10 minutes" }]],
    ["of an outage", [{ complain: "API Error: Connection error.\n" }, { crash: 1 }]],
  ])("at a task is waited for, and it goes on with what it had done, where the agent says it %s", async (_, ending) => {
    const goalId = await goalWith(
      ["T1"],
      [
        check("T1", evidence("PASS")),
        goingOn("T1", begun("T1"), { run: "test -f part.txt", mustPass: true }, write("T1.txt", "T1\n")),
        work("T1", begun("T1"), write("part.txt", "p\n"), ...ending),
      ],
    );
    await world.work();
    const waiting = await shown(goalId);
    expect(waiting).toMatchObject({ status: "in_progress", state: "retrying", attempts: [], errorCount: 0 });
    expect(counted(waiting)).toEqual(["T1 in_progress 1"]);

    world.advance(900_000);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1"]);
    expect(await timesBegun("T1")).toBe(2);
    expect(await gitIn(path, "show", `cos/${goalId}:part.txt`)).toBe("p");
  });

  it("at a check is waited for: the same commit is checked, and a verdict that was found stays", async () => {
    const limited = join(world.dataDir, "limited-T2");
    const goalId = await goalWith(
      ["T1", "T2"],
      [
        ...["T1", "T2"].map((id) => check(id, begun(`check-${id}`), evidence("PASS"))),
        work("T1", begun("T1"), write("one.txt", "1\n")),
        work("T2", begun("T2"), write("two.txt", "2\n"), { run: `touch '${limited}'`, quiet: true }),
      ],
      "--parallel",
      "2",
    );
    await limitOf("T2");
    await rm(limited);
    await world.work();

    const waiting = await shown(goalId);
    expect(waiting).toMatchObject({ status: "in_progress", state: "retrying", attempts: [] });
    const commits = waiting.tasks.map((task) => task.commit);

    await rm(limited);
    world.advance(600_000);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(goal.tasks.map((task) => task.commit)).toEqual(commits);
    expect(await Promise.all(["T1", "T2", "check-T1", "check-T2"].map(timesBegun))).toEqual([1, 1, 1, 1]);
  });

  it("of a login that is missing pauses the session, and the wave goes on once somebody has logged in", async () => {
    const loggedIn = join(world.dataDir, "logged-in");
    const goalId = await goalWith(["T1"], [check("T1", evidence("PASS")), work("T1", write("one.txt", "1\n"))]);
    const starter = join(world.dataDir, "agent.sh");
    const line = (await agentOf()).replace("acp:", "");
    await writeFile(
      starter,
      `if [ ! -e '${loggedIn}' ]; then echo 'Invalid API key · Please run /login' >&2; exit 1; fi\nexec ${line}\n`,
    );
    await world.deps.database.pool.query("update cos.repositories set agent = $1", [`acp:sh ${starter}`]);
    await world.work();

    const paused = await shown(goalId);
    expect(paused.outcome).toContain("Go on with: cos autopilot resume");
    expect(paused.attempts).toEqual([]);
    expect(counted(paused)).toEqual(["T1 in_progress 1"]);

    await writeFile(loggedIn, "");
    valueOf(await world.command("goal", "resume", goalId));
    valueOf(await world.command("autopilot", "resume"));
    await world.work();
    expect(counted(await shown(goalId))).toEqual(["T1 passed 1"]);
  });
});

describe("a check without a verdict", () => {
  it("is made again at the same commit: its task has not failed, and the other's verdict stays", async () => {
    const goalId = await goalWith(
      ["T1", "T2"],
      [
        { match: ["Check one task", "T1: "], steps: [begun("check-T1"), dies(2), evidence("PASS")] },
        check("T2", begun("check-T2"), evidence("PASS")),
        work("T1", begun("T1"), write("one.txt", "1\n")),
        work("T2", begun("T2"), write("two.txt", "2\n")),
      ],
      "--parallel",
      "2",
    );
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", attempts: [{ end: "passed" }] });
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2", "check-T1", "check-T2"].map(timesBegun))).toEqual([1, 1, 3, 1]);
    const checks = (await phasesOf(world, goalId)).filter((each) => each.from === "spec_check_legacy");
    expect(checks.map((each) => each.summary.replace(/ \(.*/, ""))).toEqual([
      "checked: T2 passed, checked again: T1",
      "checked: T2 passed, checked again: T1",
      "checked: T1, T2 passed",
    ]);
  });

  it("that never comes is for the goal's ladder, and the task's work stays", async () => {
    await world.close();
    await start((policy) => ({
      ...policy,
      recovery: { ...policy.recovery, rungs: [{ attempts: 1, backoffMs: 0 }] },
    }));
    const goalId = await goalWith(
      ["T1"],
      [check("T1", begun("check-T1"), dies(99)), work("T1", begun("T1"), write("one.txt", "1\n"))],
    );
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", attempts: [{ end: "crash" }] });
    expect(goal.outcome).toContain("A check ended without a verdict");
    expect(counted(goal)).toEqual(["T1 in_progress 1"]);
    expect(await Promise.all(["T1", "check-T1"].map(timesBegun))).toEqual([1, 3]);
  });
});

/** Ends the agent itself as often as this. */
function dies(times: number): object {
  const file = join(world.dataDir, "deaths");
  return { run: `echo >> '${file}'; test $(wc -l < '${file}') -gt ${times} || kill -9 $PPID`, quiet: true };
}

describe("a wave of which one had finished", () => {
  /** The facts of this worker's end are written. */
  const ended = (name: string) => async (): Promise<boolean> =>
    (await world.deps.database.pool.query("select 1 from cos.evidence where criterion = $1", [name])).rows.length > 0;
  const waits = (name: string): object => ({
    run: `test -e '${join(world.dataDir, name)}' || { touch '${join(world.dataDir, name)}'; sleep 600; }`,
    quiet: true,
  });
  const scripts = (more: Partial<Record<string, object[]>>): Script[] => [
    ...["T1", "T2"].map((id) => check(id, begun(`check-${id}`), ...(more[`check-${id}`] ?? []), evidence("PASS"))),
    ...["T1", "T2"].map((id) => work(id, begun(id), ...(more[id] ?? []), write(`${id}.txt`, `${id}\n`))),
  ];
  const pauseAfter = async (name: string): Promise<void> => {
    const working = world.work();
    await eventually(`the end of ${name}`, ended(name));
    // On a busy machine the other one may not have begun by then.
    await eventually("the other one at work", async () => existsSync(join(world.dataDir, "waits")));
    valueOf(await world.command("autopilot", "pause"));
    await working;
  };

  it("keeps that when its session is paused, and begins again with the rest", async () => {
    const goalId = await goalWith(["T1", "T2"], scripts({ T2: [waits("waits")] }), "--parallel", "2");
    await pauseAfter("T1");
    expect(await timesBegun("T2")).toBe(1);

    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2", "check-T1", "check-T2"].map(timesBegun))).toEqual([1, 2, 1, 1]);
    const files = (await gitIn(path, "ls-tree", "-r", "--name-only", `cos/${goalId}`)).split("\n");
    expect(files).toEqual(["T1.txt", "T2.txt", "a.txt", "tasks.yaml"]);
    const { rows } = await world.deps.database.pool.query(
      "select task_id from cos.phase_reports where report ->> 'phase' = 'implement_task' order by task_id",
    );
    expect(rows).toEqual([{ task_id: "T1" }, { task_id: "T2" }]);
    const [implemented] = await phasesOf(world, goalId);
    expect([...(implemented?.files ?? [])].sort()).toEqual(["T1.txt", "T2.txt"]);
  });

  it("keeps what the other one has done as well when its session is paused, and goes on with it", async () => {
    const goesOn = goingOn("T2", begun("T2-on"), { run: "test -f part.txt", mustPass: true }, write("T2.txt", "T2\n"));
    const goalId = await goalWith(
      ["T1", "T2"],
      [goesOn, ...scripts({ T2: [write("part.txt", "p\n"), waits("waits")] })],
      "--parallel",
      "2",
    );
    await pauseAfter("T1");

    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2", "T2-on"].map(timesBegun))).toEqual([1, 1, 1]);
    expect(await gitIn(path, "show", `cos/${goalId}:part.txt`)).toBe("p");
  });

  it("that is ended at its ceiling keeps what it had done, and goes on with that once there is more money", async () => {
    const goalId = await goalWith(
      ["T1"],
      [
        check("T1", evidence("PASS")),
        goingOn("T1", { run: "test -f part.txt", mustPass: true }, write("T1.txt", "T1\n")),
        work("T1", { write: { path: "part.txt", content: "p\n" }, costUsd: 5.5 }, { sleepMs: 30_000 }),
      ],
    );
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "failed", outcome: "Stopped at its cost ceiling" });

    await world.command("goal", "edit", goalId, "--cost", "7");
    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");
    await world.work();
    for (const { checkpointId } of valueOf<{ checkpointId: string }[]>(await world.command("checkpoints")))
      valueOf(await world.command("approve", checkpointId));
    await world.work();

    expect((await shown(goalId)).status).toBe("complete");
    expect(await gitIn(path, "show", `cos/${goalId}:part.txt`)).toBe("p");
  });

  it("keeps that when the pause comes as it is kept", async () => {
    const goalId = await goalWith(["T1"], scripts({}));
    const { pool } = world.deps.database;
    await pool.query(`
      create function pauses() returns trigger language plpgsql as $$
      begin
        update cos.sessions set status = 'paused';
        update cos.goals set stop_requested = 'pause';
        return new;
      end $$;
      create trigger pauses after insert on cos.evidence for each row when (new.criterion = 'T1') execute function pauses()`);
    await world.work();
    expect((await shown(goalId)).outcome).toContain("1 task implemented");
    await pool.query("drop trigger pauses on cos.evidence");
    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1"]);
    expect(await Promise.all(["T1", "check-T1"].map(timesBegun))).toEqual([1, 1]);
    const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(why.timeline.filter((row) => row.event === "loop.recovered")).toEqual([]);
  });

  it("keeps a check that had ended when its session is paused", async () => {
    const goalId = await goalWith(["T1", "T2"], scripts({ "check-T2": [waits("waits")] }), "--parallel", "2");
    await pauseAfter("check-T1");

    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    expect(counted(await shown(goalId))).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2", "check-T1", "check-T2"].map(timesBegun))).toEqual([1, 1, 1, 2]);
  });

  it("keeps that when another one asks a person, who goes on with what it had done", async () => {
    await world.close();
    await start((policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }));
    const goesOn = goingOn("T2", begun("T2"), { run: "test -f part.txt", mustPass: true }, write("T2.txt", "T2\n"));
    const ask = { permission: { title: "Clean up", command: "rm -rf build" } };
    const goalId = await goalWith(
      ["T1", "T2"],
      [goesOn, ...scripts({ T2: [write("part.txt", "p\n"), ask] })],
      "--parallel",
      "2",
    );
    await world.work();
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    valueOf(await world.command("approve", asked?.checkpointId ?? ""));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2"].map(timesBegun))).toEqual([1, 2]);
    expect(await gitIn(path, "show", `cos/${goalId}:part.txt`)).toBe("p");
  });

  it("keeps that when there is no space for another one", async () => {
    const full = join(world.dataDir, "full");
    const go = join(world.dataDir, "go");
    const goalId = await goalWith(["T1", "T2"], scripts({}), "--parallel", "2");
    const starter = join(world.dataDir, "agent.sh");
    const line = (await agentOf()).replace("acp:", "");
    const told = "cat /etc/hostname > /dev/full || exit 1";
    await writeFile(
      starter,
      `case "$(pwd)" in */T2) if [ -e '${full}' ]; then while [ ! -e '${go}' ]; do sleep 0.1; done; ${told}; fi ;; esac\nexec ${line}\n`,
    );
    await world.deps.database.pool.query("update cos.repositories set agent = $1", [`acp:sh ${starter}`]);
    await writeFile(full, "");
    const working = world.work();
    await eventually("the end of T1", ended("T1"));
    await writeFile(go, "");
    await working;
    expect((await shown(goalId)).outcome).toContain("Waits for space");

    await rm(full);
    world.advance(world.deps.policy.space.retryMs);
    await world.work();
    expect(counted(await shown(goalId))).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await Promise.all(["T1", "T2"].map(timesBegun))).toEqual([1, 1]);
  });

  it("keeps that when another one does not begin in time, which is no failure [F-305]", async () => {
    const goalId = await goalWith(["T1", "T2"], scripts({}), "--parallel", "2");
    const starter = join(world.dataDir, "agent.sh");
    const slow = join(world.dataDir, "slow");
    const line = (await agentOf()).replace("acp:", "");
    await writeFile(
      starter,
      `case "$(pwd)" in */T2) [ -e '${slow}' ] || { touch '${slow}'; sleep 600; } ;; esac\nexec ${line}\n`,
    );
    await world.deps.database.pool.query("update cos.repositories set agent = $1", [`acp:sh ${starter}`]);
    const working = world.work();
    await eventually("the end of T1", ended("T1"));
    world.advance(world.deps.policy.goals.startMs);
    await working;
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 1"]);
    expect(await timesBegun("T1")).toBe(1);
    const why = valueOf<{ timeline: { event: string; detail: { by?: string } }[] }>(await world.command("why", goalId));
    const interrupted = why.timeline.filter((row) => row.event === "goal.interrupted");
    expect(interrupted.map((row) => row.detail.by)).toEqual(["agent"]);
  });
});

describe("what a task goes on from", () => {
  const fails = (id: string): Script =>
    check(id, begun(`check-${id}`), {
      run: `mkdir -p .cos; if [ -e better.txt ]; then echo '${evidenceOf("PASS")}'; else echo '${evidenceOf("FAIL")}'; fi > .cos/evidence.json`,
      quiet: true,
    });

  it("is its own work where its check failed, put on what others have merged meanwhile, and it is told so", async () => {
    const told = "Your work on it, as it was last kept, is in this directory";
    const goalId = await goalWith(
      ["T1", "T2"],
      [
        check("T1", evidence("PASS")),
        fails("T2"),
        {
          match: ["Implement one task", "\nT2: ", "not accepted", told],
          steps: [{ run: "test -f mine.txt && test -f one.txt", mustPass: true }, write("better.txt", "b\n")],
        },
        work("T1", write("one.txt", "1\n")),
        work("T2", write("mine.txt", "m\n")),
      ],
      "--parallel",
      "2",
    );
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 2"]);
    expect(await gitIn(path, "show", `cos/${goalId}:mine.txt`)).toBe("m");
  });

  it("is the work before an attempt that broke off", async () => {
    const goalId = await goalWith(
      ["T1"],
      [
        fails("T1"),
        {
          match: ["Implement one task", "ended before it was done"],
          steps: [{ run: "test -f mine.txt", mustPass: true }, write("better.txt", "b\n")],
        },
        { match: ["Implement one task", "not accepted"], steps: [{ crash: 9 }] },
        work("T1", write("mine.txt", "m\n")),
      ],
    );
    await world.work();

    expect(counted(await shown(goalId))).toEqual(["T1 passed 3"]);
  });

  it("is nothing after a conflict, which it is told, and which is no attempt, nor is standing behind one", async () => {
    const ids = ["T1", "T2", "T3", "T4"];
    const goalId = await goalWith(
      ids,
      [
        ...ids.map((id) => check(id, evidence("PASS"))),
        {
          match: ["Implement one task", "\nT4: ", "Not merged: T", "Your work on it, as it was last kept"],
          steps: [{ run: "test -f T4.txt", mustPass: true }],
        },
        work("T4", write("T4.txt", "4\n")),
        ...["T2", "T3"].map((id) => ({
          match: ["Implement one task", `\n${id}: `, "Merge conflict", "The work of that attempt was discarded"],
          steps: [{ run: `test ! -f ${id}.txt && echo ${id} >> same.txt && touch ${id}.txt`, mustPass: true }],
        })),
        ...["T1", "T2", "T3"].map((id) => work(id, { run: `echo ${id} >> same.txt; touch ${id}.txt`, quiet: true })),
      ],
      "--parallel",
      "4",
    );
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(ids.map((id) => `${id} passed 1`));
    expect(await gitIn(path, "show", `cos/${goalId}:same.txt`)).toBe("T1\nT2\nT3");
  });

  it("is its findings and its work, at no attempt, where an edit ends the run in the middle", async () => {
    const waiting = join(world.dataDir, "waiting");
    const goalId = await goalWith(
      ["T1"],
      [
        fails("T1"),
        {
          match: ["Implement one task", "a.txt:1", "Your work on it, as it was last kept"],
          steps: [
            { run: `test -e '${waiting}' || { touch '${waiting}'; sleep 600; }`, quiet: true },
            { run: "test -f mine.txt", mustPass: true },
            write("better.txt", "b\n"),
          ],
        },
        work("T1", write("mine.txt", "m\n")),
      ],
      "--parallel",
      "2",
    );
    const working = world.work();
    await eventually("the second attempt", async () => existsSync(waiting));
    valueOf(await world.command("goal", "edit", goalId, "--text", "Build it well"));
    await working;
    world.advance(60_000);
    await world.tick();
    await world.work();
    // What was not planned so is asked about.
    for (const { checkpointId } of valueOf<{ checkpointId: string }[]>(await world.command("checkpoints")))
      valueOf(await world.command("approve", checkpointId));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 2"]);
    const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(why.timeline.filter((row) => row.event === "loop.recovered")).toEqual([]);
  });

  it("is its own work where nothing was merged yet, and the goal was skipped and resumed", async () => {
    const waiting = join(world.dataDir, "waiting");
    const goalId = await goalWith(
      ["T1", "T2"],
      [
        check("T1", begun("check-T1"), evidence("PASS")),
        fails("T2"),
        {
          match: ["Implement one task", "\nT2: ", "a.txt:1", "Your work on it, as it was last kept"],
          steps: [
            { run: `test -e '${waiting}' || { touch '${waiting}'; sleep 600; }`, quiet: true },
            { run: "test -f mine.txt", mustPass: true },
            write("better.txt", "b\n"),
          ],
        },
        // Passes with nothing changed.
        work("T1", begun("T1")),
        work("T2", begun("T2"), write("mine.txt", "m\n")),
      ],
    );
    const working = world.work();
    await eventually("the second attempt", async () => existsSync(waiting));
    valueOf(await world.command("goal", "skip", goalId));
    await working;
    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(["T1 passed 1", "T2 passed 2"]);
    expect(await Promise.all(["T1", "check-T1", "T2"].map(timesBegun))).toEqual([1, 1, 1]);
  });
});
