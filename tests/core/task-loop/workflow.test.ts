import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { saysFailed } from "../../../src/core/task-loop/flags.ts";
import {
  type LoopPhase,
  type LoopStatus,
  loopPhases,
  nextPhase,
  nothingYet,
  taskTransitions,
} from "../../../src/core/task-loop/workflow.ts";
import { taskLoopPage } from "../../../docs/task-loop.ts";
import { projectDir } from "../../fakes/bot.ts";

/** The table itself; that the engine takes each of its edges is shown by tests/walks/loop-table.test.ts. */

const status = (more: Partial<LoopStatus>): LoopStatus => ({ ...nothingYet, ...more });

describe("the machine", () => {
  it.each<[string, LoopPhase, Partial<LoopStatus>, LoopPhase]>([
    ["a stop request moves nothing", "implement_task", { stopRequested: true }, "implement_task"],
    ["what did not succeed stays", "spec_check_legacy", { succeeded: false }, "spec_check_legacy"],
    ["a repair that did not succeed [S3-TR-12]", "fix_ci", { succeeded: false }, "fix_ci"],
    [
      "a whole that could not be verified [S3-TR-13]",
      "completeness_verification",
      { succeeded: false, implementationComplete: true },
      "completeness_verification",
    ],
    ["setup failed", "implement_task", { succeeded: false, setupFailed: true }, "run_stopped_setup_failure"],
    ["no mode at all", "spec_check_mode_select", {}, "spec_check_legacy"],
    ["no guard holds", "spec_check_persist", {}, "spec_check_persist"],
    [
      "failed wins over all complete",
      "spec_check_persist",
      { taskFailed: true, allTasksComplete: true },
      "implement_task",
    ],
    ["handed off", "task_loop_handoff", { restartPhase: true }, "task_loop_handoff"],
    ["stopped", "run_stopped_setup_failure", { setupFailed: true }, "run_stopped_setup_failure"],
  ])("%s", (_title, from, given, to) => {
    expect(nextPhase(from, status(given)).phase).toBe(to);
  });

  it("leads everywhere, and out of everything that is not an end", () => {
    const reached = new Set<LoopPhase>(["implement_task"]);
    for (const _ of loopPhases) for (const edge of taskTransitions) if (reached.has(edge.from)) reached.add(edge.to);
    expect([...reached].sort()).toEqual([...loopPhases].sort());
    const left = new Set(taskTransitions.map((edge) => edge.from));
    expect(loopPhases.filter((phase) => !left.has(phase))).toEqual(["task_loop_handoff", "run_stopped_setup_failure"]);
  });

  it("is drawn in the documentation as it is", () => {
    expect(readFileSync(join(projectDir, "docs/task-loop.md"), "utf8")).toBe(taskLoopPage());
  });
});

it("a check that says no in any way has said no", () => {
  expect(
    [
      { taskFailed: true, taskPassed: true },
      { taskPassed: false, allTasksComplete: true },
      { taskPassed: true },
      {},
    ].map(saysFailed),
  ).toEqual([true, true, false, false]);
});
