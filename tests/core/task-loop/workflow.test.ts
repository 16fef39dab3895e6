import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  failedFlags,
  noFlags,
  normaliseFlags,
  passedFlags,
  type TaskFlags,
} from "../../../src/core/task-loop/flags.ts";
import {
  drawMachine,
  type LoopPhase,
  type LoopStatus,
  loopPhases,
  nextPhase,
  nothingYet,
  transitions,
} from "../../../src/core/task-loop/workflow.ts";
import { projectDir } from "../../fakes/bot.ts";

const status = (more: Partial<LoopStatus>): LoopStatus => ({ ...nothingYet, ...more });

describe("the machine", () => {
  it.each<[string, LoopPhase, Partial<LoopStatus>, LoopPhase]>([
    ["restart stays [S3-TR-01]", "implement_task", { restartPhase: true }, "implement_task"],
    ["implemented [S3-TR-02]", "implement_task", {}, "spec_check_mode_select"],
    ["not implemented [S3-TR-03]", "implement_task", { succeeded: false, taskPassed: true }, "implement_task"],
    ["setup failed", "implement_task", { succeeded: false, setupFailed: true }, "run_stopped_setup_failure"],
    ["layered [S3-MS-01]", "spec_check_mode_select", { mode: "layered" }, "spec_check_layered"],
    ["legacy [S3-MS-02]", "spec_check_mode_select", { mode: "legacy" }, "spec_check_legacy"],
    ["no mode at all", "spec_check_mode_select", {}, "spec_check_legacy"],
    ["legacy persists [S3-TR-04]", "spec_check_legacy", {}, "spec_check_persist"],
    ["layered persists [S3-TR-04]", "spec_check_layered", {}, "spec_check_persist"],
    ["a check without a wave [S3-CR-05]", "spec_check_layered", { setupFailed: true }, "run_stopped_setup_failure"],
    ["a check that failed to run stays", "spec_check_legacy", { succeeded: false }, "spec_check_legacy"],
    ["commit failed [S3-TR-05]", "spec_check_persist", { commitFailed: true }, "fix_ci"],
    ["push failed [S3-TR-06]", "spec_check_persist", { pushFailed: true }, "fix_ci"],
    ["task failed [S3-TR-07]", "spec_check_persist", { taskFailed: true }, "implement_task"],
    ["more tasks [S3-TR-08]", "spec_check_persist", { taskPassed: true, hasMoreTasks: true }, "implement_task"],
    ["all complete [S3-TR-09]", "spec_check_persist", { allTasksComplete: true }, "completeness_verification"],
    ["the first guard wins [S3-TR-10]", "spec_check_persist", { commitFailed: true, taskFailed: true }, "fix_ci"],
    ["no guard holds [S3-TR-11]", "spec_check_persist", {}, "spec_check_persist"],
    ["repaired [S3-TR-12]", "fix_ci", {}, "spec_check_mode_select"],
    ["not repaired [S3-TR-12]", "fix_ci", { succeeded: false }, "fix_ci"],
    ["missing work [S3-TR-13]", "completeness_verification", { missingWork: true }, "implement_task"],
    ["complete [S3-TR-13]", "completeness_verification", { implementationComplete: true }, "task_loop_handoff"],
    [
      "not verified [S3-TR-13]",
      "completeness_verification",
      { succeeded: false, implementationComplete: true },
      "completeness_verification",
    ],
    ["handed off [S3-TR-14]", "task_loop_handoff", { restartPhase: true }, "task_loop_handoff"],
    ["stopped [S3-TR-14]", "run_stopped_setup_failure", {}, "run_stopped_setup_failure"],
    ["a stop request [S3-TR-15]", "implement_task", { stopRequested: true }, "implement_task"],
  ])("%s", (_title, from, given, to) => {
    expect(nextPhase(from, status(given)).phase).toBe(to);
  });

  it("clears what a transition consumes, and says why it moved", () => {
    expect(nextPhase("implement_task", status({ restartPhase: true }))).toEqual({
      phase: "implement_task",
      reason: "asked to begin again",
      cleared: ["restartPhase"],
    });
    expect(nextPhase("fix_ci", status({ pushFailed: true })).cleared).toEqual(["commitFailed", "pushFailed"]);
  });

  it("leads everywhere, and out of everything that is not an end", () => {
    const reached = new Set<LoopPhase>(["implement_task"]);
    for (const _ of loopPhases) for (const edge of transitions) if (reached.has(edge.from)) reached.add(edge.to);
    expect([...reached].sort()).toEqual([...loopPhases].sort());
    const left = new Set(transitions.map((edge) => edge.from));
    expect(loopPhases.filter((phase) => !left.has(phase))).toEqual(["task_loop_handoff", "run_stopped_setup_failure"]);
  });

  it("is drawn in the documentation as it is", () => {
    expect(readFileSync(join(projectDir, "docs/task-loop.md"), "utf8")).toContain(drawMachine());
  });
});

/** Every combination of the four flags, with what the seed's resolutions make of it. */
const rows = readFileSync(join(projectDir, "tests/fixtures/task-flags.csv"), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(","));
const flag = (cell: string | undefined): boolean | null => (cell === "null" ? null : cell === "true");

describe("flags", () => {
  it("have 81 combinations, each once", () => {
    expect(rows.length).toBe(81);
    expect(new Set(rows.map((row) => row.slice(0, 4).join())).size).toBe(81);
  });

  it.each(rows)(
    "passed %s, failed %s, more %s, all %s: %s, then %s [S3-PS-04]",
    (passed, failed, more, all, means, then) => {
      const given: TaskFlags = {
        taskPassed: flag(passed),
        taskFailed: flag(failed),
        hasMoreTasks: flag(more),
        allTasksComplete: flag(all),
      };
      const meant = { failed: failedFlags, all: passedFlags(0), more: passedFlags(1) }[means ?? ""];

      const normal = normaliseFlags(given, null);

      expect(normal).toEqual(meant);
      expect(nextPhase("spec_check_persist", status(normal)).phase).toBe(then);
    },
  );

  it("a pass without a word on the rest is completed from the task list [S3-PS-02, S3-PS-03]", () => {
    const passed = { ...noFlags, taskPassed: true };
    expect(normaliseFlags(passed, 2)).toEqual({
      taskPassed: true,
      taskFailed: false,
      hasMoreTasks: true,
      allTasksComplete: false,
    });
    expect(normaliseFlags({ ...passed, hasMoreTasks: false }, 0)).toEqual({
      taskPassed: true,
      taskFailed: false,
      hasMoreTasks: false,
      allTasksComplete: true,
    });
  });

  it("a failure is these four [S3-PS-01]", () => {
    expect(normaliseFlags({ ...noFlags, taskFailed: true }, 0)).toEqual({
      taskPassed: false,
      taskFailed: true,
      hasMoreTasks: true,
      allTasksComplete: false,
    });
  });
});
