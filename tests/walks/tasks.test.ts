import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { claimGoal } from "../fakes/claim.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** The task loop on real git and real children. */

let world: TestWorld;
let path: string;
beforeEach(() => start((policy) => policy));
afterEach(() => world.close());

async function start(change: (policy: Policy) => Policy, environment: Record<string, string> = {}): Promise<void> {
  world = await testWorld({
    environment,
    policy: (policy) =>
      change({
        ...policy,
        triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
        tasks: { ...policy.tasks, attempts: 3 },
      }),
  });
}

interface Script {
  readonly match: readonly string[];
  readonly steps: readonly object[];
}

interface Shown {
  status: string;
  state: string;
  outcome: string;
  tag: string;
  loop: { phase: string; mode: { mode: string; reason: string } | null; wave: object | null } | null;
  tasks: { id: string; status: string; attempts: number; feedback: string | null; commit: string | null }[];
  attempts: { end: string }[];
  costUsd: number;
}

const write = (file: string, content: string) => ({ write: { path: file, content } });
const evidence = (...verdicts: readonly string[]) =>
  write(
    ".cos/evidence.json",
    JSON.stringify({
      criteria: verdicts.map((verdict, index) => ({
        criterion: String(index + 1),
        verdict,
        evidence: [{ ref: "a.txt:1", note: `seen ${verdict}`, confidence: 0.9 }],
      })),
    }),
  );
/** A check of a task: its prompt says so, and names the task. */
const check = (id: string, ...steps: readonly object[]): Script => ({ match: ["Check one task", `${id}: `], steps });
const work = (id: string, ...steps: readonly object[]): Script => ({
  match: ["Implement one task", `\n${id}: `],
  steps,
});
const again = (id: string, words: string, ...steps: readonly object[]): Script => ({
  match: ["Implement one task", `\n${id}: `, "not accepted", words],
  steps,
});

async function goalWith(list: string, scripts: readonly Script[], ...options: string[]): Promise<string> {
  path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", "tasks.yaml": list });
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

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const phases = async (goalId: string) =>
  valueOf<{ timeline: { event: string; detail: { from: string; to: string; summary: string; reason: string } }[] }>(
    await world.command("why", goalId),
  )
    .timeline.filter((row) => row.event === "loop.phase")
    .map((row) => row.detail);
const statuses = (goal: Shown) => Object.fromEntries(goal.tasks.map((task) => [task.id, task.status]));

/** A step that says outside of the worktree that its script came this far. */
const reached = (name: string): object => ({ run: `touch ${join(world.dataDir, name)}`, quiet: true });

/** Works until these have been reached and only one executor is left, with its two limits: then its silence is let pass. */
async function workThroughSilence(...names: readonly string[]): Promise<void> {
  const working = world.work();
  await eventually("one that hangs alone", async () => {
    const silent = world.timers.waiting(world.deps.policy.goals.inactivityMs);
    return names.every((name) => existsSync(join(world.dataDir, name))) && silent === 1;
  });
  world.advance(world.deps.policy.goals.inactivityMs);
  await working;
}

const evidenceOf = (verdict: string): string =>
  JSON.stringify({ criteria: [{ criterion: "1", verdict, evidence: [{ ref: "a.txt:1", confidence: 0.9 }] }] });
/** Leaves one evidence the first time it is run, and another one from then on. */
const firstThen = (first: string, then: string): object => ({
  run: `mkdir -p .cos; if [ -e ../../../again ]; then echo '${then}' > .cos/evidence.json; else touch ../../../again; echo '${first}' > .cos/evidence.json; fi`,
  quiet: true,
});

const three = `settings:
  useLayeredSkills: true
tasks:
  - id: T1
    title: First file
    acceptanceCriteria: [one.txt is there]
    filesAllowed: ["one.txt"]
  - id: T2
    title: Second file
    acceptanceCriteria: [two.txt is there]
    filesAllowed: ["two.txt", "shared.txt"]
  - id: T3
    title: Third file
    acceptanceCriteria: [three.txt is there]
    filesAllowed: ["three.txt", "shared.txt"]
    dependsOn: [T1]
`;

describe("a goal with three tasks and one dependency", () => {
  it("is done: one fails its check and is fed back, one is refused for a forbidden file, one conflicts and recovers [S3-PS-06, S3-MC-03, S3-MC-04]", async () => {
    const goalId = await goalWith(
      three.replace('["one.txt"]', '["one.txt", "shared.txt"]'),
      [
        check("T1", firstThen(evidenceOf("FAIL"), evidenceOf("PASS"))),
        check("T2", evidence("PASS")),
        check("T3", evidence("PASS")),
        // What T1 wrote first does not hold; then it writes what T2 writes too.
        again("T1", "fails (a.txt:1)", write("one.txt", "1\n"), write("shared.txt", "one\n")),
        work("T1", write("one.txt", "wrong\n")),
        // T2 first touches what it may not, then conflicts with T1, then starts from what is there.
        again("T2", "Merge conflict", write("two.txt", "2\n"), { append: { path: "shared.txt", content: "two\n" } }),
        again(
          "T2",
          "changed files that it may not: secrets.txt",
          write("two.txt", "2\n"),
          write("shared.txt", "two\n"),
        ),
        work("T2", write("two.txt", "2\n"), write("secrets.txt", "x\n")),
        work("T3", write("three.txt", "3\n")),
      ],
      "--parallel",
      "2",
    );
    await world.work();

    const goal = await shown(goalId);
    expect(statuses(goal)).toEqual({ T1: "passed", T2: "passed", T3: "passed" });
    expect(goal.status).toBe("complete");
    expect(goal.loop?.mode).toEqual({ mode: "layered", reason: "flag-true", warns: false });
    const files = (await gitIn(path, "ls-tree", "-r", "--name-only", `cos/${goalId}`)).split("\n");
    expect(files).toEqual(["a.txt", "one.txt", "shared.txt", "tasks.yaml", "three.txt", "two.txt"]);
    expect(await gitIn(path, "show", `cos/${goalId}:shared.txt`)).toBe("one\ntwo");
    const told = (await phases(goalId)).map((each) => each.summary).join("\n");
    expect(told).toContain("checked: none passed, T1, T2 failed");
    expect(told).toContain("merged T1; conflict: T2");
    // A task that was left in progress, or a wave, would have been found by the next phase.
    const { timeline } = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(timeline.filter((row) => row.event === "loop.recovered")).toEqual([]);
    const afterwards = (await phases(goalId)).findIndex((each) => each.summary.includes("conflict: T2"));
    expect((await phases(goalId))[afterwards]).toMatchObject({ from: "spec_check_persist", to: "implement_task" });
    expect((await phases(goalId))[afterwards + 1]).toMatchObject({
      from: "implement_task",
      to: "spec_check_mode_select",
    });
    expect(existsSync(join(world.dataDir, "worktrees", `${goalId}.tasks`, "T1"))).toBe(false);
  });

  it("runs the check of one prompt when a skill is missing, and warns [S3-MS-04]", async () => {
    const skills = await mkdtemp(join(tmpdir(), "cos-skills-"));
    await world.close();
    await start((policy) => policy, { COS_SKILLS_DIR: skills });
    await cp(join(projectDir, "skills"), skills, { recursive: true });
    await rm(join(skills, "safe-shell-search"), { recursive: true });
    const goalId = await goalWith(three, [
      { match: ["Check one task", '"spec_check_legacy"'], steps: [evidence("PASS")] },
      ...["T1", "T2", "T3"].map((id, index) =>
        work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n")),
      ),
    ]);
    await world.work();
    await rm(skills, { recursive: true, force: true });

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(goal.loop?.mode).toEqual({ mode: "legacy", reason: "skills-missing: safe-shell-search", warns: true });
  });

  it("goes back with what its check found, as text and as a file, and every phase has its report [S3-TR-04]", async () => {
    const goalId = await goalWith(three.replace("true", "false"), [
      check("T1", evidence("PASS")),
      check("T2", firstThen(evidenceOf("INCONCLUSIVE"), evidenceOf("PASS"))),
      check(
        "T3",
        evidence("PASS"),
        write(
          ".cos/phase-report.json",
          JSON.stringify({
            schemaVersion: 1,
            phase: "other",
            reasons: ["fine", ""],
            statusUpdates: { taskPassed: true, commitFailed: true },
          }),
        ),
      ),
      work("T1", write("one.txt", "1\n")),
      again("T2", "could not be verified", {
        run: "grep -q INCONCLUSIVE .cos/task-feedback.md || grep -q 'could not be verified' .cos/task-feedback.md && echo 2 > two.txt",
      }),
      work("T2", write("two.txt", "wrong\n")),
      work("T3", write("three.txt", "3\n")),
    ]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(goal.loop?.mode).toMatchObject({ mode: "legacy", reason: "flag-false" });
    expect(goal.tasks.map((task) => [task.id, task.attempts, task.feedback])).toEqual([
      ["T1", 1, null],
      ["T2", 2, null],
      ["T3", 1, null],
    ]);
    expect(await gitIn(path, "show", `cos/${goalId}:two.txt`)).toBe("2");
    const { rows } = await world.deps.database.pool.query<{
      task_id: string;
      report: { phase: string; source: string; reasons: string[]; validationErrors: string[] };
      evidence: object | null;
    }>(
      "select task_id, report, evidence from cos.phase_reports where report ->> 'phase' = 'spec_check_legacy' order by report_id",
    );
    expect(rows.map((row) => [row.task_id, row.report.source, row.evidence !== null])).toEqual([
      ["T1", "inferred", true],
      ["T2", "inferred", true],
      ["T2", "inferred", true],
      ["T3", "agent", true],
    ]);
    expect(rows[3]?.report).toMatchObject({
      reasons: ["fine"],
      validationErrors: [
        'phase: found "other", expected spec_check_legacy',
        "statusUpdates: commitFailed is not this phase's",
      ],
    });
    expect((await phases(goalId)).map((each) => each.to).slice(0, 4)).toEqual([
      "spec_check_mode_select",
      "spec_check_legacy",
      "spec_check_persist",
      "implement_task",
    ]);
    expect((await phases(goalId)).slice(-2)).toMatchObject([
      { from: "spec_check_persist", to: "completeness_verification" },
      { from: "completeness_verification", to: "task_loop_handoff" },
    ]);
  });

  it("with tasks that never hold reaches a person after its ladder, which names them [C-45]", async () => {
    await world.close();
    await start(oneAttempt);
    const goalId = await goalWith(three, [
      check("T1", evidence("FAIL")),
      work("T1", write("one.txt", "1\n")),
      check("T2", evidence("PASS")),
      work("T2", write("two.txt", "2\n")),
    ]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", attempts: [{ end: "criteria" }] });
    expect(goal.outcome).toContain("T1: - one.txt is there: fails");
    expect(statuses(goal)).toMatchObject({ T1: "failed", T3: "pending" });
  });
});

it("tasks of an attempt on rung 2 are told what to do differently", async () => {
  await world.close();
  await start((policy) => ({
    ...policy,
    tasks: { ...policy.tasks, attempts: 1 },
    recovery: {
      ...policy.recovery,
      rungs: [
        { attempts: 1, backoffMs: 0 },
        { attempts: 1, backoffMs: 0 },
      ],
    },
  }));
  const goalId = await goalWith(three.replace("true", "false"), [
    {
      match: ["Check one task", "T1: "],
      steps: [
        {
          run: "mkdir -p .cos; grep -q right one.txt && echo '" + evidenceOf("PASS") + "' > .cos/evidence.json",
          quiet: true,
        },
      ],
    },
    { match: ["Check one task"], steps: [evidence("PASS")] },
    {
      match: ["Implement one task", "T1: ", "Go about it differently this time"],
      steps: [write("one.txt", "right\n")],
    },
    ...["T1", "T2", "T3"].map((id, index) => work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n"))),
  ]);
  await world.work();

  expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{ end: "criteria" }, { end: "passed" }] });
});

describe("a wave of four", () => {
  const four = `tasks:
${["A", "B", "C", "D"].map((id) => `  - {id: ${id}, title: Task ${id}, acceptanceCriteria: [${id} holds]}`).join("\n")}
`;

  it("with one that hangs fails whole, merges nothing, and is worked again [S3-PT-03, S3-PT-04, S3-PT-05]", async () => {
    await world.close();
    await start((policy) => ({ ...policy, goals: { ...policy.goals, inactivityMs: 1500 } }));
    const scripts = ["A", "B", "C"].flatMap((id) => [
      check(id, evidence("PASS")),
      work(id, write(`${id}.txt`, id), reached(id)),
    ]);
    const goalId = await goalWith(
      four,
      [
        ...scripts,
        check("D", evidence("PASS")),
        again("D", "Timeout in wave", write("D.txt", "D")),
        work("D", reached("D"), { hang: true }),
      ],
      "--parallel",
      "4",
    );
    await workThroughSilence("A", "B", "C", "D");

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(goal.tasks.map((task) => [task.id, task.attempts])).toEqual([
      ["A", 2],
      ["B", 2],
      ["C", 2],
      ["D", 2],
    ]);
    const [first, second] = await phases(goalId);
    expect(first?.summary).toMatch(
      /^wave wave-\w+: timed_out in implement_task \(D: silent for 2 s\); failed: A, B, C, D$/,
    );
    expect(first).toMatchObject({ from: "implement_task", to: "implement_task" });
    // Nothing of it was left to go on with: the next one is a wave of its own.
    const [late = "", next = ""] = [first, second].map((each) => each?.summary.split(":", 1)[0]);
    expect(next).toMatch(/^wave wave-\w+$/);
    expect(next).not.toBe(late);
  });

  it("with one that hangs, one that crashes, one that would conflict and a good one is exactly this, also twice [S3-PT-01, S3-PT-02, S3-PT-08]", async () => {
    await world.close();
    await start((policy) => ({
      ...policy,
      goals: { ...policy.goals, inactivityMs: 2500 },
      tasks: { ...policy.tasks, attempts: 1 },
    }));
    const goalId = await goalWith(
      four,
      [
        work("A", write("same.txt", "a\n"), reached("A")),
        work("B", reached("B"), { crash: 9 }),
        work("C", write("same.txt", "c\n"), reached("C")),
        work("D", reached("D"), { hang: true }),
      ],
      "--parallel",
      "4",
    );
    await workThroughSilence("A", "B", "C", "D");

    const first = await shown(goalId);
    expect(statuses(first)).toEqual({ A: "failed", B: "failed", C: "failed", D: "failed" });
    const feedback = first.tasks.map((task) => (task.feedback ?? "").replace(/wave-[0-9a-f]+/, "W"));
    const why = "Timeout in wave W (implement_task): ";
    expect(feedback[0]).toBe(`${why}D silent for 3 s; A passed before timeout, but nothing of the wave is used`);
    expect(feedback[1]).toMatch(
      /^Timeout in wave W \(implement_task\): D silent for 3 s; B the agent exited with code 9/,
    );
    expect(feedback[2]).toBe(`${why}D silent for 3 s; C passed before timeout, but nothing of the wave is used`);
    expect(feedback[3]).toBe(`${why}silent for 3 s`);
    expect(first.loop).toMatchObject({ phase: "implement_task", wave: null });
    const { rows } = await world.deps.database.pool.query("select head_commit from cos.runs");
    expect(rows).toEqual([{ head_commit: null }]);
    expect(await gitIn(path, "branch", "--list", "cos/*")).toBe("");

    await world.work();
    await world.tick();
    expect(await shown(goalId)).toEqual(first);
  });

  it("of which one takes too long has the others killed, however much they have left to do [S3-PT-01]", async () => {
    await world.close();
    await start((policy) => ({ ...policy, tasks: { ...policy.tasks, attempts: 1 } }));
    const goes = join(world.dataDir, "goes");
    const goalId = await goalWith(
      four.replace(/^ {2}- \{id: [CD].*\n/gm, ""),
      [
        work(
          "A",
          reached("A"),
          { run: `until [ -e '${goes}' ]; do sleep 0.1; done`, quiet: true },
          { sleepMs: 3_600_000 },
        ),
        // Long after the last that it says: what is told late would make it no longer late.
        work("B", { run: `sleep 1; touch '${join(world.dataDir, "B")}'; sleep 3600`, quiet: true }),
      ],
      "--parallel",
      "2",
    );
    const half = world.deps.policy.goals.inactivityMs / 2;
    const working = world.work();
    const begun = (): boolean => ["A", "B"].every((name) => existsSync(join(world.dataDir, name)));
    await eventually("both", async () => begun() && world.timers.waiting(2 * half) === 2);
    world.advance(half);
    await writeFile(goes, "");
    // One has said something since, and is not late yet.
    await eventually("one that goes on", async () => world.timers.waiting(2 * half, half) === 1);
    world.advance(half);
    await working;

    const { tasks } = await shown(goalId);
    expect(tasks.map((task) => [task.status, (task.feedback ?? "").replace(/wave-[0-9a-f]+/, "W")])).toEqual([
      ["failed", "Timeout in wave W (implement_task): B silent for 15 min; A ended with its wave"],
      ["failed", "Timeout in wave W (implement_task): silent for 15 min"],
    ]);
  });

  it("with one that crashes, one that conflicts and two good ones keeps what is good [S3-MC-01, S3-MC-02, S3-EV-06]", async () => {
    const goalId = await goalWith(
      four,
      [
        ...["A", "B", "C", "D"].map((id) => check(id, evidence("PASS"))),
        again("B", "ended before it was done", write("B.txt", "B")),
        work("B", { crash: 9 }),
        work("A", write("same.txt", "a\n")),
        again(
          "C",
          "Merge conflict",
          { run: "grep -q 'Merge conflict' .cos/task-feedback/C.md", mustPass: true },
          { append: { path: "same.txt", content: "c\n" } },
        ),
        work("C", write("same.txt", "c\n")),
        work("D", write("D.txt", "D")),
      ],
      "--parallel",
      "4",
    );
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(goal.tasks.map((task) => [task.id, task.attempts])).toEqual([
      ["A", 1],
      ["B", 2],
      // A conflict, and standing behind one, uses up no attempt.
      ["C", 1],
      ["D", 1],
    ]);
    const told = (await phases(goalId)).map((each) => each.summary);
    expect(told[0]).toMatch(/3 tasks implemented, failed: B$/);
    expect(told[3]).toMatch(/merged A; conflict: C; not merged: D; failed: C, D$/);
    const { rows } = await world.deps.database.pool.query<{ flags: object; failed: string[] }>(
      "select report -> 'statusUpdates' as flags, report -> 'reasons' as failed from cos.phase_reports where report ->> 'phase' = 'spec_check_persist' order by report_id limit 1",
    );
    expect(rows).toEqual([
      {
        flags: { taskPassed: false, taskFailed: true, hasMoreTasks: true, allTasksComplete: false },
        failed: ["C", "D"],
      },
    ]);
    // Feedback of a wave stays after the task has passed.
    expect(goal.tasks.find((task) => task.id === "C")?.feedback).toMatch(/^Merge conflict: /);
    expect(await gitIn(path, "show", `cos/${goalId}:same.txt`)).toBe("a\nc");
  });

  it("with a check that hangs fails whole and merges nothing, and each task is told what its own check came to [S3-PT-06, S3-PT-10]", async () => {
    await world.close();
    await start((policy) => ({ ...policy, goals: { ...policy.goals, inactivityMs: 1500 } }));
    const goalId = await goalWith(
      four.replace("[C holds]", "[C holds], filesAllowed: [C.txt]"),
      [
        check("A", evidence("PASS"), reached("A")),
        check("B", firstThen(evidenceOf("FAIL"), evidenceOf("PASS")), reached("B")),
        check("C", evidence("PASS")),
        check(
          "D",
          { run: `cd ${world.dataDir}; test -e hung || { touch hung; sleep 600; }`, quiet: true },
          evidence("PASS"),
        ),
        again("A", "A passed before timeout, but nothing of the wave is used", write("A.txt", "again")),
        again("B", "B did not pass its check:\n- B holds: fails (a.txt:1)", write("B.txt", "again")),
        again("C", "C did not pass its check:\nIt changed files that it may not: secrets.txt", write("C.txt", "again")),
        again("D", "Timeout in wave", write("D.txt", "again")),
        ...["A", "B", "D"].map((id) => work(id, write(`${id}.txt`, id))),
        work("C", write("C.txt", "C"), write("secrets.txt", "x")),
      ],
      "--parallel",
      "4",
    );
    await workThroughSilence("A", "B", "hung");

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(goal.tasks.map((task) => [task.id, task.attempts])).toEqual([
      ["A", 2],
      ["B", 2],
      ["C", 2],
      ["D", 2],
    ]);
    const contents = ["A", "B", "C", "D"].map((id) => gitIn(path, "show", `cos/${goalId}:${id}.txt`));
    expect(await Promise.all(contents)).toEqual(["again", "again", "again", "again"]);
    expect(await gitIn(path, "ls-tree", "-r", "--name-only", `cos/${goalId}`)).not.toContain("secrets.txt");
    const told = await phases(goalId);
    const late = told.find((each) => each.summary.includes("timed_out in spec_check"));
    expect(late).toMatchObject({ from: "spec_check_legacy", to: "spec_check_persist" });
    expect(told.find((_, index) => index > 0 && told[index - 1] === late)).toMatchObject({
      from: "spec_check_persist",
      to: "implement_task",
      reason: "the task failed",
      summary: "wave wave-none: merged nothing",
    });
    const flags = await world.deps.database.pool.query<{ flags: object }>(
      "select report -> 'statusUpdates' as flags from cos.phase_reports where report ->> 'phase' = 'spec_check_persist' order by report_id",
    );
    expect(flags.rows[0]?.flags).toEqual({
      taskPassed: false,
      taskFailed: true,
      hasMoreTasks: true,
      allTasksComplete: false,
    });
  });

  it("that cannot be set up stops the run at once; its tasks are what they were, and a new run goes on [S3-SF-01, S3-SF-06]", async () => {
    const goalId = await goalWith(
      four,
      ["A", "B", "C", "D"].flatMap((id) => [check(id, evidence("PASS")), work(id, write(`${id}.txt`, id))]),
      "--parallel",
      "4",
    );
    await world.deps.database.pool.query("update cos.repositories set setup = 'echo broken lock; exit 4'");
    await world.work();

    const stopped = await shown(goalId);
    expect(stopped).toMatchObject({ status: "failed", loop: { phase: "run_stopped_setup_failure", wave: null } });
    expect(stopped.outcome).toMatch(/^Setup failed: wave wave-\w+: setup_failed: A: /);
    expect(Object.values(statuses(stopped))).toEqual(["pending", "pending", "pending", "pending"]);
    const ended = "select detail->>'kind' as kind from cos.timeline where event = 'goal.failed'";
    expect((await world.deps.database.pool.query(ended)).rows).toEqual([{ kind: "setup" }]);
    await world.work();
    const runs = async () => (await world.deps.database.pool.query("select run_id from cos.runs")).rows.length;
    expect([await phases(goalId).then((all) => all.at(-1)?.to), await runs()]).toEqual([
      "run_stopped_setup_failure",
      1,
    ]);

    await world.deps.database.pool.query("update cos.repositories set setup = null");
    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await world.work();
    expect([(await shown(goalId)).status, await runs()]).toEqual(["complete", 2]);
  });
});

describe("the whole", () => {
  const spec =
    '#### AC-1: Both\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f one.txt && test -f more.txt"\n```\n';

  it("is verified at the merged commit, and what is missing comes back as work [S3-TR-13, S3-TR-09]", async () => {
    const goalId = await goalWith(three.replace("true", "false"), [
      { match: ["Check one task"], steps: [evidence("PASS")] },
      { match: ["Implement one task", "missing-1: ", "AC-1"], steps: [write("more.txt", "m\n")] },
      work("T1", write("one.txt", "1\n")),
      work("T2", write("two.txt", "2\n")),
      work("T3", write("three.txt", "3\n")),
    ]);
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [spec]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", tag: "verified" });
    expect(goal.tasks.at(-1)).toMatchObject({ id: "missing-1", status: "passed" });
  });

  it("that cannot be pushed is repaired with the exact words, and after three rounds a person is asked (C-47)", async () => {
    const goalId = await goalWith(three.replace("true", "false"), [
      { match: ["Check one task"], steps: [evidence("PASS")] },
      { match: ["Implement one task", "push-1: ", "no trailing space allowed"], steps: [write("one.txt", "clean\n")] },
      work("T1", write("one.txt", "1 \n")),
      work("T2", write("two.txt", "2\n")),
      work("T3", write("three.txt", "3\n")),
    ]);
    await hook(
      'git show "$3:one.txt" 2>/dev/null | grep -q " $" && { echo "no trailing space allowed" >&2; exit 1; }; exit 0',
    );
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "show", `cos/${goalId}:one.txt`)).toBe("clean");
  });

  it("that a hook always refuses reaches a person with the hook's words", async () => {
    const goalId = await goalWith(three.replace("true", "false"), [
      { match: ["Check one task"], steps: [evidence("PASS")] },
      { match: ["Implement one task", "push-"], steps: [{ append: { path: "one.txt", content: "x\n" } }] },
      work("T1", write("one.txt", "1\n")),
      work("T2", write("two.txt", "2\n")),
      work("T3", write("three.txt", "3\n")),
    ]);
    await hook('echo "nobody may push here" >&2; exit 1');
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", attempts: [{ end: "push" }] });
    expect(goal.outcome).toContain("nobody may push here");
    expect(goal.tasks.map((task) => task.id)).toEqual(["T1", "T2", "T3", "push-1", "push-2", "push-3"]);
  });
});

describe("the mode of the check", () => {
  it("is read once an iteration; a change in the middle counts next time, and what was chosen is said [S3-MS-05, S3-MS-06]", async () => {
    // What flips it in the middle is a check that reaches the database, as none does where agents are isolated.
    await world.close();
    await start((policy) => policy, { COS_ISOLATION: "off" });
    const goalId = await goalWith(three.replace("true", "false"), [
      check("T1", { run: flip(), quiet: true }, evidence("PASS")),
      { match: ["Check one task"], steps: [evidence("PASS")] },
      ...["T1", "T2", "T3"].map((id, index) =>
        work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n")),
      ),
    ]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    const { rows } = await world.deps.database.pool.query<{ task_id: string; phase: string }>(
      "select task_id, report ->> 'phase' as phase from cos.phase_reports where task_id is not null and report ->> 'phase' like 'spec_check%' order by report_id",
    );
    expect(rows.map((row) => [row.task_id, row.phase])).toEqual([
      ["T1", "spec_check_legacy"],
      ["T2", "spec_check_layered"],
      ["T3", "spec_check_layered"],
    ]);
    const all = await world.deps.database.pool.query<{ phase: string; outcome: string }>(
      "select report ->> 'phase' as phase, report ->> 'outcome' as outcome from cos.phase_reports order by report_id limit 4",
    );
    expect(all.rows.map((row) => row.phase)).toEqual([
      "implement_task",
      "spec_check_mode_select",
      "spec_check_legacy",
      "spec_check_persist",
    ]);
    expect(all.rows[1]?.outcome).toBe("mode=legacy reason=flag-false");
    const modes = (await phases(goalId))
      .filter((each) => each.from === "spec_check_mode_select")
      .map((each) => each.summary);
    expect(modes).toEqual([
      "mode=legacy reason=flag-false",
      "mode=layered reason=flag-true",
      "mode=layered reason=flag-true",
    ]);
  });

  /** A command that changes the flag of every goal. */
  function flip(): string {
    const script = `const { Client } = require(${JSON.stringify(join(projectDir, "node_modules/pg"))}); const c = new Client(${JSON.stringify(world.databaseUrl)}); c.connect().then(() => c.query("update cos.goals set task_settings = '{\\"useLayeredSkills\\": true}'")).then(() => c.end())`;
    return `${process.execPath} -e '${script.replaceAll("'", `'"'"'`)}'`;
  }
});

describe("a check that writes feedback of its own", () => {
  it.each(["false", "true"])("has it handed on to the next attempt (layered: %s) [S3-EV-07]", async (layered) => {
    const goalId = await goalWith(three.replace("true", layered), [
      {
        // Its prompt, or the skill that is in it, says that it may.
        match: ["Check one task", "T1: ", "`.cos/task-feedback.md`"],
        steps: [
          firstThen(evidenceOf("FAIL"), evidenceOf("PASS")),
          { run: "echo 'look at the header' > .cos/task-feedback.md", quiet: true },
        ],
      },
      { match: ["Check one task"], steps: [evidence("PASS")] },
      again("T1", "look at the header", write("one.txt", "better\n")),
      ...["T1", "T2", "T3"].map((id, index) =>
        work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n")),
      ),
    ]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "show", `cos/${goalId}:one.txt`)).toBe("better");
  });
});

describe("a wave of which one worker cannot begin", () => {
  it("is ended whole: the others are killed, and every task is what it was [S3-SF-02, S3-SF-03]", async () => {
    const goalId = await goalWith(
      three,
      [work("T1", { sleepMs: 3_600_000 }), work("T2", { sleepMs: 3_600_000 })],
      "--parallel",
      "2",
    );
    const { rows } = await world.deps.database.pool.query<{ agent: string }>("select agent from cos.repositories");
    const starter = join(world.dataDir, "agent.sh");
    const command = rows[0]?.agent.replace("acp:", "") ?? "";
    await writeFile(
      starter,
      `case "$(pwd)" in */T2) sleep 1; echo "no such sandbox" >&2; exit 1 ;; esac\nexec ${command}\n`,
    );
    await world.deps.database.pool.query("update cos.repositories set agent = $1", [`acp:sh ${starter}`]);
    // Nothing but their end would end the others: no limit comes due.
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "failed", loop: { phase: "run_stopped_setup_failure" } });
    expect(goal.outcome).toContain("setup_failed: T2");
    expect(statuses(goal)).toEqual({ T1: "pending", T2: "pending", T3: "pending" });
  });
});

it("a worker that asks for what it may not do waits with its goal, and goes on once it is allowed (D29)", async () => {
  await world.close();
  await start((policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }));
  const goalId = await goalWith(three.replace("true", "false"), [
    { match: ["Check one task"], steps: [evidence("PASS")] },
    work("T1", { permission: { title: "Clean up", command: "rm -rf build" } }, write("one.txt", "x\n")),
    ...["T2", "T3"].map((id, index) => work(id, write(["two.txt", "three.txt"][index] ?? "", "x\n"))),
  ]);
  await world.work();
  const [asked] = valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
  expect(asked?.kind).toBe("permission");
  expect(await shown(goalId)).toMatchObject({ status: "blocked", state: "waiting" });

  valueOf(await world.command("approve", asked?.checkpointId ?? ""));
  await world.work();

  const goal = await shown(goalId);
  expect(goal.status).toBe("complete");
  expect(goal.tasks[0]).toMatchObject({ id: "T1", status: "passed", attempts: 1 });
});

describe("a replay of recorded tasks", () => {
  it("checks each in both modes and lays them side by side, in tables [S3-EV-10]", async () => {
    const layered = {
      match: ["Check one task", "Follow these skills", "T1: "],
      steps: [
        { run: "test -f .cos/skills/safe-shell-search/SKILL.md", mustPass: true },
        evidence("PASS"),
        { costUsd: 0.2 },
      ],
    };
    const legacy = check(
      "T1",
      { run: "grep -rn one .", quiet: true },
      { run: "cat one.txt", quiet: true },
      write(
        ".cos/evidence.json",
        JSON.stringify({
          criteria: [
            {
              criterion: "1",
              verdict: "PASS",
              evidence: [
                { ref: "one.txt:1", confidence: 1 },
                { ref: "trust me", confidence: 1 },
              ],
            },
          ],
        }),
      ),
    );
    const goalId = await goalWith(three.replace("true", "false"), [
      layered,
      legacy,
      { match: ["Check one task"], steps: [evidence("PASS")] },
      ...["T1", "T2", "T3"].map((id, index) =>
        work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n")),
      ),
    ]);
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete" });

    const result = await world.command("replay", "--goal", goalId, "--task", "T1");

    const { checks } = valueOf<{ checks: object[] }>(result);
    expect(checks).toMatchObject([
      {
        taskId: "T1",
        mode: "legacy",
        verdict: "passed",
        shellFirstSearches: 2,
        unverifiableClaims: 1,
        withEvidence: 1,
        costIsEstimated: true,
      },
      {
        taskId: "T1",
        mode: "layered",
        verdict: "passed",
        shellFirstSearches: 0,
        unverifiableClaims: 0,
        costMicroUsd: 200_000,
        costIsEstimated: false,
      },
    ]);
    expect(JSON.stringify(result)).toContain("shell-first searches");
    expect((await shown(goalId)).costUsd).toBeGreaterThanOrEqual(0.2);
    expect((await world.command("replay", "--goal", goalId, "--task", "T9")).type).toBe("refused");
  });

  it("whose commit is gone says so, and keeps no money reserved; one that was killed keeps it for as long as it might run", async () => {
    const goalId = await goalWith(three.replace("true", "false"), [
      { match: ["Check one task"], steps: [evidence("PASS")] },
      ...["T1", "T2", "T3"].map((id, index) =>
        work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n")),
      ),
    ]);
    await world.work();
    const { pool } = world.deps.database;
    const gone = "1".repeat(40);
    await pool.query("update cos.tasks set commit = $1 where goal_id = $2 and task_id = 'T1'", [gone, goalId]);

    expect(await world.command("replay", "--goal", goalId, "--task", "T1")).toMatchObject({
      type: "refused",
      reason: "the recorded commit of T1 is not in the mirror on this machine",
    });
    const replayed = await world.command("replay", "--goal", goalId, "--task", "T2");
    expect(valueOf<{ checks: object[] }>(replayed).checks).toHaveLength(2);

    await pool.query(
      `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, session_id, at)
      select 'replay-killed', 'reserved', 1000000000, true, day, goal_id, run_id, session_id, $2
      from cos.spend where goal_id = $1 limit 1`,
      [goalId, world.deps.now()],
    );
    expect(await world.command("replay", "--goal", goalId, "--task", "T2")).toMatchObject({ type: "refused" });
    world.advance(world.deps.policy.goals.timeoutMs + 60_000);
    const later = await world.command("replay", "--goal", goalId, "--task", "T2");
    expect(valueOf<{ checks: object[] }>(later).checks).toHaveLength(2);
  });
});

describe("after a crash", () => {
  const all = [
    { match: ["Check one task"], steps: [evidence("PASS")] },
    ...["T1", "T2", "T3"].map((id, index) => work(id, write(["one.txt", "two.txt", "three.txt"][index] ?? "", "x\n"))),
  ];

  it("tasks of no wave have failed and are worked again, which is said [S3-CR-01, S3-CR-06]", async () => {
    const goalId = await goalWith(three, [again("T2", "Its worker was lost", write("two.txt", "again\n")), ...all]);
    await world.deps.database.pool.query("update cos.tasks set status = 'in_progress' where task_id = 'T2'");
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    const why = valueOf<{ timeline: { event: string; detail: object }[] }>(await world.command("why", goalId));
    expect(why.timeline.find((row) => row.event === "loop.recovered")?.detail).toMatchObject({
      found: "orphans",
      orphans: ["T2"],
    });
    expect(await gitIn(path, "show", `cos/${goalId}:two.txt`)).toBe("again");
  });

  it.each([
    [
      "a stored wave whose names lead elsewhere [S3-CR-04]",
      "implement_task",
      { waveId: "../x", phase: "implement_task", taskIds: ["T1"], before: {} },
    ],
    [
      "a stored wave of another shape [S3-CR-04]",
      "implement_task",
      { waveId: "wave-1", phase: "implement_task", taskIds: null, before: {} },
    ],
    ["a check without a wave [S3-CR-05]", "spec_check_legacy", null],
  ])("%s stops the run", async (_what, phase, wave) => {
    const goalId = await goalWith(three, all);
    const { db, pool } = world.deps.database;
    await claimGoal(db, { leasedBy: "elsewhere/1/1", forMs: 1, now: world.deps.now() });
    await pool.query("update cos.goals set leased_until = now() - interval '1 second'");
    await pool.query(
      `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, loop)
       values ('run-00000001', $1, 'open', 'x', '[]', now(), $2)`,
      [
        goalId,
        { phase, iteration: 3, mode: { mode: "legacy", reason: "flag-false", warns: false }, checked: {}, wave },
      ],
    );
    await pool.query("update cos.goals set phase = 'implement', status = 'in_progress', run_id = 'run-00000001'");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "failed", loop: { phase: "run_stopped_setup_failure" } });
  });
});

/** An update hook in the person's repository. */
async function hook(script: string): Promise<void> {
  await writeFile(join(path, ".git/hooks/update"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
