import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../src/core/policy.ts";
import { taskTransitions } from "../../src/core/task-loop/workflow.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import {
  check,
  evidence,
  evidenceOf,
  type LoopGoal,
  loopGoal,
  phasesOf,
  type Script,
  taskList,
  work,
  workAndAllow,
  write,
} from "../fakes/loop.ts";
import { gitIn } from "../fakes/repository.ts";

/** The task loop's table is what runs: each of its transitions is taken here, through the engine, and nothing else is. */

const policyOf = (policy: Policy): Policy => ({
  ...policy,
  checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 },
  triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
  tasks: { ...policy.tasks, attempts: 3 },
});
const open = (): Promise<TestWorld> => testWorld({ policy: policyOf });

type Phases = Awaited<ReturnType<typeof phasesOf>>;
const words = ({ from, to, reason }: Phases[number]): string => `${from} → ${to}: ${reason}`;

/** What all walks of this file took. */
const taken = new Set<string>();
async function took(world: TestWorld, goalId: string): Promise<Phases> {
  const phases = await phasesOf(world, goalId);
  for (const each of phases) taken.add(words(each));
  return phases;
}

interface Shown {
  readonly status: string;
  readonly outcome: string;
  readonly loop: { phase: string; wave: { taskIds: string[] } | null; mode: { reason: string } | null };
  readonly tasks: { id: string; status: string; feedback: string | null; attempts: number }[];
}
const shown = async (world: TestWorld, goalId: string): Promise<Shown> =>
  valueOf<Shown>(await world.command("goal", "show", goalId));

/** A step that asks for what nobody has allowed yet. */
const asks = (name: string): object => ({ permission: { title: `Remove ${name}`, command: `rm -rf ${name}` } });
const passes = (id: string, ...steps: readonly object[]): Script => check(id, evidence("PASS"), ...steps);
const hook = async ({ path }: LoopGoal, script: string): Promise<void> => {
  await writeFile(join(path, ".git/hooks/update"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
};
const afterwards = (run: string): object => ({ run, quiet: true });

describe("a loop that takes every way", () => {
  let world: TestWorld;
  let goal: LoopGoal;
  let phases: Phases;
  const persisted: { taskPassed: boolean }[] = [];

  beforeAll(async () => {
    world = await open();
    const holds = '#### AC-1: Whole\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f more.txt"\n```\n';
    goal = await loopGoal(world, taskList(["T1", "T2"], null), [
      check(
        "T1",
        asks("check"),
        afterwards(
          `mkdir -p .cos; if grep -q right one.txt; then echo '${evidenceOf("PASS")}'; else echo '${evidenceOf("FAIL")}'; fi > .cos/evidence.json`,
        ),
      ),
      { match: ["Check one task"], steps: [evidence("PASS")] },
      { match: ["Implement one task", "\nT1: ", "not accepted"], steps: [write("one.txt", "right \n")] },
      work("T1", asks("build"), write("one.txt", "wrong \n")),
      work("T2", write("two.txt", "2\n")),
      work("missing-1", write("more.txt", "m\n")),
      {
        match: ["Implement one task", "\npush-1: ", "ended before it was done"],
        steps: [asks("caches"), write("one.txt", "right\n")],
      },
      work("push-1", { crash: 1 }),
    ]);
    await hook(
      goal,
      'git show "$3:one.txt" | grep -q " $" && { echo "no trailing space allowed" >&2; exit 1; }; exit 0',
    );
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [holds]);
    await workAndAllow(world);
    phases = await took(world, goal.goalId);
    const { rows } = await world.deps.database.pool.query<{ flags: { taskPassed: boolean } }>(
      "select report -> 'statusUpdates' as flags from cos.phase_reports where report ->> 'phase' = 'spec_check_persist' order by report_id",
    );
    persisted.push(...rows.map((row) => row.flags));
  });
  afterAll(() => world.close());

  const from = (phase: string): Phases => phases.filter((each) => each.from === phase);

  it("is complete, and ends at its end [S3-TR-13, S3-TR-14]", async () => {
    const { status, loop } = await shown(world, goal.goalId);
    expect(status).toBe("complete");
    expect(loop.phase).toBe("task_loop_handoff");
    expect(from("completeness_verification").map(words)).toEqual([
      "completeness_verification → implement_task: work is missing",
      "completeness_verification → fix_ci: the push was refused",
      "completeness_verification → task_loop_handoff: complete",
    ]);

    await world.work();

    expect(await phasesOf(world, goal.goalId)).toEqual(phases);
    expect(await gitIn(goal.path, "show", `cos/${goal.goalId}:one.txt`)).toBe("right");
  });

  it("begins a phase again with the same wave once it may, and then goes on [S3-TR-01, S3-TR-02]", () => {
    expect(phases.slice(0, 3).map(words)).toEqual([
      "implement_task → implement_task: asked, begins again",
      "implement_task → spec_check_mode_select: implemented",
      "spec_check_mode_select → spec_check_legacy: otherwise",
    ]);
    const [asked, implemented] = phases.map((each) => each.summary);
    expect(asked).toBe("asked to execute: Remove build");
    expect(implemented).toMatch(/: 1 task implemented$/);
  });

  it("checks in one prompt where nobody asked for layers [S3-MS-02]", async () => {
    expect(from("spec_check_mode_select").map((each) => [each.to, each.summary])[0]).toEqual([
      "spec_check_legacy",
      "mode=legacy reason=flag-missing",
    ]);
  });

  it("goes back with a failed task, on with the next one, and to the whole with the last [S3-TR-07, S3-TR-08, S3-TR-09]", () => {
    expect(from("spec_check_persist").slice(0, 3).map(words)).toEqual([
      "spec_check_persist → implement_task: the task failed",
      "spec_check_persist → implement_task: passed, more tasks",
      "spec_check_persist → completeness_verification: all tasks are complete",
    ]);
  });

  it("keeps what each check of a wave came to, in its report [S3-PS-01, S3-PS-02, S3-PS-03]", () => {
    const [failed, passed, last] = persisted;
    expect(failed).toEqual({ taskPassed: false, taskFailed: true, hasMoreTasks: true, allTasksComplete: false });
    expect(passed).toEqual({ taskPassed: true, taskFailed: false, hasMoreTasks: true, allTasksComplete: false });
    expect(last).toEqual({ taskPassed: true, taskFailed: false, hasMoreTasks: false, allTasksComplete: true });
  });

  it("repairs what a push refused, stays there where it did not, and checks the repair as any work [S3-TR-12]", () => {
    const at = phases.findIndex((each) => each.to === "fix_ci");
    expect(phases.slice(at, at + 6).map(words)).toEqual([
      "completeness_verification → fix_ci: the push was refused",
      "fix_ci → fix_ci: it did not succeed",
      "fix_ci → fix_ci: asked, begins again",
      "fix_ci → spec_check_mode_select: repaired",
      "spec_check_mode_select → spec_check_legacy: otherwise",
      "spec_check_legacy → spec_check_persist: checked",
    ]);
  });
});

describe("a loop", () => {
  let world: TestWorld;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  it("with layered checks takes the first way whose guard holds [S3-TR-10, S3-TR-04]", async () => {
    const { goalId } = await loopGoal(world, taskList(["T1"], true), [
      check("T1", asks("check"), evidence("PASS")),
      work("T1", write("one.txt", "1\n")),
    ]);
    await workAndAllow(world);

    // Both ways out of the choice hold for a layered check: the other one always does.
    expect((await took(world, goalId)).map(words)).toEqual([
      "implement_task → spec_check_mode_select: implemented",
      "spec_check_mode_select → spec_check_layered: layered skills",
      "spec_check_layered → spec_check_layered: asked, begins again",
      "spec_check_layered → spec_check_persist: checked",
      "spec_check_persist → completeness_verification: all tasks are complete",
      "completeness_verification → task_loop_handoff: complete",
    ]);
    const { rows } = await world.deps.database.pool.query<{ flags: object }>(
      "select report -> 'statusUpdates' as flags from cos.phase_reports where report ->> 'phase' = 'spec_check_persist'",
    );
    expect(rows.map((row) => row.flags)).toEqual([
      { taskPassed: true, taskFailed: false, hasMoreTasks: false, allTasksComplete: true },
    ]);
  });

  it("stays where work was not done, whatever its report claims [S3-TR-03, S3-TR-11]", async () => {
    const { goalId, path } = await loopGoal(world, taskList(["T1"], false), [
      passes("T1"),
      { match: ["Implement one task", "ended before it was done"], steps: [write("one.txt", "1\n")] },
      work(
        "T1",
        write(
          ".cos/phase-report.json",
          JSON.stringify({ schemaVersion: 1, phase: "implement_task", statusUpdates: { taskPassed: true } }),
        ),
        { crash: 1 },
      ),
    ]);
    await world.work();

    const phases = await took(world, goalId);
    expect(words(phases[0] as Phases[number])).toBe("implement_task → implement_task: it did not succeed");
    expect(phases[0]?.summary).toMatch(/: 0 tasks implemented, failed: T1$/);
    const { rows } = await world.deps.database.pool.query<{ updates: object }>(
      "select report -> 'statusUpdates' as updates from cos.phase_reports where report ->> 'phase' = 'implement_task'",
    );
    expect(rows.map((row) => row.updates)).toEqual([{}, {}]);
    expect((await shown(world, goalId)).tasks).toMatchObject([{ status: "passed", attempts: 2 }]);
    expect(await gitIn(path, "show", `cos/${goalId}:one.txt`)).toBe("1");
  });

  it("does not move when a stop was asked for as the work ended [S3-TR-15]", async () => {
    await world.close();
    // From a room of its own nothing reaches the database.
    world = await testWorld({ policy: policyOf, environment: { COS_ISOLATION: "off" } });
    const sql = "update cos.goals set stop_requested = 'skip'";
    const script = `const { Client } = require(${JSON.stringify(join(projectDir, "node_modules/pg"))}); const c = new Client(${JSON.stringify(world.databaseUrl)}); c.connect().then(() => c.query("${sql}")).then(() => c.end())`;
    const { goalId } = await loopGoal(world, taskList(["T1"], false), [
      work("T1", write("one.txt", "1\n"), afterwards(`${process.execPath} -e '${script.replaceAll("'", `'"'"'`)}'`)),
    ]);
    await world.work();

    // Noticed at once, or where the end of the work is recorded: no transition is taken either way.
    expect((await took(world, goalId)).filter((each) => each.from !== each.to)).toEqual([]);
    expect(await shown(world, goalId)).toMatchObject({
      status: "deferred",
      loop: { phase: "implement_task", wave: { taskIds: ["T1"] } },
    });
  });

  it("fails a task whose check says so, though its evidence reads as a pass [S3-PS-04, F-211]", async () => {
    const says = (id: string, statusUpdates: object): object =>
      afterwards(
        `test -e '${join(world.dataDir, id)}' || { touch '${join(world.dataDir, id)}'; echo '${JSON.stringify({ schemaVersion: 1, phase: "spec_check_legacy", statusUpdates, reasons: ["a.txt:1 is wrong"] })}' > .cos/phase-report.json; }`,
      );
    const { goalId } = await loopGoal(world, taskList(["T1", "T2"], false), [
      passes("T1", says("T1", { taskFailed: true, taskPassed: true })),
      passes("T2", says("T2", { taskPassed: false })),
      work("T1", write("one.txt", "1\n")),
      work("T2", write("two.txt", "2\n")),
    ]);
    await world.work();

    const { status, tasks } = await shown(world, goalId);
    expect(status).toBe("complete");
    expect(tasks.map((task) => task.attempts)).toEqual([2, 2]);
    const checked = (await took(world, goalId)).filter((each) => each.from === "spec_check_legacy");
    expect(checked.map((each) => each.summary)).toEqual([
      "checked: none passed, T1 failed",
      "checked: T1 passed",
      "checked: none passed, T2 failed",
      "checked: T2 passed",
    ]);
  });

  it("of which a check takes too long has failed flags and leads back; other tasks are untouched, and it is worked again [S3-PT-06, S3-PT-07, S3-PT-09]", async () => {
    const silence = join(world.dataDir, "silent");
    const { goalId } = await loopGoal(world, taskList(["T1", "T2"], false), [
      check("T1", afterwards(`test -e '${silence}' || { touch '${silence}'; sleep 600; }`), evidence("PASS")),
      passes("T2"),
      work("T1", write("one.txt", "1\n")),
      work("T2", write("two.txt", "2\n")),
    ]);
    const working = world.work();
    const { inactivityMs } = world.deps.policy.goals;
    const silent = () => world.timers.waiting(inactivityMs);
    await eventually("a check that hangs", async () => existsSync(silence) && silent() === 1);
    world.advance(world.deps.policy.goals.inactivityMs);
    await working;

    const phases = await took(world, goalId);
    expect(phases.slice(2, 4).map(words)).toEqual([
      "spec_check_legacy → spec_check_persist: checked",
      "spec_check_persist → implement_task: the task failed",
    ]);
    expect(phases[2]?.summary).toMatch(/: timed_out in spec_check \(T1: [^)]*\); failed: T1$/);
    const { status, tasks } = await shown(world, goalId);
    expect([status, tasks.map((task) => [task.id, task.attempts])]).toEqual([
      "complete",
      [
        ["T1", 2],
        ["T2", 1],
      ],
    ]);
  });

  it("whose whole does not hold for as many rounds as it may takes up what is missing in its next attempt", async () => {
    await world.close();
    world = await testWorld({
      policy: (policy) => ({
        ...policyOf(policy),
        verification: { ...policy.verification, rounds: 1 },
        recovery: { ...policy.recovery, rungs: [{ attempts: 2, backoffMs: 0 }] },
      }),
    });
    const { goalId } = await loopGoal(world, taskList(["T1"], false), [
      { match: ["Check one task"], steps: [evidence("PASS")] },
      work("T1", write("one.txt", "1\n")),
      work("missing-1", write("more.txt", "m\n")),
    ]);
    const criteria = '#### AC-1: Whole\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f more.txt"\n```\n';
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [criteria]);
    await world.work();

    expect(await shown(world, goalId)).toMatchObject({ status: "complete", loop: { phase: "task_loop_handoff" } });
    expect((await took(world, goalId)).map(words)).toContain(
      "completeness_verification → implement_task: work is missing",
    );
  });

  it.each<[string, boolean, (goal: { broken: string; path: string }) => readonly Script[]]>([
    ["implement_task", false, () => [work("T1", write("one.txt", "1\n"))]],
    [
      "spec_check_legacy",
      false,
      ({ broken }) => [work("T1", write("one.txt", "1\n"), afterwards(`touch '${broken}'`))],
    ],
    [
      "spec_check_layered",
      true,
      ({ broken }) => [work("T1", write("one.txt", "1\n"), afterwards(`touch '${broken}'`))],
    ],
    [
      "spec_check_persist",
      false,
      ({ path }) => [passes("T1", afterwards(`mv '${path}' '${path}.away'`)), work("T1", write("one.txt", "1\n"))],
    ],
    ["fix_ci", false, () => [passes("T1"), work("T1", write("one.txt", "1\n"))]],
  ])(
    "that cannot be set up in %s stops its run at once, and its tasks are what they were [S3-SF-01, S3-SF-06]",
    async (phase, layered, scripts) => {
      const path = join(world.dataDir, "person");
      const broken = join(world.dataDir, "broken");
      const goal = await loopGoal(world, taskList(["T1"], layered), scripts({ broken, path }));
      if (phase === "implement_task") await writeFile(broken, "");
      if (phase === "fix_ci") await hook(goal, `touch '${broken}'; echo "not like this" >&2; exit 1`);
      await world.work();

      const stopped = await shown(world, goal.goalId);
      expect(stopped).toMatchObject({ status: "failed", loop: { phase: "run_stopped_setup_failure", wave: null } });
      expect(stopped.outcome).toMatch(phase === "spec_check_persist" ? /is not at .* any more/ : /no such sandbox/);
      expect(Object.fromEntries(stopped.tasks.map((task) => [task.id, task.status]))).toEqual(
        phase === "fix_ci" ? { T1: "passed", "push-1": "pending" } : { T1: "pending" },
      );
      const phases = await took(world, goal.goalId);
      expect(phases.map(words).at(-1)).toBe(`${phase} → run_stopped_setup_failure: setup failed`);

      // Nothing follows in this run.
      await world.work();
      expect(await phasesOf(world, goal.goalId)).toEqual(phases);
    },
  );
});

it("every transition of the table was taken by these walks, and nothing else was [F-212]", () => {
  const stays = (each: string): boolean => / (it did not succeed|a stop was requested)$/.test(each);
  expect([...taken].filter((each) => !stays(each)).sort()).toEqual(
    taskTransitions.map(({ from, to, when }) => `${from} → ${to}: ${when}`).sort(),
  );
});
